"""What a training needs of a base model, the built-in one or any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from ragassay.models.small.adapters import Task
from ragassay.training.built_in import NAME, BuiltIn
from ragassay.training.options import TrainOptions
from ragassay.training.trainable import Trainable


class Base(Protocol):
    """A base model with an adapter to be trained.

    identity: changes when the base does. end: the token that ends a text.
    """

    identity: str
    end: int

    @property
    def trainable(self) -> Trainable:
        """The model as the loop sees it."""
        ...

    def encode(self, text: str) -> Sequence[int]:
        """Tokens of a text without any that start or end it."""
        ...

    def write(self, out: Path, about: Mapping[str, str]) -> None:
        """Writes the adapter, whole or not at all. about: of the training, for its metadata."""
        ...


def load_base(options: TrainOptions, task: Task, labels: Sequence[str]) -> Base:
    """The base that ``options`` name. Raises ModelError, UsageError."""
    if options.base == NAME:
        return BuiltIn(options, task, labels)
    from ragassay.training.hub import HubModel

    return HubModel(options, task, labels)
