"""What settings retrieved and answered, as records: predictions, the texts of their chunks, and single items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import NamedTuple

from ragassay.corpus.store import DocumentStore
from ragassay.pipeline.sweep.answers import NOTHING_ANSWERED
from ragassay.pipeline.sweep.data import SweepData
from ragassay.pipeline.sweep.ranking import Ranked
from ragassay.rag.setting import Setting
from ragassay.records import Example, Prediction, RankedChunk, Score
from ragassay.report.items import SHOWN_CHUNKS, Items
from ragassay.sweep.values import SettingValues


class Retrieved(NamedTuple):
    """texts: chunk id to text. sources: document id to where it came from."""

    texts: Mapping[str, str]
    sources: Mapping[str, str]


def ranked_predictions(
    data: SweepData, setting: Setting, ranked: Ranked, answered: Mapping[int, Prediction]
) -> Iterator[Prediction]:
    """One for each example, in their order, with all chunks of the ranking; what was answered, or the chunks alone.

    answered: row to what was answered.
    """
    for row, example in enumerate(data.examples):
        scores = [] if ranked.scores is None else ranked.scores[row].tolist()
        chunks = data.ranked(setting.chunking, ranked.chunks[row].tolist(), scores)
        alone = Prediction(
            example_id=example.id,
            system="",
            chunks=(),
            error=ranked.failed.get(row),
            standalone_question=ranked.standalone.get(row),
        )
        yield replace(answered.get(row, alone), system=setting.name, chunks=chunks)


def retrieved(store: DocumentStore, chunks: Iterable[RankedChunk]) -> Retrieved:
    """Texts and sources of chunks; every document is read once."""
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    texts, sources = {}, {}
    for chunk in sorted(by_id.values(), key=lambda chunk: store.ordinal(chunk.document_id)):
        document = store.get(chunk.document_id)
        texts[chunk.chunk_id] = document.text[chunk.start : chunk.end]
        sources[document.id] = document.source
    return Retrieved(texts, sources)


def sweep_items(
    data: SweepData,
    values: Sequence[SettingValues],
    predictions: Sequence[Prediction],
    metrics: Sequence[str],
    recommended: str,
) -> Items:
    """Every question with what the settings that are shown found and answered, and their scores.

    recommended: the setting that the table opens on. Metrics of answers are left out where a setting answers nothing.
    """
    chunks = (chunk for each in predictions for chunk in each.chunks[:SHOWN_CHUNKS])
    texts, sources = retrieved(data.store, chunks)
    asked_of = {span.document_id for each in data.examples for span in (each.context, *each.references)}
    named = {name: data.store.get(name).source for name in sorted(asked_of - sources.keys()) if name in data.store}
    return Items(
        data.examples,
        predictions,
        [score for each in values for score in _scores(each, metrics, data.examples)],
        sources={**sources, **named},
        text_of=lambda chunk: texts.get(chunk.chunk_id, ""),
        recommended=recommended,
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
