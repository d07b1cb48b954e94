"""Data sets: what labels, ratings and conditions came to (``label``), the data card and findings (``convert``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.datasets.card import DataCard
from ragassay.datasets.validation import KINDS, WARNINGS, Findings, shown
from ragassay.evaluation.estimate import Estimate
from ragassay.records import LABELS, UNLABELLED
from ragassay.report.blocks import Block, Column, Headline, Table, Text, Value, terms, typed
from ragassay.report.costs import JudgingCost, stopped_block
from ragassay.report.safe_text import excerpt
from ragassay.report.synthesis import KnowledgeFigures, blocks_of_knowledge, matrix_table
from ragassay.report.wording import count, estimate_words, portion

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
        examples = portion(summary.judged, summary.examples, "example")
        lead.append(f"{examples} {done} ({100 * summary.coverage:.1f} %)")
    if summary.contexts:
        parts = ", ".join(f"{count(number)} on {_CONTEXT_WORDS[name]}" for name, number in summary.contexts.items())
        lead.append(f"Judged by {summary.model}: {parts}")
    yield Headline(f"{summary.data} -> {summary.out}", lead)
    yield from stopped_block(summary.stopped_by)
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
            (each.critique.replace("_", " "), each.estimate, portion(each.estimate.n, each.estimate.total),
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
        rows = [*rows[:most], (f"{len(left)} more", sum(left))]
    return Table(title, ["", Column(counted, "count")], rows)


def _kept(kept: Kept) -> Iterator[Block]:
    """What is left of each label, and why the rest is not."""
    total = sum(kept.before.values())
    yield Headline(f"{portion(sum(kept.kept.values()), total, 'example')} kept")
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


ROWS = 12
"""Rows of a table of counts; the rest are added up."""
MOST_NOTES = 40
FINDING_CHARS = 200


def blocks_of_card(card: DataCard) -> Iterator[Block]:
    """Yield counts, composition, lengths, coverage and repeats."""
    counted = [
        count(number, one)
        for number, one in ((card.examples, "example"), (card.documents, "document"), (card.predictions, "prediction"))
        if number or one == "example"
    ]
    yield Headline(", ".join(counted))
    for title, counts in (
        ("Labels", card.labels),
        ("Difficulty: whether a search by words finds the document", card.difficulties),
        ("Question types", card.question_types),
        ("Languages", card.languages),
        ("Question words", card.question_words),
        ("Made by", card.synthesizers),
        ("Predictions by system", card.systems),
    ):
        if counts and set(counts) != {"none"}:
            yield reasons_table(title, "predictions" if counts is card.systems else "examples", counts, ROWS)
    lengths: list[Sequence[Value]] = [
        (name, each.count, each.least, each.median, round(each.mean, 1), each.p95, each.most)
        for name, each in card.lengths.items()
    ]
    heads = [Column(name, "general") for name in ("counted", "least", "median", "mean", "95 %", "most")]
    yield Table("Lengths", ["", *heads], lengths)
    yield terms("Coverage", dict(_counted(card)))


def blocks_of_findings(findings: Findings, most: int) -> Iterator[Block]:
    """Yield a line for each of at most ``most`` findings, how many there are of each kind, and the verdict."""
    lines = []
    for each in shown(findings, most):
        level = "warning" if each.kind in WARNINGS else "error"
        said = f"{each.record}: {each.message}" if each.record else each.message
        lines.append(f"{level}: {each.kind}: {excerpt(said, FINDING_CHARS)}")
    if (left := sum(findings.counts.values()) - min(most, len(findings.kept))) > 0:
        lines.append(f"and {count(left)} more; --json lists them")
    yield Text(lines, title="Findings" if lines else "")
    numbers = [count(n, one) for n, one in ((findings.errors, "error"), (findings.warnings, "warning")) if n]
    by_kind = ", ".join(f"{kind} {count(findings.counts[kind])}" for kind in KINDS if findings.counts[kind])
    yield Text(f"{', '.join(numbers)}: {by_kind}" if numbers else "Nothing is wrong with it.", "strong")


def blocks_of_conversion(counts: Mapping[str, int], notes: Mapping[str, int], output: str) -> Iterator[Block]:
    """Yield what was read, where it went, and what did not go with it."""
    ordered = sorted(counts.items(), key=lambda pair: pair[0] != "example")
    yield Headline(f"{', '.join(count(number, name) for name, number in ordered)} -> {output}")
    rows = dict(sorted(notes.items(), key=lambda pair: (-pair[1], pair[0])))
    yield reasons_table("What was changed or left out", "records", rows, MOST_NOTES)


def card_object(card: DataCard, findings: Findings, format_name: str, most: int) -> dict[str, Any]:
    """Return what ``--json`` prints: the card, findings by kind, and at most ``most`` of them."""
    return {
        "format": format_name,
        "card": asdict(card),
        "errors": findings.errors,
        "warnings": findings.warnings,
        "by_kind": {kind: findings.counts[kind] for kind in KINDS if findings.counts[kind]},
        "findings": [
            {"level": "warning" if each.kind in WARNINGS else "error", **each._asdict()}
            for each in shown(findings, most)
        ],
    }


def _counted(card: DataCard) -> Iterator[tuple[str, str]]:
    """Labels that match, coverage, repeats, what needs no context."""
    if card.both:
        yield "Verified labels that are the requested ones", portion(card.agreeing, card.both)
    elif not card.verified:
        yield "Verified labels", "none"
    asked = card.documents_used if card.documents else card.documents_of_examples
    if asked or card.documents:
        known = f" of {count(card.documents)} ({100 * asked / card.documents:.1f} %)" if card.documents else ""
        most = f"; the most asked one by {count(card.most_per_document, 'example')}"
        missing = "" if card.documents else "; they are not here, so no reference was looked up"
        yield "Documents asked about", f"{count(asked)}{known}{most}{missing}"
    repeats = f"{count(card.repeats)} in the same words, {count(card.near_repeats)} in nearly the same"
    yield "Questions asked before", repeats
    known_of = portion(card.known_without_context, card.measured_without_context, "example")
    yield "Answered without any context", known_of if card.measured_without_context else "not measured"
