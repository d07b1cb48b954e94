"""The small language model's graph in the cache folder, written when it is first needed.

onnxruntime writes it a second time, with the weights already laid out for its kernels on this machine. They are then
mapped from the file, and all processes that use the model share one copy in memory. The plain layout stays in the
file, unused, which makes it twice as large on disk as in memory.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import tempfile
from pathlib import Path

import numpy as np

from ragassay.errors import ModelError
from ragassay.models.cache import CACHE_VARIABLE, KeptFiles, kept_files
from ragassay.models.small import weights
from ragassay.models.small.adapters import Adapter
from ragassay.models.small.gguf import Gguf, Weight
from ragassay.models.small.graph import GRAPH_FILE, GRAPH_FORMAT, INLINE_BYTES, WEIGHTS_FILE, Kind, write_graph
from ragassay.models.small.running import Cache, Runner
from ragassay.models.small.runtime import VNNI, cpu_flags, import_onnxruntime, open_session, session_options

ROOM_BYTES = 600_000_000  # the plain layout and the laid out one, or fp32


def best_kind() -> Kind:
    """int8 where the CPU multiplies and adds 8-bit integers in one instruction (VNNI), otherwise int7."""
    return "int8" if VNNI & set(cpu_flags().split()) else "int7"


def model_name(adapter: Adapter | None, kind: Kind) -> str:
    """Everything that a result depends on: base, adapter, kind of weights, format of graph and decoding."""
    adapted = adapter.sha256[:12] if adapter else "base"
    return f"{weights.BASE_NAME}-{weights.WEIGHTS_SHA256[:12]}-{adapted}-{kind}-g{GRAPH_FORMAT}"


def kept_graph(gguf_path: Path, gguf: Gguf, adapter: Adapter | None, kind: Kind) -> KeptFiles:
    """The folder with the graph, GRAPH_FILE; written where it is missing or damaged."""

    def write(folder: Path) -> None:
        weights.verify_weights(gguf_path)
        _check_room(folder)
        _write(gguf, adapter, kind, folder)

    return kept_files(f"{model_name(adapter, kind)}-{_machine()}", write)


def _check_room(folder: Path) -> None:
    """Beforehand, because onnxruntime does not name a full disk as the cause when it fails."""
    free = shutil.disk_usage(folder).free
    if free < ROOM_BYTES:
        raise ModelError(
            f"writing the small language model's graph to {folder.parent} takes {ROOM_BYTES // 10**6} MB, "
            f"and {free // 10**6} MB are free; free some space, or set {CACHE_VARIABLE} to another folder"
        )


def _write(gguf: Gguf, adapter: Adapter | None, kind: Kind, folder: Path) -> None:
    """Writes the graph into folder: as onnxruntime lays it out, if that computes exactly what the plain one computes.

    It does not always: onnxruntime 1.31 read some matrices back wrongly.
    """
    with tempfile.TemporaryDirectory(dir=folder) as name:
        plain, laid_out = Path(name) / "plain", Path(name) / "laid-out"
        plain.mkdir()
        laid_out.mkdir()
        path = write_graph(gguf, adapter, kind, plain)
        chosen = plain
        if kind != "fp32":
            _lay_out(path, laid_out)
            if np.array_equal(_sample(path, gguf), _sample(laid_out / GRAPH_FILE, gguf)):
                chosen = laid_out
        for file in (WEIGHTS_FILE, GRAPH_FILE):
            (chosen / file).rename(folder / file)


def _lay_out(graph: Path, folder: Path) -> None:
    options = session_options(1)
    options.optimized_model_filepath = str(folder / GRAPH_FILE)
    for entry, value in (
        ("session.optimized_model_external_initializers_file_name", WEIGHTS_FILE),
        ("session.optimized_model_external_initializers_min_size_in_bytes", str(INLINE_BYTES)),
        ("session.save_external_prepacked_constant_initializers", "1"),
    ):
        options.add_session_config_entry(entry, value)
    import_onnxruntime().InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def _sample(graph: Path, gguf: Gguf) -> Weight:
    """What a graph says of a few tokens; every weight has a part in it."""
    runner = Runner(lambda: open_session(graph, 1), gguf.architecture)
    ids = list(range(3, 35))
    return runner.read(Cache(gguf.architecture, len(ids)), ids, range(len(ids)))


def _machine() -> str:
    """What the layout of the weights depends on: onnxruntime's version and the CPU's instructions."""
    parts = (import_onnxruntime().__version__, platform.machine(), cpu_flags())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]
