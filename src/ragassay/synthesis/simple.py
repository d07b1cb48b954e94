"""The synthesizer ``simple``: one prompt, one question with its answer (Know Your RAG, simple generation)."""

from __future__ import annotations

from ragassay.models.base import Model
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.contexts import Context, Contexts
from ragassay.synthesis.options import SetPlan
from ragassay.synthesis.pair_writer import PairWriter
from ragassay.tasks.pairs import PairRequest
from ragassay.tasks.simple import SIMPLE_PAIR

SIMPLE = "simple"


def simple(model: Model, collection: Collection, options: SetPlan) -> PairWriter:
    """One call a pair; asked again, a passage is told which questions it gave already."""
    return PairWriter(SIMPLE, model, Contexts(collection, options), SIMPLE_PAIR, _request, options.tries)


def _request(context: Context, asked: tuple[str, ...]) -> PairRequest:
    return PairRequest(passage=context.passage, asked=asked)
