"""Which configurations a sweep tries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from ragassay.retrieval.hybrid import Fusion
from ragassay.sweep.configuration import Configuration

CHUNK_CHARS = (256, 512, 1024)  # the middle of RAGVAL's 128 to 2048, where its scores are highest
TEXT_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)  # Know Your RAG 2025, section 5
FUSIONS: tuple[Fusion, ...] = get_args(Fusion)
"""In the order in which ties are broken."""


def grid(
    chunk_chars: Iterable[int] = CHUNK_CHARS,
    text_weights: Iterable[float] = TEXT_WEIGHTS,
    fusions: Iterable[Fusion] = FUSIONS,
) -> tuple[Configuration, ...]:
    """Every combination once, by chunk size, fusion and text weight, in the order given.

    At text weights 0 and 1 all fusions are the same ranking: only the first fusion has those.
    """
    configurations = []
    for chars in dict.fromkeys(chunk_chars):
        for number, fusion in enumerate(dict.fromkeys(fusions)):
            for weight in dict.fromkeys(text_weights):
                if number == 0 or weight not in (0, 1):
                    configurations.append(Configuration(chunk_chars=chars, fusion=fusion, text_weight=weight))
    return tuple(configurations)
