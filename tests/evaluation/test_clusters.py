from __future__ import annotations

from by_hand import example_of

from ragassay.evaluation.clusters import clusters_of
from ragassay.records import NO_CONTEXT, Example, Span


def example(context: str = "", *references: str) -> Example:
    spans = [Span(document_id=name, start=0, end=1, text="a") for name in (context, *references)]
    return example_of(context=spans[0] if context else NO_CONTEXT, references=tuple(spans[1:]))


def test_questions_of_one_document_hang_together() -> None:
    # of the context, else of the first reference, else alone
    examples = [example("a"), example("b", "a"), example("", "a", "b"), example(), example(), example("b")]
    assert clusters_of(examples).tolist() == [0, 1, 0, 2, 3, 1]
    assert clusters_of([]).tolist() == []
