from __future__ import annotations

import pytest

from ragassay.models.embedded.reading.framing import unframed


@pytest.mark.parametrize(
    ("framed", "bare"),
    [
        ("According to “Board meeting, 6 May”, who spoke?", "who spoke?"),
        ("According to the Travel Policy, what is paid?", "what is paid?"),
        ("What does “Lease: Unit 7” say about repairs?", "What is known about repairs?"),
        (
            "What does the record of Ada Moss say about the pulse?",
            "What does the record of Ada Moss say about the pulse?",
        ),
        ("Who spoke according to the minutes?", "Who spoke according to the minutes?"),
    ],
)
def test_unframed(framed: str, bare: str) -> None:
    assert unframed(framed) == bare
