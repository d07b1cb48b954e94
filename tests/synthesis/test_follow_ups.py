"""Which pairs of examples become follow-ups, and which of the questions that a model writes for them count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragassay.datasets.foreign import example_of
from ragassay.models.base import Model
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Critique, Document, Example, Turn
from ragassay.synthesis.follow_ups import FollowUps, with_follow_ups
from ragassay.tasks.follow_ups import FollowUp, FollowUpQuestion, QuestionToFollow, StandaloneQuestion

TEXT = "The Gannet Bridge opened in 1998. It is 412 metres long and has 9 arches."
OPENED, LONG = "When did the Gannet Bridge open?", "How many arches does the Gannet Bridge have?"
BRIDGE = Document(id="d", title="Gannet Bridge", source="d.md", text=TEXT)
SPAN = BRIDGE.span(0, len(TEXT))


def example(question: str, answer: str, **fields: Any) -> Example:
    return replace(example_of(origin="ours", question=question, answer=answer, references=[SPAN]), **fields)


PAIR = [example(OPENED, "In 1998."), example(LONG, "9")]


def with_it(asked: QuestionToFollow) -> FollowUpQuestion:
    return FollowUpQuestion(text=asked.question.replace("the Gannet Bridge", "it"))


def restored(asked: FollowUp) -> StandaloneQuestion:
    return StandaloneQuestion(text=asked.question.replace("it", "the Gannet Bridge"))


def writer(words: Callable[[QuestionToFollow], Any] = with_it) -> ScriptedModel:
    return ScriptedModel({"follow_up_question": words})


def judge(words: Callable[[FollowUp], Any] = restored) -> ScriptedModel:
    return ScriptedModel({"standalone_question": words})


def follow_ups(
    examples: Sequence[Example], share: float = 1, by: Model | None = None, judged_by: Model | None = None
) -> FollowUps:
    return asyncio.run(with_follow_ups(examples, share, 0, by or writer(), judged_by or judge()))


def test_history_id_provenance_and_the_question_as_it_was() -> None:
    rated = tuple(Critique(name=name, value=5, reason="") for name in ("stand_alone", "feasibility"))
    examples = [replace(each, critiques=rated) for each in PAIR]
    found = follow_ups(examples)
    assert (found.made, found.wanted, len(found.examples), found.left) == (1, 2, 2, {})
    [made] = [each for each in found.examples if each.history]
    [first] = [each for each in found.examples if not each.history]
    [before] = [each for each in examples if each.id != first.id]
    assert made.history == (
        Turn(role="user", content=first.question),
        Turn(role="assistant", content=first.answer),
    )
    assert made.question == before.question.replace("the Gannet Bridge", "it")
    assert made.standalone_question == before.question
    assert made.provenance.pattern == "follow_up"
    assert made.id not in {each.id for each in examples}
    assert [each.name for each in made.critiques] == ["feasibility"]
    assert found == follow_ups(examples)
    turned = follow_ups(examples[::-1])
    assert set(turned.examples) == set(found.examples)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing to refer to"),
        ("How many arches does the Gannet Bridge have?", "nothing left out"),
        ("How many does it have?", "left out what was not named before"),  # arches
        ("How many red arches does it have?", "asked for something else"),
        ("When did it open, and who owned it?", "asked for something else"),
    ],
)
def test_a_question_counts_only_where_nothing_else_has_changed(text: str, why: str) -> None:
    found = follow_ups(PAIR, 0.5, writer(lambda asked: FollowUpQuestion(text=text)))
    assert found.examples == tuple(PAIR)
    assert why in found.left


def test_chinese_questions_lose_what_was_named() -> None:
    examples = [example("甘内特大桥何时开通？", "1998年"), example("甘内特大桥有多长？", "412米")]
    by = writer(lambda asked: FollowUpQuestion(text=asked.question.replace("甘内特大桥", "它")))
    whole = judge(lambda asked: StandaloneQuestion(text=asked.question.replace("它", "甘内特大桥")))
    found = follow_ups(examples, 0.5, by, whole)
    assert (found.made, found.left) == (1, {})
    swapped = writer(lambda asked: FollowUpQuestion(text="它有多宽？"))
    assert follow_ups(examples, 0.5, swapped, whole).made == 0
