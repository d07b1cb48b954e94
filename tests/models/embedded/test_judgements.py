"""Each judgement of support as the verifier decides it, with probabilities that are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragassay.models.embedded.judging import labelling, relevance
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check, Judged
from ragassay.tasks.contexts import AnswerFromChunks
from ragassay.tasks.critique import Pair

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


@pytest.fixture(autouse=True)
def verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "verifier", FakeVerifier)


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
