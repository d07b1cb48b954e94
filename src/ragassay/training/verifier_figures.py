"""How good a verifier is on passages that were held out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from ragassay.agreement.discrimination import auroc
from ragassay.training.base import Base
from ragassay.training.claims import SUPPORTED
from ragassay.training.encoding import encode_items
from ragassay.training.items import TextItem
from ragassay.training.packing import batches


@dataclass(frozen=True, slots=True)
class VerifierFigures:
    """claims: scored. auroc, balanced_accuracy: of "supported" against the rest, at a probability of one half.

    by_type: share of claims judged rightly, with their number, by type; supported types and others may share a name.
    None where one of the two classes is empty.
    """

    claims: int
    auroc: float | None
    balanced_accuracy: float | None
    by_type: Mapping[str, tuple[float, int]]


def verifier_figures(base: Base, held_out: Sequence[TextItem], tokens_per_batch: int) -> VerifierFigures:
    """Scores every claim of the held-out passages."""
    found: list[tuple[str, bool, float]] = []
    for group in batches(encode_items(held_out, base.encode, base.end), tokens_per_batch):
        with torch.no_grad():
            losses = base.trainable.losses(group)
        if losses.scores is None:
            raise ValueError("the items have no labels")
        chances = torch.softmax(losses.scores.float(), -1)[:, SUPPORTED].tolist()
        labels = [branch.label == SUPPORTED for item in group for branch in item.branches]
        found += zip(losses.kinds, labels, chances, strict=True)
    return figures_of(found)


def figures_of(found: Sequence[tuple[str, bool, float]]) -> VerifierFigures:
    """found: type, whether it is supported, and the probability that it is, of each claim."""
    right: defaultdict[str, list[bool]] = defaultdict(list)
    classes: dict[bool, list[bool]] = {True: [], False: []}
    for kind, supported, chance in found:
        judged = (chance > 0.5) == supported
        right[f"{kind} ({'supported' if supported else 'not supported'})"].append(judged)
        classes[supported].append(judged)
    rates = [sum(each) / len(each) for each in classes.values() if each]
    return VerifierFigures(
        claims=len(found),
        auroc=auroc([chance for _, _, chance in found], [good for _, good, _ in found]).value,
        balanced_accuracy=sum(rates) / 2 if len(rates) == 2 else None,
        by_type={kind: (sum(each) / len(each), len(each)) for kind, each in sorted(right.items())},
    )
