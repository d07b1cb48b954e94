"""Claims of a text held against another: faithfulness, factual correctness; and answers copied from their chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ragassay.metrics.answered import NO_CHUNK, Answered, Judge, miscounted, verdict_line
from ragassay.metrics.inputs import Input
from ragassay.metrics.judged.judged_metric import ON_CHUNKS, ON_REFERENCE, RAGAS, SYNDAITE, of_refusal
from ragassay.metrics.metric import Kind, Measured, Metric, score_of
from ragassay.models.base import Model
from ragassay.models.embedded.reading.units import stands_in
from ragassay.records import Example, Score
from ragassay.tasks.base import Task
from ragassay.tasks.verdicts import (
    ANSWER_CLAIMS,
    ANSWER_STATEMENTS,
    STATEMENT_INFERENCES,
    STATEMENT_VERDICTS,
    AnswerStatements,
    AnswerToQuestion,
    StatementsOnContext,
    StatementVerdict,
    StatementVerdicts,
)


class Held(NamedTuple):
    """Which text of ``_TEXTS`` is split, what its claims are held against, and what is said of each."""

    text: str
    against: str
    yes: str
    no: str


class _Verdicts(NamedTuple):
    """One verdict for each claim of a text. reason: why there are none; None where there are."""

    claims: tuple[str, ...]
    items: tuple[StatementVerdict, ...]
    reason: str | None = None

    @property
    def share(self) -> float:
        return sum(verdict.supported for verdict in self.items) / len(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareOfClaims:
    """The supported claims of a text, of all its claims; of two texts the harmonic mean of both shares.

    why_not: why the judge is not asked of an answer; unasked: what such an answer is worth; nothing if None.
    """

    name: str
    held: tuple[Held, ...]
    why_not: Callable[[Answered], str | None]
    unasked: Callable[[Answered], Measured] | None = None
    split: Task[AnswerToQuestion, AnswerStatements] = ANSWER_STATEMENTS
    verify: Task[StatementsOnContext, StatementVerdicts] = STATEMENT_VERDICTS

    async def __call__(self, judge: Judge, answered: Sequence[Answered]) -> list[Score]:
        asked = [each for each in answered if self.why_not(each) is None]
        columns = [await self._verdicts(judge.model, asked, held) for held in self.held]
        measured = {each.key: self._measured(verdicts) for each, *verdicts in zip(asked, *columns, strict=True)}
        unasked = self.unasked or (lambda each: Measured(None, reason=self.why_not(each)))
        return [score_of(each, self.name, measured.get(each.key) or unasked(each)) for each in answered]

    async def _verdicts(self, model: Model, asked: Sequence[Answered], held: Held) -> list[_Verdicts]:
        texts = [AnswerToQuestion(question=each.question, answer=_TEXTS[held.text](each)) for each in asked]
        splits = await model.ask_all(self.split, texts)
        cases = [
            StatementsOnContext(
                question=each.question, statements=split.value.items, context=_TEXTS[held.against](each)
            )
            for each, split in zip(asked, splits, strict=True)
            if split.value is not None and split.value.items
        ]
        replies = iter(await model.ask_all(self.verify, cases))
        verdicts = []
        for split in splits:
            if split.value is None:
                verdicts.append(_Verdicts((), (), split.reason))
            elif not split.value.items:
                verdicts.append(_Verdicts((), (), f"{held.text} makes no statement"))
            else:
                reply, claims = next(replies), split.value.items
                items = reply.value.items if reply.value is not None else ()
                reason = reply.reason if reply.value is None else miscounted(len(items), len(claims), "statement")
                verdicts.append(_Verdicts(claims, items, reason))
        return verdicts

    def _measured(self, verdicts: Sequence[_Verdicts]) -> Measured:
        reason = next((each.reason for each in verdicts if each.reason is not None), None)
        if reason is not None:
            return Measured(None, reason=reason)
        shares = [each.share for each in verdicts]
        evidence = [
            verdict_line(held.yes if verdict.supported else held.no, claim, verdict.reason, verdict.evidence)
            for held, each in zip(self.held, verdicts, strict=True)
            for claim, verdict in zip(each.claims, each.items, strict=True)
        ]
        if len(shares) == 1:
            return Measured(shares[0], tuple(evidence))
        return Measured(len(shares) / sum(1 / share for share in shares) if all(shares) else 0.0, tuple(evidence))


def _no_chunks(each: Answered) -> str | None:
    return each.missing or (None if each.context.strip() else NO_CHUNK)


_TEXTS: Mapping[str, Callable[[Answered], str]] = {
    "the answer": lambda each: each.answer,
    "the reference answer": lambda each: each.example.answer,
    "the chunks": lambda each: each.context,
}
_ON_CHUNKS = Held("the answer", "the chunks", "supported", "not supported")
_SAID = Held("the answer", "the reference answer", "confirmed", "not confirmed")
_WANTED = Held("the reference answer", "the answer", "said", "left out")


def claims_metric(
    share: ShareOfClaims, meaning: str, inputs: tuple[Input, ...], source: str, kind: Kind, unseen: str
) -> Metric:
    """Return the metric that such a share is."""
    return Metric(
        name=share.name,
        kind=kind,
        meaning=meaning,
        inputs=inputs,
        source=source,
        unseen=unseen,
        needs="model",
        judge=share,
        tasks=(share.split.name, share.verify.name),
        is_usual=share.name == "faithfulness",
    )


def _factual(name: str, meaning: str, unseen: str, *held: Held) -> Metric:
    """Return a metric of answer and reference.

    RAGAS 0.2 takes the confirmed claims of the answer as those of the reference that are found, though both texts are
    split in their own way; here each text counts its own.
    """
    unasked = of_refusal if _WANTED in held else None
    share = ShareOfClaims(name=name, held=held, why_not=lambda each: each.missing, unasked=unasked)
    source = "RAGAS 0.2, factual correctness; recall counts the claims of the reference"
    return claims_metric(share, meaning, ON_REFERENCE, source, "answer and reference", unseen)


_FAITHFULNESS = ShareOfClaims(name="faithfulness", held=(_ON_CHUNKS,), why_not=_no_chunks)


CIRCULAR_METRICS = ("faithfulness", "faithfulness_inferred", "context_precision")
"""A copied answer is supported by its chunks, and the chunk that it comes from was of use for it, whoever judges."""


def goes_by_answer(metric: str, example: Example) -> bool:
    """Return whether a circular metric goes by the answer: usefulness is for the reference answer if there is one."""
    return metric != "context_precision" or not example.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedAnswers:
    """Answers of one system that have a value of one metric, and how many of these it goes by and are copied."""

    system: str
    metric: str
    copied: int
    scored: int

    @property
    def is_circular(self) -> bool:
        """Return whether more than half are copied: the mean then says how the system answers, and little else."""
        return 2 * self.copied > self.scored


def is_copied(answered: Answered) -> bool:
    """Return whether each sentence of the answer stands in the chunks that it was made from, word for word."""
    return stands_in(answered.answer, answered.context)


def copied_answers(answered: Sequence[Answered], scores: Iterable[Score]) -> tuple[CopiedAnswers, ...]:
    """Return the counts of every system and circular metric; an answer without a value, such as a refusal, is none.

    scores: of these answers.
    """
    by_key = {each.key: each for each in answered}
    known: dict[tuple[str, str], bool] = {}
    scored: Counter[tuple[str, str]] = Counter()
    copied: Counter[tuple[str, str]] = Counter()
    for score in scores:
        key = (score.example_id, score.system)
        if score.metric not in CIRCULAR_METRICS or score.value is None or key not in by_key:
            continue
        if key not in known:
            known[key] = is_copied(by_key[key])
        scored[score.system, score.metric] += 1
        copied[score.system, score.metric] += known[key] and goes_by_answer(score.metric, by_key[key].example)
    return _counts(copied, scored)


def _counts(copied: Counter[tuple[str, str]], scored: Counter[tuple[str, str]]) -> tuple[CopiedAnswers, ...]:
    return tuple(
        CopiedAnswers(system=system, metric=metric, copied=copied[system, metric], scored=n)
        for (system, metric), n in scored.items()
    )


def added(counts: Iterable[CopiedAnswers]) -> tuple[CopiedAnswers, ...]:
    """Return one count for each system and metric, in the order of their first."""
    copied: Counter[tuple[str, str]] = Counter()
    scored: Counter[tuple[str, str]] = Counter()
    for each in counts:
        copied[each.system, each.metric] += each.copied
        scored[each.system, each.metric] += each.scored
    return _counts(copied, scored)


_UNSEEN = "whether the chunks, or the answer, are right"
METRICS = (
    claims_metric(
        _FAITHFULNESS,
        "F = |V| / |S|: statements of the answer that the retrieved chunks support, of all its statements, in [0, 1].",
        ON_CHUNKS,
        RAGAS,
        "answer",
        _UNSEEN,
    ),
    # Rules read no prompt: the embedded model gives what it gives for faithfulness.
    claims_metric(
        replace(_FAITHFULNESS, name="faithfulness_inferred", split=ANSWER_CLAIMS, verify=STATEMENT_INFERENCES),
        "As faithfulness in its other wording: split sentence by sentence, then 1 or 0 for what can be directly "
        "inferred.",
        ON_CHUNKS,
        SYNDAITE,
        "answer",
        _UNSEEN,
    ),
    _factual(
        "factual_precision",
        "Claims of the answer that the reference answer supports, of all claims of the answer, in [0, 1].",
        "what the answer leaves out",
        _SAID,
    ),
    _factual(
        "factual_recall",
        "Claims of the reference answer that the answer supports, of all claims of the reference, in [0, 1].",
        "wrong claims beside the right ones",
        _WANTED,
    ),
    _factual(
        "factual_correctness",
        "F1 of factual_precision and factual_recall, 2 P R / (P + R), in [0, 1]; 0 where the system abstained.",
        "which claims matter; errors of the reference answer",
        _SAID,
        _WANTED,
    ),
)
