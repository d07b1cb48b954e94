"""The sentence encoder of several machines: each reads a part of the texts, and the vectors are those of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Literal, TypeVar

import numpy as np

from ragassay.models.embeddings import SentenceEncoder, SpannedText, Vectors
from ragassay.models.encoder_graph import Precision
from ragassay.workers import Lost, Workers

T = TypeVar("T", str, SpannedText)

_PIECES_EACH = 4
"""Pieces for each process, so that none waits long for the last one."""


class SharedEncoder(SentenceEncoder):
    """As ``SentenceEncoder``, with other machines where there are some, all with the precision of this one."""

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        self._workers = workers

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        if not self._workers.are_elsewhere or len(texts) < 2:
            return super().encode(texts, progress)
        return self._gathered("texts", texts, progress)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        if not self._workers.are_elsewhere or len(texts) < 2:
            return super().encode_spans(texts, progress)
        return self._gathered("spans", texts, progress)

    def _gathered(
        self, what: Literal["texts", "spans"], texts: Sequence[T], progress: Callable[[int], None] | None
    ) -> Vectors:
        n_pieces = min(len(texts), _PIECES_EACH * self._workers.processes)
        borders = np.linspace(0, len(texts), n_pieces + 1).astype(int)
        pieces = [list(texts[begin:end]) for begin, end in pairwise(borders.tolist())]
        work = partial(_encoded, what, self.precision, self.max_tokens)
        found = []
        for rows in self._workers.map(work, pieces):
            found.append(work(rows.item) if isinstance(rows, Lost) else rows)
            if progress is not None:
                progress(len(found[-1]))
        return np.concatenate(found)


@cache
def _encoder(precision: Precision, max_tokens: int) -> SentenceEncoder:
    """Of one process; one thread, for the other cores have processes of their own."""
    return SentenceEncoder(precision=precision, max_tokens=max_tokens, threads=1)


def _encoded(what: Literal["texts", "spans"], precision: Precision, max_tokens: int, texts: Sequence[T]) -> Vectors:
    encoder = _encoder(precision, max_tokens)
    return encoder.encode(texts) if what == "texts" else encoder.encode_spans(texts)  # type: ignore[arg-type]
