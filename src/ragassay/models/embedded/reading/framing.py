"""Questions that name the document that they are asked of, and what they ask without it."""

from __future__ import annotations

import re

_FRAME = re.compile(r"^According to (?:“[^”]*”|[^,“]{1,90}),\s*(?=[^\s])")
_LEAD = re.compile(
    r"^\W*(?:based\s+on|according\s+to|along\s+with|besides|in\s+addition\s+to)\s+[^,]+,\s*", re.IGNORECASE
)
_ON_A_TOPIC = re.compile(
    r"^What (?:does (?:“[^”]*”|(?!the record\b)[^“”?]{1,90}?) say|should I know) about (?P<topic>.+)\?$"
)


def unframed(question: str) -> str:
    """The question without the document that it is asked of: a passage need not repeat the title of its document.

    'According to “Board meeting, 6 May”, who ...?' as 'who ...?'; 'What does the travel policy say about hotels?' as
    'What is known about hotels?'.
    """
    topic = _ON_A_TOPIC.match(question)
    return f"What is known about {topic['topic']}?" if topic else _LEAD.sub("", _FRAME.sub("", question))


def asks_itself(text: str, question: str, answer: str) -> bool:
    """Whether the text asks the question word for word and the answer follows, as on a page of questions.

    Whoever wrote the page says then that the one answers the other.
    """
    asked, told = _folded(unframed(question)), _folded(answer)[:_BEGINNING]
    if not asked.endswith("?") or not told:
        return False
    behind = _folded(text).split(asked)[1:]  # a page of questions may list them all before it answers them
    return any(told in each[: len(told) + _BETWEEN] for each in behind)


_BEGINNING = 60
"""Characters of an answer that have to follow its question: of several paragraphs the first may be a short one."""
_BETWEEN = 8
"""Characters that may stand between the two: a line break, "A:"."""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
