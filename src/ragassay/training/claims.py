"""Claims about passages as training items for the verifier."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragassay.errors import InputError
from ragassay.models.small import wording
from ragassay.training.items import TextBranch, TextItem
from ragassay.training.pairs import LEAST_PAIRS, Read, read_rows, text_of

SUPPORTED, CONTRADICTED, NOT_STATED = range(len(wording.LABELS))

_NOT_STATED_TYPES = frozenset({"addition", "unstated"})
"""Types of wrong claims that the passage says nothing about; the others change what it says."""


def read_claims(paths: Sequence[Path]) -> Read:
    """Items of all files. Raises InputError for what are no claims, and for fewer than LEAST_PAIRS."""
    read = Read()
    digest = hashlib.sha256()
    for path in paths:
        for where, row in read_rows(path):
            item = _passage(where, row)
            if item.branches:
                read.items.append(item)
        digest.update(path.read_bytes())
    read.sha256 = digest.hexdigest()
    count = sum(len(each.branches) for each in read.items)
    if count < LEAST_PAIRS:
        raise InputError(f"{count} claims are too few to train on; at least {LEAST_PAIRS} are needed")
    return read


def _passage(where: str, row: Mapping[str, Any]) -> TextItem:
    title = text_of(row, "title", where, default="")
    source = text_of(row, "source", where, default="")
    return TextItem(
        id=text_of(row, "id", where),
        source=source,
        document=f"{source}/{title}",
        title=wording.sentence(title),
        heading=wording.sentence(text_of(row, "heading", where, default="")),
        text=wording.plain(text_of(row, "text", where)),
        branches=tuple(_branches(where, row)),
    )


def _branches(where: str, row: Mapping[str, Any]) -> Iterator[TextBranch]:
    for claim in row.get("claims") or ():
        supported = claim.get("supported")
        if not isinstance(supported, bool):
            raise InputError(f"{where}: 'supported' of each claim must be true or false")
        kind = text_of(claim, "type", where, default="supported" if supported else "wrong")
        quote = text_of(claim, "quote", where, default="")
        yield claim_branch(text_of(claim, "text", where), label_of(supported, kind, quote), kind, quote)


def label_of(supported: bool, kind: str, quote: str) -> int:
    """Place in wording.LABELS. A wrong claim of an unknown type contradicts the sentence that it names."""
    if supported:
        return SUPPORTED
    return NOT_STATED if kind in _NOT_STATED_TYPES or not quote else CONTRADICTED


def claim_branch(claim: str, label: int, kind: str, quote: str) -> TextBranch:
    """A claim as a branch; ``kind`` is its type."""
    return TextBranch(kind=kind, prompt=wording.claim_prompt(claim), label=label, quote=wording.sentence(quote))
