"""Which configurations a sweep tries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from ragassay.corpus.chunkers import DEFAULT_SIZES
from ragassay.retrieval.hybrid import Fusion
from ragassay.sweep.configuration import Configuration

TEXT_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)  # Know Your RAG 2025, section 5
FUSIONS: tuple[Fusion, ...] = get_args(Fusion)
"""In the order in which ties are broken."""


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
