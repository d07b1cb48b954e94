"""The figures of scored predictions: what ``ragassay evaluate`` shows and keeps in ``metrics.json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.prediction_powered import Corrected
from ragassay.evaluation.sequential import Decision
from ragassay.evaluation.tally import Unanswerable
from ragassay.metrics.catalogue import range_words, scale_of
from ragassay.metrics.metric import Scales
from ragassay.rag.setting import DECIDING
from ragassay.records import Prediction
from ragassay.report.blocks import Block, Column, Headline, Missing, Noted, Table, Text, Value, next_steps, typed
from ragassay.report.costs import StageCost, call_cost_object, judging_words, spent_words, stopped_block
from ragassay.report.predictions import PredictionFigures, blocks_of_predictions, refused_words, whose_answers
from ragassay.report.safe_text import excerpt
from ragassay.report.trust import JudgeTrust, blocks_of_trust, brief_of_trust, trust_object
from ragassay.report.wording import (
    count,
    decimal,
    interval,
    methods_words,
    noun,
    portion,
    refusals_words,
    why_missing,
)

REASONS_SHOWN, REASON_CHARS, METRICS_SHOWN = 3, 160, 13
FEW_FOR_A_GATE = 50
"""Questions below which an interval leaves a drop of .05 undecided (docs/gates.md)."""
_PRINTED = (
    "metrics", "corrected", "decision", "labels", "types", "by", "reasons", "system", "examples", "judge_coverage",
    "panel", "unanswerable",
)  # fmt: skip
"""Fields that ``--json`` prints as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeMean:
    """mean: of the n values of one judge, None where there are none; total: answers that it was asked about."""

    mean: float | None
    n: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelAgreement:
    """One metric. alpha: Krippendorff's, of n answers with two values or more; None with the reason.

    identical: of these n, those to which all judges gave the same value, to hundredths. judges: by name.
    """

    metric: str
    alpha: float | None
    n: int
    identical: int
    judges: Mapping[str, JudgeMean]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """An answer that judges see differently. values: by judge; None where it gave none."""

    example_id: str
    metric: str
    values: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeEffort:
    """What one judge took, replies from the log included. cost_usd: None where a price or the tokens are not known."""

    asked: int
    unanswered: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePanel:
    """pooled: mean or majority. judges: by name. disputes: widest first."""

    pooled: str
    judges: Mapping[str, JudgeEffort]
    agreement: tuple[PanelAgreement, ...]
    disputes: tuple[Dispute, ...]


Estimates = Mapping[str, Estimate]
"""Metric name to its mean with interval and coverage, in the order in which the metrics were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSummary:
    """system: whose predictions. judge: name of the model that was asked; empty where none was.

    metrics: over all examples but the unanswerable; those of refusals over all. unanswerable: these, if there are any.
    labels, types: the same for the examples of each label and each question type; empty where no example has one.
    by: field of documents that was asked for, such as domain, to the same for the examples of each value.
    reasons: metric to the reasons why examples have no value to their number, most frequent first.
    judge_coverage: share of what a model on a server was asked and answered; None where none was asked.
    stopped_by: the limit on calls, tokens or cost that ended the calls to models, or empty.
    trust: how far the judge's figures can be believed; None where no metric is a judge's.
    panel: what several judges came to; None where there was one.
    doubts: what has to be known before the figures are believed.
    corrected: label, or "" for answerable questions, to metric to what people and the judge say together.
    decision: of a comparison that stopped when it was decided.
    scales: range and direction of the metrics that are not ragassay's own, for whoever reads the scores later.
    """

    version: str
    system: str
    judge: str
    settings: Mapping[str, str]
    examples: int
    metrics: Estimates
    labels: Mapping[str, Estimates]
    types: Mapping[str, Estimates]
    reasons: Mapping[str, Mapping[str, int]]
    judge_coverage: float | None = None
    stopped_by: str = ""
    trust: JudgeTrust | None = None
    doubts: tuple[str, ...] = ()
    unanswerable: Unanswerable | None = None
    by: Mapping[str, Mapping[str, Estimates]] = field(default_factory=dict)
    panel: JudgePanel | None = None
    corrected: Mapping[str, Mapping[str, Corrected]] = field(default_factory=dict)
    decision: Decision | None = None
    scales: Scales = field(default_factory=dict)


def blocks_of_scores(
    summary: ScoreSummary,
    cost: StageCost | None,
    folder: Path | None = None,
    predicted: PredictionFigures | None = None,
    predictions: Sequence[Prediction] = (),
    *,
    is_brief: bool = False,
) -> Iterator[Block]:
    """Yield means with intervals and coverage, by label and type, what makes them doubtful, what it took.

    predicted: what a system answered now; predictions: whoever made them. is_brief: for 40 lines of 80 characters,
    with what to do next.
    """
    lead = filter(None, [corrected_words(summary.corrected), refused_words(predictions)])
    yield Headline(f"{count(summary.examples, 'example')}, {whose_answers(summary.system)}", list(lead))
    yield Text(_decision_words(summary.decision) if summary.decision else (), "strong")
    yield from stopped_block(summary.stopped_by)
    yield Text(summary.doubts[: REASONS_SHOWN if is_brief else None], "warning")
    rest = "metrics.json" if folder else "--json"
    yield replace(_means(summary), most=METRICS_SHOWN if is_brief else 0, rest=rest)
    if predicted is not None:
        notes = tuple(each for each in predicted.notes if each not in summary.doubts)
        yield from blocks_of_predictions(replace(predicted, notes=notes))
    yield Text(f"Judged by {summary.judge}" if summary.judge else ())
    corrected = summary.corrected
    yield from blocks_of_corrected({name: of for name, of in corrected.items() if not (name and is_brief)})
    if not is_brief and any(each.low is not None for each in summary.metrics.values()):
        yield Text(f"Intervals: of the mean over many more such questions. {methods_words(summary.metrics.values())}")
    if "unanswerable" in summary.labels:
        yield Text(refusals_words(summary.unanswerable) or ())
    yield from islice(blocks_of_panel(summary.panel), 2 if is_brief else None)
    groups = {"label": summary.labels, "question type": summary.types, **summary.by}
    if is_brief:
        first = next(iter(summary.metrics))
        yield Text([said for title, of in groups.items() if (said := _group_words(title, of, first))])
    yield from brief_of_trust(summary.trust) if is_brief else blocks_of_trust(summary.trust)
    yield from (group_table(f"By {title}: mean", of) for title, of in groups.items() if of and not is_brief)
    means = summary.metrics
    shown = {name: of for name, of in summary.reasons.items() if not is_brief or means[name].n < means[name].total}
    yield Text([*reason_lines(shown)][: REASONS_SHOWN if is_brief else None])
    if cost is not None and cost.served:
        yield Text(spent_words(cost))
    if folder is None:
        yield Text("--out FOLDER keeps answers and scores, for `ragassay report`, `compare` and `gate`.", on="terminal")
        return
    yield Text(f"Written to {folder}" + ("; all tables: `ragassay report --text`" if is_brief else ""), "strong")
    if is_brief:
        metric = DECIDING if DECIDING in means else next(iter(means), "METRIC")
        bound = f"--max-drop {metric}=.05" + " --use mean" * (summary.examples < FEW_FOR_A_GATE)
        yield next_steps(
            (f"ragassay report {folder}", "a page with each failure"),
            (f"ragassay compare OTHER {folder}", "question by question, with a test"),
            (f"ragassay gate NEXT --baseline {folder} {bound}", "in CI"),
        )


def means_words(summary: ScoreSummary) -> str:
    """Return every mean with its interval, in a line."""
    said = [
        f"{row[0]} {why_missing(of) or f'{of.value:.3f} ({interval(of.low, of.high) or of.n})'}"
        for row, of in zip(_means(replace(summary, corrected={})).rows, summary.metrics.values(), strict=True)
    ]
    return f"{count(summary.examples, 'example')}, {whose_answers(summary.system)}: {', '.join(said)}"


def _group_words(title: str, groups: Mapping[str, Estimates], metric: str) -> str:
    """Return the mean of one metric in each group, the lowest first; empty with fewer than two."""
    means = {name: of[metric] for name, of in groups.items() if metric in of and of[metric].value is not None}
    ordered = sorted(means.items(), key=lambda item: item[1].value or 0.0)
    said = ", ".join(f"{name} {decimal(each.value or 0.0)} (n {each.n})" for name, each in ordered)
    return excerpt(f"{metric} by {title}: {said}", 230) if len(means) > 1 else ""


def _decision_words(decision: Decision) -> str:
    """Say what was decided, and what was not asked for that."""
    spared = decision.total - decision.asked
    asked = f"after {count(decision.asked, 'question')}" + (f", {count(spared)} not asked" if spared > 0 else "")
    reach = f"{decision.difference:+.3f}, from {decision.low:+.3f} to {decision.high:+.3f} however often one looks"
    return f"{decision.metric} against {decision.against}: {decision.verdict} ({reach}), {asked}."


def _means(summary: ScoreSummary) -> Table:
    """Say which way is good where that is down for some metric."""
    by_people = summary.corrected.get("", {})
    rows: list[Sequence[Value]] = [
        (f"{name}, corrected", each.estimate, f"{count(each.people.n)} by people") for name, each in by_people.items()
    ]
    for name, each in summary.metrics.items():
        scale, about = scale_of(name, summary.scales), range_words(name, summary.scales)
        about += ", judge alone" if name in by_people else ""
        about += " (lower is better)" if scale is not None and not scale.higher_is_better else ""
        rows.append((f"{name}{about}", each, portion(each.n, each.total)))
    columns = ["metric", Column("value", "decimal"), "scored"]
    over = " over answerable questions (abstention: all)" if "unanswerable" in summary.labels else ""
    return Table(f"Means{over} with 95 % intervals", columns, rows)


def corrected_by(of: Corrected, what: str = "answer") -> str:
    """Write ``corrected by people's verdicts on 20 answers``."""
    return f"corrected by people's verdicts on {count(of.people.n, what)}"


def corrected_words(corrected: Mapping[str, Mapping[str, Corrected]]) -> str:
    """Return the corrected means over all answerable questions, in a line; empty where there are none."""
    said = {name: (of.estimate, corrected_by(of)) for name, of in corrected.get("", {}).items()}
    return "; ".join(
        f"{name} {decimal(mean.value or 0.0)} ({interval(mean.low, mean.high)}), {by}"
        for name, (mean, by) in said.items()
    )


def blocks_of_corrected(corrected: Mapping[str, Mapping[str, Corrected]], what: str = "Judge") -> Iterator[Block]:
    """Yield what people's verdicts make of the judge's figures: over all, and of each label."""
    if not corrected:
        return
    rows: list[Sequence[Value]] = [
        (group or "all", metric, each.judge, each.people, each.estimate, each.people.n, each.worth)
        for group, of in corrected.items()
        for metric, each in of.items()
    ]
    columns = [
        "questions", "metric", *typed("decimal", "judge alone", "people alone", "corrected"),
        *typed("count", "by people", "worth"),
    ]  # fmt: skip
    note = (
        "The corrected interval allows for the judge's errors, so it can be wider than the judge's own. Worth: "
        "judgements by people that alone would make an interval as narrow as the corrected one."
    )
    yield Table(f"{what} corrected by people (prediction-powered inference)", columns, rows, note)
    missing = {metric: each.missing for metric, each in corrected.get("", {}).items() if each.missing}
    yield Text(
        [
            f"{metric}: {count(n, 'answer')} without a value by the judge; its mean stands in. These may be unlike the "
            "others; only people's verdicts on some of them correct that."
            for metric, n in missing.items()
        ],
        "warning",
    )


def group_table(title: str, groups: Mapping[str, Estimates], note: str = "") -> Table:
    """Return a row for each metric and a column for each group of questions, with how many these are."""
    sizes = {name: max((each.total for each in of.values()), default=0) for name, of in groups.items()}
    columns = ["metric", *(Column(f"{excerpt(name, 30)} ({count(sizes[name])})", "decimal") for name in groups)]
    metrics = dict.fromkeys(metric for of in groups.values() for metric in of)
    rows: list[Sequence[Value]] = [(metric, *(of.get(metric) for of in groups.values())) for metric in metrics]
    return Table(title, columns, rows, note)


def blocks_of_panel(panel: JudgePanel | None) -> Iterator[Block]:
    """Yield what several judges came to: means and agreement by metric, what each took, the widest disputes."""
    if panel is None:
        return
    yield Text(f"Scores are the {panel.pooled} of {len(panel.judges)} judges")
    rows: list[Sequence[Value]] = [
        (each.metric, *(_mean(each.judges[name]) for name in panel.judges),
         Missing(each.reason or "") if each.alpha is None else each.alpha, portion(each.identical, each.n))
        for each in panel.agreement
    ]  # fmt: skip
    columns = ["metric", *typed("decimal", *panel.judges, "alpha"), "same value"]
    note = "Krippendorff's alpha: 1 if all values are the same, 0 as by chance."
    yield Table("Agreement of the judges", columns, rows, note)
    yield Text([f"{name}: {_effort_words(effort)}" for name, effort in panel.judges.items()])
    disputes: list[Sequence[Value]] = [
        (each.example_id, each.metric, *(Missing("no value") if value is None else value for value in values))
        for each in panel.disputes
        for values in [[each.values.get(name) for name in panel.judges]]
    ]
    columns = ["example", "metric", *typed("decimal", *panel.judges)]
    yield Table("Seen most differently", columns, disputes, most=1)


def _mean(of_judge: JudgeMean) -> Value:
    mean = Missing("no value") if of_judge.mean is None else of_judge.mean
    return mean if of_judge.n == of_judge.total else Noted(mean, portion(of_judge.n, of_judge.total))


def _effort_words(effort: JudgeEffort) -> str:
    known = effort.prompt_tokens is not None and effort.completion_tokens is not None
    tokens = (effort.prompt_tokens or 0) + (effort.completion_tokens or 0) if known else None
    return judging_words(effort.asked, effort.unanswered, None, tokens, effort.cost_usd)


def reason_lines(reasons: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield why metrics have no value, the commonest reasons of each."""
    for metric, counts in reasons.items():
        if not counts:
            continue
        shown = [f"{excerpt(reason, REASON_CHARS)} ({count(n)})" for reason, n in [*counts.items()][:REASONS_SHOWN]]
        more = len(counts) - REASONS_SHOWN
        further = f"; {more} further {noun(more, 'reason')}" if more > 0 else ""
        yield f"{metric} has no value: {'; '.join(shown)}{further}"


def score_object(summary: ScoreSummary, cost: StageCost | None = None, folder: Path | None = None) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    found = asdict(summary)
    return {
        **{name: found[name] for name in _PRINTED},
        "judge": summary.judge or None,
        "trust": trust_object(summary.trust),
        "warnings": list(summary.doubts),
        "stopped_by": summary.stopped_by or None,
        **({} if cost is None else {"calls": call_cost_object(cost)}),
        **({} if folder is None else {"out": str(folder)}),
    }
