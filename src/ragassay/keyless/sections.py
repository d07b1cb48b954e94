"""What a text says under a heading, asked as a whole: the summary that a page gives word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragassay.keyless.draft import Draft
from ragassay.keyless.framing import framed
from ragassay.keyless.page import Page
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
        question = _question(page, topic, stated[0], is_plural=root.tag_ in {"NNS", "NNPS"})
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
_RELATIONAL = re.compile(
    r"\b(?:limit(?:ation)?s|restrictions|problems|(?:pre)?requirements|prerequisites|exceptions|conditions|benefits|"
    r"advantages|disadvantages|risks|parameters|controls|rules|duties|responsibilities|goals|aims)$",
    re.IGNORECASE,
)
"""Plurals of which the text below such a heading says which there are."""


_MASS = re.compile(r"(?:ing|ion|ity|ness|ment|ance|ence|ship)$")


def _question(page: Page, topic: str, first: str, *, is_plural: bool) -> str:
    """What the heading's topic is, or what one should know about it; empty where its page has no name."""
    if page.name and not page.is_thing:
        return f"What does {page.name} say about {topic}?"
    topic = re.sub(r"^(?:the|an?) ", "", topic)
    article = re.search(rf"\b(the|an?) {re.escape(topic)}\b", page.document.text, re.IGNORECASE)
    is_bare = is_plural or _MASS.search(topic) or page.document.text.count(topic) > 0
    what = f"{article[1].lower()} {topic}" if article and not is_plural else topic if is_bare else f"the {topic}"
    is_told = re.match(rf"(?:the |an? )?{re.escape(topic)} (?!of\b)", first, re.IGNORECASE) is not None
    if is_plural and (is_told or (page.is_thing and _RELATIONAL.search(topic))):
        asked = f"What are the {topic}?"
    else:
        asked = f"What is {what}?" if is_told else f"What should I know about {what}?"
    if page.is_thing and page.name.lower() not in asked.lower():
        joins = "of" if asked.startswith("What are") else "for"
        return f"{asked[:-1]} {joins} {page.name}?"
    return framed(page, asked)


def _is_topic(heading: str) -> bool:
    is_plain = re.fullmatch(r"[^\W\d_][\w '’&/-]*", heading) is not None
    return len(heading.split()) in range(1, 7) and not _GENERIC.match(heading) and is_plain
