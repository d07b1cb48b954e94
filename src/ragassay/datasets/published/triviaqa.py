"""TriviaQA (Joshi et al. 2017): questions with an answer and its other names, and pages that may hold it.

Forms: nlp.cs.washington.edu/triviaqa (JSON; the pages are files of their own), and ``trivia_qa`` as the library
datasets has it, pages included. The set says which pages go with a question, not where in them the answer stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragassay.datasets.format import Notes, Peek, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.published.item import (
    Item,
    Text,
    has_fields,
    objects,
    published,
    rows_of,
    strings,
    text_in,
    whole_object,
)


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in _rows(source, notes):
        answer = row.value["answer"] if isinstance(row.value["answer"], dict) else {}
        names = answer.get("aliases") or answer.get("Aliases")
        texts = [
            *_texts(row.value.get("entity_pages"), "wiki_context"),
            *_texts(row.value.get("search_results"), "search_context"),
        ]
        yield Item(
            where=row.where,
            question=text_in(row.value["question"]),
            id=text_in(row.value.get("question_id")),
            answer=text_in(answer.get("value")) or text_in(answer.get("Value")),
            other_answers=strings(names),
            texts=texts,
        )


def _texts(pages: Any, field: str) -> list[Text]:
    found = [Text(text_in(page.get(field)), text_in(page.get("title"))) for page in objects(pages)]
    return [each for each in found if each.text.strip()]


def _rows(source: Source, notes: Notes) -> Iterator[Row]:
    if source.path.suffix.lower() != ".json":
        yield from rows_of(source, notes, "question", "answer")
        return
    for number, value in enumerate(objects(whole_object(source).get("Data")), 1):
        row = Row(f"{source.path.name} item {number}", value)
        if has_fields(row, notes, "Question", "Answer"):
            notes.add("pages in files of their own, not read", len(objects(value.get("EntityPages"))))
            asked = {"question": value["Question"], "question_id": value.get("QuestionId"), "answer": value["Answer"]}
            yield Row(row.where, asked)


def _recognises(peek: Peek) -> bool:
    return {"question_id", "question", "answer", "entity_pages"} <= peek.keys or {"Data", "Answer"} <= peek.keys


FORMAT = published("triviaqa", "TriviaQA", _recognises, _items)
