"""The labeller, by words alone and with a verifier whose probabilities are given; chunks of use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragassay.models.embedded.model import handler
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check, Judged
from ragassay.tasks.contexts import AnswerFromChunks
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
    (reply,) = handler("label")(None, [Pair(context=context, question=question)])  # type: ignore[arg-type]
    assert isinstance(reply.value, LabelVerdict)
    assert reply.value.label == label
    assert reply.value.reason


TEXT = "The tug was put to sea in 1998, and two crews of six lived aboard."
STATED, OPEN = "When did the Alba first sail?", "Who designed the Alba?"
# A question to its probability; the threshold is 0.6.
GIVEN = {STATED: 0.9, OPEN: 0.59}


class FakeVerifier:
    """Gives what ``GIVEN`` has."""

    def threshold(self, *, questions: bool = False) -> float:
        assert questions
        return 0.6

    def judge(self, checks: Sequence[Check]) -> list[list[Judged]]:
        found = [[GIVEN.get(claim, 0.0) for claim in check.claims] for check in checks]
        return [[Judged(one, 0.0, 1 - one, "") for one in of_check] for of_check in found]


@pytest.fixture
def verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "verifier", FakeVerifier)


@pytest.mark.usefixtures("verifier")
def test_what_the_verifier_finds_no_answer_to_is_unanswerable(encoder: Any) -> None:
    (reply,) = handler("label")(encoder, [Pair(context=TEXT, question=OPEN)])
    assert reply.value == LabelVerdict(label="unanswerable", reason="the context hardly answers it, probability 0.59")


@pytest.mark.usefixtures("verifier")
def test_a_chunk_is_useful_if_it_answers_and_has_the_words_of_the_answer(
    encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds, silent = "The Alba was painted blue in 1998.", "Her mast is 20 m high."
    asked = [
        AnswerFromChunks(question=question, answer="The Alba was painted blue in 1998.", chunks=(silent, holds))
        for question in (STATED, OPEN)
    ]

    def useful() -> list[list[bool]]:
        replies = handler("context_usefulness")(encoder, asked)
        return [[use.useful for use in reply.value.items] for reply in replies if reply.value]

    assert useful() == [[False, True], [False, False]]
    monkeypatch.setattr(roles, "verifier", lambda: None)
    assert useful() == [[False, True], [False, True]]  # by words alone
