"""What is asked of synthesis: how many examples, in which mix, and what a pair must be worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ragassay.errors import UsageError
from ragassay.models.embedded.reading.question_types import expected_types
from ragassay.options import one_text
from ragassay.records import LABELS, Label

DEFAULT_MIX: Mapping[Label, float] = {"fact_single": 0.4, "summary": 0.2, "reasoning": 0.2, "unanswerable": 0.2}

ANY = "any label"
"""What examples count under where no mix of labels was asked for."""

BalanceBy = Literal["both", "verified", "requested"]
"""By which label examples are counted: the one that was asked for and given, a pair of which the two differ being
dropped; the one that the labeller gave; or the one that was asked for, whatever the labeller says."""

MAX_CONTEXT_CHARS = 10_000
"""Longest context that is asked about (Know Your RAG, generation)."""

PAIRS = 3
"""Pairs that the synthesizer ``per_chunk`` asks of a chunk unless told otherwise."""

_PAGE_CHARS = 8000
"""A long document is many short ones bound together: each two or three printed pages may give one example more."""

DEFAULT_THRESHOLDS: Mapping[str, int] = {
    "question_groundedness": 3,
    "answer_groundedness": 3,
    "stand_alone": 3,
    "tautology": 2,
}
"""Lowest rating that a pair may have, by critique (Know Your RAG, critiques, leaves them to the user)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPlan:
    """What to make, and what a pair must be worth.

    mix: label to share; empty where any label will do. balance_by: which label counts.
    per_document: examples of one label that a document gives before others have had their turn; more from long ones.
    most_per_document: of all labels together, never exceeded.
    context_chars: longest passage that is a context; longer ones are split, never cut inside.
    whole_documents: documents are contexts, whatever their length; those above max_context_chars are left out.
    oversupply: candidates looked for, as a multiple of the examples asked for, so that the best spread can be chosen.
    pairs: that a context is asked for at once, where the synthesizer lets one choose. theme: questions name what their
    document is about, so that they can be asked of a whole corpus; without it they are asked of one document.
    kinds: kind of question (``expected_types``) to its share, as a preference; empty where any will do.
    """

    n: int = 100
    mix: Mapping[Label, float] = field(default_factory=lambda: dict(DEFAULT_MIX))
    seed: int = 0
    balance_by: BalanceBy = "both"
    per_document: int = 2
    most_per_document: int | None = None
    context_chars: int = 4000
    whole_documents: bool = False
    max_context_chars: int = MAX_CONTEXT_CHARS
    oversupply: float = 1.2
    pairs: int = 1
    theme: bool = True
    kinds: Mapping[str, float] = field(default_factory=dict)
    thresholds: Mapping[str, int] = field(default_factory=lambda: dict(DEFAULT_THRESHOLDS))

    @property
    def too_long(self) -> str:
        """Why a context above the limit is left out, as reports say it."""
        return f"context longer than {self.max_context_chars:,} characters (--max-context-chars)"

    def counts_under(self, label: Label | None) -> str:
        """Which of the counts of ``counts_of`` an example with this label fills; None: the label is not known yet."""
        return label if self.mix and label else ANY

    def allowance(self, characters: int) -> int:
        """Examples of one label that a document so long gives while others can: one more for each further page."""
        return self.per_document + characters // _PAGE_CHARS

    def has_enough(self, question: str, used: Mapping[str, int], n: int) -> bool:
        """Whether a set of n has its share of questions of this kind. used: kind to number so far."""
        kind = expected_types(question)[0] if self.kinds else ""
        return bool(self.kinds) and used.get(kind, 0) >= round(self.kinds.get(kind, 0.0) * n)

    def has_room(self, used: int) -> bool:
        """Whether a document that has given so many examples may give another."""
        return self.most_per_document is None or used < self.most_per_document


USUAL = SetPlan()
"""What is made where nothing else is asked for; the options of commands take their defaults from it."""


def read_mix(given: Any) -> dict[Label, float]:
    """Read ``fact_single=.4,summary=.2,...``, or a mapping, as shares that add up to 1. Raises UsageError."""
    given = one_text(given)
    if isinstance(given, Mapping):
        given = ",".join(f"{label}={share}" for label, share in given.items())
    shares = parse_shares("--mix", given, LABELS, "label")
    return {label: shares[label] for label in LABELS if label in shares}


def parse_shares(option: str, text: str, names: Sequence[str], noun: str) -> dict[str, float]:
    """'name=.4,other=.6' to shares that add up to 1. Raises UsageError that says what is wrong with the option.

    names: those that there are; noun: what they are.
    """
    shares: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        given, equals, share_text = part.partition("=")
        name = given.strip()
        if not equals:
            raise UsageError(
                f"{option}: must be {noun.upper()}=SHARE, not {part!r}; the {noun}s are {', '.join(names)}"
            )
        if name not in names:
            raise UsageError(f"{option}: unknown {noun} {name!r}; choose from {', '.join(names)}")
        try:
            share = float(share_text)
        except ValueError:
            raise UsageError(f"{option}: the share of {name} must be a number, not {share_text!r}") from None
        if name in shares:
            raise UsageError(f"{option}: {name} is given twice")
        if not 0 <= share <= 1:
            raise UsageError(f"{option}: the share of {name} must be between 0 and 1, not {share_text}")
        shares[name] = share
    total = sum(shares.values())
    if not math.isclose(total, 1, abs_tol=1e-6):
        raise UsageError(f"{option}: shares must add up to 1, not {total:g}")
    return shares


def counts_of(n: int, mix: Mapping[Label, float]) -> dict[str, int]:
    """How many examples of each label; all under ``ANY`` where the mix is empty."""
    return whole_numbers(n, {label: mix.get(label, 0.0) for label in LABELS}) if mix else {ANY: n}


def whole_numbers(n: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers that add up to n and come as near to the shares as can be (largest remainder)."""
    names = list(shares)
    exact = {name: n * share for name, share in shares.items()}
    counts = {name: math.floor(share + 1e-9) for name, share in exact.items()}
    by_remainder = sorted(names, key=lambda name: (counts[name] - exact[name], names.index(name)))
    for name in by_remainder[: n - sum(counts.values())]:
        counts[name] += 1
    return counts
