"""Refuse questions that are near to those one does not want (RAGVAL, variants of RAG)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import read_objects
from ragassay.errors import InputError
from ragassay.retrieval.dense_vectors import ChunkEncoder

REFUSAL = "This question is outside of what can be answered here."
_FIELDS = ("question", "query", "text")


class Guardrail:
    """Refuses from a cosine with the nearest example on: the threshold."""

    def __init__(self, examples: Sequence[str], encoder: ChunkEncoder, threshold: float) -> None:
        self._vectors = encoder.encode(examples)
        self._threshold = threshold

    def refuses(self, vectors: npt.NDArray[np.float32]) -> list[bool]:
        """Say it of each question. vectors: (n_questions, dimension), rows of unit length."""
        nearest: npt.NDArray[np.float32] = np.round(vectors @ self._vectors.T, 6).max(axis=1)
        return [bool(cosine >= self._threshold) for cosine in nearest]


def read_guard(path: Path) -> list[str]:
    """Read examples: a question a line, or JSONL with a field question, query or text. Raises InputError."""
    try:
        if path.suffix.lower() == ".jsonl":
            rows = [row.value for row in read_objects(path, Notes())]
            found = [next((row[name] for name in _FIELDS if isinstance(row.get(name), str)), "") for row in rows]
            if not all(each.strip() for each in found):
                raise InputError(f"guard: a line of {path} has no text in a field {', '.join(_FIELDS)}")
        else:
            found = [line.strip() for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
    except OSError as error:
        fault = f"guard: {path} cannot be read ({error.strerror})"
        raise InputError(f"{fault}; give a file with a question a line") from None
    except UnicodeDecodeError as error:
        raise InputError(f"guard: {path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    if not found:
        raise InputError(f"guard: {path} holds no example questions")
    return found
