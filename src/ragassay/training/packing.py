"""Rows of tokens for the model: branches packed behind the prefix that they share.

A row is [prefix, branch 1, branch 2, ...], and a branch is [prompt, what is wanted, what was refused, ...]. Every
branch sees the prefix and itself, and whatever follows a prompt sees the prompt and itself; positions go on from what
is seen, so that each gets exactly what it would get alone. What is shared is computed once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragassay.training.items import Item

if TYPE_CHECKING:
    import torch

_PREFIX = -1
_PADDING = -2
_PROMPT = -1
_BUCKET_BATCHES = 12
"""Rows are sorted by length within about this many batches: little padding, and still a random order."""


@dataclass(frozen=True, slots=True)
class Batch:
    """B rows of T tokens.

    ids, positions: (B, T) int64. mask: (B, T, T) bool, True where a token (second axis) sees another (third).
    predicting: (2, N) int64, row and column of the tokens whose successor counts; wanted: (N,) int64, those.
    learned: (N,) bool, False for tokens of what was refused. texts: (N,) int64, number of the target or refused text
    that each belongs to. preferred: (2, P) int64, numbers of a target and of what was refused beside it.
    ends: (2, M) int64, row and column of each labelled branch's last token; labels: (M,) int64.
    kinds: kind of each learned token, or of each labelled branch, in order.
    """

    ids: torch.Tensor
    positions: torch.Tensor
    mask: torch.Tensor
    predicting: torch.Tensor
    wanted: torch.Tensor
    learned: torch.Tensor
    texts: torch.Tensor
    preferred: torch.Tensor
    ends: torch.Tensor
    labels: torch.Tensor
    kinds: tuple[str, ...]

    @property
    def size(self) -> int:
        """Tokens computed, padding included."""
        size: int = self.ids.numel()
        return size


def collate(items: Sequence[Item], padding: int, multiple: int = 1) -> Batch:
    """Packs items into one batch. padding: a token's number, seen by none. multiple: T is rounded up to one."""
    import torch

    width = -(-max(each.tokens for each in items) // multiple) * multiple
    ids = torch.full((len(items), width), padding)
    positions = torch.zeros((len(items), width), dtype=torch.long)
    part = torch.full((len(items), width), _PADDING)
    way = torch.full((len(items), width), _PROMPT)
    predicting: list[tuple[int, int]] = []
    wanted: list[int] = []
    learned: list[bool] = []
    texts: list[int] = []
    preferred: list[tuple[int, int]] = []
    n_texts = 0
    ends: list[tuple[int, int]] = []
    labels: list[int] = []
    kinds: list[str] = []
    for row, item in enumerate(items):
        shared = len(item.prefix)
        ids[row, :shared] = torch.tensor(item.prefix)
        positions[row, :shared] = torch.arange(shared)
        part[row, :shared] = _PREFIX
        at = shared
        for number, branch in enumerate(item.branches):
            begun = at + len(branch.prompt)
            ids[row, at:begun] = torch.tensor(branch.prompt)
            positions[row, at:begun] = torch.arange(shared, shared + len(branch.prompt))
            part[row, at : at + branch.tokens] = number
            if branch.label is not None:
                ends.append((row, begun - 1))
                labels.append(branch.label)
                kinds.append(branch.kind)
            at = begun
            first = n_texts
            for place, target in enumerate((branch.target, *branch.refused)):
                if not target:
                    continue
                stop = at + len(target)
                ids[row, at:stop] = torch.tensor(target)
                after = shared + len(branch.prompt)
                positions[row, at:stop] = torch.arange(after, after + len(target))
                way[row, at:stop] = place
                predicting += [(row, begun - 1), *((row, at + step) for step in range(len(target) - 1))]
                wanted += target
                learned += [place == 0] * len(target)
                texts += [n_texts] * len(target)
                if place == 0:
                    kinds += [branch.kind] * len(target)
                else:
                    preferred.append((first, n_texts))
                n_texts += 1
                at = stop
    order = torch.arange(width)
    same_way = (way[:, None, :] == _PROMPT) | (way[:, :, None] == way[:, None, :])
    same = (part[:, :, None] == part[:, None, :]) & same_way
    seen = same | ((part[:, None, :] == _PREFIX) & (part[:, :, None] >= _PREFIX))
    mask = (order[:, None] >= order[None, :])[None] & seen
    mask[:, order, order] = True  # padding sees itself: a softmax over nothing has no value
    return Batch(
        ids=ids,
        positions=positions,
        mask=mask,
        predicting=torch.tensor(predicting, dtype=torch.long).reshape(-1, 2).T,
        wanted=torch.tensor(wanted, dtype=torch.long),
        learned=torch.tensor(learned, dtype=torch.bool),
        texts=torch.tensor(texts, dtype=torch.long),
        preferred=torch.tensor(preferred, dtype=torch.long).reshape(-1, 2).T,
        ends=torch.tensor(ends, dtype=torch.long).reshape(-1, 2).T,
        labels=torch.tensor(labels, dtype=torch.long),
        kinds=tuple(kinds),
    )


def batches(items: Sequence[Item], tokens: int, random_: random.Random | None = None) -> list[list[Item]]:
    """Items grouped so that a batch has at most about ``tokens`` tokens, padding included, but at least one item.

    Shuffled if there is a generator; else in order of length.
    """
    order = list(items)
    if random_ is None:
        return _filled(sorted(order, key=lambda each: each.tokens), tokens)
    random_.shuffle(order)
    mean = sum(each.tokens for each in order) / max(len(order), 1)
    bucket = max(int(_BUCKET_BATCHES * tokens / max(mean, 1)), 1)
    made: list[list[Item]] = []
    for first in range(0, len(order), bucket):
        made += _filled(sorted(order[first : first + bucket], key=lambda each: each.tokens), tokens)
    random_.shuffle(made)
    return made


def _filled(items: Sequence[Item], tokens: int) -> list[list[Item]]:
    made: list[list[Item]] = []
    for item in items:  # in order of length: the newest is the widest
        if made and (len(made[-1]) + 1) * item.tokens <= tokens:
            made[-1].append(item)
        else:
            made.append([item])
    return made
