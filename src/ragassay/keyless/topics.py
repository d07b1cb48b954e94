"""What a page says under its headings, asked as a whole, and what it leaves open: questions to a thing of its kind.

A page that holds a word near an answer is not asked; what is left, the verifier reads (``drafting.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragassay.keyless.framing import framed
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.wording import sentence_case
from ragassay.models.embedded.reading.parser import parse
from ragassay.text import sentence_spans

_GENERIC = re.compile(
    r"^(?:introduction|overview|summary|background|general|notes?|contents?|details?|about|abstract|conclusions?|"
    r"description|examples?|usage|see also|references|further reading|history|purpose|scope|miscellaneous|other|"
    r"appendix|chapter|part|section|step|faq|contact|links?|sources?|synopsis|options|name|this|these|those|that)\b",
    re.IGNORECASE,
)
_WORDS = range(20, 141)
_SENTENCES = range(2, 9)
_RUNNING, _ENDS = frozenset({"paragraph", "item"}), frozenset('.!?:)”"')
_BACKWARD = re.compile(
    r"^(?:this|these|that|those|it|he|she|they|such|also|however|but|and|in addition)\b", re.IGNORECASE
)


class Section(NamedTuple):
    """A heading and the running text right below it; start, end: of that text."""

    heading: str
    start: int
    end: int


def sections(page: Page) -> Iterator[Section]:
    """Yield the headings whose whole section is running text, with it."""
    blocks = [block for block in page.document.blocks if block.kind not in {"title", "page"}]
    for place, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        body = []
        for following in blocks[place + 1 :]:
            if following.kind == "heading":
                break
            body.append(following)
        said = [page.document.text[each.start : each.end].rstrip() for each in body]
        is_prose = all(each.kind == "item" or text[-1:] in _ENDS for each, text in zip(body, said, strict=True))
        if body and body[0].kind == "paragraph" and is_prose and all(each.kind in _RUNNING for each in body):
            heading = page.document.text[block.start : block.end].strip()
            yield Section(heading, body[0].start, body[-1].end)


def section_drafts(page: Page) -> Iterator[Draft]:
    """Ask about what the headings of a page name."""
    found = [section for section in sections(page) if _is_topic(section.heading)]
    told = parse([f"Please {section.heading[0].lower()}{section.heading[1:]}." for section in found])
    for section, doc, as_told in zip(found, parse([section.heading for section in found]), told, strict=True):
        text = page.document.text[section.start : section.end]
        sentences = [(section.start + a, section.start + b) for a, b in sentence_spans(text)]
        if len(text.split()) not in _WORDS or len(sentences) not in _SENTENCES or _BACKWARD.match(text) or "``" in text:
            continue
        root = next((token for token in doc if token.dep_ == "ROOT"), None)
        if root is None or root.pos_ not in {"NOUN", "PROPN"} or any(t.pos_ in {"VERB", "AUX"} for t in doc):
            continue
        if as_told[1].dep_ == "ROOT" and as_told[1].tag_ == "VB":
            continue  # "Back up your data", which by itself the parse takes for a noun
        topic = sentence_case(section.heading, page.prose.replace(section.heading, " "))
        stated = [" ".join(page.document.text[a:b].split()) for a, b in sentences]
        question = _question(page, topic)
        if not question or _ANNOUNCES.search(stated[-1]):
            continue
        yield Draft(
            label="summary",
            form="section",
            question=question,
            answer=" ".join(stated),
            spans=((section.start, section.end),),
            keypoints=tuple(stated),
            source="headings",
            worth=0.4,
            is_certain=True,
        )


_ANNOUNCES = re.compile(r"^(?:there (?:are|is)|here (?:are|is))\b[^,;]*$", re.IGNORECASE)
"""A last sentence that only says that more is to come: "There are various ways to do so."."""


def _question(page: Page, topic: str) -> str:
    """What a page says about a topic, or what one should know about it; empty where the page has no name."""
    if page.name and not page.is_thing:
        return f"What does {page.name} say about {topic}?"
    topic = re.sub(r"^(?:the|an?) ", "", topic)
    article = re.search(rf"\b(the|an?) {re.escape(topic)}\b", page.document.text, re.IGNORECASE)
    what = f"{article[1].lower()} {topic}" if article else topic
    if page.is_thing:
        return f"What should I know about {what} for {page.name}?"
    return framed(page, f"What should I know about {what}?")


def _is_topic(heading: str) -> bool:
    is_plain = re.fullmatch(r"[^\W\d_][\w '’&/-]*", heading) is not None
    return len(heading.split()) in range(1, 7) and not _GENERIC.match(heading) and is_plain


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
    _open("village town city municipality commune", "Who is the mayor of {}?", r"mayor|council|administ|govern"),
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
        "software framework app browser program library",
        "Under which licence is {} distributed?",
        r"licen[cs]e|gpl|mit\b|bsd|free software|open.source|copyright",
    ),
)
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
    """The noun that says what a page is about: of "the travel policy" its last, of a thing what its text calls it."""
    if not page.is_thing or page.name.startswith("the "):
        head = re.split(r" (?:of|at|on|in|to|for|by|from|with|between) ", page.name)[0]
        return re.sub(r"[ \d–/-]+$", "", head).rsplit(" ", 1)[-1].lower()
    found = re.search(
        rf"{re.escape(page.name)}[^.]{{0,60}}? (?:is|was) (?:an?|the) (?:[\w-]+ ){{0,5}}?([a-z]+)\b"
        r"(?= (?:that|which|who|of|in|at|by|from|for|on|based|born|and)|[,.])",
        page.document.text[:1500],
    )
    return (found[1] if found else page.name.rsplit(" ", 1)[-1]).lower()
