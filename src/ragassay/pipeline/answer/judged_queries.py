"""Which queries of a BEIR folder are asked, and what is relevant to them: as its judgements of one split say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ragassay.datasets.beir import Grades, read_grades
from ragassay.datasets.format import Notes
from ragassay.datasets.registry import format_named, recognised
from ragassay.errors import UsageError
from ragassay.records import Example

TEST = "test"
"""The split that published figures are of."""


def judgements(folder: Path, from_format: str | None = None, split: str | None = None) -> Grades | None:
    """The graded relevance that a BEIR folder brings; None for other sets.

    split: None for "test" where there is one, else all of them. Raises UsageError or InputError.
    """
    if (format_named(from_format, "--from") if from_format else recognised(folder)).name != "beir":
        if split is not None:
            raise UsageError(f"--split: {folder} is not a BEIR folder; leave --split out")
        return None
    has_test = (folder / "qrels" / f"{TEST}.tsv").is_file()
    return read_grades(folder, Notes(), split or (TEST if has_test else None))


def judged(example: Example, grades: Grades) -> Example | None:
    """A query with the documents that these judgements call relevant, and no others; None where they call none so."""
    relevant = grades.get(example.id)
    if not relevant:
        return None
    references = tuple(
        replace(span, grade=relevant[span.document_id]) for span in example.references if span.document_id in relevant
    )
    context = next((span for span in references if span.text), example.context)
    return replace(example, references=references, context=context)
