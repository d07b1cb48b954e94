"""How this package starts onnxruntime, what it asks of the processor, and how the small language model is run."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ragassay.models.small.weights import Architecture, Weight

if TYPE_CHECKING:
    from types import ModuleType

    import onnxruntime


VNNI = frozenset({"avx512_vnni", "avx_vnni"})
"""Instructions of either kind multiply and add 8-bit integers at once."""


def cpu_flags() -> str:
    """The instructions that the processor knows, as Linux lists them; its name where they are not listed."""
    try:
        cpu = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2] for line in cpu.splitlines() if line.startswith("flags")), "")


def import_onnxruntime() -> ModuleType:
    """onnxruntime, told before its first import, and after it, that it is to send no telemetry."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # a program that imported it before us did not set the variable
    module: ModuleType = onnxruntime
    return module


def session_options(threads: int) -> onnxruntime.SessionOptions:
    """Options of every session: that many threads, errors only in the log."""
    options = import_onnxruntime().SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Waiting threads that spin take the cores from other work: half the speed on a machine that does anything else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def open_session(graph: Path, threads: int) -> onnxruntime.InferenceSession:
    """A session of a graph's file, which is run as it was written: there is nothing in it to be fused."""
    ort = import_onnxruntime()
    options = session_options(threads)
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


class Cache:
    """Keys and values of a text of up to ``room`` tokens."""

    def __init__(self, architecture: Architecture, room: int) -> None:
        shape = (1, architecture.kv_heads, room, architecture.head_size)
        names = zip(architecture.cache_names("past"), architecture.cache_names("present"), strict=True)
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
        """Reads tokens after the first ``after`` of the cache; the states of the wanted, (n_wanted, hidden)."""
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
