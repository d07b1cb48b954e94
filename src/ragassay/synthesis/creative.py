"""The synthesizer ``creative``: one inventive question per block (RAGVAL, question generation)."""

from __future__ import annotations

from ragassay.models.base import Model
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.contexts import Context, Contexts
from ragassay.synthesis.options import SetPlan
from ragassay.synthesis.pair_writer import PairWriter
from ragassay.tasks.creative import CREATIVE_QUESTION
from ragassay.tasks.pairs import PairRequest

CREATIVE = "creative"


def creative(model: Model, collection: Collection, options: SetPlan) -> PairWriter:
    """One question for each block, asked at a high temperature; a block is asked about once and never again."""
    return PairWriter(CREATIVE, model, Contexts(collection, options), CREATIVE_QUESTION, _request, 0)


def _request(context: Context, asked: tuple[str, ...]) -> PairRequest:
    return PairRequest(passage=context.passage, asked=asked)
