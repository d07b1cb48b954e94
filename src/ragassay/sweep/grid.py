"""Which configurations a sweep tries."""

from __future__ import annotations

from collections.abc import Iterable

from ragassay.corpus.chunkers import DEFAULT_SIZES
from ragassay.rag.setting import FUSIONS
from ragassay.rag.space import TEXT_WEIGHTS
from ragassay.retrieval.hybrid import Fusion
from ragassay.sweep.configuration import Configuration


def grid(
    chunk_sizes: Iterable[int] = DEFAULT_SIZES["recursive"],
    text_weights: Iterable[float] = TEXT_WEIGHTS,
    fusions: Iterable[Fusion] = FUSIONS,
    unit: str = "characters",
) -> tuple[Configuration, ...]:
    """Every combination once, by chunk size, fusion and text weight, in the order given.

    At text weights 0 and 1 all fusions are the same ranking: only the first fusion has those.
    """
    configurations = []
    for size in dict.fromkeys(chunk_sizes):
        for number, fusion in enumerate(dict.fromkeys(fusions)):
            for weight in dict.fromkeys(text_weights):
                if number == 0 or weight not in (0, 1):
                    configurations.append(Configuration(chunk_size=size, fusion=fusion, text_weight=weight, unit=unit))
    return tuple(configurations)
