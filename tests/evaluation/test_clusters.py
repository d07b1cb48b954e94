from __future__ import annotations

from dataclasses import replace
from typing import Any

from ragassay.evaluation.clusters import clusters_of
from ragassay.records import NO_CONTEXT, Example, Provenance, Span


def example(context: str = "", *references: str) -> Example:
    span: Any = lambda name: Span(document_id=name, start=0, end=1, text="a")  # noqa: E731
    bare = Example(
        id="q",
        question="q?",
        answer="",
        context=NO_CONTEXT,
        references=tuple(map(span, references)),
        keypoints=(),
        requested_label=None,
        verified_label=None,
        provenance=Provenance(synthesizer="by_hand", model="none"),
    )
    return replace(bare, context=span(context)) if context else bare


def test_questions_of_one_document_hang_together() -> None:
    # of the context, else of the first reference, else alone
    examples = [example("a"), example("b", "a"), example("", "a", "b"), example(), example(), example("b")]
    assert clusters_of(examples).tolist() == [0, 1, 0, 2, 3, 1]
    assert clusters_of([]).tolist() == []
