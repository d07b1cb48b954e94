"""What writers of pairs are told, to the letter, and what becomes of their replies.

After a change that is meant, raise the version of the task and run: pytest tests/tasks/test_pair_prompts.py
--snapshot-update
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.pairs import GroundedPairs
from ragassay.tasks.prompts import messages_for

WRITERS = (
    "simple_pair",
    "chunk_pairs",
    "creative_question",
    "knowledge_check",
    "closed_book_answer",
    "evolve_reasoning",
    "evolve_combined",
)
ONE_PAIR = ("simple_pair", "creative_question", "evolve_reasoning")
Sampled = Callable[[str], Any]


def output(sampled: Any, name: str, **changed: Any) -> Any:
    task = TASKS[name]
    return task.to_output(sampled.inputs, task.filled_in.model_validate(sampled.reply | changed))


@pytest.mark.parametrize("name", WRITERS)
def test_prompts_to_the_letter(name: str, sample: Sampled, snapshot: Any) -> None:
    messages = messages_for(TASKS[name], sample(name).inputs)
    assert "\n\n=====\n\n".join(message.content for message in messages) == snapshot


@pytest.mark.parametrize("name", ONE_PAIR)
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"answer": " "}, "the answer is empty"),
        ({"quotes": ["It is red."]}, "no quote stands in the passage"),
        ({"quotes": []}, "no quote stands in the passage"),
    ],
)
def test_replies_that_are_sent_back(name: str, changed: dict[str, Any], message: str, sample: Sampled) -> None:
    with pytest.raises(ValueError, match=message):
        output(sample(name), name, **changed)


def test_pairs_of_a_chunk_that_do_not_count(sample: Sampled) -> None:
    sampled = sample("chunk_pairs")
    good = {**sampled.reply["pairs"][0]}
    pairs = [
        good | {"question": "1. When did the Gannet Bridge open?"},
        good | {"question": "Q2: How long is the Gannet Bridge?", "answer": "2) 412 m", "quotes": ["It is 412 m long"]},
        good | {"question": "A fourth?"},
    ]
    made = output(sampled, "chunk_pairs", pairs=[*pairs, good | {"question": "Beyond the number?"}])
    questions = ["When did the Gannet Bridge open?", "How long is the Gannet Bridge?", "A fourth?"]
    assert [pair.question for pair in made.items] == questions
    assert made.items[1].answer == "412 m"
    unfit = [
        good | {"missing": True},
        good | {"question": "When did it open? A) 1997 B) 1998 C) 1999"},
        good | {"question": ""},
    ]
    assert output(sampled, "chunk_pairs", pairs=unfit) == GroundedPairs(items=())
    # an answer may begin with a number that is no numbering
    made = output(sampled, "chunk_pairs", pairs=[good | {"answer": "1.5 km"}])
    assert made.items[0].answer == "1.5 km"
    invented = good | {"question": "What colour is it?", "quotes": ["It is red."]}
    with pytest.raises(ValueError, match="no quote stands in the passage"):
        output(sampled, "chunk_pairs", pairs=[invented])
    # beside a good one it is kept as it is, to be counted where it cannot be located
    made = output(sampled, "chunk_pairs", pairs=[invented, good])
    assert [pair.quotes for pair in made.items] == [("It is red.",), ("The bridge opened in 1998.",)]
