"""What systems get of a conversation, and what the built-in one makes of its question."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from ragassay.errors import UsageError
from ragassay.models.base import Reply
from ragassay.models.embedded.judging.questions import standalone
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Prediction, Turn
from ragassay.systems.base import Question
from ragassay.systems.function import spec_of
from ragassay.systems.steps import OpenQuestion, restate
from ragassay.tasks.follow_ups import FollowUp, StandaloneQuestion

Answered = Callable[..., dict[str, Prediction]]
TURNS = (Turn(role="user", content="When did Gannet Bridge open?"), Turn(role="assistant", content="In 1998."))
MESSAGES = [{"role": turn.role, "content": turn.content} for turn in TURNS]
ALONE, FOLLOW_UP = Question("a", "Where was Bluefin built?"), Question("b", "And how long is it?", TURNS)


@pytest.mark.parametrize(
    ("question", "earlier", "made"),
    [
        # a pronoun: the words that the question lacks, in their order
        (
            "How many arches does it have?",
            ["When did Gannet Bridge open?"],
            "How many arches does it have? (Gannet Bridge open)",
        ),
        # another name: the earlier name is not meant, what was asked of it is
        ("And Tern Bridge?", ["When was Gannet Bridge opened?"], "And Tern Bridge? (opened)"),
        # a chain: the second is made to stand alone before the third is
        ("And when?", ["When was Gannet Bridge opened?", "Who closed it?"], "And when? (closed Gannet Bridge opened)"),
        ("它有多长？", ["甘内特大桥何时开通？"], "它有多长？（甘内特大桥何时开通？）"),
        # complete in themselves, or with nothing before them
        ("Where was Bluefin built?", ["When did Gannet Bridge open?"], "Where was Bluefin built?"),
        ("How long is it?", [], "How long is it?"),
    ],
)
def test_follow_ups_made_to_stand_alone(question: str, earlier: list[str], made: str) -> None:
    assert standalone(question, earlier) == made


def test_the_built_in_system_asks_the_standalone_question() -> None:
    def rewritten(asked: FollowUp) -> StandaloneQuestion:
        return StandaloneQuestion(text=f"{asked.question} {asked.turns[0].content}")

    both = [OpenQuestion(each.id, each.text, each.history) for each in (ALONE, FOLLOW_UP)]
    asyncio.run(restate(ScriptedModel({"standalone_question": rewritten}), both))
    assert [each.text for each in both] == [ALONE.text, "And how long is it? When did Gannet Bridge open?"]
    assert [each.done("rag", 0).standalone_question for each in both] == [None, both[1].text]
    assert both[1].searched == both[1].text
    failing = OpenQuestion("b", FOLLOW_UP.text, TURNS)
    asyncio.run(restate(ScriptedModel({"standalone_question": lambda asked: Reply(None, "no")}), [failing]))
    assert failing.error == "the model did not restate the question: no"


def test_functions_get_the_turns_if_they_ask_for_them(answered: Answered) -> None:
    def asks(question: str, history: list[Any]) -> str:
        return json.dumps([question, history])

    async def may(question: str, *, history: Any = "none") -> str:
        return json.dumps([question, history])

    def plain(question: str) -> str:
        return question

    found = {}
    for target in (asks, may, plain):
        system = spec_of(target, {})[1]
        assert system.takes_history == (target is not plain)
        found[target] = {name: each.answer for name, each in answered(system, [ALONE, FOLLOW_UP]).items()}
    assert found[asks] == {"a": json.dumps([ALONE.text, []]), "b": json.dumps([FOLLOW_UP.text, MESSAGES])}
    assert found[may] == {"a": json.dumps([ALONE.text, "none"]), "b": json.dumps([FOLLOW_UP.text, MESSAGES])}
    assert found[plain] == {"a": ALONE.text, "b": FOLLOW_UP.text}
    system = spec_of(lambda history: f"only {history}", {})[1]  # its one argument is the question, whatever its name
    assert (system.takes_history, answered(system, [FOLLOW_UP])["b"].answer) == (False, f"only {FOLLOW_UP.text}")
    with pytest.raises(UsageError, match="cannot be called with the text of a question alone"):
        spec_of(lambda question, history, k: "", {})
