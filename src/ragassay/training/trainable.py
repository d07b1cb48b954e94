"""A model as the training loop sees it, and the built-in base as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import torch
from torch.nn import functional

from ragassay.training.items import Item
from ragassay.training.llama import Llama
from ragassay.training.packing import Batch, collate

MOST_KEPT_BYTES = 3 * 2**30
"""Memory for states that an epoch leaves to the next one: 1.3 million tokens."""


class Losses(NamedTuple):
    """values: (N,) loss of each learned token, or of each labelled branch. kinds: their N kinds. size: tokens computed.

    scores: (N, labels) for labelled branches, else None.
    """

    values: torch.Tensor
    kinds: Sequence[str]
    size: int
    scores: torch.Tensor | None = None


class Trainable(Protocol):
    """What the loop needs of a model."""

    def parameters(self) -> Mapping[str, torch.Tensor]:
        """What is learned, by name; the tensors themselves."""
        ...

    def losses(self, items: Sequence[Item]) -> Losses:
        """The loss of everything to learn in some items."""
        ...

    def changed(self) -> None:
        """Called after the parameters were changed from outside."""
        ...


def best_device() -> torch.device:
    """A GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def computes_bf16(device: torch.device) -> bool:
    """Whether products in bfloat16 are faster here than in float32."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    checks = (getattr(torch.cpu, name, None) for name in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"))
    return any(check is not None and check() for check in checks)


class PackedLlama:
    """The built-in base: branches packed on their prefix."""

    def __init__(self, model: Llama, padding: int, device: torch.device) -> None:
        self.model = model
        self._padding = padding
        self._device = device
        self._bf16 = computes_bf16(device)
        self._kept: dict[tuple[bytes, tuple[int, ...]], torch.Tensor] = {}
        self._kept_bytes = 0

    def parameters(self) -> Mapping[str, torch.Tensor]:
        """A and B of each product, and the head's."""
        return dict(self.model.named_parameters())

    def losses(self, items: Sequence[Item]) -> Losses:
        """Cross-entropy of targets' tokens, or of labels."""
        batch = collate(items, self._padding)
        with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._bf16):
            hidden = self._hidden(batch, items)
            if len(batch.labels):
                scores = self.model.classify(hidden[batch.ends[0], batch.ends[1]].float()).float()
                values = functional.cross_entropy(scores, batch.labels.to(self._device), reduction="none")
                return Losses(values, batch.kinds, batch.size, scores)
            logits = self.model.logits(hidden[batch.predicting[0], batch.predicting[1]])
        wanted = batch.wanted.to(self._device)
        return Losses(functional.cross_entropy(logits.float(), wanted, reduction="none"), batch.kinds, batch.size)

    def changed(self) -> None:
        """Adds the new changes to the weights."""
        self.model.merge()

    def _hidden(self, batch: Batch, items: Sequence[Item]) -> torch.Tensor:
        positions, mask = batch.positions.to(self._device), batch.mask.to(self._device)
        if self._device.type == "cpu":
            x = torch.zeros(*batch.ids.shape, self.model.shape.hidden)
            for row, item in enumerate(items):
                x[row, : item.tokens] = self._below(item)
        else:
            x = self.model.lower(batch.ids.to(self._device), positions, mask)
        return self.model.upper(x, positions, mask)

    def _below(self, item: Item) -> torch.Tensor:
        """(T, width) states below the adapted layers, which never change; kept for the next epoch.

        Each item is computed by itself, so that its numbers do not depend on its batch, nor on whether they were kept.
        """
        alone = collate([item], self._padding)
        key = (alone.ids.numpy().tobytes(), tuple(len(each.prompt) + len(each.target) for each in item.branches))
        kept = self._kept.get(key)
        if kept is None:
            kept = self.model.lower(alone.ids, alone.positions, alone.mask)[0].float()
            if self._kept_bytes + kept.nbytes <= MOST_KEPT_BYTES:
                self._kept[key] = kept
                self._kept_bytes += kept.nbytes
        return kept
