"""Sentence vectors from a server with OpenAI's ``/embeddings``. ``CachedEncoder`` keeps them, so none is paid twice."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ragassay.errors import BudgetError, ModelError
from ragassay.models.cache import cache_folder
from ragassay.models.embeddings import SpannedText, Vectors, unit_rows
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.pace import Limits
from ragassay.models.llm.prices import Prices
from ragassay.models.llm.sender import Sender
from ragassay.models.llm.server_replies import (
    Answer,
    Fault,
    NoAnswer,
    Problem,
    Refusal,
    Usage,
    is_count,
    parsed,
    problem,
)
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.models.llm.transport import Received
from ragassay.parts import together

T = TypeVar("T")

BATCH_TEXTS = 128
BATCH_CHARS = 50_000
"""Of one request: an eighth of what CachedEncoder commits at once, so that eight are in flight."""

IN_FLIGHT = 8
BLANK = "."
"""Stands for a text without any sign, which servers refuse."""


class EndpointEncoder:
    """The vectors of an embedding model on a server. Safe for several threads; works where an event loop runs already.

    A text that is too long for the model is cut in half until it is taken.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        budget: Budget,
        *,
        prices: Prices | None = None,
        limits: Limits | None = None,
        folder: Path | None = None,
    ) -> None:
        """folder: where the model's dimension is kept once it is known; None takes the user's cache folder."""
        self._endpoint = endpoint
        fields = endpoint.extra_body
        self.name = endpoint.name + (f" {_short_hash(fields)}" if fields else "")
        self._dimension_file = (folder or cache_folder()) / f"dimension-{_short_hash(self.name)}"
        self._dimension: int | None = None
        self._sender = Sender(endpoint, budget, prices or Prices.load(None), limits or Limits(max_in_flight=IN_FLIGHT))
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; asked of the server once, then kept in the cache folder."""
        if self._dimension is None:
            with suppress(OSError, ValueError):
                self._dimension = max(0, int(self._dimension_file.read_text("ascii"))) or None
        if self._dimension is None:
            self.encode([BLANK])
        assert self._dimension is not None
        return self._dimension

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the texts' vectors: (n_texts, dimension) float32 of length 1. progress: told of texts just finished.

        Raises ModelError where vectors cannot be had, BudgetError where a limit is reached.
        """
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        sendable = [text.encode("utf-8", "replace").decode("utf-8") if text.strip() else BLANK for text in texts]
        return self._run(self._encode_all(sendable, progress))

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the vectors of all spans, each read as a text by itself: servers do not tell tokens."""
        return self.encode([piece for text in texts for piece in text.alone()], progress)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._sender.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    async def _encode_all(self, texts: list[str], progress: Callable[[int], None] | None) -> Vectors:
        found: list[Vectors | None] = [None] * len(texts)
        batches = _batches(texts)

        async def work() -> None:
            for start, end in batches:
                found[start] = await self._encode(texts[start:end])
                if progress is not None:
                    progress(end - start)

        await together(work, IN_FLIGHT)
        return np.concatenate([each for each in found if each is not None])

    async def _encode(self, texts: list[str]) -> Vectors:
        """Return the vectors of a batch, in parts where it is too much at once."""
        request = EmbeddingRequest(texts, {"model": self._endpoint.model, **self._endpoint.extra_body})
        sent = await self._sender.send(request)
        if isinstance(sent, NoAnswer) and sent.over_budget:
            raise BudgetError(
                f"no vectors from {self.name}: {sent.reason}; vectors so far are kept: run the same "
                "command with a higher limit to continue"
            )
        if isinstance(sent, NoAnswer):
            raise ModelError(f"no vectors from {self.name}: {sent.reason}")
        result = sent.result
        if result.vectors is not None:
            return self._checked(result.vectors)
        middle = len(texts) // 2
        if middle:
            return np.concatenate([await self._encode(texts[:middle]), await self._encode(texts[middle:])])
        if not result.too_long or len(texts[0]) < 2:
            raise ModelError(f"no vectors from {self.name}: {result.reason}; the text begins {texts[0][:60]!r}")
        return await self._encode([texts[0][: len(texts[0]) // 2]])

    def _checked(self, vectors: Vectors) -> Vectors:
        """Return the vectors; the first ones say which dimension all others have to have."""
        dimension = vectors.shape[1]
        if self._dimension is None:
            self._dimension = dimension
            part = self._dimension_file.with_name(f"{self._dimension_file.name}.{os.getpid()}")
            with suppress(OSError):  # the next run asks again
                part.parent.mkdir(parents=True, exist_ok=True)
                part.write_text(str(dimension), encoding="ascii")
                part.replace(self._dimension_file)
        elif dimension != self._dimension:
            raise ModelError(
                f"{self.name} returned vectors of {dimension} numbers, and those before had {self._dimension}: if "
                f"another model goes by this name now, remove {self._dimension_file}"
            )
        return vectors

    def _run(self, job: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the event loop of a thread of our own: the caller's own loop may be running."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="embeddings", daemon=True)
                self._thread.start()
            future = asyncio.run_coroutine_threadsafe(job, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


class _Embedded(NamedTuple):
    """vectors: (n_texts, dimension) float32 of unit length; None where not taken. too_long: less would be."""

    vectors: Vectors | None
    usage: Usage = Usage(0, 0)
    reason: str = ""
    too_long: bool = False


class EmbeddingRequest:
    """Some texts on their way through a ``Sender``. fields: of every request's body."""

    path = "/embeddings"

    def __init__(self, texts: Sequence[str], fields: Mapping[str, Any]) -> None:
        self.seed = texts[0][:200]
        self._texts = texts
        self._fields = fields

    @property
    def expected(self) -> Usage:
        return Usage(sum(map(estimate_tokens, self._texts)), 0, estimated=True)

    at_most = expected

    def body(self) -> bytes:
        return json.dumps({**self._fields, "input": list(self._texts)}, ensure_ascii=False).encode()

    def read(self, received: Received) -> _Embedded | Problem:
        data = parsed(received.body)
        if received.status != 200 or not isinstance(data, dict) or data.get("error"):
            found = problem(received, data)
            if isinstance(found, Refusal) and received.status == 413:
                return _Embedded(None, reason=found.reason, too_long=True)
            if isinstance(found, Answer):
                too_long = found.finish_reason == "context_length"
                return _Embedded(None, reason=found.failure or "", too_long=too_long)
            return found
        vectors = _vectors(data.get("data"), len(self._texts))
        if isinstance(vectors, str):
            return Fault(f"the vectors cannot be used: {vectors}", billed=True)
        usage = data.get("usage")
        tokens = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
        return _Embedded(unit_rows(vectors), Usage(tokens, 0) if tokens and is_count(tokens) else self.expected)

    def adapt(self, refusal: Refusal) -> bool:
        return False


def _vectors(data: Any, n_texts: int) -> Vectors | str:
    """Return the vectors in the order of their texts, or what is wrong with them."""
    if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
        return "the list is missing"
    if sorted(str(each.get("index")) for each in data) != sorted(map(str, range(n_texts))):
        return f"their numbers are not 0 to {n_texts - 1}, each once"
    try:
        vectors = np.array(
            [each["embedding"] for each in sorted(data, key=lambda each: int(each["index"]))], np.float32
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return "they must be numbers, and all of one length"
    if vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
        return "they are empty, zero or not finite"
    return vectors


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = n_chars = 0
    for place, text in enumerate(texts):
        if place > start and (place - start == BATCH_TEXTS or n_chars + len(text) > BATCH_CHARS):
            yield start, place
            start, n_chars = place, 0
        n_chars += len(text)
    yield start, len(texts)


def _short_hash(value: str | Mapping[str, Any]) -> str:
    return blake2b(json.dumps(value, sort_keys=True, default=dict).encode(), digest_size=6).hexdigest()
