"""Runs the small language model's graph on a cache of keys and values, one text at a time.

What is read of a text is the same bits whatever was read before: a text's cache is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ragassay.models.small.gguf import Architecture, Weight
from ragassay.models.small.graph import cache_names

if TYPE_CHECKING:
    import onnxruntime


class Cache:
    """Keys and values of a text of up to ``room`` tokens."""

    def __init__(self, architecture: Architecture, room: int) -> None:
        shape = (1, architecture.kv_heads, room, architecture.head_size)
        names = zip(cache_names("past", architecture), cache_names("present", architecture), strict=True)
        self._arrays = [(past, present, np.zeros(shape, np.float32)) for past, present in names]

    def bind(self, binding: onnxruntime.IOBinding) -> None:
        """Past and present are the same memory: nothing is copied."""
        for past, present, array in self._arrays:
            place = ("cpu", 0, np.float32, array.shape, array.ctypes.data)
            binding.bind_input(past, *place)
            binding.bind_output(present, *place)


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

    def read(self, cache: Cache, tokens: Sequence[int], wanted: Sequence[int], *, after: int = 0) -> Weight:
        """Reads tokens, at least one, after the first ``after`` ones of the cache; what followed them is overwritten.

        wanted: of tokens, those to return the states of, (n_wanted, hidden).
        """
        session = self.session()
        binding = session.io_binding()
        length = after + len(tokens)
        # onnxruntime reads these arrays where they lie: they have to live until it has run.
        inputs = {
            "ids": np.array([tokens], np.int64),
            "last": np.array([length - 1], np.int32),
            "total": np.array(length, np.int32),
            "rows": np.array(wanted, np.int64),
        }
        for name, array in inputs.items():
            binding.bind_cpu_input(name, array)
        cache.bind(binding)
        binding.bind_output("hidden", "cpu")
        session.run_with_iobinding(binding)
        values: Weight = binding.get_outputs()[-1].numpy()
        return values
