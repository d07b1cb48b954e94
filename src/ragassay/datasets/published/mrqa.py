"""MRQA 2019 (Fisch et al.): NewsQA, TriviaQA, HotpotQA and others as contexts with answers that stand in them.

Forms: github.com/mrqa/MRQA-Shared-Task-2019 (JSONL: a header, then a context with ``qas`` a line), and one question a
row as the library datasets has copies of it: ``context``, ``question``, ``answers`` as texts, ``labels`` with places.

MRQA kept only questions whose answer stands in the context (section 3), so that a row without one has lost it, and is
left out. Rows in this form that say ``is_impossible`` are unanswerable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragassay.datasets.format import Notes, Peek, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.published.item import (
    Item,
    Quote,
    Text,
    has_fields,
    objects,
    published,
    rows_of,
    strings,
    text_in,
)


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes):
        if row.value.keys() == {"header"} or not has_fields(row, notes, "context"):
            continue
        text = text_in(row.value["context"])
        if "qas" not in row.value:
            if has_fields(row, notes, "question", "answers"):
                yield from _item(row, text, row.value, _start(row.value.get("labels")), notes)
            continue
        for number, asked in enumerate(objects(row.value["qas"]), 1):
            inner = Row(f"{row.where} question {number}", asked)
            if has_fields(inner, notes, "question", "answers"):
                yield from _item(inner, text, asked, _detected(asked), notes)


def _item(row: Row, text: str, asked: dict[str, Any], near: int, notes: Notes) -> Iterator[Item]:
    is_impossible = asked.get("is_impossible") is True
    answers = [each for each in strings(asked["answers"]) if each.strip()]
    answer = next(iter(answers), "")
    if not answer and not is_impossible:
        notes.add("questions without an answer, left out: all of MRQA's have one")
        return
    yield Item(
        where=row.where,
        question=text_in(asked["question"]),
        id=text_in(asked.get("qid")) or text_in(asked.get("key")),
        answer=answer,
        other_answers=answers,
        texts=[Text(text)],
        quotes=[Quote(0, answer, near)] if answer else [],
        unanswerable="document" if is_impossible else None,
    )


def _start(labels: Any) -> int:
    first = next(iter(objects(labels)), {}).get("start")
    first = first[0] if isinstance(first, list) and first else first
    return first if type(first) is int and first >= 0 else 0


def _detected(asked: dict[str, Any]) -> int:
    spans = next(iter(objects(asked.get("detected_answers"))), {}).get("char_spans")
    return _start([{"start": spans[0]}]) if isinstance(spans, list) and spans else 0


def _recognises(peek: Peek) -> bool:
    answers = (peek.record or {}).get("answers")
    is_row = {"context", "question", "answers"} <= peek.keys and (
        "labels" in peek.keys or (isinstance(answers, list) and all(isinstance(each, str) for each in answers))
    )
    return peek.suffix != ".json" and (peek.keys == {"header"} or {"context", "qas"} <= peek.keys or is_row)


FORMAT = published("mrqa", "MRQA 2019: contexts with answers out of them", _recognises, _items)
