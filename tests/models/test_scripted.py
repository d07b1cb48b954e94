"""The model of tests: it says what it is told to, and a script that is wrong does not pass unseen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ragassay.models.base import Model, Reply
from ragassay.models.scripted import Script, ScriptedCall, ScriptedModel
from ragassay.tasks.critique import CRITIQUES, CritiquedPair, Rating
from ragassay.tasks.labelling import LABEL, LabelVerdict, Pair

CLARITY = CRITIQUES["context_clarity"]
FACT = LabelVerdict(label="fact_single", reason="stated")
LAMP = Pair(context="The lamp is red.", question="Which colour has the lamp?")
CLEAR = CritiquedPair(context="The lamp is red.", question="Which colour has the lamp?")


def replies(script: Script, *asked: tuple[Any, Any]) -> list[Reply[Any]]:
    model: Model = ScriptedModel(script)

    async def all_of_them() -> list[Reply[Any]]:
        return [await model.ask(task, inputs) for task, inputs in asked]

    return asyncio.run(all_of_them())


def test_replies_in_order() -> None:
    rating = Rating(rating=4, reason="clear")
    said = replies(
        [FACT, Reply(None, "timed out"), rating], (LABEL, LAMP), (LABEL, LAMP), (CLARITY, CLEAR), (LABEL, LAMP)
    )
    assert said[:3] == [Reply(FACT), Reply(None, "timed out"), Reply(rating)]
    assert said[3].reason == "nothing is scripted for call 4, of the task 'label'"


def test_replies_by_task() -> None:
    script = {
        "label": FACT,
        "critique_context_clarity": lambda pair: Rating(rating=len(pair.question) % 5 + 1, reason=""),
    }
    # the question has 26 characters: 26 % 5 + 1 = 2
    said = replies(script, (LABEL, LAMP), (LABEL, LAMP), (CLARITY, CLEAR), (CRITIQUES["stand_alone"], CLEAR))
    assert said[:3] == [Reply(FACT), Reply(FACT), Reply(Rating(rating=2, reason=""))]
    assert said[3].value is None


def test_replies_by_a_function() -> None:
    said = replies(lambda task, inputs: FACT if task is LABEL else None, (CLARITY, CLEAR), (LABEL, LAMP))
    assert [reply.value for reply in said] == [None, FACT]


def test_what_was_asked_is_kept() -> None:
    model = ScriptedModel({"label": FACT})
    other = LAMP.model_copy(update={"question": "Is it red?"})
    assert asyncio.run(model.ask_all(LABEL, [LAMP, other])) == [Reply(FACT), Reply(FACT)]
    assert model.calls == [ScriptedCall("label", LAMP), ScriptedCall("label", other)]
    assert (model.asked("label"), model.asked("theme")) == ([LAMP, other], [])


def test_a_value_of_the_wrong_type_is_a_mistake_of_the_script() -> None:
    with pytest.raises(TypeError, match="LabelVerdict for the task 'critique_context_clarity'"):
        replies([FACT], (CLARITY, CLEAR))
