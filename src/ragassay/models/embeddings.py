"""Sentence vectors of all-MiniLM-L6-v2 on the CPU.

Only texts with the same number of tokens share a batch, and one thread computes it: a vector depends on its text alone.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ragassay.models.cache import KeptFiles, kept_files
from ragassay.models.encoder_graph import (
    GRAPH_FORMAT,
    HIDDEN,
    MODEL,
    TOKENIZER_FILE,
    TOKENIZER_SHA256,
    WEIGHTS_SHA256,
    Precision,
    best_precision,
    encoder_graph,
)
from ragassay.models.small.runtime import import_onnxruntime, session_options
from ragassay.workers import Lost, Workers, usable_cores

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

Vectors: TypeAlias = npt.NDArray[np.float32]
Offsets: TypeAlias = tuple[int, int]

GRAPH_FILE = "graph.onnx"
MAX_TOKENS = 256  # max_seq_length in the model's sentence_bert_config.json
# Texts tokenized and grouped by length at once: enough for full batches, few enough to keep memory in hand.
GROUPED_TEXTS = 2048
# Larger batches leave the second-level cache and are slower (docs/decisions/embeddings.md).
BATCH_TOKENS = 512


class SpannedText(NamedTuple):
    """A text of which only spans get vectors, each from its tokens as they are read within their window.

    windows: what the model reads at once, in order and without overlap, (start, end) in characters. spans: may overlap
    and cross windows. head: read in front of every window, and part of every span: a title, for example.
    """

    text: str
    windows: Sequence[Offsets]
    spans: Sequence[Offsets]
    head: str = ""

    def alone(self) -> list[str]:
        """Return each span as a text by itself, with the head."""
        return [
            f"{self.head}\n{self.text[start:end]}" if self.head else self.text[start:end] for start, end in self.spans
        ]


class _Loaded(NamedTuple):
    tokenizer: tokenizers.Tokenizer
    session: onnxruntime.InferenceSession
    first_token: int
    last_token: int


class _Share(NamedTuple):
    """Tokens begin to end of a window belong to span number row, and so do the first ``head`` after [CLS]."""

    row: int
    begin: int
    end: int
    head: int = 0


class _Window(NamedTuple):
    """What the model reads at once. ids: its tokens, with [CLS] and [SEP]. shares: what is to be added up."""

    ids: list[int]
    shares: list[_Share]


class SentenceEncoder:
    """all-MiniLM-L6-v2, loaded at the first text. Safe to use from several threads."""

    dimension = HIDDEN

    def __init__(
        self, *, precision: Precision | None = None, max_tokens: int = MAX_TOKENS, threads: int | None = None
    ) -> None:
        """precision: None takes int8 where the CPU is fast at it. threads: None takes every core it may use."""
        self.precision = precision or best_precision()
        self.max_tokens = max_tokens
        self._threads = threads or usable_cores()
        self._lock = threading.Lock()
        self._kept: KeptFiles | None = None
        self._loaded: _Loaded | None = None

    @property
    def name(self) -> str:
        return f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:12]}-{self.precision}-g{GRAPH_FORMAT}-t{self.max_tokens}"

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the texts' vectors: (n_texts, 384) float32 of length 1. progress: told of texts just finished."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, text in enumerate(texts):
            places[text].append(place)
        vectors = np.empty((len(texts), HIDDEN), np.float32)
        # Similar lengths in one group make full batches.
        distinct = sorted(places, key=len)
        for start in range(0, len(distinct), GROUPED_TEXTS):
            group = distinct[start : start + GROUPED_TEXTS]
            for windows, sums in self._run(self._whole_texts(group)):
                finished = 0
                for window, rows in zip(windows, sums, strict=True):
                    of_text = places[group[window.shares[0].row]]
                    vectors[of_text] = rows[0]
                    finished += len(of_text)
                if progress is not None:
                    progress(finished)
        return unit_rows(vectors)

    def encode_spans(self, texts: Sequence[SpannedText], progress: Callable[[int], None] | None = None) -> Vectors:
        """Return the vectors of all spans: (n_spans, 384) float32 of length 1, in the order of texts and their spans.

        A span's vector is the mean of the tokens that start in it, understood from their neighbours ("late chunking",
        Guenther et al. 2024, arXiv 2409.04701). A window's [CLS] and [SEP] count in proportion to the span's part of
        it; a head counts in every window. A window of too many tokens is read in equal parts, a span without tokens by
        itself.
        """
        n_spans = sum(len(text.spans) for text in texts)
        # float64, so that the order in which windows are finished cannot show in the sums.
        sums = np.zeros((n_spans, HIDDEN))
        has_tokens = np.zeros(n_spans, bool)
        all_windows = self._spanned_windows(texts)
        n_windows, n_read, n_told = sum(bool(window.shares) for window in all_windows), 0, 0
        for windows, found in self._run(all_windows):
            for window, rows in zip(windows, found, strict=True):
                members = [share.row for share in window.shares]
                sums[members] += rows[: len(members)]
                has_tokens[members] = True
            n_read += len(windows)
            if progress is not None:
                progress(n_spans * n_read // n_windows - n_told)
                n_told = n_spans * n_read // n_windows
        vectors = sums.astype(np.float32)
        if not has_tokens.all():
            pieces = [piece for text in texts for piece in text.alone()]
            alone = np.flatnonzero(~has_tokens)
            vectors[alone] = self.encode([pieces[row] for row in alone])
        if progress is not None and n_told < n_spans:
            progress(n_spans - n_told)
        return unit_rows(vectors)

    def _whole_texts(self, texts: Sequence[str]) -> list[_Window]:
        loaded = self._load()
        windows = []
        for row, encoding in enumerate(loaded.tokenizer.encode_batch_fast(_readable(texts), add_special_tokens=False)):
            ids = [loaded.first_token, *encoding.ids[: self.max_tokens - 2], loaded.last_token]
            windows.append(_Window(ids, [_Share(row, 0, len(ids))]))
        return windows

    def _spanned_windows(self, texts: Sequence[SpannedText]) -> list[_Window]:
        loaded = self._load()
        pieces = [text.text[start:end] for text in texts for start, end in text.windows]
        encodings = iter(loaded.tokenizer.encode_batch(_readable(pieces), add_special_tokens=False))
        heads = self._heads(text.head for text in texts)
        windows: list[_Window] = []
        first_row = 0
        for text in texts:
            head = heads[text.head]
            ids: list[list[int]] = []
            starts: list[int] = []
            for (offset, _), encoding in zip(text.windows, encodings, strict=False):
                ids.extend(_equal_parts(encoding.ids, self.max_tokens - 2 - len(head)))
                starts.extend(offset + start for start, _ in encoding.offsets)
            shares = _shares(text.spans, starts, [len(part) for part in ids], first_row, len(head))
            for part, of_part in zip(ids, shares, strict=True):
                windows.append(_Window([loaded.first_token, *head, *part, loaded.last_token], of_part))
            first_row += len(text.spans)
        return windows

    def _heads(self, heads: Iterable[str]) -> dict[str, list[int]]:
        distinct = list(dict.fromkeys(heads))
        encodings = self._load().tokenizer.encode_batch_fast(_readable(distinct), add_special_tokens=False)
        return {head: each.ids[: self.max_tokens // 2] for head, each in zip(distinct, encodings, strict=True)}

    def _run(self, windows: Iterable[_Window]) -> Iterator[tuple[list[_Window], Vectors]]:
        """Yield batches of windows and their sums, (n_windows, n_sums, 384); those of its shares come first."""
        session = self._load().session
        with ThreadPoolExecutor(self._threads) as pool:
            waiting: deque[tuple[list[_Window], Future[Vectors]]] = deque()
            for batch in _batches(windows):
                waiting.append((batch, pool.submit(_sums, session, batch)))
            while waiting:
                batch, future = waiting.popleft()
                yield batch, future.result()

    def graph_sha256(self) -> str:
        """Return the hash of the graph that makes the vectors, which is written if need be but not loaded."""
        with self._lock:
            return self._files().hashes[GRAPH_FILE]

    def _files(self) -> KeptFiles:
        """Return the graph in the cache folder, written where it is missing or damaged."""
        if self._kept is None:
            name = f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:12]}-{self.precision}-g{GRAPH_FORMAT}"
            self._kept = kept_files(
                name, lambda folder: (folder / GRAPH_FILE).write_bytes(encoder_graph(self.precision))
            )
        return self._kept

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                tokenizer, kept = MODEL.folder() / TOKENIZER_FILE, self._files()
                MODEL.verify(tokenizer, TOKENIZER_SHA256)
                self._loaded = _opened(tokenizer, kept.folder / GRAPH_FILE, kept.hashes[GRAPH_FILE])
            return self._loaded


def unit_rows(vectors: Vectors) -> Vectors:
    """Return the rows divided by their length."""
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _readable(texts: Iterable[str]) -> list[str]:
    """Replace halves of surrogate pairs, as broken files have them: to the tokenizer they are no text."""
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]


def _equal_parts(ids: list[int], most: int) -> list[list[int]]:
    """Return ids in as few parts as possible, none longer than most; no part where there are no ids."""
    n_parts = -(-len(ids) // most)
    cuts = [len(ids) * part // n_parts for part in range(n_parts + 1)] if ids else []
    return [ids[start:end] for start, end in pairwise(cuts)]


def _shares(
    spans: Sequence[Offsets], starts: Sequence[int], lengths: Sequence[int], first_row: int, head: int
) -> list[list[_Share]]:
    """Return for every window which tokens belong to which span. starts: of the text's tokens, in characters."""
    ends = np.cumsum(np.array(lengths, np.int64)).tolist()
    shares: list[list[_Share]] = [[] for _ in lengths]
    for row, (start, end) in enumerate(spans, first_row):
        begin, stop = bisect_left(starts, start), bisect_left(starts, end)
        if begin == stop:
            continue
        for window in range(bisect_right(ends, begin), bisect_left(ends, stop) + 1):
            before = ends[window] - lengths[window]
            first, last = max(begin - before, 0) + 1, min(stop - before, lengths[window]) + 1
            within = _Share(row, first + head, last + head, head)
            shares[window].append(within)
    return shares


def _batches(windows: Iterable[_Window]) -> Iterator[list[_Window]]:
    by_length: dict[int, list[_Window]] = defaultdict(list)
    for window in windows:
        if window.shares:
            by_length[len(window.ids)].append(window)
    # Longest first, so that no thread is left with a long batch at the end.
    for n_tokens, members in sorted(by_length.items(), reverse=True):
        size = max(1, BATCH_TOKENS // n_tokens)
        for start in range(0, len(members), size):
            yield members[start : start + size]


def _sums(session: onnxruntime.InferenceSession, batch: Sequence[_Window]) -> Vectors:
    ids = np.array([window.ids for window in batch], np.int32)
    # At least two: onnxruntime adds up a single row in another order, and the last bit would depend on the batch.
    n_sums = max(2, *(len(window.shares) for window in batch))
    weights = np.zeros((len(batch), n_sums, ids.shape[1]), np.float32)
    for place, window in enumerate(batch):
        for number, share in enumerate(window.shares):
            weights[place, number, share.begin : share.end] = 1.0
            weights[place, number, 1 : 1 + share.head] = 1.0
            if share.begin > 0:
                # [CLS] and [SEP], which stand at the ends and belong to no span.
                weights[place, number, [0, -1]] = (share.end - share.begin + share.head) / (ids.shape[1] - 2)
    found: Vectors = session.run(["sums"], {"ids": ids, "weights": weights})[0]
    return found


@lru_cache(maxsize=1)
def _opened(path: Path, graph: Path, _sha256: str) -> _Loaded:
    """Once a process for all encoders of the same tokenizer and graph, as it takes a tenth of a second."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    # The file asks for padding to 128 tokens and truncation at 128.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    first, last = tokenizer.encode("").ids
    # Batches run side by side, one thread each: faster than one batch on all cores, and sums keep their order.
    session = import_onnxruntime().InferenceSession(str(graph), session_options(1), providers=["CPUExecutionProvider"])
    return _Loaded(tokenizer, session, first, last)


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
