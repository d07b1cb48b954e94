"""One setting of the built-in system's retriever."""

from __future__ import annotations

from dataclasses import dataclass

from ragassay.retrieval.hybrid import Fusion


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Configuration:
    """text_weight: 0 is dense only, 1 is lexical only (the three fusions are then the same ranking).

    chunk_size: in the unit, which the chunker of the run decides.
    """

    chunk_size: int
    fusion: Fusion
    text_weight: float
    unit: str = "characters"

    @property
    def retriever(self) -> str:
        if self.text_weight == 0:
            return "dense"
        if self.text_weight == 1:
            return "lexical"
        return f"{self.fusion} w={self.text_weight:g}"

    @property
    def name(self) -> str:
        """What tables, predictions and scores call it, for example ``512 raw_linear w=0.1``."""
        size = f"{self.chunk_size}" if self.unit == "characters" else f"{self.chunk_size} {self.unit}"
        return f"{size} {self.retriever}"
