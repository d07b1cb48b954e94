"""Sentence vectors of all-MiniLM-L6-v2 on the CPU.

A text's vector depends on nothing but the text: only texts with the same number of tokens share a batch, so nothing is
padded, and every batch is computed by one thread.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ragassay.models.cache_folder import cache_folder
from ragassay.models.encoder_graph import (
    GRAPH_FORMAT,
    HIDDEN,
    WEIGHTS_SHA256,
    Precision,
    best_precision,
    encoder_graph,
    find_encoder_files,
)

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float32]]

MAX_TOKENS = 256  # max_seq_length in the model's sentence_bert_config.json
# Texts tokenized and grouped by length at once: enough for full batches, few enough to keep memory in hand.
WINDOW_TEXTS = 2048
# Larger batches leave the second-level cache and are slower (docs/decisions/embeddings.md).
BATCH_TOKENS = 512


class _Loaded(NamedTuple):
    tokenizer: tokenizers.Tokenizer
    session: onnxruntime.InferenceSession


class _Batch(NamedTuple):
    """Texts of equal length. texts: their indices; ids: (n_texts, n_tokens) int32."""

    texts: list[int]
    ids: np.ndarray[tuple[int, ...], np.dtype[np.int32]]


class SentenceEncoder:
    """all-MiniLM-L6-v2, loaded at the first text. Safe to use from several threads."""

    dimension = HIDDEN

    def __init__(
        self, *, precision: Precision | None = None, max_tokens: int = MAX_TOKENS, threads: int | None = None
    ) -> None:
        """precision: None takes int8 where the CPU is fast at it. threads: None takes every core it may use."""
        self.precision = precision or best_precision()
        self.max_tokens = max_tokens
        self._threads = threads or len(os.sched_getaffinity(0))
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def name(self) -> str:
        return f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:12]}-{self.precision}-g{GRAPH_FORMAT}-t{self.max_tokens}"

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """The texts' vectors: (n_texts, 384) float32, in the order of texts, each of length 1.

        Tokens after the first max_tokens are ignored. progress is called with the number of texts just finished.
        """
        places: dict[str, list[int]] = defaultdict(list)
        for place, text in enumerate(texts):
            places[text].append(place)
        vectors = np.empty((len(texts), HIDDEN), np.float32)
        distinct = list(places)
        # Similar lengths in one window make full batches.
        distinct.sort(key=len)
        for start in range(0, len(distinct), WINDOW_TEXTS):
            window = distinct[start : start + WINDOW_TEXTS]
            for batch, found in self._run(window):
                finished = 0
                for index, vector in zip(batch.texts, found, strict=True):
                    of_text = places[window[index]]
                    vectors[of_text] = vector
                    finished += len(of_text)
                if progress is not None:
                    progress(finished)
        return vectors

    def _run(self, texts: list[str]) -> Iterator[tuple[_Batch, Vectors]]:
        loaded = self._load()
        with ThreadPoolExecutor(self._threads) as pool:
            waiting: deque[tuple[_Batch, Future[Vectors]]] = deque()
            for batch in _batches(loaded.tokenizer, texts):
                waiting.append((batch, pool.submit(_vectors, loaded.session, batch.ids)))
            while waiting:
                batch, future = waiting.popleft()
                yield batch, future.result()

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self.precision, self.max_tokens)
            return self._loaded


def _batches(tokenizer: tokenizers.Tokenizer, texts: list[str]) -> Iterator[_Batch]:
    by_length: dict[int, list[int]] = defaultdict(list)
    # Half a surrogate pair, as broken files have it, is no text to the tokenizer.
    whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
    ids = [encoding.ids for encoding in tokenizer.encode_batch_fast(whole)]
    for index, tokens in enumerate(ids):
        by_length[len(tokens)].append(index)
    # Longest first, so that no thread is left with a long batch at the end.
    for n_tokens, members in sorted(by_length.items(), reverse=True):
        size = max(1, BATCH_TOKENS // n_tokens)
        for start in range(0, len(members), size):
            chosen = members[start : start + size]
            yield _Batch(chosen, np.array([ids[index] for index in chosen], np.int32))


def _vectors(session: onnxruntime.InferenceSession, ids: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> Vectors:
    found: Vectors = session.run(["vectors"], {"ids": ids})[0]
    return found


def _load(precision: Precision, max_tokens: int) -> _Loaded:
    from tokenizers import Tokenizer

    files = find_encoder_files()
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    # The file asks for padding to 128 tokens and truncation at 128.
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return _Loaded(tokenizer, _session(files.weights, precision))


def _session(weights: Path, precision: Precision) -> onnxruntime.InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Batches run side by side, one thread each: faster than one batch on all cores, and sums keep their order.
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    graph = _graph(weights, precision)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _graph(weights: Path, precision: Precision) -> str | bytes:
    """The graph's file in the cache folder, written if need be; its bytes where the folder cannot be written."""
    path = cache_folder() / f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:12]}-{precision}-g{GRAPH_FORMAT}.onnx"
    if path.is_file():
        return str(path)
    graph = encoder_graph(weights, precision)
    try:
        _write_atomically(path, graph)
    except OSError:
        return graph
    return str(path)


def _write_atomically(path: Path, content: bytes) -> None:
    """Two processes may do this at once: each writes its own file, and the last rename wins with equal content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, suffix=".part", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(path)
        except OSError:
            Path(file.name).unlink(missing_ok=True)
            raise
