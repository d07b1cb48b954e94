"""The small language model's weights as its graph needs them: decoded, in one row order, with the adapter merged."""

from __future__ import annotations

from typing import NamedTuple

from ragassay.models.small.adapters import Adapter
from ragassay.models.small.gguf import Gguf, Weight


class Layer(NamedTuple):
    """One layer of a Llama model. Norms: (hidden,); products: (n_out, n_in), q and k in the order of Hugging Face."""

    attn_norm: Weight
    attn_q: Weight
    attn_k: Weight
    attn_v: Weight
    attn_output: Weight
    ffn_norm: Weight
    ffn_gate: Weight
    ffn_up: Weight
    ffn_down: Weight


def read_layer(gguf: Gguf, adapter: Adapter | None, number: int) -> Layer:
    """Layer number of the base, changed by the adapter."""
    architecture = gguf.architecture

    def product(part: str) -> Weight:
        name = f"blk.{number}.{part}"
        if part == "attn_q":
            weight = gguf.head_rows(f"{name}.weight", architecture.heads)
        elif part == "attn_k":
            weight = gguf.head_rows(f"{name}.weight", architecture.kv_heads)
        else:
            weight = gguf.matrix(f"{name}.weight")
        return weight if adapter is None else adapter.merged(name, weight)

    return Layer(
        attn_norm=gguf.vector(f"blk.{number}.attn_norm.weight"),
        attn_q=product("attn_q"),
        attn_k=product("attn_k"),
        attn_v=product("attn_v"),
        attn_output=product("attn_output"),
        ffn_norm=gguf.vector(f"blk.{number}.ffn_norm.weight"),
        ffn_gate=product("ffn_gate"),
        ffn_up=product("ffn_up"),
        ffn_down=product("ffn_down"),
    )
