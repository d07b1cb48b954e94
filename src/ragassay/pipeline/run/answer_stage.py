"""Fourth stage: answers made with the best settings, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ragassay import tracing
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.judged.copied import CIRCULAR_METRICS, CopiedAnswers
from ragassay.metrics.metric import Measured
from ragassay.metrics.retrieval.catalogue import RANKING_METRICS
from ragassay.pipeline.asking.models import RunModels
from ragassay.pipeline.run.retrieval_stage import Engine, Sweep
from ragassay.pipeline.sweep.answers import copied_of
from ragassay.pipeline.sweep.retrieved import Retrieved, ranked_predictions, retrieved
from ragassay.rag.setting import USUAL_TOP_K, Setting
from ragassay.records import Example, Prediction, Score
from ragassay.sweep.values import SettingValues

TEXT_METRICS = (f"reference_recall@{USUAL_TOP_K}", f"eir@{USUAL_TOP_K}")
"""RAGEval's two, on the text of the chunks that answers are made from."""
JUDGED_METRICS = ("faithfulness", "answer_relevance", "completeness", "context_precision", "abstention_accuracy")
SERVED_METRICS = frozenset({"context_precision"})
"""Those that the embedded model cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersMade:
    """predictions: of every setting shown, with answers for the best ones. scores: everything scored of them.

    values: of the settings shown, all metrics that each was scored by. retrieved: texts and sources of the chunks that
    answers were made from. copied: how many answers of each of the best settings only repeat their chunks.
    """

    predictions: tuple[Prediction, ...]
    scores: tuple[Score, ...]
    values: Mapping[Setting, SettingValues]
    retrieved: Retrieved
    copied: tuple[CopiedAnswers, ...] = ()


async def answer(engine: Engine, sweep: Sweep, models: RunModels, answerer: str) -> AnswersMade:
    """Answers every question for each best setting, each once from the same chunks, and scores retrieval and answers.

    answerer: what the settings of the answers call it.
    """
    engine.progress.start("answering and judging", len(sweep.shown))
    names = [*(metric.name for metric in RANKING_METRICS), *TEXT_METRICS]
    retrieves = engine.answers(metrics_named(names))
    answers = engine.answers(metrics_named([*names, *judged_metrics(models)]))
    best = set(sweep.answering)
    predictions, scores = list[Prediction](), list[Score]()
    values: dict[Setting, SettingValues] = {}
    for setting in sweep.shown:
        ranked = await engine.rankings.of(setting, engine.rows)
        if setting in best:
            worked = await answers.work_out(replace(setting, generator=answerer), ranked, engine.rows)
        else:
            worked = await retrieves.work_out(setting, ranked, engine.rows)
        values[setting] = replace(worked.values, setting=setting)
        predictions += ranked_predictions(engine.data, setting, ranked, worked.predictions)
        found = list(scores_of(setting.name, engine.data.examples, worked.measured))
        tracing.scores(setting.name, ((each.example_id, each.metric, each.value, each.reason) for each in found))
        scores += found
        engine.progress.advance()
    counts = (copied_of(each, setting.name, m) for setting, each in values.items() for m in CIRCULAR_METRICS)
    return AnswersMade(
        predictions=tuple(predictions),
        scores=tuple(scores),
        values=values,
        retrieved=retrieved(engine.data.store, (chunk for each in predictions for chunk in each.chunks[:USUAL_TOP_K])),
        copied=tuple(count for count in counts if count is not None),
    )


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
