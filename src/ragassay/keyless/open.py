"""Questions that belong to a page and that it leaves open: what people ask of a thing of its kind.

Each comes with what would be near an answer: a page that holds a word of it is not asked. What is left, the verifier
reads against the whole document and the passages of the corpus that come nearest (``checking.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragassay.keyless.draft import Draft
from ragassay.keyless.page import Page


class _Open(NamedTuple):
    """of: the noun that says what the thing is. near: words that come near an answer."""

    of: re.Pattern[str]
    question: str
    near: re.Pattern[str]


def _open(of: str, question: str, near: str) -> _Open:
    nouns = "|".join(re.escape(word) for word in of.split())
    return _Open(re.compile(rf"(?:{nouns})$"), question, re.compile(rf"\b(?:{near})", re.IGNORECASE))


_MONEY = r"cost|price|fees?\b|free\b|charg|paid|[$€£]|\d euro|pound|dollar"
_WHO = r"approved|adopted|signed|authori[sz]ed|issued by|owned by|owner|decided by"
_FOUND = r"found(?:er|ed|ing)|establish|set up|created|began|begun"
_DATES = r"review|revis|updat|version|edition"
THINGS = (
    _open("policy procedure plan standard code handbook scheme agreement", "Who approved {}?", _WHO),
    _open("policy procedure plan standard code handbook scheme", "When was {} last reviewed?", _DATES),
    _open("report review survey study newsletter guide", "Who wrote {}?", rf"{_WHO}|wrote|written|by|edit|prepared"),
    _open(
        "station warehouse hall factory stadium museum bridge tower church",
        "Who was the architect of {}?",
        r"architect|design|built by|drawn",
    ),
    _open("film movie documentary thriller comedy", "What was the budget of {}?", rf"{_MONEY}|million"),
    _open("film movie documentary series", "Who composed the music for {}?", r"music|compos|score|soundtrack|song"),
    _open(
        "album single song mixtape",
        "Which record label released {}?",
        r"label|records|released (?:by|on|through)|signed",
    ),
    _open("novel book memoir", "Which publisher brought out {}?", r"publish|press|edition|books"),
    _open(
        "village town city municipality commune",
        "What is the elevation of {}?",
        r"elevation|altitude|metres|meters|feet|above sea",
    ),
    _open("village town city municipality commune", "Who is the mayor of {}?", r"mayor|council|administ|govern"),
    _open("river stream creek canal", "How long is {}?", r"\d+ ?(?:km|mi|kilomet|mile|metre|met)|length|long"),
    _open(
        "company corporation firm newspaper magazine brand manufacturer",
        "How many employees does {} have?",
        r"employ|staff|people|work",
    ),
    _open(
        "company corporation firm newspaper magazine school university college club band museum",
        "Who founded {}?",
        _FOUND,
    ),
    _open(
        "species moth beetle plant fish spider bird snail frog",
        "Who first described {}?",
        r"describ|discover|named by|\(\w+, 1\d\d\d",
    ),
    _open(
        "actor actress director singer musician writer novelist poet author",
        "Which university did {} attend?",
        r"universit|college|school|studied|graduat|degree|educat",
    ),
    _open(
        "politician senator minister lawyer",
        "To which political party does {} belong?",
        r"party|democrat|republican|liberal|conservative|labour|member of",
    ),
    _open(
        "software framework app browser program library",
        "Under which licence is {} distributed?",
        r"licen[cs]e|gpl|mit\b|bsd|free software|open.source|copyright",
    ),
)
"""What is asked of a thing, by the noun that says what it is."""
_FEWEST_WORDS = 60
"""Words of a page below which hardly anything would stand in it, and every question would be far from it."""


def open_drafts(page: Page) -> Iterator[Draft]:
    """Ask what a page of its kind might say and this one does not."""
    text = page.document.text
    kind = kind_of(page) if page.name and len(text.split()) >= _FEWEST_WORDS else ""
    for row in THINGS:
        if row.of.fullmatch(kind) and not row.near.search(text):
            yield Draft(
                label="unanswerable",
                form=f"open: {row.question.format('...')}",
                question=row.question.format(page.name),
                source=page.name,
                worth=0.5,
            )


def kind_of(page: Page) -> str:
    """The noun that says what a page is about: of "the travel policy" its last, of a thing what its text calls it.

    "MV Aurora is a ferry": ferry; of a thing that its text calls nothing the last word of its name, "Kirkvoe Terminal".
    """
    if not page.is_thing or page.name.startswith("the "):
        head = re.split(r" (?:of|at|on|in|to|for|by|from|with|between) ", page.name)[0]
        return re.sub(r"[ \d–/-]+$", "", head).rsplit(" ", 1)[-1].lower()
    found = re.search(
        rf"{re.escape(page.name)}[^.]{{0,60}}? (?:is|was) (?:an?|the) (?:[\w-]+ ){{0,5}}?([a-z]+)\b"
        r"(?= (?:that|which|who|of|in|at|by|from|for|on|based|born|and)|[,.])",
        page.document.text[:1500],
    )
    return (found[1] if found else page.name.rsplit(" ", 1)[-1]).lower()
