"""Who does what to whom, by rule."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.judging.exchanges import exchanged

TEAMS = "Kestrel beat Rangers after Ndiaye passed to Olsen. Anna pays Ben 400 euros."


@pytest.mark.parametrize(
    ("claim", "verb"),
    [
        ("Rangers beat Kestrel.", "beat"),
        ("Olsen passed to Ndiaye.", "pass"),
        ("Anna is paid by Ben.", "pay"),
        ("Ben is paid by Anna.", ""),
        ("Kestrel beat Rangers.", ""),
        ("Clara pays Ben.", ""),
    ],
)
def test_exchanged_participants_are_found(claim: str, verb: str) -> None:
    assert exchanged([(claim, TEAMS)]) == [verb]
