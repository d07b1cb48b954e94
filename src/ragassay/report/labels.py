"""What labels and critiques of a data set came to: the figures of ``ragassay label`` and ``ragassay critique``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.records import LABELS, UNLABELLED, left_out_if_empty
from ragassay.report.baselines import KnowledgeFigures, blocks_of_knowledge
from ragassay.report.blocks import Block, Column, Headline, Table, Text, Value
from ragassay.report.costs import JudgingCost
from ragassay.report.safe_text import excerpt
from ragassay.report.synthesis import matrix_table
from ragassay.report.wording import noun

ALL = "all"
"""The row of a profile that all examples count in."""
REASONS_SHOWN, REASON_CHARS = 8, 160
_CONTEXT_WORDS = {
    "context": "their own context",
    "documents": "the documents they name",
    "surroundings": "what stands around their references",
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
class JudgedSummary:
    """judged: examples with all that was asked of them, of ``examples``. errors: reason to count of the others.

    contexts: what was judged to count: the example's context, its documents or its references.
    matrix: requested label, or "unlabelled", to verified label to count; agreement: share of the requested labels that
    were verified. Both empty in a critique, as ``profile`` is in a labelling.
    stopped_by: the limit that ended the calls, or empty. knowledge: of ``ragassay knowledge``, a part of the set each.
    """

    version: str
    stage: str
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

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return left_out_if_empty(handler(source), "knowledge")

    @property
    def coverage(self) -> float:
        """Share of the examples with all that was asked of them, in [0, 1]."""
        return self.judged / self.examples


def blocks_of_labels(summary: JudgedSummary, cost: JudgingCost) -> Iterator[Block]:
    """Yield coverage, labels requested by verified or the profile of critiques, errors, cost."""
    done = {"label": "labelled", "critique": "rated", "knowledge": "answered and rated"}[summary.stage]
    examples = f"{summary.judged:,} of {summary.examples:,} {noun(summary.examples, 'example')}"
    lead = [f"{examples} {done} ({100 * summary.coverage:.1f} %)"]
    if summary.contexts:
        parts = ", ".join(f"{number:,} on {_CONTEXT_WORDS[name]}" for name, number in summary.contexts.items())
        lead.append(f"Judged by {summary.model}: {parts}")
    yield Headline(f"{summary.data} -> {summary.out}", lead)
    if summary.stage == "label":
        yield matrix_table(summary.matrix, "Labels")
        yield Text(_agreement_words(summary.agreement))
    elif summary.knowledge:
        yield from blocks_of_knowledge(summary.knowledge)
    else:
        yield from _profile(summary.profile)
    yield reasons_table("Examples without", "examples", summary.errors)
    yield reasons_table("What was changed or left out", "records", summary.notes)
    yield Text(cost.words)


def _agreement_words(agreement: Estimate | None) -> str:
    if agreement is None or agreement.value is None:
        return "These examples have no requested labels to compare with."
    low, high = 100 * (agreement.low or 0), 100 * (agreement.high or 0)
    return (
        f"The verified label is the requested one in {100 * agreement.value:.1f} % of {agreement.n:,} examples that "
        f"have both (95 % interval {low:.1f} % to {high:.1f} %)."
    )


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


def blocks_of_filtered(
    examples: Mapping[str, int],
    kept: Mapping[str, int],
    reasons: Mapping[str, int],
    only: Mapping[str, int],
    notes: Mapping[str, int],
) -> Iterator[Block]:
    """Yield what is left of each label, and why the rest is not.

    reasons: to how many examples have it; only: to how many have no other.
    """
    total = sum(examples.values())
    yield Headline(f"{sum(kept.values()):,} of {total:,} {noun(total, 'example')} kept")
    rows: list[Sequence[Value]] = [
        (label, examples[label], kept.get(label, 0), examples[label] - kept.get(label, 0))
        for label in (*LABELS, UNLABELLED)
        if examples.get(label)
    ]
    yield Table("By label", ["label", *(Column(name, "count") for name in ("examples", "kept", "dropped"))], rows)
    rows = [(reason, number, only.get(reason, 0)) for reason, number in reasons.items()]
    heads = ["reason", Column("examples", "count"), Column("no other reason", "count")]
    yield Table("Why; an example may have several reasons", heads, rows)
    yield reasons_table("What was changed or left out", "records", notes)


def labels_object(summary: JudgedSummary, cost: JudgingCost, verdicts: str) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {
        **asdict(summary),
        "coverage": summary.coverage,
        "cost": {**asdict(cost), "cost_usd": None if cost.unpriced else cost.cost_usd},
        "verdicts": verdicts,
    }
