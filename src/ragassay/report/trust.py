"""How far judged figures can be believed: how far their judge agrees with people, and which of them are circular."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import known_metric
from ragassay.metrics.judged.faithfulness import CopiedAnswers
from ragassay.people.agreement.judge_agreement import JudgeAgreement, measured, rows_of_metric
from ragassay.report.blocks import Block, Column, Missing, Table, Text, Value
from ragassay.report.wording import count, decimal, metric_title, portion

_CHECKED = frozenset(
    ("faithfulness", "answer_relevance", "context_relevance", "truthfulness", "relevance", "correctness")
)
"""Metrics that ``ragassay judge check`` measures."""
_LEADS = {"none": ", no better", "unclear": ", not clearly better"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTrust:
    """How far the figures of one judge can be believed.

    metrics: the judged ones that are shown. agreement: rows of these; a metric without one was not measured, and none
    at all where this judge was not. copied: of the systems whose answers are judged by their chunks. own: what of the
    data this judge wrote: questions, answers.
    """

    judge: str
    metrics: tuple[str, ...]
    agreement: tuple[JudgeAgreement, ...] = ()
    copied: tuple[CopiedAnswers, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def circular(self) -> tuple[CopiedAnswers, ...]:
        """The counts that call for a warning."""
        return tuple(each for each in self.copied if each.is_circular and each.metric in self.metrics)


def judge_trust(
    judge: str,
    metrics: Iterable[str],
    copied: Iterable[CopiedAnswers] = (),
    agreement: Sequence[JudgeAgreement] | None = None,
    own: tuple[str, ...] = (),
) -> JudgeTrust | None:
    """Return what there is to say about a judge's figures; None where no metric is a judge's.

    metrics: all that are shown. agreement: rows of this judge; what the package knows of it if None. own: as in
    ``JudgeTrust``.
    """
    judged = tuple(name for name in metrics if (metric := known_metric(name)) is not None and metric.is_judged)
    if not judged:
        return None
    rows = measured(judge) if agreement is None else agreement
    of_shown = tuple(row for name in judged for row in rows_of_metric(rows, name))
    return JudgeTrust(judge=judge, metrics=judged, agreement=of_shown, copied=tuple(copied), own=own)


def blocks_of_trust(trust: JudgeTrust | None) -> list[Block]:
    """Warn of circular figures, then set the judge beside people, metric by metric; nothing without a judge."""
    if trust is None:
        return []
    blocks: list[Block] = [Text(circular_lines(trust), "warning")]
    if unmeasured := unmeasured_words(trust):
        return [*blocks, Text(unmeasured, "note")]
    rows: list[Sequence[Value]] = []
    for metric in trust.metrics:
        of_metric = rows_of_metric(trust.agreement, metric)
        rows += [_row(each) for each in of_metric] or [(metric_title(metric), "", Missing("not measured"), "", "")]
    columns = ["metric", "statistic", Column("value", "two"), "a rule without a judge", "on"]
    note = "On other data, with 95 % intervals. AUROC and accuracies: 0.5 is chance, 1 full agreement."
    title = "How far this judge agrees with people"
    blocks.append(Table(title, columns, rows, note))
    if any(each.seen for each in trust.agreement):
        blocks.append(Text("*: its rules were tuned on these items, so this value is optimistic.", "note"))
    return blocks


def brief_of_trust(trust: JudgeTrust | None) -> list[Block]:
    """Return the same in a few lines: of each metric the first figure."""
    if trust is None:
        return []
    first = {metric: next(iter(rows_of_metric(trust.agreement, metric)), None) for metric in trust.metrics}
    said = [f"{metric_title(name)} {_brief(row) if row else 'not measured'}" for name, row in first.items()]
    agreement = unmeasured_words(trust) or f"Agreement of this judge, on other data: {', '.join(said)}."
    return [Text(circular_lines(trust)[:1], "warning"), Text(agreement, "note")]


def _brief(row: JudgeAgreement) -> str:
    tuned = ", rules tuned on these items" if row.seen else ""
    return f"{decimal(row.value, 2)} ({row.statistic}, with {row.said_by}{tuned})"


def _row(row: JudgeAgreement) -> Sequence[Value]:
    value = Estimate(value=row.value, low=row.low, high=row.high, n=row.n, total=row.n)
    statistic = f"{row.statistic}{' *' if row.seen else ''}"
    return metric_title(row.metric), statistic, value, rule_words(row), f"{count(row.n)} {row.data}, by {row.said_by}"


def unmeasured_words(trust: JudgeTrust) -> str:
    """Say that nothing was measured of the judge; empty where something was."""
    if trust.agreement:
        return ""
    measure = " To measure it, run `ragassay judge check`." if _CHECKED & {*trust.metrics} else ""
    return f"This judge's agreement with people has not been measured.{measure}"


def rule_words(row: JudgeAgreement) -> str:
    """Name the control, its value, and whether the judge does not clearly beat it; empty where there is none."""
    if row.control is None:
        return ""
    return f"{row.control.rule}: {decimal(row.control.value, 2)}{_LEADS.get(row.lead or '', '')}"


def circular_lines(trust: JudgeTrust) -> list[str]:
    """Warn of figures that follow from how a system answers, each named if several, and of the judge's own work."""
    named = len({each.system for each in trust.copied}) > 1
    metrics = dict.fromkeys(each.metric for each in trust.circular)
    lines = [_circular_words([each for each in trust.circular if each.metric == name], named) for name in metrics]
    if trust.own:
        lines.append(
            f"The judge also wrote the {' and the '.join(trust.own)}: scores of its own style may be too high."
        )
    return lines


def _circular_words(group: Sequence[CopiedAnswers], named: bool) -> str:
    """group: of one metric."""
    copied = group[0]
    many = "; ".join(f"{each.system}: " * named + portion(each.copied, each.scored) for each in group)
    only = f"{copied.system}: the only answer is" if named else "The only answer is"
    which = only if len(group) == copied.scored == 1 else f"{many} answers are"
    said = f"{which} copied word for word from the retrieved chunks"
    if copied.metric == "context_precision":
        useful = "Context precision counts the chunks of such answers as useful by construction"
        return f"{said}. {useful}, as no reference answer says what is."
    name = metric_title(copied.metric)
    return f"{said}. Such answers are faithful by construction, so {name} carries no information about them."


def trust_object(trust: JudgeTrust | None) -> dict[str, Any] | None:
    """Return what ``--json`` has beside judged figures; None where there are none."""
    if trust is None:
        return None
    return {
        "judge": trust.judge,
        "agreement": {
            metric: [{**asdict(row), "lead": row.lead} for row in rows_of_metric(trust.agreement, metric)]
            for metric in trust.metrics
        },
        "not_measured": unmeasured_words(trust) or None,
        "copied_answers": [{**asdict(each), "is_circular": each.is_circular} for each in trust.copied],
        "also_wrote": trust.own,
        "warnings": circular_lines(trust),
    }
