"""The training format of Know Your RAG (2025), appendix H: rows for a sequence-to-sequence model, FLAN-T5 there.

Input: ``<<label>> context``; target: ``<<label>> question <a> answer``, for the three labels that have an answer. Every
context stands at most once a label, so that an input has one target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ragassay.datasets.foreign import document_of_text, example_of, label_in
from ragassay.datasets.format import Format, Notes, Record, Source
from ragassay.datasets.lines import json_line, note_other_fields, read_objects, text_of
from ragassay.errors import InputError
from ragassay.records import UNLABELLED, Example

ANSWER = "<a>"
"""Between question and answer; the paper adds it to the tokenizer."""

_INPUT = re.compile(r"<<(\w+)>> ", re.DOTALL)


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    if source.documents is not None:
        raise InputError("--documents: rows of this format hold their own contexts; leave it out")
    seen: set[str] = set()
    for row in read_objects(source.path, notes):
        note_other_fields(row, frozenset({"input", "target"}), notes)
        given, target = text_of(row, "input", notes), text_of(row, "target", notes)
        if given is None or target is None:
            continue
        label, answer_label = _INPUT.match(given), _INPUT.match(target)
        question, mark, answer = target.partition(f" {ANSWER} ")
        if label is None or answer_label is None or label[1] != answer_label[1] or not mark:
            notes.fault(f"{row.where}: must be a row of '<<label>> context' and '<<label>> question {ANSWER} answer'")
            continue
        document = document_of_text(given[label.end() :], "", source.path, row.where)
        if document.id not in seen:
            seen.add(document.id)
            yield document
        yield example_of(
            origin="flan",
            question=question[answer_label.end() :],
            answer=answer,
            context=document.span(0, len(document.text)),
            language=document.language,
            label=label_in(label[1], notes),
            unanswerable_in="context" if label[1] == "unanswerable" else None,
        )


class Row(NamedTuple):
    """What one example teaches."""

    input: str
    target: str


def training_rows(records: Iterable[Record], notes: Notes) -> Iterator[tuple[Example, Row]]:
    """Return the row of each example that has one; what is left out is counted in ``notes``."""
    used: set[tuple[str, str]] = set()
    for record in records:
        if not isinstance(record, Example):
            continue
        context = record.context.text or "\n".join(span.text for span in record.references)
        if record.label == "unanswerable":
            notes.add("examples left out: unanswerable, for which the paper has no rows")
        elif not context:
            notes.add("examples left out: their context is not known")
        elif (context, record.label) in used:
            notes.add("examples left out: their context has one of their label already")
        else:
            used.add((context, record.label))
            notes.add("examples without a label", int(record.label == UNLABELLED))
            notes.add(f"questions whose {ANSWER} was written with spaces", int(ANSWER in record.question))
            yield record, row_of(record.label, context, record.question, record.answer)


def row_of(label: str, context: str, question: str, answer: str) -> Row:
    """Return the row of one question."""
    asked = question.replace(ANSWER, "< a >")
    return Row(f"<<{label}>> {context}", f"<<{label}>> {asked} {ANSWER} {answer}")


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for _, row in training_rows(records, notes):
            file.write(json_line({"input": row.input, "target": row.target}))


FORMAT = Format(
    name="flan",
    title="Know Your RAG's training rows",
    holds=frozenset({"questions", "answers"}),
    writes=(".jsonl",),
    when=({"all": ["input", "target"], "suffixes": [".jsonl"], "starts": {"input": "<<"}},),
    read=_read,
    write=_write,
)
