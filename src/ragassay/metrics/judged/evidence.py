"""What a judged score rests on, one line for each thing that was judged."""

from __future__ import annotations


def verdict_line(verdict: str, subject: str, reason: str, sentence: str = "") -> str:
    """``supported: It opened in 1998. <- "The bridge opened in 1998." (said)``, what is empty left out.

    subject: the statement, keypoint or chunk that was judged. sentence: what decided, verbatim.
    """
    source = f' <- "{sentence}"' if sentence else ""
    why = f" ({reason})" if reason else ""
    return f"{verdict}: {subject}{source}{why}"
