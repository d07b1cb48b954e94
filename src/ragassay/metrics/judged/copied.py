"""Answers copied word for word from the chunks that they are judged by: some metrics then say nothing of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragassay.metrics.judged.answered import Answered
from ragassay.models.embedded.reading.units import stands_in
from ragassay.records import Score

CIRCULAR_METRICS = ("faithfulness", "faithfulness_inferred", "context_precision")
"""A copied answer is supported by its chunks, and the chunk that it comes from was of use for it, whoever judges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedAnswers:
    """Answers of one system that have a value of one metric: how many there are, and how many of these are copied."""

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
        copied[score.system, score.metric] += known[key]
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
