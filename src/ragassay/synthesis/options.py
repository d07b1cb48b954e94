"""What is asked of synthesis: how many examples, in which mix, and what a pair must be worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ragassay.errors import UsageError
from ragassay.records import LABELS, Label

DEFAULT_MIX: Mapping[Label, float] = {"fact_single": 0.4, "summary": 0.2, "reasoning": 0.2, "unanswerable": 0.2}

ANY = "any label"
"""What examples count under where no mix of labels was asked for."""

MAX_CONTEXT_CHARS = 10_000
"""Longest context that is asked about (Know Your RAG, section 4)."""

_PAGE_CHARS = 8000
"""A long document is many short ones bound together: each two or three printed pages may give one example more."""

DEFAULT_THRESHOLDS: Mapping[str, int] = {
    "question_groundedness": 3,
    "answer_groundedness": 3,
    "stand_alone": 3,
    "tautology": 2,
}
"""Lowest rating that a pair may have, by critique (Know Your RAG, section 4.3, leaves them to the user)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisOptions:
    """What to make, and what a pair must be worth.

    mix: label to share; empty where any label will do. per_document: most examples of one label from one document.
    pattern_share: largest share of a label that one rule may write, while others can fill it.
    context_chars: longest passage that is a context; longer ones are split, never cut inside.
    whole_documents: documents are contexts, whatever their length; those above max_context_chars are left out.
    oversupply: candidates looked for, as a multiple of the examples asked for, so that the best spread can be chosen.
    batch: documents taken together: enough to be worked on side by side, few enough to stop soon once the set is full.
    first_contexts, first_miss_contexts: passages of a document that a first visit reads, drawn by chance: a manual's
    longest chapter has a hundred. first_tries: candidates drawn per label for the one example that it looks for.
    tries: candidates drawn for each example that a document may give, since gates drop some.
    economical: no more candidates are judged, and no more documents read at a time, than are still wanted.
    """

    n: int = 100
    mix: Mapping[Label, float] = field(default_factory=lambda: dict(DEFAULT_MIX))
    seed: int = 0
    per_document: int = 2
    pattern_share: float = 0.2
    context_chars: int = 4000
    whole_documents: bool = False
    max_context_chars: int = MAX_CONTEXT_CHARS
    oversupply: float = 1.5
    batch: int = 32
    first_contexts: int = 3
    first_miss_contexts: int = 4
    first_tries: int = 3
    tries: int = 3
    economical: bool = False
    thresholds: Mapping[str, int] = field(default_factory=lambda: dict(DEFAULT_THRESHOLDS))

    def sparing(self) -> SynthesisOptions:
        """The same where every question put to the model costs money: one passage and one try where that may do."""
        return replace(
            self,
            oversupply=1.2,
            batch=32,
            first_contexts=1,
            first_miss_contexts=1,
            first_tries=1,
            tries=1,
            economical=True,
        )

    @property
    def too_long(self) -> str:
        """Why a context above the limit is left out, as reports say it."""
        return f"context longer than {self.max_context_chars:,} characters (--max-context-chars)"

    def counts_under(self, label: Label | None) -> str:
        """Which of the counts of ``counts_of`` an example with this label fills; None: the label is not known yet."""
        return label if self.mix and label else ANY

    def allowance(self, characters: int) -> int:
        """Most examples of one label from a document so long: ``per_document``, and one more for each further page."""
        return self.per_document + characters // _PAGE_CHARS


def parse_mix(text: str) -> dict[Label, float]:
    """'fact_single=.4,summary=.2,...' to shares that add up to 1. Raises UsageError that says what is wrong."""
    mix: dict[Label, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, share_text = part.partition("=")
        label = next((label for label in LABELS if label == name.strip()), None)
        if label is None or not equals:
            raise UsageError(f"--mix: {part!r} is not label=share; labels are {', '.join(LABELS)}")
        try:
            share = float(share_text)
        except ValueError:
            raise UsageError(f"--mix: the share of {label}, {share_text!r}, is not a number") from None
        if label in mix:
            raise UsageError(f"--mix: {label} is given twice")
        if not 0 <= share <= 1:
            raise UsageError(f"--mix: the share of {label} is {share_text}; give a number from 0 to 1")
        mix[label] = share
    total = sum(mix.values())
    if not math.isclose(total, 1, abs_tol=1e-6):
        raise UsageError(f"--mix: the shares add up to {total:g}, not to 1; change them, or leave --mix out")
    return mix


def counts_of(n: int, mix: Mapping[Label, float]) -> dict[str, int]:
    """Whole numbers that add up to n and come as near to the shares as can be (largest remainder).

    By label; all under ``ANY`` where the mix is empty.
    """
    if not mix:
        return {ANY: n}
    exact = {label: n * mix.get(label, 0.0) for label in LABELS}
    counts: dict[str, int] = {label: math.floor(share + 1e-9) for label, share in exact.items()}
    by_remainder = sorted(LABELS, key=lambda label: (counts[label] - exact[label], LABELS.index(label)))
    for label in by_remainder[: n - sum(counts.values())]:
        counts[label] += 1
    return counts
