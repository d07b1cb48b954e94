"""Listings as text: line breaks and inner indentation kept."""

from __future__ import annotations

from ragassay.corpus.parsed import clean_characters


def code_text(source: str) -> str:
    """A listing without empty lines at its ends, trailing white space, and the indentation that all lines share."""
    lines = [line.rstrip() for line in clean_characters(source).expandtabs(8).split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    shared = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return "\n".join(line[shared:] for line in lines).replace("\xa0", " ")
