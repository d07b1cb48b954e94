"""Joint tasks: each part of a reply is read by itself, and what cannot be read is no number."""

from __future__ import annotations

import json
from typing import Any

from ragassay.models.reading_replies import read_reply
from ragassay.tasks.critique import CRITIQUES, Rating
from ragassay.tasks.joint import Unread
from ragassay.tasks.pair_judgement import PAIR_JUDGEMENT, JudgedPair
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
