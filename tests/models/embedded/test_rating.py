"""The critic says how likely a reader takes a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragassay.models.embedded.writing import questions
from ragassay.models.small import roles
from ragassay.models.small.critic import HeadName, Pair
from ragassay.tasks.questions import MissCandidates, StatementOnTheme
from ragassay.tasks.statements import Passage, QuestionDraft, Statement

TOLD = "Guests leave the room by eleven on the last day."


class FakeCritic:
    def __init__(self, said: float) -> None:
        self.said = said
        self.asked: list[Pair] = []

    def taken(self, pairs: Sequence[Pair]) -> list[float]:
        self.asked += pairs
        return [self.said for _ in pairs]


@pytest.fixture
def critics(monkeypatch: pytest.MonkeyPatch) -> dict[HeadName, FakeCritic]:
    found: dict[HeadName, FakeCritic] = {"answered": FakeCritic(0.7), "open": FakeCritic(0.3)}
    monkeypatch.setattr(roles, "critic", lambda of="answered": found[of])
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


@pytest.mark.parametrize(("pattern", "quality"), [("time", 0.4), ("own_question", None), ("key_value", None)])
def test_the_critic_rates_what_rules_ask(
    critics: dict[HeadName, FakeCritic], pattern: str, quality: float | None
) -> None:
    found = question_of(statement(pattern, quality))
    assert (found.question, found.quality) == ("When do they go?", 0.7)
    assert critics["answered"].asked == [Pair("Anchor Inn", TOLD, "When do they go?", pattern)]


def test_nobody_rates_what_is_in_another_language(critics: dict[HeadName, FakeCritic]) -> None:
    assert question_of(statement("own_question", None, "zh")).quality is None
    assert critics["answered"].asked == []


def test_a_head_of_its_own_rates_what_has_no_answer(critics: dict[HeadName, FakeCritic]) -> None:
    text = "## Renew your permit\n\nTo renew your permit, go to the office. You sign the form there.\n"
    passage = Passage(title="Permits", text=text, language="en")
    (reply,) = questions.HANDLERS["near_misses"](Any, [MissCandidates(passage=passage, theme="permits")])
    assert reply.value is not None
    assert {each.quality for each in reply.value.items} <= {0.3}
    assert len(critics["open"].asked) == len(reply.value.items)
    assert critics["answered"].asked == []
