"""SmolLM2 with LoRA in plain torch: the layers below the trained ones run without a record, logits where learned.

Llama (Touvron et al. 2023) with grouped queries and tied embeddings; LoRA (Hu et al. 2021): W x + alpha/r B A x.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Sizes of a Llama-type model, as its GGUF file says them."""

    layers: int
    width: int
    heads: int
    key_heads: int
    rotary_base: float
    epsilon: float

    @property
    def head_size(self) -> int:
        """Width of one attention head."""
        return self.width // self.heads


class Adapted(nn.Module):
    """A frozen product with its low-rank side path."""

    def __init__(self, weight: torch.Tensor, rank: int, alpha: float, generator: torch.Generator) -> None:
        super().__init__()
        self.weight = weight
        self.scale = alpha / rank
        start = torch.randn(rank, weight.shape[1], generator=generator) / math.sqrt(weight.shape[1])
        self.a = nn.Parameter(start)
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        side = F.linear(F.linear(x, self.a), self.b)
        return torch.add(F.linear(x, self.weight), side, alpha=self.scale)


class Llama(nn.Module):
    """The base, frozen, with adapters on its layers from ``first`` on, and a head for labels if there are any."""

    def __init__(
        self,
        weights: Mapping[str, torch.Tensor],
        shape: Shape,
        *,
        first: int,
        rank: int,
        alpha: float,
        labels: int,
        seed: int,
    ) -> None:
        """weights: GGUF names, rows of q and k in Hugging Face's order. labels: 0 for a writer."""
        super().__init__()
        self.shape = shape
        self.first = first
        self.frozen = dict(weights)
        generator = torch.Generator().manual_seed(seed)
        self.adapted = nn.ModuleDict()
        for layer in range(first, shape.layers):
            for part in PARTS:
                weight = self.frozen[f"blk.{layer}.{part}.weight"]
                self.adapted[f"{layer}_{part}"] = Adapted(weight, rank, alpha, generator)
        self.head = nn.Linear(shape.width, labels) if labels else None
        if self.head is not None:
            nn.init.normal_(self.head.weight, std=0.02, generator=generator)
            nn.init.zeros_(self.head.bias)
        half = torch.arange(0, shape.head_size, 2).double() / shape.head_size
        self.frequencies = (1.0 / shape.rotary_base**half).float()

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        """Moves the frozen weights too: they are no parameters, so that no optimiser and no checkpoint has them."""
        super()._apply(fn, recurse)
        self.frozen = {name: fn(value) for name, value in self.frozen.items()}
        self.frequencies = fn(self.frequencies)
        for key, module in self.adapted.items():
            layer, part = key.split("_", 1)
            module.weight = self.frozen[f"blk.{layer}.{part}.weight"]
        return self

    def forward(self, ids: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(B, T, width) hidden states after the last norm. ids, positions: (B, T); mask: (B, T, T) bool."""
        angles = positions[:, :, None].float() * self.frequencies
        rotation = torch.cat([angles, angles], -1)[:, None]  # (B, 1, T, head size)
        turn = (rotation.cos(), rotation.sin())
        seen = mask[:, None]
        with torch.no_grad():
            x = F.embedding(ids, self.frozen["token_embd.weight"])
            for layer in range(self.first):
                x = self._layer(layer, x, turn, seen)
        for layer in range(self.first, self.shape.layers):
            x = self._layer(layer, x, turn, seen)
        return self._norm(x, "output_norm")

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """(N, vocabulary) of (N, width)."""
        return F.linear(hidden, self.frozen["token_embd.weight"])

    def classify(self, hidden: torch.Tensor) -> torch.Tensor:
        """(N, labels) of (N, width)."""
        if self.head is None:
            raise ValueError("this model was made without labels")
        scores: torch.Tensor = self.head(hidden)
        return scores

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.rms_norm(x, (self.shape.width,), self.frozen[name + ".weight"], self.shape.epsilon)

    def _product(self, x: torch.Tensor, layer: int, part: str) -> torch.Tensor:
        if layer >= self.first:
            made: torch.Tensor = self.adapted[f"{layer}_{part}"](x)
            return made
        return F.linear(x, self.frozen[f"blk.{layer}.{part}.weight"])

    def _layer(
        self, layer: int, x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor], seen: torch.Tensor
    ) -> torch.Tensor:
        rows, width, _ = x.shape
        size, heads, key_heads = self.shape.head_size, self.shape.heads, self.shape.key_heads
        y = self._norm(x, f"blk.{layer}.attn_norm")
        q = self._product(y, layer, "attn_q").view(rows, width, heads, size).transpose(1, 2)
        k = self._product(y, layer, "attn_k").view(rows, width, key_heads, size).transpose(1, 2)
        v = self._product(y, layer, "attn_v").view(rows, width, key_heads, size).transpose(1, 2)
        q, k = _turned(q, turn), _turned(k, turn)
        k, v = (each.repeat_interleave(heads // key_heads, 1) for each in (k, v))
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        out = out.transpose(1, 2).reshape(rows, width, heads * size)
        x = x + self._product(out, layer, "attn_output")
        y = self._norm(x, f"blk.{layer}.ffn_norm")
        inner = F.silu(self._product(y, layer, "ffn_gate")) * self._product(y, layer, "ffn_up")
        return x + self._product(inner, layer, "ffn_down")


def _turned(x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Rotary positions (Su et al. 2021), halves as in Hugging Face."""
    half = x.shape[-1] // 2
    return x * turn[0] + torch.cat([-x[..., half:], x[..., :half]], -1) * turn[1]
