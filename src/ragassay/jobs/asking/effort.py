"""Which task took how much: inputs, failures and tokens of every role, replies out of the log included."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ragassay.models.base import Around, Model, Reply
from ragassay.models.llm.sender import OVER_BUDGET
from ragassay.report.scores import JudgeEffort
from ragassay.report.synthesis import TaskEffort
from ragassay.tasks.base import In, Out, Task


@dataclass(slots=True)
class _Counts:
    asked: int = 0
    unanswered: int = 0
    unsent: int = 0
    counted: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0


class EffortTally:
    """Keeps account of what models were asked, by role and task."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], _Counts] = {}

    def watched(self, model: Model, role: str) -> Model:
        """The model, with all that it is asked in this role counted here."""
        return _WatchedModel(model, role, self)

    def begin(self, role: str, task: str, asked: int) -> None:
        """Counts what is asked; rows are in this order, whichever reply is first."""
        self._counts.setdefault((role, task), _Counts()).asked += asked

    def add(self, role: str, task: str, replies: Sequence[Reply[Out]]) -> None:
        counts = self._counts[role, task]
        for reply in replies:
            counts.unanswered += reply.value is None
            counts.unsent += (reply.reason or "").startswith(OVER_BUDGET)
            if reply.effort is not None:
                counts.counted += 1
                counts.prompt_tokens += reply.effort.input_tokens
                counts.completion_tokens += reply.effort.output_tokens
                cost = reply.effort.cost_usd
                counts.cost_usd = None if cost is None or counts.cost_usd is None else counts.cost_usd + cost

    def total(self, role: str) -> JudgeEffort:
        """Return what all tasks of a role took; None for tokens, or dollars, that are not known."""
        counts = [each for (of, _), each in self._counts.items() if of == role]
        counted = [each for each in counts if each.counted]
        costs = [each.cost_usd for each in counted if each.cost_usd is not None]
        return JudgeEffort(
            asked=sum(each.asked for each in counts),
            unanswered=sum(each.unanswered for each in counts),
            prompt_tokens=sum(each.prompt_tokens for each in counted) if counted else None,
            completion_tokens=sum(each.completion_tokens for each in counted) if counted else None,
            cost_usd=math.fsum(costs) if counted and len(costs) == len(counted) else None,
        )

    def rows(self) -> tuple[TaskEffort, ...]:
        """By role and task, in the order in which they were first asked; without what a limit kept from being sent."""
        return tuple(
            TaskEffort(
                role=role,
                task=task,
                asked=counts.asked - counts.unsent,
                unanswered=counts.unanswered - counts.unsent,
                prompt_tokens=counts.prompt_tokens if counts.counted else None,
                completion_tokens=counts.completion_tokens if counts.counted else None,
            )
            for (role, task), counts in self._counts.items()
        )


class _WatchedModel(Around):
    """A model whose replies are counted."""

    def __init__(self, model: Model, role: str, tally: EffortTally) -> None:
        super().__init__(model)
        self._role = role
        self._tally = tally

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        if not inputs:
            return []
        self._tally.begin(self._role, task.name, len(inputs))
        replies = await super().ask_all(task, inputs)
        self._tally.add(self._role, task.name, replies)
        return replies
