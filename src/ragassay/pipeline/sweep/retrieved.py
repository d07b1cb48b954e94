"""What settings retrieved, as records: predictions with the chunks of their rankings, and the texts of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ragassay.corpus.store import DocumentStore
from ragassay.pipeline.sweep.data import SweepData
from ragassay.pipeline.sweep.ranking import Ranked
from ragassay.rag.setting import Setting
from ragassay.records import Prediction, RankedChunk


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
