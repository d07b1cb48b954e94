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
from typing import Any, TypeVar

import numpy as np

from ragassay.errors import BudgetError, ModelError
from ragassay.models.cache_folder import cache_folder
from ragassay.models.embeddings import SpannedText, Vectors
from ragassay.models.llm.answers import NoAnswer
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.embedding_request import Embedded, EmbeddingFormat, EmbeddingRequest, NotEmbedded
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.limits import Limits
from ragassay.models.llm.prices import Prices
from ragassay.models.llm.sender import Request, Sender

T = TypeVar("T")

BATCH_TEXTS = 128
BATCH_CHARS = 50_000
"""Of one request: an eighth of what CachedEncoder commits at once, so that eight are in flight."""

IN_FLIGHT = 8
BLANK = "."
"""Stands for a text without any sign, which servers refuse."""


class EndpointEncoder:
    """The vectors of an embedding model on a server. Safe for several threads; works where an event loop runs already.

    A text that is too long for the model is cut in half until it is taken, as the encoder on this machine leaves out
    what comes after its last token.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        budget: Budget,
        *,
        prices: Prices | None = None,
        limits: Limits | None = None,
        dimension: int | None = None,
        seed: int = 0,
        folder: Path | None = None,
    ) -> None:
        """dimension: to ask for, of a model that has several; None takes the model's own.

        folder: where the model's dimension is kept once it is known; None takes the user's cache folder.
        """
        self._endpoint = endpoint
        self._fields = {**endpoint.extra_body, **({"dimensions": dimension} if dimension else {})}
        self._folder = folder or cache_folder()
        self._dimension = dimension
        self._was_asked_for = dimension is not None
        self._format = EmbeddingFormat()
        self._sender = Sender(
            endpoint, budget, prices or Prices.load(None), limits or Limits(max_in_flight=IN_FLIGHT), seed=seed
        )
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        """The endpoint's, with whatever else decides about a vector."""
        return self._endpoint.name + (f" {_short_hash(self._fields)}" if self._fields else "")

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; asked of the server once, then kept in the cache folder."""
        if self._dimension is None:
            self._dimension = self._kept_dimension()
        if self._dimension is None:
            self.encode([BLANK])
        assert self._dimension is not None
        return self._dimension

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """The texts' vectors: (n_texts, dimension) float32, in the order of texts, each of length 1.

        progress is called with the number of texts just finished, from another thread. Raises ModelError where vectors
        cannot be had, BudgetError where a limit is reached.
        """
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return self._run(self._encode_all([_sendable(text) for text in texts], progress))

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        """The vectors of all spans: (n_spans, dimension) float32, in the order of texts and of their spans.

        A server does not tell how it read the tokens of a span within its window: each span is a text by itself.
        """
        return self.encode([piece for text in texts for piece in text.alone()], progress)

    def close(self) -> None:
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

        workers = [asyncio.create_task(work()) for _ in range(IN_FLIGHT)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
        return np.concatenate([each for each in found if each is not None])

    async def _encode(self, texts: list[str]) -> Vectors:
        """Vectors of a batch, in parts where it is too much at once."""
        request: Request[Embedded | NotEmbedded] = EmbeddingRequest(
            texts,
            self._endpoint.model,
            self._fields,
            self._format,
            self._dimension,
            None if self._was_asked_for else self._dimension_file(),
        )
        sent = await self._sender.send(request, _not_counted)
        if isinstance(sent, NoAnswer) and sent.over_budget:
            raise BudgetError(
                f"no vectors from {self.name}: {sent.reason}; vectors so far are kept: run the same "
                "command with a higher limit to continue"
            )
        if isinstance(sent, NoAnswer):
            raise ModelError(f"no vectors from {self.name}: {sent.reason}")
        result = sent.result
        if isinstance(result, Embedded):
            return self._checked(result.vectors)
        return await self._in_parts(texts, result)

    async def _in_parts(self, texts: list[str], refused: NotEmbedded) -> Vectors:
        middle = len(texts) // 2
        if middle:
            return np.concatenate([await self._encode(texts[:middle]), await self._encode(texts[middle:])])
        if not refused.too_long or len(texts[0]) < 2:
            raise ModelError(f"no vectors from {self.name}: {refused.reason}; the text begins {texts[0][:60]!r}")
        return await self._encode([texts[0][: len(texts[0]) // 2]])

    def _checked(self, vectors: Vectors) -> Vectors:
        """The vectors; the first ones say which dimension all others have to have."""
        dimension = vectors.shape[1]
        if self._dimension is None:
            self._dimension = dimension
            self._keep(dimension)
        elif dimension != self._dimension:  # batches that were on their way together
            raise ModelError(f"{self.name} returned vectors of different lengths: {self._dimension} and {dimension}")
        return vectors

    def _keep(self, dimension: int) -> None:
        path = self._dimension_file()
        part = path.with_name(f"{path.name}.{os.getpid()}")
        with suppress(OSError):  # the next run asks again
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(str(dimension), encoding="ascii")
            part.replace(path)

    def _kept_dimension(self) -> int | None:
        try:
            kept = int(self._dimension_file().read_text("ascii"))
        except (OSError, ValueError):
            return None
        return kept if kept > 0 else None

    def _dimension_file(self) -> Path:
        return self._folder / f"dimension-{_short_hash(self.name)}"

    def _run(self, job: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine in the event loop of a thread of our own: the caller's own loop may be running."""
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


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = n_chars = 0
    for place, text in enumerate(texts):
        if place > start and (place - start == BATCH_TEXTS or n_chars + len(text) > BATCH_CHARS):
            yield start, place
            start, n_chars = place, 0
        n_chars += len(text)
    yield start, len(texts)


def _sendable(text: str) -> str:
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if text.strip() else BLANK


def _short_hash(value: str | Mapping[str, Any]) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=6).hexdigest()


def _not_counted(kind: str, last: bool) -> None:
    """Tries that failed are counted in the log of calls, in which vectors have no place."""
