"""The training format of Know Your RAG (2025), appendix H: rows for a sequence-to-sequence model, FLAN-T5 there.

Input: ``<<label>> context``; target: ``<<label>> question <a> answer``, for the three labels that have an answer. Every
context stands at most once a label, so that an input has one target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ragassay.datasets.format import Format, Notes, Record
from ragassay.datasets.lines import json_line
from ragassay.records import UNLABELLED, Example

ANSWER = "<a>"
"""Between question and answer; the paper adds it to the tokenizer."""


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
    write=_write,
)
