"""How likely a reader takes a question is read off the likelihood of its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragassay.models.embedded.writing import questions
from ragassay.models.small import roles
from ragassay.models.small.likelihood import Pair
from ragassay.tasks.questions import MissCandidates, StatementOnTheme
from ragassay.tasks.statements import Passage, QuestionDraft, Statement

TOLD = "Guests leave the room by eleven on the last day."


class FakeRater:
    def __init__(self, said: float) -> None:
        self.said = said
        self.asked: list[Pair] = []

    def taken(self, pairs: Sequence[Pair]) -> list[float]:
        self.asked += pairs
        return [self.said for _ in pairs]


@pytest.fixture
def rater(monkeypatch: pytest.MonkeyPatch) -> FakeRater:
    found = FakeRater(0.7)
    monkeypatch.setattr(roles, "likelihood", lambda: found)
    monkeypatch.setattr(roles, "is_on", lambda: True)
    return found


def statement(pattern: str, quality: float | None, language: str = "en") -> StatementOnTheme:
    draft = QuestionDraft(question="When do they go?", answer="by eleven", pattern=pattern, quality=quality)
    passage = Passage(title="Anchor Inn", text=TOLD, language=language)
    return StatementOnTheme(
        statement=Statement(text=TOLD, quotes=(TOLD,), draft=draft), theme="the inn", passage=passage
    )


def question_of(on: StatementOnTheme) -> Any:
    (reply,) = questions.HANDLERS["question"](Any, [on])
    return reply.value


def test_what_the_parse_asks_is_rated(rater: FakeRater) -> None:
    found = question_of(statement("time", 0.4))
    assert (found.question, found.quality) == ("When do they go?", 0.7)
    assert rater.asked == [Pair("Anchor Inn", TOLD, "When do they go?")]


@pytest.mark.parametrize("pattern", ["own_question", "key_value"])
def test_what_the_structure_of_a_document_asks_is_not_rated(rater: FakeRater, pattern: str) -> None:
    assert question_of(statement(pattern, None)).quality is None
    assert rater.asked == []


def test_nobody_rates_what_is_in_another_language(rater: FakeRater) -> None:
    assert question_of(statement("time", 0.4, "zh")).quality == 0.4
    assert rater.asked == []


def test_what_has_no_answer_counts_as_readers_took_such_questions(rater: FakeRater) -> None:
    text = "This policy sets out how goods are bought. Tenders are scored on price and quality.\n" * 5
    passage = Passage(title="Procurement policy", text=text, language="en")
    asked = MissCandidates(passage=passage, theme="the procurement policy", whole_document=True)
    (reply,) = questions.HANDLERS["near_misses"](Any, [asked])
    assert reply.value is not None
    assert {each.quality for each in reply.value.items} == {questions.OPEN_TAKEN}
    assert rater.asked == []
