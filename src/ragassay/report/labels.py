"""What labels, ratings and conditions on a data set came to: the figures of ``ragassay label``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.records import LABELS, UNLABELLED
from ragassay.report.baselines import KnowledgeFigures, blocks_of_knowledge
from ragassay.report.blocks import Block, Column, Headline, Table, Text, Value, typed
from ragassay.report.costs import JudgingCost
from ragassay.report.safe_text import excerpt
from ragassay.report.synthesis import matrix_table
from ragassay.report.wording import estimate_words, noun

ALL = "all"
"""The row of a profile that all examples count in."""
REASONS_SHOWN, REASON_CHARS = 8, 160
_DONE = {"labels": "labelled", "critiques": "rated", "knowledge": "tried without context"}
_CONTEXT_WORDS = {
    "context": "their own context",
    "documents": "the documents they name",
    "references": "their references alone",
}
RATINGS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class CritiqueProfile:
    """Ratings of one critique over the examples of one label, or over all.

    estimate: mean rating in [1, 5]; its total counts the examples that the critique applies to. histogram: how many
    examples got 1, 2, 3, 4, 5.
    """

    critique: str
    label: str
    estimate: Estimate
    histogram: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Which examples meet conditions.

    before, kept: label to count. reasons: why examples were dropped, to how many; one may have several. only_reason:
    the same for those that have no other.
    """

    before: Mapping[str, int]
    kept: Mapping[str, int]
    reasons: Mapping[str, int]
    only_reason: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSummary:
    """parts: what was asked of every example: labels, critiques, knowledge.

    judged: examples with all that was asked of them, of ``examples``. errors: reason to count of the others.
    contexts: what was judged to count: the example's context, its documents or its references.
    matrix: requested label, or "unlabelled", to verified label to count; agreement: share of the requested labels that
    were verified. profile: of all ratings. knowledge: of the set and its parts. kept: None without conditions.
    stopped_by: the limit that ended the calls, or empty.
    """

    version: str
    parts: tuple[str, ...]
    data: str
    out: str
    model: str
    settings: Mapping[str, str]
    examples: int
    judged: int
    errors: Mapping[str, int]
    contexts: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    agreement: Estimate | None
    profile: tuple[CritiqueProfile, ...]
    notes: Mapping[str, int]
    stopped_by: str = ""
    knowledge: tuple[KnowledgeFigures, ...] = ()
    kept: Kept | None = None

    @property
    def coverage(self) -> float:
        """Share of the examples with all that was asked of them, in [0, 1]."""
        return self.judged / self.examples


def blocks_of_labels(summary: JudgedSummary, cost: JudgingCost) -> Iterator[Block]:
    """Yield coverage, labels requested by verified, ratings, what a model knows, what was kept; errors and cost."""
    lead = []
    if summary.parts:
        done = " and ".join(_DONE[part] for part in summary.parts)
        examples = f"{summary.judged:,} of {summary.examples:,} {noun(summary.examples, 'example')}"
        lead.append(f"{examples} {done} ({100 * summary.coverage:.1f} %)")
    if summary.contexts:
        parts = ", ".join(f"{number:,} on {_CONTEXT_WORDS[name]}" for name, number in summary.contexts.items())
        lead.append(f"Judged by {summary.model}: {parts}")
    yield Headline(f"{summary.data} -> {summary.out}", lead)
    if "labels" in summary.parts:
        yield matrix_table(summary.matrix, "Labels")
        same = "The verified label is the requested one: share "
        known = summary.agreement is not None and summary.agreement.value is not None
        yield Text(same + estimate_words(summary.agreement) if known else "No label was requested.")
    if "critiques" in summary.parts:
        yield from _profile(summary.profile)
    if summary.knowledge:
        yield from blocks_of_knowledge(summary.knowledge)
    if summary.kept is not None:
        yield from _kept(summary.kept)
    yield reasons_table("Examples without", "examples", summary.errors)
    yield reasons_table("What was changed or left out", "records", summary.notes)
    if summary.parts:
        yield Text(cost.words)


def _profile(profile: Sequence[CritiqueProfile]) -> Iterator[Block]:
    """Over all examples, then for each label."""
    for label in dict.fromkeys(each.label for each in profile):
        title = "Critiques, 1 to 5" if label == ALL else f"Critiques of {label} pairs"
        rows: list[Sequence[Value]] = [
            (each.critique.replace("_", " "), each.estimate, f"{each.estimate.n:,} of {each.estimate.total:,}",
             *each.histogram)
            for each in profile
            if each.label == label
        ]  # fmt: skip
        yield Table(title, ["critique", Column("mean", "two"), "n", *(Column(str(n), "count") for n in RATINGS)], rows)


def reasons_table(title: str, counted: str, counts: Mapping[str, int], most: int = REASONS_SHOWN) -> Table:
    """Return reasons with their numbers, as they come; those after ``most`` are one row."""
    rows: list[Sequence[Value]] = [(excerpt(reason, REASON_CHARS), number) for reason, number in counts.items()]
    if len(rows) > most:
        left = list(counts.values())[most:]
        rows = [*rows[:most], (f"{len(left)} other {noun(len(left), 'reason')}", sum(left))]
    return Table(title, ["", Column(counted, "count")], rows)


def _kept(kept: Kept) -> Iterator[Block]:
    """What is left of each label, and why the rest is not."""
    total = sum(kept.before.values())
    yield Headline(f"{sum(kept.kept.values()):,} of {total:,} {noun(total, 'example')} kept")
    rows: list[Sequence[Value]] = [
        (label, before, kept.kept.get(label, 0), before - kept.kept.get(label, 0))
        for label in (*LABELS, UNLABELLED)
        if (before := kept.before.get(label, 0))
    ]
    yield Table("By label", ["label", *typed("count", "examples", "kept", "dropped")], rows)
    rows = [(reason, number, kept.only_reason.get(reason, 0)) for reason, number in kept.reasons.items()]
    heads = ["reason", Column("examples", "count"), Column("no other reason", "count")]
    yield Table("Why; an example may have several reasons", heads, rows)


def labels_object(summary: JudgedSummary, cost: JudgingCost) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {
        **asdict(summary),
        "coverage": summary.coverage,
        "cost": {**asdict(cost), "cost_usd": None if cost.unpriced else cost.cost_usd},
    }
