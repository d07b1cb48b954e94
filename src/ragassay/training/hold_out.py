"""What is kept back to measure on: whole kinds of documents, or whole documents."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ragassay.errors import UsageError
from ragassay.training.items import TextItem
from ragassay.training.options import TrainOptions


class Split(NamedTuple):
    """Items to train on and to measure on; no document has some in both."""

    training: list[TextItem]
    held_out: list[TextItem]


def split(items: Sequence[TextItem], options: TrainOptions) -> Split:
    """Divides by kind of document if kinds are named, else by document.

    Raises UsageError for a kind that no item has, and where nothing is left to train on.
    """
    known = {each.source for each in items}
    for option, names in (("--leave-out", options.leave_out), ("--hold-out-sources", options.hold_out_sources)):
        for name in names:
            if name not in known:
                kinds = ", ".join(map(repr, sorted(known)))
                raise UsageError(f"{option}: no passage has the source {name!r}; choose from {kinds}")
    used = [each for each in items if each.source not in options.leave_out]
    if options.hold_out_sources:
        kept = set(options.hold_out_sources)
        parts = Split([x for x in used if x.source not in kept], [x for x in used if x.source in kept])
    else:
        documents = sorted({each.document for each in used})
        random.Random(f"hold out {options.seed}").shuffle(documents)
        kept = set(documents[: max(round(options.hold_out_share * len(documents)), 1)])
        parts = Split([x for x in used if x.document not in kept], [x for x in used if x.document in kept])
    if not parts.training:
        raise UsageError("nothing left to train on; leave out or hold out less")
    return Split(_of_their_own(parts.training), _of_their_own(parts.held_out))


def _of_their_own(items: Sequence[TextItem]) -> list[TextItem]:
    """The items without claims that were lent by documents which are not among them."""
    documents = {each.document for each in items}
    return [
        replace(each, branches=tuple(x for x in each.branches if not x.lender or x.lender in documents))
        for each in items
    ]
