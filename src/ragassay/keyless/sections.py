"""What a text says under a heading, asked as a whole: the summary that a page gives word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragassay.keyless.draft import Draft
from ragassay.keyless.page import Page
from ragassay.keyless.wording import quoted_title
from ragassay.models.embedded.reading.parser import parse
from ragassay.text import sentence_spans

_GENERIC = re.compile(
    r"^(?:introduction|overview|summary|background|general|notes?|contents?|details?|about|abstract|conclusions?|"
    r"description|examples?|usage|see also|references|further reading|history|purpose|scope|miscellaneous|other|"
    r"appendix|chapter|part|section|step|faq|contact|links?|sources?|synopsis|options|name)\b",
    re.IGNORECASE,
)
_WORDS = range(20, 141)
_SENTENCES = range(2, 9)
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
        if body and body[0].kind == "paragraph" and all(each.kind in {"paragraph", "item"} for each in body):
            heading = page.document.text[block.start : block.end].strip()
            yield Section(heading, body[0].start, body[-1].end)


def section_drafts(page: Page) -> Iterator[Draft]:
    """Ask what a page says about what its headings name."""
    of = f"the page about {page.name}" if page.is_thing else page.name or quoted_title(page)
    if not of:
        return
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
        topic = "".join((t.text if t.pos_ == "PROPN" or t.text.isupper() else t.lower_) + t.whitespace_ for t in doc)
        stated = [" ".join(page.document.text[a:b].split()) for a, b in sentences]
        yield Draft(
            label="summary",
            form="section",
            question=f"What does {of} say about {topic}?",
            answer=" ".join(stated),
            spans=((section.start, section.end),),
            keypoints=tuple(stated),
            source="headings",
            worth=0.4,
            is_certain=True,
        )


def _is_topic(heading: str) -> bool:
    is_plain = re.fullmatch(r"[^\W\d_][\w '’&/-]*", heading) is not None
    return len(heading.split()) in range(1, 7) and not _GENERIC.match(heading) and is_plain
