"""An answer with all that judged metrics look at, and who judges it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ragassay.models.base import Encoder, Model
from ragassay.records import Example, Prediction, Score
from ragassay.tasks.base import Task
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, prompt_hash
from ragassay.tasks.verdicts import QUESTIONS_OF_AN_ANSWER, RELEVANCE, relevance_task

TextOf = Callable[[str], str | None]
"""The text of a document by its id; None where it is not known."""

ABSTAINED = "the system abstained"
NO_CHUNK = "no chunk was retrieved"
NO_PREDICTION = "no prediction for this example"


def failure(prediction: Prediction) -> str | None:
    """Return why there is nothing of the system to look at; None where there is something."""
    if not prediction.error or prediction.error == NO_PREDICTION:
        return prediction.error or None
    return f"the system failed: {prediction.error}"


def miscounted(verdicts: int, asked: int, noun: str) -> str | None:
    """Return why a judge's verdicts cannot be used if they are not one for each thing asked; None where they can."""
    if verdicts == asked > 0:
        return None
    return f"{verdicts} verdict{'' if verdicts == 1 else 's'} for {asked} {noun}{'' if asked == 1 else 's'}"


def verdict_line(verdict: str, subject: str, reason: str, sentence: str = "") -> str:
    """``supported: It opened in 1998. <- "The bridge opened in 1998." (said)``, what is empty left out.

    subject: the statement, keypoint or chunk that was judged. sentence: what decided, verbatim.
    """
    source = f' <- "{sentence}"' if sentence else ""
    why = f" ({reason})" if reason else ""
    return f"{verdict}: {subject}{source}{why}"


def no_text(_: str) -> None:
    """Of documents that nobody has."""


@dataclass(frozen=True, slots=True)
class Answered:
    """chunk_texts: of the chunks that the answer was made from, best first.

    block: the knowledge that the question was made from, empty where it is not known. rival: the same example with the
    prediction of another system, for metrics that compare two. text_of: of the documents that chunks were placed in.
    """

    example: Example
    prediction: Prediction
    chunk_texts: tuple[str, ...]
    block: str = ""
    rival: Answered | None = None
    text_of: TextOf = field(default=no_text, compare=False)

    def __reduce__(self) -> tuple[type[Answered], tuple[object, ...]]:
        """For another process: only with the documents that hold other words at the place of a chunk."""
        of_others: dict[str, str] = {}
        for chunk in self.prediction.chunks:
            if chunk.text is not None and chunk.document_id and chunk.end > chunk.start:
                text = self.text_of(chunk.document_id)
                if text is not None and text[chunk.start : chunk.end] != chunk.text:
                    of_others[chunk.document_id] = text
        return Answered, (
            self.example,
            self.prediction,
            self.chunk_texts,
            self.block,
            self.rival,
            of_others.get if of_others else no_text,
        )

    @property
    def question(self) -> str:
        """What a judge reads: in a conversation the standalone question of the set, else that of the system, if any."""
        made = self.prediction.standalone_question if self.example.history else None
        return self.example.standalone_question or made or self.example.question

    @property
    def answer(self) -> str:
        return self.prediction.answer or ""

    @property
    def context(self) -> str:
        """All chunks in one text."""
        return "\n\n".join(self.chunk_texts)

    @property
    def key(self) -> tuple[str, str]:
        return self.example.id, self.prediction.system

    @property
    def missing(self) -> str | None:
        """Return why there is no answer to judge; None where there is one."""
        if reason := failure(self.prediction):
            return reason
        if self.prediction.abstained:
            return ABSTAINED
        return None if self.answer.strip() else "the answer is empty"

    def score(
        self, metric: str, value: float | None, reason: str | None = None, evidence: tuple[str, ...] = ()
    ) -> Score:
        return Score(
            example_id=self.example.id,
            system=self.prediction.system,
            metric=metric,
            value=value,
            reason=None if value is not None else reason or "no reason given",
            evidence=evidence,
        )


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
