"""How far judged figures can be believed: how far their judge agrees with people, and which of them are circular."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragassay.agreement.judge_agreement import JudgeAgreement, measured, rows_of_metric
from ragassay.metrics.catalogue import known_metric
from ragassay.metrics.judged.copied import CopiedAnswers


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTrust:
    """How far the figures of one judge can be believed.

    metrics: the judged ones that are shown. agreement: rows of these; a metric without one was not measured, and none
    at all where this judge was not. copied: of the systems whose answers are judged by their chunks.
    """

    judge: str
    metrics: tuple[str, ...]
    agreement: tuple[JudgeAgreement, ...] = ()
    copied: tuple[CopiedAnswers, ...] = ()

    @property
    def circular(self) -> tuple[CopiedAnswers, ...]:
        """The counts that call for a warning."""
        return tuple(each for each in self.copied if each.is_circular and each.metric in self.metrics)


def judge_trust(
    judge: str,
    metrics: Iterable[str],
    copied: Iterable[CopiedAnswers] = (),
    agreement: Sequence[JudgeAgreement] | None = None,
) -> JudgeTrust | None:
    """What there is to say about a judge's figures; None where no metric is a judge's.

    metrics: all that are shown. agreement: rows of this judge; what the package knows of it if None.
    """
    judged = tuple(name for name in metrics if (metric := known_metric(name)) is not None and metric.is_judged)
    if not judged:
        return None
    rows = measured(judge) if agreement is None else agreement
    of_shown = tuple(row for name in judged for row in rows_of_metric(rows, name))
    return JudgeTrust(judge=judge, metrics=judged, agreement=of_shown, copied=tuple(copied))
