"""Natural Questions (Kwiatkowski et al. 2019; Lee et al. 2019): the simplified rows, and the open ones without pages.

Forms: github.com/google-research-datasets/natural-questions (README, "Simplified") and its ``nq_open``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ragassay.datasets.format import Notes, Peek, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.published.item import (
    Item,
    Quote,
    Text,
    objects,
    published,
    rows_of,
    strings,
    text_in,
)

_TAG = re.compile(r"</?(\w+)[^<>]*>")
_LINES = frozenset("p h1 h2 h3 h4 h5 h6 li tr table ul ol dl dd dt".split())


class _Page(NamedTuple):
    """starts, ends: of each token in the text; those of a tag are equal."""

    text: str
    title: str
    starts: Sequence[int]
    ends: Sequence[int]

    def quote(self, value: Any) -> str:
        first, last = (value.get(name) for name in ("start_token", "end_token"))
        if type(first) is not int or type(last) is not int or not 0 <= first < last <= len(self.starts):
            return ""
        return self.text[self.starts[first] : self.ends[last - 1]].strip()

    def place(self, value: dict[str, Any]) -> int:
        return self.starts[int(value["start_token"])]


def _page(document: str) -> _Page:
    """The text of a page without its tags, where lines end as its blocks do."""
    parts: list[str] = []
    starts, ends, at, title, in_title = [], [], 0, "", False
    for token in document.split(" "):
        tag = _TAG.fullmatch(token)
        if tag is not None:
            name = tag[1].lower()
            in_title = (in_title or not title) and name == "h1" and not token.startswith("</")
            piece = "\n" if name in _LINES and parts and parts[-1] != "\n" else ""
            starts.append(at + len(piece))
            ends.append(at + len(piece))
        else:
            gap = " " if parts and parts[-1] != "\n" else ""
            piece = gap + token
            title = f"{title} {token}".strip() if in_title else title
            starts.append(at + len(gap))
            ends.append(at + len(piece))
        if piece:
            parts.append(piece)
            at += len(piece)
    return _Page("".join(parts), title, starts, ends)


def _simplified(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes, "question_text", "document_text", "annotations"):
        yield _item(row, notes)


def _item(row: Row, notes: Notes) -> Item:
    page = _page(text_in(row.value["document_text"]))
    annotations = objects(row.value["annotations"])
    notes.add(
        "questions with several annotations; references are those of the first that answers", len(annotations) > 1
    )
    answers, quotes = list[str](), list[Quote]()
    for each in annotations:
        long, short = each.get("long_answer"), objects(each.get("short_answers"))
        spans = [span for span in short if page.quote(span)] or ([long] if isinstance(long, dict) else [])
        quoted = [Quote(0, quote, page.place(span)) for span in spans if (quote := page.quote(span))]
        polar = text_in(each.get("yes_no_answer")).lower()
        answer = polar if polar in ("yes", "no") else ", ".join(quote.quote for quote in quoted)
        quotes = quotes if answers else quoted
        answers += [answer] if answer else []
    return Item(
        where=row.where,
        question=text_in(row.value["question_text"]),
        id=text_in(row.value.get("example_id")),
        answer=next(iter(answers), ""),
        other_answers=answers,
        texts=[Text(page.text, text_in(row.value.get("document_title")) or page.title)],
        quotes=quotes,
        unanswerable="document" if annotations and not answers else None,  # without any, nobody looked
    )


def _open(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes, "question", "answer"):
        answers = strings(row.value["answer"])
        yield Item(
            where=row.where,
            question=text_in(row.value["question"]),
            answer=next(iter(answers), ""),
            other_answers=answers,
        )


def _recognises_open(peek: Peek) -> bool:
    answer = (peek.record or {}).get("answer")
    return peek.keys == {"question", "answer"} and (peek.suffix == ".parquet" or isinstance(answer, list))


SIMPLIFIED = published(
    "natural_questions",
    "Natural Questions, simplified",
    lambda peek: {"question_text", "document_text", "annotations"} <= peek.keys,
    _simplified,
)
OPEN = published("nq_open", "Natural Questions, open: questions and answers alone", _recognises_open, _open)
