"""The embedded model: tasks by rules, statistics, a small sentence encoder and a verifier; no key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from importlib import import_module
from typing import Any, cast

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import by_language
from ragassay.models.embedded.sharing import TaskSharing
from ragassay.models.joint import part_by_part
from ragassay.models.small import roles
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.joint import JointTask

Handler = Callable[[Encoder, Sequence[Any]], list[Reply[Any]]]
"""Answers one task for many inputs at once, in their order."""

_SAME = {"answer_claims": "answer_statements", "statement_inferences": "statement_verdicts"}
"""Other wordings of a task: rules read no prompt."""
_HANDLER_MODULES = {
    "label": "labelling",
    "standalone_question": "follow_ups",
    "answer": "answering",
    "answer_statements": "verdicts",
    "statement_verdicts": "verdicts",
    "keypoints": "verdicts",
    "keypoint_verdicts": "verdicts",
    "answer_relevance": "relevance",
    "context_usefulness": "contexts",
    "helpful_sentences": "contexts",
    "correctness": "whole_answers",
    "block_ratings": "whole_answers",
}
"""Task name to the module of ``judging`` whose ``HANDLERS`` has it; critiques are all in ``critique``."""
KNOWS_NOTHING = "the embedded model only knows what it is shown"
_REASONS = dict.fromkeys(("knowledge_check", "closed_book_answer"), KNOWS_NOTHING)
LEXICAL_TASKS = frozenset(
    "answer_statements answer_claims statement_verdicts statement_inferences keypoints keypoint_verdicts correctness "
    "block_ratings".split()
)
"""Tasks whose rules do without an encoder: ``support`` leaves the vectors out where there is none."""


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
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        if isinstance(task, JointTask):
            joined: list[Reply[Any]] = await part_by_part(self, task, inputs)
            return joined
        answer = partial(handler(task.name), self._encoder)
        return answer(inputs) if self._sharing is None else self._sharing.replies(task.name, inputs, answer)


class LexicalModel:
    """The embedded judge by words alone: without vectors, many times as fast, nearly as good where it judges.

    It judges support, keypoints, correctness and answers by their knowledge block; everything else it leaves alone.
    """

    name = "embedded, words alone"

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        if task.name not in LEXICAL_TASKS:
            reason = (
                f"the lexical judge has no rule for {task.name}, which needs sentence vectors: name embedded instead"
            )
            return [Reply(None, reason) for _ in inputs]
        return handler(task.name)(cast("Encoder", None), inputs)  # the handlers of these tasks take None


def handler(task_name: str) -> Handler:
    """Return the rules for a task; where there are none, what says so."""
    name = _SAME.get(task_name, task_name)
    module = "critique" if name.startswith("critique_") else _HANDLER_MODULES.get(name)
    if module is None:
        usual = f"the embedded model has no rules for {task_name.replace('_', ' ')}; name a language model with --model"
        return partial(_unanswered, _REASONS.get(task_name, usual))
    english = import_module(f"{__package__}.judging.{module}").HANDLERS[name]
    return by_language(name, english)


def _unanswered(reason: str, encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
    return [Reply(None, reason) for _ in inputs]
