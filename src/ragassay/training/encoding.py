"""Texts to tokens: windows of passages, and branches that share them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ragassay.models.small import wording
from ragassay.training.items import Branch, Item, TextBranch, TextItem

Encode = Callable[[str], Sequence[int]]

MOST_BRANCH_TOKENS = 200
"""A longer branch, a page pasted as one sentence, say, is left out: it would cost more than it teaches."""

MOST_BRANCHES = 24
"""Branches of one row at most; more begin another row with the same prefix."""


MOST_REFUSED = 3
"""Refused questions that are learned of one sentence."""


def encode_items(items: Iterable[TextItem], encode: Encode, end: int) -> list[Item]:
    """Rows for training: each passage once, or several times where it is longer than a window.

    end: the token that ends a text.
    """
    return [row for item in items for row in _rows(item, encode, end)]


def _rows(item: TextItem, encode: Encode, end: int) -> Iterator[Item]:
    for text, branches in windows(item, lambda part: len(encode(part))):
        encoded = [_branch(each, encode, end) for each in branches]
        short = [each if each.tokens <= MOST_BRANCH_TOKENS else replace(each, refused=()) for each in encoded]
        kept = [each for each in short if each.tokens <= MOST_BRANCH_TOKENS]
        prefix = encode(wording.prefix(item.title, item.heading, text))
        for first in range(0, len(kept), MOST_BRANCHES):
            yield Item(prefix, tuple(kept[first : first + MOST_BRANCHES]))


def _branch(branch: TextBranch, encode: Encode, end: int) -> Branch:
    if branch.label is not None:
        return Branch(branch.kind, encode(branch.prompt), (), branch.label)
    return Branch(
        branch.kind,
        encode(branch.prompt),
        [*encode(branch.target), end],
        refused=tuple([*encode(each), end] for each in branch.refused[:MOST_REFUSED]),
    )


def windows(item: TextItem, count: Callable[[str], int]) -> list[tuple[str, list[TextBranch]]]:
    """Parts of a passage that fit, each with the branches whose quote it holds. count: tokens of a text."""
    if count(item.text) <= wording.TEXT_TOKENS:
        return [(item.text, list(item.branches))]
    found: list[tuple[int, int, list[TextBranch]]] = []
    for branch in item.branches:
        at = max(item.text.find(branch.quote), 0)
        end = at + len(branch.quote)
        for start, last, branches in found:
            if start <= at and end <= last:
                branches.append(branch)
                break
        else:
            found.append((*wording.window(item.text, at, max(end, at + 1), count), [branch]))
    return [(item.text[start:last], branches) for start, last, branches in found]
