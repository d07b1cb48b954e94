"""The single items of a sweep: every question with what the best settings found and answered, and their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from ragassay.pipeline.sweep.answers import NOTHING_ANSWERED
from ragassay.pipeline.sweep.data import SweepData
from ragassay.pipeline.sweep.retrieved import retrieved
from ragassay.rag.setting import Setting
from ragassay.records import Example, Prediction, Score
from ragassay.report.items import SHOWN_CHUNKS, Items
from ragassay.sweep.values import SettingValues


def sweep_items(
    data: SweepData,
    values: Mapping[Setting, SettingValues],
    predictions: Sequence[Prediction],
    metrics: Sequence[str],
    recommended: Setting,
) -> Items:
    """values: of the settings that are shown, for all questions. predictions: of these.

    Metrics of answers are left out where a setting answers nothing.
    """
    chunks = (chunk for each in predictions for chunk in each.chunks[:SHOWN_CHUNKS])
    texts, sources = retrieved(data.store, chunks)
    asked_of = {span.document_id for each in data.examples for span in (each.context, *each.references)}
    named = {name: data.store.get(name).source for name in sorted(asked_of - sources.keys()) if name in data.store}
    return Items(
        data.examples,
        predictions,
        [score for each in values.values() for score in _scores(each, metrics, data.examples)],
        sources={**sources, **named},
        text_of=lambda chunk: texts.get(chunk.chunk_id, ""),
        recommended=recommended.name,
    )


def _scores(values: SettingValues, metrics: Sequence[str], examples: Sequence[Example]) -> Iterable[Score]:
    for metric in metrics:
        reasons = {row: reason for reason, rows in values.missing.get(metric, {}).items() for row in rows}
        for row, value in zip(values.rows.tolist(), values.metrics[metric].tolist(), strict=True):
            if reasons.get(row) == NOTHING_ANSWERED:
                continue
            yield Score(
                example_id=examples[row].id,
                system=values.setting.name,
                metric=metric,
                value=None if isnan(value) else value,
                reason=reasons.get(row),
            )
