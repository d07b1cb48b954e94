"""The small language model's weights as its graph needs them: decoded, in one row order, with the adapter merged."""

from __future__ import annotations

from typing import NamedTuple

from ragassay.models.small.adapters import PARTS, Adapter
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
        heads = {"attn_q": architecture.heads, "attn_k": architecture.kv_heads}.get(part)
        weight = gguf.head_rows(f"{name}.weight", heads) if heads else gguf.matrix(f"{name}.weight")
        return weight if adapter is None else adapter.merged(name, weight)

    norms = {part: gguf.vector(f"blk.{number}.{part}.weight") for part in ("attn_norm", "ffn_norm")}
    return Layer(**norms, **{part: product(part) for part in PARTS})
