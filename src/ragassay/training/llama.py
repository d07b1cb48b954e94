"""SmolLM2 with LoRA in plain torch, made for training on few cores.

Llama (Touvron et al. 2023) with grouped queries and tied embeddings; LoRA (Hu et al. 2021): W x + alpha/r B A x. What
is different from a model for all purposes: layers below the trained ones run without a record; logits are computed
where something is learned; the adapters' change is added to the weights once a step, so that a product and its gradient
are one matrix product each; the norms' factors are part of the weights that follow them; queries and keys keep GGUF's
order of rows, neighbours that turn together, so that the rotation is one complex product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from ragassay.models.small.adapters import PARTS
from ragassay.models.small.gguf import Architecture

_NORM_BEFORE = {
    "attn_q": "attn_norm",
    "attn_k": "attn_norm",
    "attn_v": "attn_norm",
    "ffn_gate": "ffn_norm",
    "ffn_up": "ffn_norm",
}


class _AdaptedProduct(torch.autograd.Function):
    """x (N, n_in) times the merged weight (n_out, n_in), with gradients for x, A and B but none for the weight."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        a: torch.Tensor,
        b: torch.Tensor,
        merged: torch.Tensor,
        factor: torch.Tensor | None,
        scale: float,
    ) -> torch.Tensor:
        ctx.save_for_backward(x, a, b, merged, factor)
        ctx.scale = scale
        return x @ merged.to(x.dtype).T

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, a, b, merged, factor = ctx.saved_tensors
        (grad,) = gradients
        x = x.to(grad.dtype)  # autocast has multiplied in its own type, and saved what it was given
        read = a if factor is None else a * factor  # what x is multiplied with, the norm's factors included
        low = grad @ b.to(grad.dtype)  # (N, rank)
        of_a = (low.T @ x).float() * ctx.scale
        if factor is not None:
            of_a *= factor
        of_b = (grad.T @ (x @ read.to(x.dtype).T)).float() * ctx.scale
        of_x = grad @ merged.to(grad.dtype) if ctx.needs_input_grad[0] else None
        return of_x, of_a, of_b, None, None, None


class _Normed(torch.autograd.Function):
    """x divided by the root of its mean square (Zhang and Sennrich 2019), without factors."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, epsilon: float) -> torch.Tensor:
        inverse = torch.rsqrt(torch.linalg.vector_norm(x, dim=-1, keepdim=True).square() / x.shape[-1] + epsilon)
        y = x * inverse
        ctx.save_for_backward(y, inverse)
        return y

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        y, inverse = ctx.saved_tensors
        (grad,) = gradients
        mean = (grad * y).mean(-1, keepdim=True)
        return torch.addcmul(grad, y, mean, value=-1).mul_(inverse), None


class Adapted(nn.Module):
    """The low-rank change of one product. factor: of the norm before it, None where there is none."""

    def __init__(
        self, weight: torch.Tensor, factor: torch.Tensor | None, rank: int, alpha: float, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.weight = weight
        self.factor = factor
        self.scale = alpha / rank
        self.a = nn.Parameter(torch.randn(rank, weight.shape[1], generator=generator) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank))
        self._merged: torch.Tensor | None = None

    def merge(self) -> None:
        """Adds the change as it is now to the weight; after every step of the optimiser."""
        with torch.no_grad():
            merged = torch.addmm(self.weight, self.b, self.a, alpha=self.scale)
            self._merged = merged if self.factor is None else merged.mul_(self.factor)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self._merged is None:
            self.merge()
        flat = x.reshape(-1, x.shape[-1])
        product: torch.Tensor = _AdaptedProduct.apply(flat, self.a, self.b, self._merged, self.factor, self.scale)
        return product.view(*x.shape[:-1], -1)


class Llama(nn.Module):
    """The base, frozen, with adapters on its layers from ``first`` on, and a head for labels if there are any."""

    def __init__(
        self,
        weights: Mapping[str, torch.Tensor],
        shape: Architecture,
        *,
        first: int,
        rank: int,
        alpha: float,
        labels: int,
        seed: int,
        device: torch.device | None = None,
    ) -> None:
        """weights: by their GGUF names, rows of q and k in GGUF's order. labels: 0 for a writer."""
        super().__init__()
        self.shape = shape
        self.first = first
        place = device or torch.device("cpu")
        frozen = {name: value.to(place) for name, value in weights.items()}
        self.embedding = frozen["token_embd.weight"]
        self.last_factor = frozen["output_norm.weight"]
        generator = torch.Generator().manual_seed(seed)
        self._products: dict[tuple[int, str], Callable[[torch.Tensor], torch.Tensor]] = {}
        self.adapted = nn.ModuleDict()
        for layer in range(shape.layers):
            for part in PARTS:
                weight = frozen[f"blk.{layer}.{part}.weight"]
                factor = frozen[f"blk.{layer}.{_NORM_BEFORE[part]}.weight"] if part in _NORM_BEFORE else None
                if layer < first:
                    self._products[layer, part] = _plain_product(weight if factor is None else weight * factor)
                else:
                    module = Adapted(weight, factor, rank, alpha, generator)
                    self.adapted[f"{layer}_{part}"] = module
                    self._products[layer, part] = module
        self.head = nn.Linear(shape.hidden, labels) if labels else None
        if self.head is not None:
            nn.init.zeros_(self.head.weight)  # hidden states are large: a random start would be sure and wrong
            nn.init.zeros_(self.head.bias)
        half = torch.arange(0, shape.head_size, 2).double() / shape.head_size
        self._frequencies = (1.0 / shape.rope_base**half).float().to(place)
        self.to(place)

    def merge(self) -> None:
        """To be called whenever A or B has changed."""
        for module in self.adapted.values():
            module.merge()

    def forward(self, ids: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(B, T, width) hidden states after the last norm. ids, positions: (B, T); mask: (B, T, T) bool."""
        return self.upper(self.lower(ids, positions, mask), positions, mask)

    def lower(self, ids: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(B, T, width) hidden states below the first adapted layer; nothing is recorded."""
        with torch.no_grad():
            x = functional.embedding(ids, self.embedding)
            turn, seen = self._turn(positions), _additive(mask, x)
            for layer in range(self.first):
                x = self._layer(layer, x, turn, seen)
        return x

    def upper(self, x: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What ``forward`` gives, of what ``lower`` gives."""
        turn, seen = self._turn(positions), _additive(mask, x)
        for layer in range(self.first, self.shape.layers):
            x = self._layer(layer, x, turn, seen)
        return _normed(x, self.shape.epsilon) * self.last_factor

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """(N, vocabulary) of (N, width)."""
        return functional.linear(hidden, self.embedding)

    def classify(self, hidden: torch.Tensor) -> torch.Tensor:
        """(N, labels) of (N, width)."""
        if self.head is None:
            raise ValueError("this model was made without labels")
        scores: torch.Tensor = self.head(hidden)
        return scores

    def _turn(self, positions: torch.Tensor) -> torch.Tensor:
        """(B, 1, T, head size / 2) complex numbers that turn queries and keys."""
        angles = positions[:, None, :, None].float() * self._frequencies
        return torch.polar(torch.ones_like(angles), angles)

    def _layer(self, layer: int, x: torch.Tensor, turn: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        rows, length, _ = x.shape
        size, heads, key_heads = self.shape.head_size, self.shape.heads, self.shape.kv_heads
        y = _normed(x, self.shape.epsilon)
        q, k, v = (
            self._products[layer, part](y).view(rows, length, count, size).transpose(1, 2)
            for part, count in (("attn_q", heads), ("attn_k", key_heads), ("attn_v", key_heads))
        )
        q, k = _turned(q, turn), _turned(k, turn)
        k, v = (each.repeat_interleave(heads // key_heads, 1) for each in (k, v))
        out = functional.scaled_dot_product_attention(q, k, v, attn_mask=seen.to(q.dtype))
        out = out.transpose(1, 2).reshape(rows, length, heads * size)
        x = x + self._products[layer, "attn_output"](out)
        y = _normed(x, self.shape.epsilon)
        inner = functional.silu(self._products[layer, "ffn_gate"](y)) * self._products[layer, "ffn_up"](y)
        return x + self._products[layer, "ffn_down"](inner)


def _additive(mask: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """(B, 1, T, T): 0 where a token sees another, else the lowest number there is; of the type that products have."""
    kind = x.device.type
    dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else x.dtype
    seen = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    return seen.masked_fill_(~mask, torch.finfo(dtype).min)[:, None]


def _plain_product(weight: torch.Tensor) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda x: functional.linear(x, weight)


def _normed(x: torch.Tensor, epsilon: float) -> torch.Tensor:
    y: torch.Tensor = _Normed.apply(x, epsilon)
    return y


def _turned(x: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
    """Rotary positions (Su et al. 2021) of (B, heads, T, size): values 2i and 2i + 1 turn together."""
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turn).flatten(-2).to(x.dtype)
