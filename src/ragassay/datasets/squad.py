"""SQuAD 1.1 and 2.0 (Rajpurkar et al. 2016, 2018): paragraphs with questions whose answers are spans of them.

Read as the published JSON, and as rows of JSONL with a context, a question and its answers. One JSON object cannot be
read bit by bit, so memory holds the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.datasets.foreign import document_of_text, example_of
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, note_other_fields, text_of
from ragassay.datasets.rows import parsed_json, read_rows
from ragassay.datasets.texts import Texts, find_quote, unplaced
from ragassay.errors import InputError
from ragassay.records import Document, Example, Span


class _Answer(NamedTuple):
    """start: character offset into the paragraph; -1 where it is not given."""

    text: str
    start: int


def _recognises(peek: Peek) -> bool:
    if peek.suffix == ".json":
        others = peek.keys - {"data", "version"}
        return "data" in peek.keys and (not others or not others.isdisjoint({"title", "paragraphs"}))
    record = peek.record or {}
    return (
        peek.suffix in (".jsonl", ".parquet")
        and {"question", "context"} <= peek.keys
        and isinstance(record.get("context"), str if record else object)
        and not {"answers", "answer_start", "is_impossible"}.isdisjoint(peek.keys)
    )


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    if source.documents is not None:
        raise InputError("--documents: SQuAD files hold their own paragraphs; leave it out")
    paragraph: Document | None = None
    seen: set[str] = set()
    rows = _whole(source.path, notes) if source.path.suffix.lower() == ".json" else _lines(source.path, notes)
    is_empty = True
    for row, title, text in rows:
        is_empty = False
        if paragraph is None or paragraph.text != text:
            paragraph = document_of_text(text, title, source.path, row.where)
            if paragraph.id not in seen:
                seen.add(paragraph.id)
                yield paragraph
        example = _example(row, paragraph, notes)
        if example is not None:
            yield example
    if is_empty and not notes.faults:
        raise InputError(f"{source.path.name} holds no question in the form of squad; name its format with --from")


def _lines(path: Path, notes: Notes) -> Iterator[tuple[Row, str, str]]:
    known = frozenset({"id", "context", "question", "answer", "answer_start", "answers", "title", "is_impossible"})
    for row in read_rows(path, notes):
        note_other_fields(row, known, notes)
        title, text = text_of(row, "title", notes, default=""), text_of(row, "context", notes)
        if title is not None and text is not None:
            yield row, title, text


def _whole(path: Path, notes: Notes) -> Iterator[tuple[Row, str, str]]:
    """Each question of the file with the title and the text of its paragraph."""
    value = parsed_json(path)
    data = value.get("data") if isinstance(value, dict) else None
    known = frozenset({"id", "question", "answers", "is_impossible"})
    for article in _objects(data, f"{path.name}: data", notes):
        title = text_of(article, "title", notes, default="")
        for paragraph in _objects(article.value.get("paragraphs"), f"{article.where}.paragraphs", notes):
            text = text_of(paragraph, "context", notes)
            if title is None or text is None:
                continue
            for row in _objects(paragraph.value.get("qas"), f"{paragraph.where}.qas", notes):
                note_other_fields(row, known, notes)
                yield row, title, text


def _objects(value: Any, where: str, notes: Notes) -> Iterator[Row]:
    if not isinstance(value, list):
        notes.fault(f"{where} must be a list")
        return
    for number, each in enumerate(value):
        if isinstance(each, dict):
            yield Row(f"{where}[{number}]", each)
        else:
            notes.fault(f"{where}[{number}] must be an object")


def _example(row: Row, paragraph: Document, notes: Notes) -> Example | None:
    question, question_id = text_of(row, "question", notes), text_of(row, "id", notes, default="")
    answers = _answers(row, notes)
    if question is None or question_id is None or answers is None:
        return None
    impossible = row.value.get("is_impossible") is True or ("is_impossible" not in row.value and not answers)
    if impossible and answers:
        notes.fault(f"{row.where}: is_impossible, but there is an answer")
        return None
    span = None
    if answers:
        best = Counter(answers).most_common(1)[0][0]  # of equals the first
        span = _span(best, paragraph, row, notes)
    return example_of(
        origin="squad",
        question=question,
        answer=span.text if span else "",
        other_answers=[answer.text for answer in answers],
        example_id=question_id or None,
        context=paragraph.span(0, len(paragraph.text)),
        references=[span] if span else (),
        language=paragraph.language,
        unanswerable_in="document" if impossible else None,
    )


def _answers(row: Row, notes: Notes) -> list[_Answer] | None:
    """The answers that have text, in the three ways in which they are written."""
    value = row.value.get("answers")
    if value is None and row.value.get("answer") is not None:
        value = [{"text": row.value["answer"], "answer_start": row.value.get("answer_start")}]
    if isinstance(value, dict):
        columns = [value.get("text"), value.get("answer_start")]
        if isinstance(columns[0], list) and isinstance(columns[1], list) and len(columns[0]) == len(columns[1]):
            value = [{"text": text, "answer_start": start} for text, start in zip(*columns, strict=True)]
    if value is None:
        return []
    if not isinstance(value, list) or not all(
        isinstance(each, dict) and isinstance(each.get("text"), str) for each in value
    ):
        notes.fault(f"{row.where}: answers must be a list of objects with text and answer_start")
        return None
    starts = [each.get("answer_start") for each in value]
    found = [
        _Answer(each["text"], start if type(start) is int else -1) for each, start in zip(value, starts, strict=True)
    ]
    return [answer for answer in found if answer.text]


def _span(answer: _Answer, paragraph: Document, row: Row, notes: Notes) -> Span:
    """Where the answer stands; where its offset is wrong, the nearest place, and where there is none, no place."""
    end = answer.start + len(answer.text)
    if answer.start >= 0 and paragraph.text[answer.start : end] == answer.text:
        return paragraph.span(answer.start, end)
    found = find_quote(paragraph.text, answer.text, near=max(answer.start, 0))
    if found is None:
        notes.add("answers that are not in their paragraph")
        return unplaced(paragraph.id, answer.text)
    if answer.start >= 0:
        notes.add("answers that are not at their offset; the nearest place is used")
    return paragraph.span(*found)


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    titles: dict[str, str] = {}
    questions: dict[str, list[dict[str, Any]]] = {}
    with Texts() as texts:
        for record in records:
            if isinstance(record, Document):
                texts.add(record.id, record.text)
                titles[record.id] = record.title
            elif isinstance(record, Example):
                home = (record.references or (record.context,))[0].document_id
                if home not in texts and record.context.document_id == home and record.context.text:
                    texts.add(home, record.context.text)  # a file of examples alone: the context is the paragraph
                text = texts.get(home)
                if text is None:
                    notes.add("examples left out: the text of their document is not known")
                    continue
                question = _question(record, text, notes)
                if question is not None:
                    questions.setdefault(home, []).append(question)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write('{"version":"v2.0","data":[')
            for number, (document_id, qas) in enumerate(questions.items()):
                paragraph = {"context": texts.get(document_id), "qas": qas}
                article = {"title": titles.get(document_id, ""), "paragraphs": [paragraph]}
                file.write(",\n" if number else "\n")
                json.dump(article, file, ensure_ascii=False, separators=(",", ":"))
            file.write("\n]}\n")
        notes.add("documents left out: no question is about them", sum(each not in questions for each in titles))


def _question(example: Example, text: str, notes: Notes) -> dict[str, Any] | None:
    question: dict[str, Any] = {"id": example.id, "question": example.question}
    if not example.answer:
        return {**question, "answers": [], "is_impossible": True}
    near = example.references[0].start if example.references else 0
    answer, start = example.answer, text.find(example.answer, near)
    start = text.find(answer) if start < 0 else start
    if start < 0 and example.references:
        answer, start = example.references[0].text, near
        notes.add("answers that are not in their document; the first reference is used instead")
    if start < 0 or text[start : start + len(answer)] != answer:
        notes.add("examples left out: neither the answer nor a reference is in the document")
        return None
    others = [span for span in example.references if (span.start, span.text) != (start, answer)]
    notes.add("references other than the span of the answer, left out", len(others))
    places = {answer: start, **{each: text.find(each) for each in example.other_answers}}
    notes.add("other answers that are not in their document, left out", sum(place < 0 for place in places.values()))
    answers = [{"text": each, "answer_start": place} for each, place in places.items() if place >= 0]
    return {**question, "answers": answers, "is_impossible": False}


FORMAT = Format(
    name="squad",
    title="SQuAD 1.1 and 2.0: JSON, or rows of JSONL or Parquet (read only)",
    holds=frozenset(
        {
            "example ids",
            "questions",
            "answers",
            "other answers",
            "references",
            "places of references",
            "documents",
            "titles",
        }
    ),
    suffixes=(".json",),
    writes=(".json",),
    recognises=_recognises,
    read=_read,
    write=_write,
)
