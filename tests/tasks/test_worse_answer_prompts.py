"""What a language model is told that writes worse answers, to the letter, and what is made of its replies.

After a change that is meant, raise the version of the task and run: pytest tests/tasks/test_worse_answer_prompts.py
--snapshot-update
"""

from __future__ import annotations

from typing import Any

import pytest

from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import messages_for
from ragassay.tasks.worse_answers import (
    GUESSED_ANSWER,
    INCOMPLETE_ANSWER,
    GuessReply,
    IncompleteReply,
    RightAnswer,
    WorseAnswer,
)

INPUTS = RightAnswer(
    question="When was the bridge opened, and who designed it?",
    answer="It was opened in 1998. Ines Halvorsen designed it.",
    context="The bridge was opened in 1998. Ines Halvorsen designed it.",
    foreign=("Ottar Lind",),
)


@pytest.mark.parametrize("name", ["guessed_answer", "incomplete_answer"])
def test_prompts_are_these(name: str, snapshot: Any) -> None:
    assert [(each.role, each.content) for each in messages_for(TASKS[name], INPUTS)] == snapshot


def test_replies_become_worse_answers() -> None:
    guess = GUESSED_ANSWER.to_output(INPUTS, GuessReply(answer=" In 1970, by Ottar Lind. "))
    assert guess == WorseAnswer(text="In 1970, by Ottar Lind.", how="written without the context")
    part = INCOMPLETE_ANSWER.to_output(INPUTS, IncompleteReply(left_out="the\ndesigner", answer="It opened in 1998."))
    assert part == WorseAnswer(text="It opened in 1998.", how="left out: the designer")
