"""What the built-in system tells a language model, to the letter.

After a change that is meant, raise the version of the task where the meaning of input or output changed, and run:
pytest tests/tasks/test_system_prompts.py --snapshot-update
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import messages_for


@pytest.mark.parametrize(
    "name",
    ["follow_up_question", "standalone_question", "search_decision", "hypothetical_passage", "answer", "chunk_grades"],
)
def test_prompts_to_the_letter(name: str, sample: Callable[[str], Any], snapshot: Any) -> None:
    messages = messages_for(TASKS[name], sample(name).inputs)
    assert "\n\n=====\n\n".join(message.content for message in messages) == snapshot
