"""Questions that name the document that they are asked of, and what they ask without it."""

from __future__ import annotations

import re

_FRAME = re.compile(r"^According to (?:“[^”]*”|[^,“]{1,90}),\s*(?=[^\s])")
_LEAD = re.compile(
    r"^\W*(?:based\s+on|according\s+to|along\s+with|besides|in\s+addition\s+to)\s+[^,]+,\s*", re.IGNORECASE
)
_ON_A_TOPIC = re.compile(r"^What does (?:“[^”]*”|(?!the record\b)[^“”?]{1,90}?) say about (?P<topic>.+)\?$")


def unframed(question: str) -> str:
    """The question without the document that it is asked of: a passage need not repeat the title of its document.

    'According to “Board meeting, 6 May”, who ...?' as 'who ...?'; 'What does the travel policy say about hotels?' as
    'What is known about hotels?'.
    """
    topic = _ON_A_TOPIC.match(question)
    return f"What is known about {topic['topic']}?" if topic else _LEAD.sub("", _FRAME.sub("", question))
