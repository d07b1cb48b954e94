"""The small language model as the rest of the package uses it: classifying texts, its graph from the cache folder.

A text's result does not depend on the texts beside it or on the number of threads, bit for bit. The model reads
MAX_POSITIONS tokens at once; of what is longer, what stands last is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ragassay.errors import ModelError
from ragassay.models.cache import KeptValues, cache_folder, kept_files
from ragassay.models.small import weights
from ragassay.models.small.adapters import Adapter, read_adapter
from ragassay.models.small.graph import (
    GRAPH_FILE,
    GRAPH_FORMAT,
    MAX_POSITIONS,
    Kind,
    write_graph,
)
from ragassay.models.small.runtime import (
    VNNI,
    Cache,
    Runner,
    cpu_flags,
    open_session,
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
    """SmolLM2-135M-Instruct with an adapter or without. Safe for threads. identity: with the same they say the same."""

    def __init__(self, runner: Runner, tokenizer: Tokenizer, adapter: Adapter | None, name: str) -> None:
        self.tokenizer = tokenizer
        self.name = name
        self.identity = ""
        self._runner = runner
        self._adapter = adapter

    @classmethod
    def load(cls, adapter: Path | None = None, *, kind: Kind | None = None, threads: int = 2) -> SmallModel:
        """The model, its graph verified now and opened when it first reads. kind: None takes ``best_kind``.

        Raises ModelError where the weights are missing or not the published ones, or the adapter does not fit.
        """
        path = weights.find_weights()
        gguf = Gguf(path)
        changed = None if adapter is None else read_adapter(adapter, gguf.architecture, weights.WEIGHTS_SHA256)
        kind = kind or best_kind()

        def write(folder: Path) -> None:
            weights.verify_weights(path)
            write_graph(gguf, changed, kind, folder)

        kept = kept_files(model_name(changed, kind), write)
        runner = Runner(lambda: _opened(kept.folder, threads), gguf.architecture)
        made = cls(runner, Tokenizer(gguf.metadata), changed, model_name(changed, kind))
        made.identity = f"{made.name}-{kept.hashes[GRAPH_FILE]}-{changed.sha256 if changed else ''}"
        return made

    def classify_branches(self, prefix: Prompt, branches: Sequence[Prompt]) -> Weight:
        """The labels' logits of texts with one beginning, which is read once: (n_branches, n_labels) float32."""
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


def best_kind() -> Kind:
    """int8 where the CPU multiplies and adds 8-bit integers in one instruction (VNNI), otherwise int7."""
    return "int8" if VNNI & set(cpu_flags().split()) else "int7"


def model_name(adapter: Adapter | None, kind: Kind) -> str:
    """Everything that a result depends on: base, adapter, kind of weights, format of graph and decoding."""
    adapted = adapter.sha256[:12] if adapter else "base"
    return f"{weights.BASE_NAME}-{weights.WEIGHTS_SHA256[:12]}-{adapted}-{kind}-g{GRAPH_FORMAT}"
