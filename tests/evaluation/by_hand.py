"""Examples written by hand, of which a test says what matters to it."""

from __future__ import annotations

from typing import Any

from ragassay.records import NO_CONTEXT, Example, Provenance


def example_of(name: str = "q1", **fields: Any) -> Example:
    """An example without a label, a context and references; fields: what it has in their place."""
    usual: dict[str, Any] = {
        "question": f"What is {name}?",
        "answer": "",
        "context": NO_CONTEXT,
        "references": (),
        "keypoints": (),
        "requested_label": None,
        "verified_label": None,
        "provenance": Provenance(synthesizer="by_hand", model="none"),
    }
    return Example(id=name, **usual | fields)
