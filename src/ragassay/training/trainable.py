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


GPU_MULTIPLE = 8
"""Tokens of a row are a multiple of this on a GPU: torch copies any other mask whenever attention reads it."""

PREFERENCE = 0.1
"""How much a difference of log-probabilities counts (beta; Xu et al. 2024)."""


class Losses(NamedTuple):
    """values: (N,) loss of each learned token, or of each labelled branch. kinds: their N kinds. size: tokens computed.

    scores: (N, labels) for labelled branches, else None. preferences: (P,) loss of each refused text beside the one
    that was taken.
    """

    values: torch.Tensor
    kinds: Sequence[str]
    size: int
    scores: torch.Tensor | None = None
    preferences: torch.Tensor | None = None

    @property
    def total(self) -> torch.Tensor:
        """What is made smaller: the mean of the values, and that of the preferences."""
        mean = self.values.mean()
        return mean if self.preferences is None else mean + self.preferences.mean()


def of_tokens(logits: torch.Tensor, batch: Batch) -> Losses:
    """Losses of what a batch predicts. logits: (N, vocabulary), of ``batch.predicting``.

    Learned tokens have their cross-entropy. A text that was refused has -log sigmoid(beta (log p(taken) - log
    p(refused))): contrastive preference optimisation, which needs no reference model (Xu et al. 2024).
    """
    device = logits.device
    values = functional.cross_entropy(logits.float(), batch.wanted.to(device), reduction="none")
    learned = values[batch.learned.to(device)]
    if not batch.preferred.shape[1]:
        return Losses(learned, batch.kinds, batch.size)
    texts, (taken, refused) = batch.texts.to(device), batch.preferred.to(device)
    surprise = torch.zeros(int(batch.texts.max()) + 1, device=device).index_add(0, texts, values)
    preferences = functional.softplus(PREFERENCE * (surprise[taken] - surprise[refused]))
    return Losses(learned, batch.kinds, batch.size, preferences=preferences)


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
        self._kept: dict[tuple[bytes, tuple[tuple[int, ...], ...]], torch.Tensor] = {}
        self._kept_bytes = 0

    def parameters(self) -> Mapping[str, torch.Tensor]:
        """A and B of each product, and the head's."""
        return dict(self.model.named_parameters())

    def losses(self, items: Sequence[Item]) -> Losses:
        """Cross-entropy of targets' tokens, or of labels."""
        batch = collate(items, self._padding, 1 if self._device.type == "cpu" else GPU_MULTIPLE)
        with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._bf16):
            hidden = self._hidden(batch, items)
            if len(batch.labels):
                scores = self.model.classify(hidden[batch.ends[0], batch.ends[1]].float()).float()
                values = functional.cross_entropy(scores, batch.labels.to(self._device), reduction="none")
                return Losses(values, batch.kinds, batch.size, scores)
            logits = self.model.logits(hidden[batch.predicting[0], batch.predicting[1]])
        return of_tokens(logits, batch)

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
        key = (alone.ids.numpy().tobytes(), tuple((each.tokens, *map(len, each.refused)) for each in item.branches))
        kept = self._kept.get(key)
        if kept is None:
            kept = self.model.lower(alone.ids, alone.positions, alone.mask)[0].float()
            if self._kept_bytes + kept.nbytes <= MOST_KEPT_BYTES:
                self._kept[key] = kept
                self._kept_bytes += kept.nbytes
        return kept
