from __future__ import annotations

import pytest

from ragassay.records import NO_CONTEXT, Example, Provenance, Span


def _example(
    number: int, *, context: str = "The Argo carries 40 cars.", keypoints: tuple[str, ...] = ("It is 40.",)
) -> Example:
    span = Span(document_id="d", start=0, end=len(context), text=context) if context else NO_CONTEXT
    return Example(
        id=f"q{number}",
        question=f"How many cars, case {number}?",
        answer="40",
        context=span,
        references=(),
        keypoints=keypoints,
        requested_label="fact_single",
        verified_label="summary",
        provenance=Provenance(synthesizer="statements", model="embedded"),
    )


@pytest.fixture
def examples() -> list[Example]:
    return [_example(number) for number in range(6)]


@pytest.fixture
def bare_example() -> Example:
    return _example(99, context="", keypoints=())
