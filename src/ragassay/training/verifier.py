"""``ragassay train verifier``: an adapter that says whether a text supports a claim."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ragassay.errors import UsageError
from ragassay.models.small.wording import LABELS
from ragassay.training.base import Base
from ragassay.training.claims import read_claims
from ragassay.training.hold_out import Split
from ragassay.training.items import TextItem
from ragassay.training.job import Done, prepare, run
from ragassay.training.loop import Progress
from ragassay.training.options import TrainOptions
from ragassay.training.twins import with_twins
from ragassay.training.verifier_figures import verifier_figures


def train_verifier(
    claims: Sequence[Path],
    rule_made: Sequence[Path],
    out: Path,
    options: TrainOptions,
    *,
    command: str,
    show: Callable[[Progress], None],
) -> Done:
    """Trains on claims, on claims that rules make from texts, or on both. command: for the record."""
    prepare(out, options)
    if not claims and not rule_made:
        raise UsageError("nothing to train on; give CLAIMS, or texts with --rule-made")
    items: list[TextItem] = []
    digests: list[str] = []
    if claims:
        read = read_claims(claims)
        items += read.items
        digests.append(read.sha256)
    if rule_made:
        from ragassay.training.rule_made import read_texts

        made = read_texts(rule_made, options.seed)
        items += made.items
        digests.append(made.sha256)
    digest = digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()

    def measure(base: Base, made: Path, parts: Split) -> Mapping[str, str]:
        found = verifier_figures(base, parts.held_out, options.tokens_per_batch)
        return {
            "held-out claims": str(found.claims),
            "AUROC": "-" if found.auroc is None else f"{found.auroc:.3f}",
            "balanced accuracy": "-" if found.balanced_accuracy is None else f"{found.balanced_accuracy:.3f}",
            **{f"right, {kind}": f"{share:.1%} of {count}" for kind, (share, count) in found.by_type.items()},
        }

    def grow(items: Sequence[TextItem]) -> list[TextItem]:
        return with_twins(items, options.seed)

    return run(
        "verifier",
        items,
        digest,
        out,
        options,
        labels=LABELS,
        command=command,
        show=show,
        measure=measure,
        grow=grow,
    )
