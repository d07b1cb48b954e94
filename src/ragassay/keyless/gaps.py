"""Questions that a page leaves open: keys that only its siblings have, and what people ask of its kind.

A page that holds a word near an answer is not asked. What is left, the verifier reads against the whole document and
the passages of the corpus that come nearest (``checking.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.keyless.page import Draft, Page
from ragassay.keyless.records import key_question
from ragassay.keyless.wording import attribute_of, is_plural

_OF_KIND = (
    ("policy procedure plan standard code handbook scheme", "Who approved {}?",
     r"approved|adopted|signed|authori[sz]ed|issued by|owner|decided by"),
    ("policy procedure plan standard code handbook scheme", "When was {} last reviewed?",
     "review|revis|updat|version|edition"),
    ("report review survey study newsletter guide", "Who wrote {}?", "wrote|written|by|edit|prepared|author|issued"),
    ("company corporation firm newspaper magazine manufacturer", "How many employees does {} have?",
     "employ|staff|people|work"),
    ("village town city municipality", "Who is the mayor of {}?", "mayor|council|administ|govern"),
    ("software framework app browser program library", "Under which licence is {} distributed?",
     r"licen[cs]e|gpl|mit\b|bsd|free software|open.source|copyright"),
)  # fmt: skip
"""Nouns that say what a thing is, what is asked of such a thing, and words that come near an answer."""
_FEWEST_WORDS = 60
"""Words of a page below which hardly anything would stand in it, and every question would be far from it."""


def gap_drafts(page: Page) -> Iterator[Draft]:
    """Yield questions that a page might answer and does not."""
    text = page.document.text
    for name in page.collection.lacking(page.document.id) if page.name and page.is_thing else ():
        words = re.findall(r"[a-z]{3,}", name)
        if not words or any(word[:5] in text.lower() for word in words):
            continue
        question = f"How many {name} does {page.name} have?" if is_plural(name) else key_question(name, "x", page.name)
        if question is not None and attribute_of(name):
            yield Draft(label="unanswerable", form="missing_key", question=question, source=f"key {name}", worth=0.7)
    kind = _kind_of(page) if page.name and len(text.split()) >= _FEWEST_WORDS else ""
    for nouns, question, near in _OF_KIND:
        if kind in nouns.split() and not re.search(rf"\b(?:{near})", text, re.IGNORECASE):
            asked = question.format(page.name)
            yield Draft(label="unanswerable", form=f"open: {question.format('...')}", question=asked, source=page.name)


def _kind_of(page: Page) -> str:
    """Return the last word of "the travel policy"; of a thing what its text calls it: "MV Aurora is a ferry"."""
    if not page.is_thing or page.name.startswith("the "):
        head = re.split(r" (?:of|at|on|in|to|for|by|from|with|between) ", page.name)[0]
        return re.sub(r"[ \d–/-]+$", "", head).rsplit(" ", 1)[-1].lower()
    found = re.search(
        rf"{re.escape(page.name)}[^.]{{0,60}}? (?:is|was) (?:an?|the) (?:[\w-]+ ){{0,5}}?([a-z]+)\b"
        r"(?= (?:that|which|who|of|in|at|by|from|for|on|based|born|and)|[,.])",
        page.document.text[:1500],
    )
    return (found[1] if found else page.name.rsplit(" ", 1)[-1]).lower()
