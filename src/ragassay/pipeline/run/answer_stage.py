"""Fourth stage: answers made with the best settings, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ragassay import tracing
from ragassay.corpus.sampling import spread_order
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.judged.copied import CIRCULAR_METRICS, CopiedAnswers
from ragassay.metrics.metric import Measured
from ragassay.metrics.retrieval.families import RANKING_METRICS
from ragassay.parts import in_parts
from ragassay.pipeline.asking.models import RunModels
from ragassay.pipeline.run.retrieval_stage import Engine, Sweep
from ragassay.pipeline.sweep.answers import copied_of
from ragassay.pipeline.sweep.retrieved import Retrieved, ranked_predictions, retrieved
from ragassay.rag.setting import USUAL_TOP_K, Setting
from ragassay.records import Example, Prediction, Score
from ragassay.sweep.search import Rows
from ragassay.sweep.values import SettingValues

TEXT_METRICS = (f"reference_recall@{USUAL_TOP_K}", f"eir@{USUAL_TOP_K}")
"""RAGEval's two, on the text of the chunks that answers are made from."""
JUDGED_METRICS = ("faithfulness", "answer_relevance", "completeness", "context_precision", "abstention_accuracy")
SERVED_METRICS = frozenset({"context_precision"})
"""Those that the embedded model cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersMade:
    """predictions: of every setting shown, with answers for the best ones. scores: everything scored of them.

    values: of the settings shown, the metrics of what they retrieved, of every example. judged: of the best settings,
    the judge's metrics, of the examples that were answered, whose rows ``answered`` holds. retrieved: texts and
    sources of the chunks that answers were made from. copied: how many answers of each of the best settings only
    repeat their chunks.
    """

    predictions: tuple[Prediction, ...]
    scores: tuple[Score, ...]
    values: Mapping[Setting, SettingValues]
    judged: Mapping[Setting, SettingValues]
    answered: Rows
    retrieved: Retrieved
    copied: tuple[CopiedAnswers, ...] = ()


async def answer(engine: Engine, sweep: Sweep, models: RunModels, answerer: str) -> AnswersMade:
    """Scores what every setting shown retrieved, and answers with each best one, each question once.

    All examples are answered, or as many as ``RunOptions.most_judged`` allows. answerer: what the settings of the
    answers call it.
    """
    examples, rows = engine.data.examples, _judged_rows(engine)
    retrieves = engine.answers(metrics_named([*RANKING_METRICS, *TEXT_METRICS]))
    answers = engine.answers(metrics_named(judged_metrics(models)))
    on_rows = in_parts(engine.progress, "answering examples", len(rows), len(rows) * len(sweep.answering))
    predictions, scores = list[Prediction](), list[Score]()
    values, judged = dict[Setting, SettingValues](), dict[Setting, SettingValues]()
    for setting in sweep.shown:
        ranked = await engine.rankings.of(setting)
        worked = await retrieves.work_out(setting, ranked, engine.rows)
        values[setting] = worked.values
        found = list(scores_of(setting.name, examples, worked.measured))
        answered: Mapping[int, Prediction] = {}
        if setting in sweep.answering:
            worked = await answers.work_out(replace(setting, generator=answerer), ranked, rows, on_rows)
            judged[setting] = replace(worked.values, setting=setting)
            found += scores_of(setting.name, [examples[row] for row in rows], worked.measured)
            answered = dict(zip(rows.tolist(), worked.predictions, strict=True))
        predictions += ranked_predictions(engine.data, setting, ranked, answered)
        tracing.scores(setting.name, ((each.example_id, each.metric, each.value, each.reason) for each in found))
        scores += found
    counts = (copied_of(each, setting.name, m) for setting, each in judged.items() for m in CIRCULAR_METRICS)
    return AnswersMade(
        predictions=tuple(predictions),
        scores=tuple(scores),
        values=values,
        judged=judged,
        answered=rows,
        retrieved=retrieved(engine.data.store, (chunk for each in predictions for chunk in each.chunks[:USUAL_TOP_K])),
        copied=tuple(count for count in counts if count is not None),
    )


def _judged_rows(engine: Engine) -> Rows:
    """The rows that are answered and judged: all, or a sample in which each label has its share."""
    most, n = engine.run_options.most_judged, len(engine.data.examples)
    order = spread_order(engine.labels, engine.run_options.seed)
    return np.array(sorted(order[: n if most is None else most]), dtype=np.int64)


def judged_metrics(models: RunModels) -> tuple[str, ...]:
    """The metrics that the judge of a run can tell."""
    return JUDGED_METRICS if models.judge.is_on_server else tuple(m for m in JUDGED_METRICS if m not in SERVED_METRICS)


def scores_of(system: str, examples: Sequence[Example], found: Mapping[str, Sequence[Measured]]) -> Iterable[Score]:
    """The records of what was measured, metric by metric. found: metric to the values of the examples."""
    for metric, values in found.items():
        for example, each in zip(examples, values, strict=True):
            yield Score(
                example_id=example.id,
                system=system,
                metric=metric,
                value=each.value,
                reason=each.reason,
                evidence=each.evidence,
            )
