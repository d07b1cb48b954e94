from __future__ import annotations

import pytest

from ragassay.models.embedded.judging.labelling import HANDLERS
from ragassay.tasks.critique import LabelVerdict, Pair

HANDBOOK = """Ferry handbook

Owner: Ines Roper
Next review: 4 May 2026
Effective from: 4 May 2024

Vessels

Name | Length | Crew
Alba | 38.0 m | 5
Bruma | 44.5 m | 7

Boarding

Open the bow door
Lower the ramp
Check every ticket

History

The Alba was established as a mail boat in 1961. She was sold to Molde in 1987. Her first master was Nils Oberg.

Safety

Every passenger gets a vest. Drills are held each Monday. Smoking is forbidden on the car deck.
"""
MANUAL = """BOARD CARS

Parameters

deck_name
The name of the deck that takes the cars.

CASCADE
Board their trailers too.

RESTRICT
Refuse to board cars with trailers. This is the default.

ramp_wait (integer)
Sets the wait before the ramp rises. A value of zero disables the wait. The default is 30 seconds.
"""
PERSON = "Nils Oberg (3 April 1920 – 9 May 1991) was a Norwegian master mariner. He underwent surgery in Oslo in 1985."


def label(context: str, question: str) -> LabelVerdict:
    (reply,) = HANDLERS["label"](None, [Pair(context=context, question=question)])  # type: ignore[arg-type]
    assert isinstance(reply.value, LabelVerdict)
    return reply.value


@pytest.mark.parametrize(
    ("context", "question"),
    [
        (HANDBOOK, "When was the Alba founded?"),
        (HANDBOOK, "What is the length of Bruma in the ferry handbook?"),
    ],
)
def test_fact_single(context: str, question: str) -> None:
    assert label(context, question).label == "fact_single"


@pytest.mark.parametrize(
    ("context", "question"),
    [
        (HANDBOOK, "What are the steps of boarding in the ferry handbook?"),
    ],
)
def test_summary_even_where_the_pieces_share_one_sentence(context: str, question: str) -> None:
    assert label(context, question).label == "summary"


@pytest.mark.parametrize(
    ("context", "question"),
    [
        (
            HANDBOOK,
            "How many days lie between the “effective from” date and the “next review” date of the ferry handbook?",
        ),
        (HANDBOOK, "What is the difference in crew between Alba and Bruma in the ferry handbook?"),
        (PERSON, "How old was Nils Oberg when he died?"),
    ],
)
def test_reasoning(context: str, question: str) -> None:
    assert label(context, question).label == "reasoning"


@pytest.mark.parametrize(
    ("context", "question"),
    [
        (HANDBOOK, "How many days lie between the launch and the scrapping of the Cassandra?"),
        ("", "Who is the owner?"),
    ],
)
def test_unanswerable_with_what_is_missing(context: str, question: str) -> None:
    found = label(context, question)
    assert found.label == "unanswerable"
    assert found.reason
