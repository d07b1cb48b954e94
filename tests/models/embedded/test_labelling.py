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
PERSON = "Nils Oberg (3 April 1920 – 9 May 1991) was a Norwegian master mariner. He underwent surgery in Oslo in 1985."


@pytest.mark.parametrize(
    ("context", "question", "label"),
    [
        (HANDBOOK, "When was the Alba founded?", "fact_single"),
        (HANDBOOK, "What is the length of Bruma in the ferry handbook?", "fact_single"),
        (HANDBOOK, "What are the steps of boarding in the ferry handbook?", "summary"),
        (
            HANDBOOK,
            "How many days lie between the “effective from” and “next review” date of the handbook?",
            "reasoning",
        ),
        (HANDBOOK, "What is the difference in crew between Alba and Bruma in the ferry handbook?", "reasoning"),
        (PERSON, "How old was Nils Oberg when he died?", "reasoning"),
        (HANDBOOK, "How many days lie between the launch and the scrapping of the Cassandra?", "unanswerable"),
        ("", "Who is the owner?", "unanswerable"),
    ],
)
def test_labels_by_words_alone(context: str, question: str, label: str) -> None:
    (reply,) = HANDLERS["label"](None, [Pair(context=context, question=question)])  # type: ignore[arg-type]
    assert isinstance(reply.value, LabelVerdict)
    assert reply.value.label == label
    assert reply.value.reason
