"""What a writer learns: Know Your RAG's rows, out of data sets or out of passages with pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import read_dataset, recognised
from ragassay.errors import InputError
from ragassay.records import UNLABELLED, Example
from ragassay.training.passages import LEAST_ROWS, digest_of, objects_of, read_objects, text_of

ANSWER = "<a>"
"""Between question and answer; the paper adds it to the tokenizer."""
_LABELS = {"facts": "fact_single", "summary": "summary", "reasoning": "reasoning"}
"""Fields of a passage, and the label of the pairs in them."""


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


class Pair(NamedTuple):
    """One row. kind: its label. input, target: the texts of the paper's appendix H."""

    source: str
    document: str
    kind: str
    input: str
    target: str


def read_pairs(paths: Sequence[Path], notes: Notes) -> tuple[list[Pair], str]:
    """Return the rows of all files, and their hash. An input stands once; ``notes`` counts what is left out.

    Raises InputError for what holds no pairs, and for fewer than LEAST_ROWS.
    """
    rows: dict[str, Pair] = {}
    for path in paths:
        for pair in _of_passages(path) if _holds_passages(path) else _of_a_set(path, notes):
            if pair.input in rows:
                notes.add("pairs left out: their context has one of their label already")
            else:
                rows[pair.input] = pair
    if len(rows) < LEAST_ROWS:
        left = "; ".join(f"{what}: {count}" for what, count in notes.counts.items())
        raise InputError(
            f"training needs at least {LEAST_ROWS} pairs, not {len(rows)}" + (f" ({left})" if left else "")
        )
    return list(rows.values()), digest_of(text for pair in rows.values() for text in pair)


def _holds_passages(path: Path) -> bool:
    """Whether a file is JSON lines in no format of a data set. Raises InputError where nothing is there."""
    if not path.exists():
        raise InputError(f"{path} does not exist; give a data set, or a file of passages with pairs")
    if path.is_dir() or path.suffix != ".jsonl":
        return False
    try:
        recognised(path)
    except InputError:
        return True
    return False


def _of_a_set(path: Path, notes: Notes) -> Iterator[Pair]:
    source = path.stem
    for example, row in training_rows(read_dataset(path, notes=notes), notes):
        document = example.context.document_id or row.input.partition(" ")[2]
        yield Pair(source, document, example.label, row.input, row.target)


def _of_passages(path: Path) -> Iterator[Pair]:
    for where, row in read_objects(path):
        if "text" not in row:
            raise InputError(f"{where}: must be a passage with 'text' and pairs ('facts', 'summary', 'reasoning')")
        context = text_of(row, "text", where)
        source = text_of(row, "source", where, default=path.stem)
        document = text_of(row, "title", where, default="") or context
        for field, label in _LABELS.items():
            for pair in objects_of(row, field, where):
                question, answer = text_of(pair, "question", where), text_of(pair, "answer", where, default="")
                if question and answer:
                    yield Pair(source, document, label, *row_of(label, context, question, answer))
