"""A model as the training loop sees it, and the built-in base as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import torch
import torch.nn.functional as F

from ragassay.training.items import Item
from ragassay.training.llama import Llama
from ragassay.training.packing import Batch, collate


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


def best_device() -> torch.device:
    """A GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def computes_bf16(device: torch.device) -> bool:
    """Whether products in bfloat16 are faster here than in float32."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    checks = (getattr(torch.cpu, name, None) for name in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"))
    return any(check is not None and check() for check in checks)


class PackedLlama:
    """The built-in base: branches packed on their prefix."""

    def __init__(self, model: Llama, padding: int, device: torch.device) -> None:
        self.model = model.to(device)
        self._padding = padding
        self._device = device
        self._bf16 = computes_bf16(device)

    def parameters(self) -> Mapping[str, torch.Tensor]:
        """A and B of each product, and the head's."""
        return dict(self.model.named_parameters())

    def losses(self, items: Sequence[Item]) -> Losses:
        """Cross-entropy of targets' tokens, or of labels."""
        batch = collate(items, self._padding)
        with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._bf16):
            hidden = self._hidden(batch)
            if len(batch.labels):
                scores = self.model.classify(hidden[batch.ends[0], batch.ends[1]].float()).float()
                values = F.cross_entropy(scores, batch.labels.to(self._device), reduction="none")
                return Losses(values, batch.kinds, batch.size, scores)
            logits = self.model.logits(hidden[batch.predicting[0], batch.predicting[1]])
        wanted = batch.wanted.to(self._device)
        return Losses(F.cross_entropy(logits.float(), wanted, reduction="none"), batch.kinds, batch.size)

    def _hidden(self, batch: Batch) -> torch.Tensor:
        ids, positions, mask = (each.to(self._device) for each in (batch.ids, batch.positions, batch.mask))
        hidden: torch.Tensor = self.model(ids, positions, mask)
        return hidden
