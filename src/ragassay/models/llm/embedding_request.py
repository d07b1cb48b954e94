"""The request for vectors of some texts, and what its reply has to look like."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ragassay.models.embeddings import Vectors, unit_rows
from ragassay.models.llm.answers import Answer, Usage
from ragassay.models.llm.server_replies import Fault, Hopeless, Problem, Refusal, is_count, parsed, problem
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.models.llm.transport import Received

PATH = "/embeddings"


@dataclass(frozen=True, slots=True)
class Embedded:
    """vectors: (n_texts, dimension) float32 of unit length, in the order of the texts."""

    vectors: Vectors
    usage: Usage


@dataclass(frozen=True, slots=True)
class NotEmbedded:
    """The server does not take these texts. too_long: fewer or shorter ones it would take."""

    reason: str
    too_long: bool


@dataclass(slots=True)
class EmbeddingFormat:
    """How a server gives vectors: base64 is a third of the size of decimal digits, and ten times as fast to read."""

    base64: bool = True


class EmbeddingRequest:
    """Some texts on their way through a ``Sender``."""

    path = PATH

    def __init__(
        self,
        texts: Sequence[str],
        model: str,
        fields: Mapping[str, Any],
        known: EmbeddingFormat,
        dimension: int | None,
        dimension_file: Path | None = None,
    ) -> None:
        """fields: of every request's body. dimension: that the vectors have to have, or None.

        dimension_file: where that is kept from earlier runs; None: it was asked for.
        """
        self.seed = texts[0][:200]
        self._texts = texts
        self._fields = {"model": model, **fields}
        self._format = known
        self._dimension = dimension
        self._dimension_file = dimension_file

    @property
    def expected(self) -> Usage:
        return Usage(sum(map(estimate_tokens, self._texts)), 0, estimated=True)

    @property
    def at_most(self) -> Usage:
        return self.expected

    def body(self, timeouts: int = 0) -> bytes:
        form = {"encoding_format": "base64"} if self._format.base64 else {}
        return json.dumps({**self._fields, **form, "input": list(self._texts)}, ensure_ascii=False).encode()

    def read(self, received: Received) -> Embedded | NotEmbedded | Problem:
        data = parsed(received.body)
        if received.status != 200 or not isinstance(data, dict) or data.get("error"):
            found = problem(received, data)
            if isinstance(found, Refusal) and found.otherwise is not None:
                found = found.otherwise
            elif isinstance(found, Refusal) and received.status == 413:
                return NotEmbedded(found.reason, too_long=True)
            if isinstance(found, Answer):
                return NotEmbedded(found.failure or "", found.finish_reason == "context_length")
            return found
        vectors = _vectors(data.get("data"), len(self._texts))
        if isinstance(vectors, str):
            return Fault(f"the vectors cannot be used: {vectors}", billed=True)
        if self._dimension is not None and vectors.shape[1] != self._dimension:
            return Hopeless(self._other_dimension(vectors.shape[1]), billed=True)
        return Embedded(unit_rows(vectors), self._usage(data.get("usage")))

    def _other_dimension(self, given: int) -> str:
        """What to do about vectors of another dimension, which would be the same the next time."""
        if self._dimension_file is None:
            return f"its vectors have {given} numbers, not {self._dimension} as requested"
        return (
            f"its vectors have {given} numbers, and those before had {self._dimension}: if another one goes by this "
            f"name now, remove {self._dimension_file}"
        )

    def usage(self, result: Embedded | NotEmbedded) -> Usage:
        return result.usage if isinstance(result, Embedded) else Usage(0, 0)

    def adapt(self, refusal: Refusal) -> bool:
        if self._format.base64 and ("encoding_format" in refusal.said or "base64" in refusal.said):
            self._format.base64 = False
            return True
        return False

    def _usage(self, given: Any) -> Usage:
        tokens = given.get("prompt_tokens", given.get("total_tokens")) if isinstance(given, dict) else None
        return Usage(tokens, 0) if tokens and is_count(tokens) else self.expected


def _vectors(data: Any, n_texts: int) -> Vectors | str:
    """The vectors in the order of their texts, or what is wrong with them."""
    if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
        return "the list is missing"
    if sorted(str(each.get("index")) for each in data) != sorted(map(str, range(n_texts))):
        return f"their numbers are not 0 to {n_texts - 1}, each once"
    try:
        rows = [_row(each["embedding"]) for each in sorted(data, key=lambda each: int(each["index"]))]
        vectors = np.stack(rows)
    except (KeyError, TypeError, ValueError, OverflowError, binascii.Error):
        return "they must be numbers, and all of one length"
    if vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
        return "they are empty, zero or not finite"
    return vectors


def _row(embedding: Any) -> Vectors:
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4").astype(np.float32)
    return np.array(embedding, np.float32)
