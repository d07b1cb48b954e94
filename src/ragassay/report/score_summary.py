"""The figures of scored predictions: what ``ragassay score`` prints and keeps in ``metrics.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.refusals import Unanswerable
from ragassay.metrics.metric import Scales
from ragassay.report.judge_trust import JudgeTrust
from ragassay.report.panel_summary import JudgePanel

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
    aliases: names of ragas and deepeval that were asked for, each with our name for it.
    panel: what several judges came to; None where there was one.
    doubts: what has to be known before the figures are believed.
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
    aliases: Mapping[str, str] = field(default_factory=dict)
    by: Mapping[str, Mapping[str, Estimates]] = field(default_factory=dict)
    panel: JudgePanel | None = None
    scales: Scales = field(default_factory=dict)
