"""Who judges, what can be chosen about it, and how a judged metric is worked out for many answers at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ragassay.metrics.judged.answered import Answered
from ragassay.models.base import Encoder, Model
from ragassay.records import Score
from ragassay.tasks.base import Task
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, prompt_hash
from ragassay.tasks.verdicts import QUESTIONS_OF_AN_ANSWER, RELEVANCE, relevance_task


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """further: models of metrics' own, by the name of the metric; further_prompts: the user's own prompts for them.

    encoder: compares the questions that a language model writes for answer relevance. prompts: the user's own; None
    where the judge reads no prompt, as the embedded model. questions: n of answer relevance. evasive_is_zero: answer
    relevance of 0 for answers that do not commit themselves. seed: of the ties of rankings.
    """

    model: Model
    further: Mapping[str, Model] = field(default_factory=dict)
    further_prompts: PromptOverrides = NO_OVERRIDES
    encoder: Encoder | None = None
    prompts: PromptOverrides | None = None
    questions: int = QUESTIONS_OF_AN_ANSWER
    evasive_is_zero: bool = False
    seed: int = 0

    def of(self, metric: str) -> Judge:
        """Return the same with the model of a metric's own, where it has one."""
        model = self.further.get(metric)
        return self if model is None else replace(self, model=model, prompts=self.further_prompts)

    def task(self, name: str) -> Task[Any, Any]:
        """Return the task of a name as this judge is asked it."""
        return relevance_task(self.questions) if name == RELEVANCE.name else TASKS[name]

    def asked_with(self, name: str) -> str:
        """Return what the judge goes by in a task: the hash of its prompt, or the version of the rules."""
        task = self.task(name)
        if self.prompts is None:
            return f"rules for {name}, version {task.version}"
        return f"prompt of {name}: {prompt_hash(task, self.prompts)}"


Judging = Callable[[Judge, Sequence[Answered]], Awaitable[list[Score]]]
"""One score for each answer, in their order; all of them have what the metric needs."""
