"""Several judges on the same answers: one score of all of theirs, how far they agree, and where they do not."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ragassay.jobs.asking.effort import EffortTally
from ragassay.jobs.asking.model_options import Panel
from ragassay.people.agreement.raters import krippendorff_alpha
from ragassay.records import Score
from ragassay.report.scores import Dispute, JudgeMean, JudgePanel, PanelAgreement

DISPUTES = 10
"""So many of the answers that the judges see most differently are kept."""


class PanelScores:
    """Joins the scores of several judges, batch by batch, and keeps what their agreement is worked out from."""

    def __init__(self, judges: Sequence[str], panel: Panel) -> None:
        """judges: their names, two or more."""
        self._judges = tuple(judges)
        self._panel = panel
        self._values: dict[str, dict[str, tuple[float | None, ...]]] = {}
        """Metric to example id to the value of each judge."""

    def joined(self, first: Sequence[Score], others: Sequence[Sequence[Score]]) -> list[Score]:
        """One score for each of the first judge's, in its order.

        others: of the other judges. What none of them was asked, as a metric with a model of its own, stays as it is.
        """
        by_key = [{_key(score): score for score in scores} for scores in others]
        return [
            self._one([score, *(each[_key(score)] for each in by_key)])
            if all(_key(score) in each for each in by_key)
            else score
            for score in first
        ]

    def summary(self, tally: EffortTally) -> JudgePanel:
        """All that there is to say. tally: what the judges were asked, each in a role of its own name."""
        return JudgePanel(
            pooled=self._panel,
            judges={name: tally.total(name) for name in self._judges},
            agreement=self.agreement(),
            disputes=self.disputes(),
        )

    def agreement(self) -> tuple[PanelAgreement, ...]:
        """By metric: Krippendorff's alpha of the values, rounded to hundredths, and the mean of each judge."""
        return tuple(self._agreement(metric, list(rows.values())) for metric, rows in self._values.items())

    def disputes(self) -> tuple[Dispute, ...]:
        """The answers that the judges see most differently, widest first; those they agree on are left out."""
        all_rows = ((metric, name, row) for metric, rows in self._values.items() for name, row in rows.items())
        apart = ((_width(row), metric, name, row) for metric, name, row in all_rows)
        widest = heapq.nsmallest(DISPUTES, (each for each in apart if each[0] > 0), key=lambda each: -each[0])
        return tuple(
            Dispute(example_id=name, metric=metric, values=dict(zip(self._judges, row, strict=True)))
            for _, metric, name, row in widest
        )

    def _one(self, scores: Sequence[Score]) -> Score:
        first = scores[0]
        values = tuple(score.value for score in scores)
        self._values.setdefault(first.metric, {})[first.example_id] = values
        value, reason = _pooled(values, self._panel)
        said = [
            f"{name}: {f'no value: {score.reason}' if score.value is None else f'{score.value:g}'}"
            for name, score in zip(self._judges, scores, strict=True)
        ]
        if value is None and not any(each is not None for each in values):
            reason = f"no judge gave a value: {first.reason}"
        of_others = [
            f"{name}: {line}"
            for name, score in zip(self._judges[1:], scores[1:], strict=True)
            for line in score.evidence
        ]
        return replace(first, value=value, reason=reason, evidence=(*first.evidence, *said, *of_others))

    def _agreement(self, metric: str, rows: Sequence[tuple[float | None, ...]]) -> PanelAgreement:
        alpha = krippendorff_alpha(
            [[f"{value:.2f}" for value in row if value is not None] for row in rows], level="interval"
        )
        by_judge = {name: [row[place] for row in rows] for place, name in enumerate(self._judges)}
        return PanelAgreement(
            metric=metric,
            alpha=alpha.value,
            n=alpha.n,
            reason=alpha.reason,
            identical=sum(len({round(v, 2) for v in row if v is not None}) == 1 for row in _shared(rows)),
            judges={name: _mean(values) for name, values in by_judge.items()},
        )


def _key(score: Score) -> tuple[str, str, str]:
    return score.example_id, score.system, score.metric


def _width(row: Sequence[float | None]) -> float:
    """How far the values of the judges lie apart."""
    known = [value for value in row if value is not None]
    return max(known) - min(known) if known else 0.0


def _shared(rows: Sequence[tuple[float | None, ...]]) -> list[tuple[float | None, ...]]:
    """Those with two values or more."""
    return [row for row in rows if sum(value is not None for value in row) > 1]


def _mean(values: Sequence[float | None]) -> JudgeMean:
    known = [value for value in values if value is not None]
    return JudgeMean(mean=sum(known) / len(known) if known else None, n=len(known), total=len(values))


def _pooled(values: Sequence[float | None], panel: Panel) -> tuple[float | None, str | None]:
    """The panel's value, or None with the reason."""
    known = [value for value in values if value is not None]
    if not known:
        return None, "no judge gave a value"
    if panel == "mean":
        return sum(known) / len(known), None
    value, votes = Counter(known).most_common(1)[0]
    if 2 * votes > len(known):
        return value, None
    return None, f"no majority: the judges gave {', '.join(f'{each:g}' for each in known)}"
