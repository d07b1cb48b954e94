"""Runs the small language model's graph on a cache of keys and values.

Texts are padded on the right. Attention reads as many keys of a text as the text has tokens, and every other step of
the graph treats each token by itself, so a text's numbers do not depend on the texts beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from ragassay.models.small.gguf import Architecture, Weight
from ragassay.models.small.graph import cache_names

if TYPE_CHECKING:
    import onnxruntime

Result = Literal["hidden", "log_probabilities"]


class Cache:
    """Keys and values of several texts. A text that has n tokens uses the first n places of its row."""

    def __init__(self, architecture: Architecture, texts: int, room: int) -> None:
        self.room = room
        shape = (texts, architecture.kv_heads, room, architecture.head_size)
        names = zip(cache_names("past", architecture), cache_names("present", architecture), strict=True)
        self._arrays = [(past, present, np.zeros(shape, np.float32)) for past, present in names]

    def bind(self, binding: onnxruntime.IOBinding, first: int, texts: int) -> None:
        """Past and present of texts first, first + 1 ... are the same memory: nothing is copied."""
        for past, present, array in self._arrays:
            view = array[first : first + texts]
            place = ("cpu", 0, np.float32, view.shape, view.ctypes.data)
            binding.bind_input(past, *place)
            binding.bind_output(present, *place)

    def copy(self, source: int, target: int, tokens: int) -> None:
        """Gives text target the first tokens of text source."""
        for _, _, array in self._arrays:
            array[target, :, :tokens] = array[source, :, :tokens]


class Runner:
    """One graph, loaded when it is first run. Safe to use from several threads, each with caches of its own."""

    def __init__(self, load: Callable[[], onnxruntime.InferenceSession], architecture: Architecture) -> None:
        self.architecture = architecture
        self._load = load
        self._loaded: onnxruntime.InferenceSession | None = None
        self._lock = Lock()

    def session(self) -> onnxruntime.InferenceSession:
        """The graph's session, opened by the first call: a run whose readings are all remembered needs none."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def cache(self, texts: int, room: int) -> Cache:
        """An empty cache for that many texts of up to room tokens."""
        return Cache(self.architecture, texts, room)

    def read(
        self,
        cache: Cache,
        texts: Sequence[Sequence[int]],
        wanted: Sequence[tuple[int, int]],
        result: Result,
        *,
        first: int = 0,
    ) -> Weight:
        """Reads whole texts, none of them empty, into texts first, first + 1 ... of the cache.

        wanted: (text, token) of each result. Returns (n_wanted, hidden) or (n_wanted, vocabulary).
        """
        lengths = [len(text) for text in texts]
        width = max(lengths)
        ids = np.zeros((len(texts), width), np.int64)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text
        rows = [text * width + token for text, token in wanted]
        return self._run(cache, first, ids, np.array(lengths), width, rows, result)

    def branch(self, cache: Cache, prefix: int, tokens: Sequence[int], wanted: Sequence[int], result: Result) -> Weight:
        """Continues text 0 after its first prefix tokens; what followed them is overwritten.

        wanted: of tokens, those to return results of.
        """
        length = prefix + len(tokens)
        return self._run(cache, 0, np.array([tokens], np.int64), np.array([length]), length, wanted, result)

    def _run(
        self,
        cache: Cache,
        first: int,
        ids: npt.NDArray[np.int64],
        lengths: npt.NDArray[np.int64],
        total: int,
        rows: Sequence[int],
        result: Result,
    ) -> Weight:
        session = self.session()
        binding = session.io_binding()
        # onnxruntime reads these arrays where they lie: they have to live until it has run.
        inputs = {
            "ids": ids,
            "last": (lengths - 1).astype(np.int32),
            "total": np.array(total, np.int32),
            "rows": np.array(rows if result == "hidden" else (), np.int64),
            "next_rows": np.array(rows if result == "log_probabilities" else (), np.int64),
        }
        for name, array in inputs.items():
            binding.bind_cpu_input(name, array)
        cache.bind(binding, first, len(ids))
        binding.bind_output(result, "cpu")
        session.run_with_iobinding(binding)
        outputs = binding.get_outputs()
        values: Weight = outputs[-1].numpy()
        return values
