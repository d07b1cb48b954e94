"""CRUD-RAG (Lyu et al. 2024): Chinese questions on one to three pieces of news.

Form: github.com/IAAR-Shanghai/CRUD_RAG, ``data/crud_split/split_merged.json``: an object with a list for each task, of
which those of questions are read.
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
    text_in,
    whole_object,
)

_TASK = "questanswer_"


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in _rows(source, notes):
        names = sorted(name for name in row.value if name.startswith("news"))
        texts = [Text(text) for name in names if (text := text_in(row.value[name])).strip()]
        yield Item(
            where=row.where,
            question=text_in(row.value["questions"]),
            id=text_in(row.value.get("ID")),
            answer=text_in(row.value["answers"]),
            texts=texts,
            quotes=[Quote(number, each.text) for number, each in enumerate(texts)],
            question_type="information_integration" if len(texts) > 1 else None,
        )


def _rows(source: Source, notes: Notes) -> Iterator[Row]:
    if source.path.suffix.lower() != ".json":
        yield from rows_of(source, notes, "questions", "answers")
        return
    for task, value in whole_object(source).items():
        if not task.startswith(_TASK):
            notes.add(f"not read: the task {task[:40]!r}", len(objects(value)))
            continue
        for number, each in enumerate(objects(value), 1):
            row = Row(f"{source.path.name}: {task}[{number}]", each)
            if has_fields(row, notes, "questions", "answers"):
                yield row


def _recognises(peek: Peek) -> bool:
    tasks = {name for name in peek.keys if name == "event_summary" or name.startswith(_TASK)}
    return bool(tasks) or {"questions", "answers", "news1"} <= peek.keys


FORMAT = published("crud_rag", "CRUD-RAG: its questions", _recognises, _items)
