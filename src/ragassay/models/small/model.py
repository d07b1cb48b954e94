"""The small language model as the rest of the package uses it: classifying texts.

A text's result does not depend on the texts beside it or on the number of threads, bit for bit. It may differ in the
last digits from CPU to CPU. The model reads MAX_POSITIONS tokens at once; of what is longer, what stands last is kept.

Its graph is written to the cache folder when it is first needed. onnxruntime writes it a second time, with the weights
laid out for its kernels on this machine: they are mapped from the file, and all processes share one copy in memory.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ragassay.errors import ModelError
from ragassay.models.cache import CACHE_VARIABLE, KeptFiles, KeptValues, cache_folder, kept_files
from ragassay.models.small import weights
from ragassay.models.small.adapters import Adapter, read_adapter
from ragassay.models.small.graph import (
    GRAPH_FILE,
    GRAPH_FORMAT,
    INLINE_BYTES,
    MAX_POSITIONS,
    WEIGHTS_FILE,
    Kind,
    write_graph,
)
from ragassay.models.small.runtime import (
    VNNI,
    Cache,
    Runner,
    cpu_flags,
    import_onnxruntime,
    open_session,
    session_options,
)
from ragassay.models.small.weights import Gguf, Weight
from ragassay.models.small.wording import Tokenizer

if TYPE_CHECKING:
    import onnxruntime


Prompt: TypeAlias = str | Sequence[int]

BRANCH_TOKENS = 512
# Of a longer text only this many characters are tokenized: more than MAX_POSITIONS tokens of any prose.
_READ_CHARACTERS = 32 * MAX_POSITIONS


class SmallModel:
    """SmolLM2-135M-Instruct with an adapter or without. Safe to use from several threads.

    identity: two models with the same one say the same of every text; empty for one that was not read from files.
    """

    def __init__(self, runner: Runner, tokenizer: Tokenizer, adapter: Adapter | None, name: str) -> None:
        self.tokenizer = tokenizer
        self.name = name
        self.identity = ""
        self._runner = runner
        self._adapter = adapter

    @classmethod
    def load(cls, adapter: Path | None = None, *, kind: Kind | None = None, threads: int = 2) -> SmallModel:
        """The model, its graph from the cache folder or written there (seconds).

        The graph's file is verified now, and opened when something is first read.
        kind: None takes what ``best_kind`` says.
        Raises ModelError where the weights are missing or not the published ones, or the adapter does not fit.
        """
        path = weights.find_weights()
        gguf = Gguf(path)
        changed = None if adapter is None else read_adapter(adapter, gguf.architecture, weights.WEIGHTS_SHA256)
        kind = kind or best_kind()
        kept = kept_graph(path, gguf, changed, kind)
        runner = Runner(lambda: _opened(kept.folder, threads), gguf.architecture)
        made = cls(runner, Tokenizer(gguf.metadata), changed, model_name(changed, kind))
        own = "" if adapter is None else hashlib.sha256(adapter.read_bytes()).hexdigest()
        made.identity = f"{made.name}-{kept.hashes[GRAPH_FILE]}-{own}"
        return made

    def classify_branches(self, prefix: Prompt, branches: Sequence[Prompt]) -> Weight:
        """The labels' scores (logits) of texts with one beginning, which is read once: (n_branches, n_labels) float32.

        Prefix and branches are tokenized by themselves. Needs an adapter with a head.
        """
        return self.scores(self.branch_states(prefix, branches))

    def branch_states(self, prefix: Prompt, branches: Sequence[Prompt]) -> Weight:
        """The state after each branch's last token: (n_branches, hidden) float32. See ``classify_branches``."""
        read = self._prompt(prefix, MAX_POSITIONS - BRANCH_TOKENS)
        tokens = [self._prompt(branch, MAX_POSITIONS - len(read)) for branch in branches]
        cache = Cache(self._runner.architecture, len(read) + max(map(len, tokens), default=0))
        self._runner.read(cache, read, [len(read) - 1])
        states = np.empty((len(tokens), self._runner.architecture.hidden), np.float32)
        for place, branch in enumerate(tokens):
            states[place] = self._runner.read(cache, branch, [len(branch) - 1], after=len(read))[0]
        return states

    def scores(self, states: Weight) -> Weight:
        """The labels' scores for each state."""
        if self._adapter is None or self._adapter.head is None:
            raise ModelError(f"{self.name} cannot classify; give an adapter with a head, as `ragassay train` writes")
        weight, bias = self._adapter.head
        # Row by row in one order of adding up, which a matrix product does not promise.
        scores: Weight = (states[:, None, :] * weight).sum(axis=2, dtype=np.float32) + bias
        return scores

    def _prompt(self, prompt: Prompt, room: int) -> list[int]:
        """The last tokens of a prompt; of an empty one the token that starts a turn."""
        ids = self.tokenizer.encode(prompt[-_READ_CHARACTERS:]) if isinstance(prompt, str) else list(prompt)
        return ids[-room:] or [self.tokenizer.start]


def kept_readings(model: SmallModel) -> KeptValues | None:
    """What was said of texts in earlier runs: the model says the same every time. None for one without identity."""
    path = cache_folder() / "readings.sqlite"
    return KeptValues(path, "readings of the small language model") if model.identity else None


def _opened(folder: Path, threads: int) -> onnxruntime.InferenceSession:
    """A session of the graph in a folder. Raises ModelError where it went away since it was verified."""
    try:
        return open_session(folder / GRAPH_FILE, threads)
    except Exception as error:  # onnxruntime's own have no name to import
        raise ModelError(
            f"the small language model's graph in {folder} cannot be opened; run the command again, which writes it "
            "anew"
        ) from error


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
