"""The embedded model: tasks by rules, statistics, a small sentence encoder and a verifier; no key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import by_language
from ragassay.models.embedded.sharing import TaskSharing
from ragassay.models.joint import part_by_part
from ragassay.models.small import roles
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.joint import JointTask
from ragassay.tasks.ratings import QUALITIES

Handler = Callable[[Encoder, Sequence[Any]], list[Reply[Any]]]
"""Answers one task for many inputs at once, in their order."""

_HANDLER_MODULES = {
    "knowledge_check": "knowledge",
    "closed_book_answer": "knowledge",
    "label": "judging.labelling",
    "standalone_question": "judging.follow_ups",
    "answer": "judging.answering",
    "answer_statements": "judging.verdicts",
    "statement_verdicts": "judging.verdicts",
    "keypoints": "judging.verdicts",
    "keypoint_verdicts": "judging.verdicts",
    "answer_relevance": "judging.relevance",
    "context_usefulness": "judging.context_relevance",
    "helpful_sentences": "judging.helpful_sentences",
    "correctness": "judging.whole_answers",
    "block_ratings": "judging.whole_answers",
    "answer_claims": "judging.other_wordings",
    "statement_inferences": "judging.other_wordings",
    **dict.fromkeys(
        (f"{what}_{quality}" for what in ("score", "prefer") for quality in QUALITIES), "judging.other_wordings"
    ),
    "entities": "judging.other_wordings",
    "rubric": "judging.other_wordings",
    "guessed_answer": "writing.worse_answers",
    "incomplete_answer": "writing.worse_answers",
}
"""Task name to the module of this package whose ``HANDLERS`` has it; critiques are all in ``judging.critique``."""


class EmbeddedModel:
    """Answers tasks without any language model.

    encoder: gives sentence vectors to the tasks that compare meanings. sharing: shares long lists of inputs out over
    processes; None answers all here.
    """

    def __init__(self, encoder: Encoder, sharing: TaskSharing | None = None) -> None:
        self._encoder = encoder
        self._sharing = sharing

    @cached_property
    def name(self) -> str:
        return f"embedded ({', '.join(filter(None, (self._encoder.name, roles.identity())))})"

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Answers one task; many at once are faster with ``ask_all``."""
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Answers one task for many inputs, in their order."""
        if isinstance(task, JointTask):
            joined: list[Reply[Any]] = await part_by_part(self, task, inputs)
            return joined
        answer = partial(handler(task.name), self._encoder)
        return answer(inputs) if self._sharing is None else self._sharing.replies(task.name, inputs, answer)


def _needs_a_language_model(task_name: str, encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
    reason = f"the embedded model has no rules for {task_name.replace('_', ' ')}; name a language model with --model"
    return [Reply(None, reason) for _ in inputs]


def handler(task_name: str) -> Handler:
    """Return the rules for a task; where there are none, what says so."""
    module_name = "judging.critique" if task_name.startswith("critique_") else _HANDLER_MODULES.get(task_name)
    if module_name is None:
        return partial(_needs_a_language_model, task_name)
    english = import_module(f"{__package__}.{module_name}").HANDLERS[task_name]
    return by_language(task_name, english)
