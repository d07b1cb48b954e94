"""Each judgement of support as the verifier decides it, with probabilities that are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragassay.models.embedded.judging import labelling, relevance
from ragassay.models.embedded.judging.judgements import Answered, QuestionOnText, answered
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check, Judged
from ragassay.tasks.contexts import AnswerFromChunks
from ragassay.tasks.critique import Pair

TEXT = "The tug was put to sea in 1998, and two crews of six lived aboard."
STATED, OPEN = "When did the Alba first sail?", "Who designed the Alba?"
# A claim, or a question, to its probability; thresholds are 0.4 for claims and 0.6 for questions.
GIVEN = {STATED: 0.9, OPEN: 0.59, "She sailed in 1998.": 0.8, "She was blue.": 0.1, "How many days is 3 x 4?": 0.7}
GIVEN["Ferries sail."] = 0.9  # no question, whatever a text says of it


class FakeVerifier:
    """Gives what ``GIVEN`` has; keeps what it was asked."""

    def __init__(self) -> None:
        self.checks: list[Check] = []

    def threshold(self, *, questions: bool = False) -> float:
        return 0.6 if questions else 0.4

    def judge(self, checks: Sequence[Check]) -> list[list[Judged]]:
        self.checks += checks
        return [[judged(GIVEN.get(claim, 0.0)) for claim in check.claims] for check in checks]


def judged(supported: float) -> Judged:
    return Judged(supported, 0.0, 1 - supported, "")


@pytest.fixture(autouse=True)
def verifier(monkeypatch: pytest.MonkeyPatch) -> FakeVerifier:
    made = FakeVerifier()
    monkeypatch.setattr(roles, "verifier", lambda: made)
    return made


def test_what_an_answer_states_is_read_along_with_its_question(encoder: Any, verifier: FakeVerifier) -> None:
    items = [QuestionOnText(STATED, TEXT, ["She sailed."], 1), QuestionOnText(OPEN, TEXT)]
    found = answered(encoder, items)
    assert found == [Answered(0.9, 0.6), Answered(0.59, 0.6)]
    assert [each.is_answered for each in found if each] == [True, False]
    assert verifier.checks == [
        Check(TEXT, [STATED], questions=True, windows=1),
        Check(TEXT, [OPEN], questions=True, windows=2),  # nowhere in the text may an answer stand
        Check(TEXT, ["She sailed."], windows=1),
    ]


def label(encoder: Any, question: str, answer: str = "", context: str = TEXT) -> tuple[str, str]:
    (reply,) = labelling.HANDLERS["label"](encoder, [Pair(context=context, question=question, answer=answer)])
    assert reply.value is not None
    return reply.value.label, reply.value.reason


def test_what_the_verifier_finds_no_answer_to_is_unanswerable(encoder: Any) -> None:
    assert label(encoder, OPEN) == ("unanswerable", "the context hardly answers it, probability 0.59")


def test_a_chunk_is_useful_if_it_answers_and_has_the_words_of_the_answer(
    encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds, silent = "The Alba was painted blue in 1998.", "Her mast is 20 m high."
    asked = [
        AnswerFromChunks(question=question, answer="The Alba was painted blue in 1998.", chunks=(silent, holds))
        for question in (STATED, OPEN)
    ]

    def useful() -> list[list[bool]]:
        replies = relevance.HANDLERS["context_usefulness"](encoder, asked)
        return [[use.useful for use in reply.value.items] for reply in replies if reply.value]

    assert useful() == [[False, True], [False, False]]
    monkeypatch.setattr(roles, "verifier", lambda: None)
    assert useful() == [[False, True], [False, True]]  # by words alone
