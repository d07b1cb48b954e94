"""The synthesizer ``per_chunk``: several pairs of a chunk in one structured reply (SynDAiTE 2025, generation)."""

from __future__ import annotations

from ragassay.models.base import Model
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.contexts import Context, Contexts
from ragassay.synthesis.options import SetPlan
from ragassay.synthesis.pair_writer import PairWriter
from ragassay.tasks.per_chunk import CHUNK_PAIRS, ChunkRequest

PER_CHUNK = "per_chunk"
PAIRS = 3
"""Pairs that are asked of a chunk unless told otherwise."""


def per_chunk(model: Model, collection: Collection, options: SetPlan, pairs: int = PAIRS) -> PairWriter:
    """One call for ``pairs`` pairs, which share the cost of reading their chunk."""

    def request(context: Context, asked: tuple[str, ...]) -> ChunkRequest:
        return ChunkRequest(passage=context.passage, asked=asked, n=pairs)

    return PairWriter(PER_CHUNK, model, Contexts(collection, options), CHUNK_PAIRS, request, options.tries)
