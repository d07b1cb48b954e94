"""Joint tasks: each part of a reply is read by itself, and what cannot be read is no number."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ragassay.models.reading_replies import UnreadableReply, read_reply
from ragassay.tasks.critique import CRITIQUES, Rating
from ragassay.tasks.joint import Unread
from ragassay.tasks.pair_judgement import PAIR_JUDGEMENT, JudgedPair
from ragassay.tasks.prompts import messages_for
from ragassay.tasks.verdicts import Keypoints

PAIR = JudgedPair(context="The lamp is red.", question="Which colour has the lamp?", answer="Red.")


def reply(**parts: Any) -> dict[str, Any]:
    whole = {name: {"reason": "It says so.", "rating": 4} for name in CRITIQUES}
    return {**whole, "keypoints": ["It is red."]} | parts


def read(given: Any) -> Any:
    text = given if isinstance(given, str) else json.dumps(given)
    return PAIR_JUDGEMENT.to_output(PAIR, read_reply(text, PAIR_JUDGEMENT.filled_in))


def test_every_part_becomes_what_its_task_gives() -> None:
    found = read(reply())
    assert found.feasibility == Rating(rating=4, reason="It says so.")
    assert found.keypoints == Keypoints(items=("It is red.",))


def test_a_part_that_cannot_be_read_says_why_and_the_others_count() -> None:
    without = reply(feasibility={"reason": "r", "rating": 9}, keypoints=[])
    del without["tautology"]
    found = read(without)
    assert found.feasibility == Unread(reason="rating: Input should be 1, 2, 3, 4 or 5")
    assert found.tautology == Unread(reason="it is missing")
    assert found.keypoints == Unread(reason="there is no keypoint; an answer has at least one")
    assert found.stand_alone.rating == 4


@pytest.mark.parametrize("text", ["{}", '{"result": null}', '{"label": 3}', "nothing", '[{"rating": 4}]'])
def test_a_reply_without_any_part_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableReply):
        read(text)


def test_what_is_common_comes_first(sample: Callable[[str], Any]) -> None:
    """Instructions, then context, then the question: servers keep what they have read of a beginning."""
    one, other = (
        messages_for(PAIR_JUDGEMENT, PAIR.model_copy(update={"question": question})) for question in ("Is it?", "Why?")
    )
    assert one[0] == other[0]
    context = one[1].content.partition("</context")[0]
    assert other[1].content.startswith(context)
