"""Cells of one row, and who does what to whom, by rule; and what that adds to a verdict of the verifier."""

from __future__ import annotations

from typing import Any

import pytest

from ragassay.models.embedded.judging.structure import exchanged, in_table
from ragassay.models.embedded.judging.verdicts import HANDLERS, statements_of
from ragassay.models.embeddings import SentenceEncoder
from ragassay.tasks.verdicts import StatementsOnContext

CITIES = "| City | Highest price of a night |\n| --- | --- |\n| Ghent | 190 euros |\n| Bruges | 140 euros |"
ROOMS = "| Room | Beds | Low season |\n| --- | --- | --- |\n| Attic | 2 | $80 |\n| Tower | 4 | $120 |"
GHENT, BRUGES = (f"What does the company pay for a night in {city}?" for city in ("Ghent", "Bruges"))
TEAMS = "Kestrel beat Rangers after Ndiaye passed to Olsen. Anna pays Ben 400 euros."


@pytest.mark.parametrize(
    ("question", "claim", "text", "place"),
    [
        (GHENT, "140 euros", CITIES, "other"),
        (BRUGES, "140 euros", CITIES, "row"),
        (GHENT, "Not 140 euros", CITIES, ""),
        (GHENT, "150 euros", CITIES, ""),
        (GHENT, "140 euros", "Ghent has 190 euros, Bruges 140 euros.", ""),
        ("", "The Tower room has 4 beds.", ROOMS, "row"),
        ("", "The Tower room has 2 beds.", ROOMS, "other"),
    ],
)
def test_cells_of_a_claim_stand_in_one_row(question: str, claim: str, text: str, place: str) -> None:
    assert in_table(claim, question, text) == place


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


@pytest.mark.usefixtures("small_model_on")
@pytest.mark.parametrize(("question", "is_right"), [(GHENT, False), (BRUGES, True)])
def test_the_amount_of_another_city_is_not_supported(question: str, is_right: bool) -> None:
    stated = tuple(statements_of(question, "Up to 140 euros."))
    asked = StatementsOnContext(question=question, statements=stated, context=CITIES)
    value: Any = HANDLERS["statement_verdicts"](SentenceEncoder(), [asked])[0].value
    assert value.items[0].supported == is_right
