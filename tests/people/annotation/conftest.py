from __future__ import annotations

from typing import Any

import pytest
from plain_examples import plain_example

from ragassay.records import NO_CONTEXT, Example, Provenance


def _example(number: int, **changes: Any) -> Example:
    models = Provenance(synthesizer="statements", model="embedded")
    labels = {"requested_label": "fact_single", "verified_label": "summary"}
    asked = {"id": f"q{number}", "question": f"How many cars, case {number}?", "keypoints": ("It is 40.",)}
    return plain_example(**{**labels, **asked, "provenance": models, **changes})


@pytest.fixture
def examples() -> list[Example]:
    return [_example(number) for number in range(6)]


@pytest.fixture
def bare_example() -> Example:
    return _example(99, context=NO_CONTEXT, keypoints=())
