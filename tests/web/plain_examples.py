"""One plain example, of which a test changes what it is about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ragassay.records import Example, Provenance, Span


def plain_example(text: str = "The Argo carries 40 cars.", **changes: Any) -> Example:
    """text: the whole of its document ``d``, which is its context; without a reference, label or keypoint."""
    found = Example(
        id="q0",
        question="How many cars?",
        answer="40",
        context=Span(document_id="d", start=0, end=len(text), text=text),
        references=(),
        keypoints=(),
        requested_label=None,
        verified_label=None,
        provenance=Provenance(synthesizer="", model=""),
    )
    return replace(found, **changes)
