"""MS MARCO QA (Nguyen et al. 2016), versions 1.1 and 2.1: about ten passages a query, of which some are selected.

Forms: microsoft.github.io/MSMARCO-Question-Answering (one JSON object of columns), and rows as the library datasets and
the JSONL of version 1.1 have them.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    whole_object,
)

_NO_ANSWER = "No Answer Present."


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in _rows(source, notes):
        passages = objects(row.value["passages"])
        answers = [each for each in strings(row.value["answers"]) if each != _NO_ANSWER]
        selected = [number for number, each in enumerate(passages) if each.get("is_selected")]
        texts = [Text(text_in(each.get("passage_text"))) for each in passages]
        worded = [number for number, each in enumerate(texts) if each.text.strip()]
        asked_about = [number for number in worded if number in selected] if selected else worded
        yield Item(
            where=row.where,
            question=text_in(row.value["query"]),
            id=text_in(row.value.get("query_id")),
            answer=next(iter(answers), ""),
            other_answers=answers,
            texts=texts,
            quotes=[Quote(number, texts[number].text) for number in selected],
            context=asked_about[0] if asked_about else None,
            unanswerable=None if answers else "context",
        )


def _rows(source: Source, notes: Notes) -> Iterator[Row]:
    if source.path.suffix.lower() != ".json":
        yield from rows_of(source, notes, "query", "passages", "answers")
        return
    columns = {name: each for name, each in whole_object(source).items() if isinstance(each, dict)}
    whole = Row(source.path.name, columns)
    if has_fields(whole, notes, "query", "passages", "answers"):
        for key in columns["query"]:
            row = Row(f"{source.path.name}: {key}", {name: each[key] for name, each in columns.items() if key in each})
            if has_fields(row, notes, "query", "passages", "answers"):
                yield row


def _recognises(peek: Peek) -> bool:
    if peek.suffix != ".json":
        return {"query", "passages", "answers"} <= peek.keys
    columns = {name for name in peek.keys if not name.isdecimal()}  # the first of them may fill what was looked at
    known = {"answers", "passages", "query", "query_id", "query_type", "wellFormedAnswers"}
    return "answers" in columns and columns <= known | {"is_selected", "passage_text", "url"} and columns != peek.keys


FORMAT = published("ms_marco", "MS MARCO QA 1.1 and 2.1", _recognises, _items)
