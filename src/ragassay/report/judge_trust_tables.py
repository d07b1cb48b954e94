"""What stands beside judged figures: on pages, in the terminal and in ``--json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from ragassay.agreement.judge_agreement import JudgeAgreement, rows_of_metric
from ragassay.metrics.judged import context_precision
from ragassay.metrics.judged.copied import CopiedAnswers
from ragassay.report.judge_trust import JudgeTrust
from ragassay.report.tables import Cell
from ragassay.report.wording import count, decimal, interval, metric_name

_COMMANDS: Mapping[str, str] = {"embedded, words alone": "lexical"}
"""Judges whose names in reports are not those that ``--model`` takes."""
_CHECKED = frozenset(
    ("faithfulness", "answer_relevance", "context_relevance", "truthfulness", "relevance", "correctness")
)
"""Metrics that ``ragassay judge check`` measures."""
_LEADS = {"none": "no better than", "unclear": "not clearly better than"}


def unmeasured_words(trust: JudgeTrust) -> str:
    """A sentence where nothing was measured of the judge, else empty."""
    if trust.agreement:
        return ""
    said = "This judge's agreement with people has not been measured."
    if not _CHECKED & {*trust.metrics}:
        return said
    if "; " in trust.judge:  # several, and commands measure one
        return "The agreement of these judges together with people has not been measured."
    if trust.judge.startswith("own:"):  # an object of the user's, which no command knows
        return f"{said} To measure it, give the same model to `ragassay.check_judge`."
    return f"{said} To measure it, run `{check_command(trust.judge)}`."


def check_command(judge: str) -> str:
    """The command that measures a judge."""
    name = judge.partition(" (")[0]  # a plug-in's has its package behind
    model = _COMMANDS.get(judge, "embedded" if "embedded (" in judge else name)
    return f"ragassay judge check --model {model}"


def trust_lines(trust: JudgeTrust | None) -> list[str]:
    """A line for each judged metric, from its first row, and for each further row on which the judge beats no control.

    One line for all where the judge was not measured.
    """
    if trust is None:
        return []
    if unmeasured := unmeasured_words(trust):
        return [unmeasured]
    lines = []
    for metric in trust.metrics:
        rows = rows_of_metric(trust.agreement, metric)
        if not rows:
            lines.append(f"{metric}: this judge's agreement with people has not been measured")
        lines += [
            f"{metric}: {_sentence(row)}" for row in (*rows[:1], *(each for each in rows[1:] if lead_words(each)))
        ]
    return lines


def _sentence(row: JudgeAgreement) -> str:
    """``this judge has an AUROC of 0.81 (0.77–0.86) on 320 claims ..., judged by their writers``."""
    article = "an" if row.statistic[0] in "Aa" else "a"
    bounds = interval(row.low, row.high)
    figure = f"{decimal(row.value, 2)}{f' ({bounds})' if bounds else ''}"
    statistic = row.statistic.removesuffix(" on pairs")
    words = f"this judge has {article} {statistic} of {figure} on {count(row.n)} {row.data}, judged by {row.said_by}"
    return "; ".join(each for each in (words, seen_words(row), lead_words(row)) if each)


def seen_words(row: JudgeAgreement) -> str:
    """Why a value flatters the judge; empty where it does not."""
    return "its rules were tuned on these items, so this value is optimistic" if row.seen else ""


def lead_words(row: JudgeAgreement) -> str:
    """``no better than 'the longer one is better' (0.81)``; empty for a judge that is clearly better, or no control."""
    if row.control is None or row.lead not in _LEADS:
        return ""
    return f"{_LEADS[row.lead]} '{row.control.rule}' ({decimal(row.control.value, 2)})"


def circular_lines(trust: JudgeTrust | None, *, named: bool = False) -> list[str]:
    """Warnings about figures that follow from how a system answers. named: of several systems, so each is named."""
    if trust is None:
        return []
    return [f"{f'{each.system}: ' if named else ''}{circular_words(each)}" for each in trust.circular]


def circular_words(copied: CopiedAnswers) -> str:
    """How many answers are copied, and what that makes of the metric."""
    which = f"{count(copied.copied)} of {count(copied.scored)} answers are"
    said = f"{'The only answer is' if copied.scored == 1 else which} copied word for word from the retrieved chunks"
    if copied.metric == context_precision.NAME:
        return f"{said}. Context precision counts the chunks of such answers as useful by construction."
    name = metric_name(copied.metric).title
    return f"{said}. Such answers are faithful by construction, so {name} carries no information about them."


class AgreementLine(NamedTuple):
    """A row of the table as finished text. remark: what takes from the value; may be empty. control: may be empty."""

    metric: str
    said_by: str
    data: str
    statistic: str
    value: Cell
    control: str
    remark: str


class TypesOfData(NamedTuple):
    """How a judge does by type. rows: type, share right, items."""

    title: str
    rows: Sequence[tuple[str, str, str]]


def agreement_lines(trust: JudgeTrust) -> list[AgreementLine]:
    """All rows, metric by metric, and one for each metric that was not measured."""
    lines = []
    for metric in trust.metrics:
        rows = rows_of_metric(trust.agreement, metric)
        lines += [_line(row) for row in rows]
        if not rows:
            lines.append(_nothing(metric))
    return lines


def _line(row: JudgeAgreement) -> AgreementLine:
    control = "" if row.control is None else f"{decimal(row.control.value, 2)}: {row.control.rule}"
    remarks = [each for each in (lead_words(row), seen_words(row)) if each]
    return AgreementLine(
        metric=metric_name(row.metric).title,
        said_by=row.said_by,
        data=f"{count(row.n)} {row.data}",
        statistic=row.statistic,
        value=Cell(value=decimal(row.value, 2), interval=interval(row.low, row.high)),
        control=control,
        remark="; ".join(remarks),
    )


def _nothing(metric: str) -> AgreementLine:
    return AgreementLine(metric_name(metric).title, "", "", "", Cell(missing="not measured"), "", "")


def types_of_data(trust: JudgeTrust) -> list[TypesOfData]:
    """What is right by type, for each row that has types."""
    return [
        TypesOfData(
            f"{metric_name(row.metric).title}, {count(row.n)} {row.data}, by type",
            [(each.type, decimal(each.right, 2), count(each.n)) for each in row.by_type],
        )
        for row in trust.agreement
        if row.by_type
    ]


def trust_object(trust: JudgeTrust | None) -> dict[str, Any] | None:
    """What ``--json`` has beside judged figures; None where there are none."""
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
        "warnings": circular_lines(trust),
    }
