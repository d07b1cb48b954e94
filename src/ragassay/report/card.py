"""The data card and the findings of a check, and what a conversion left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ragassay.datasets.card import DataCard
from ragassay.datasets.validation import KINDS, WARNINGS, Findings, shown
from ragassay.report.blocks import Block, Column, Headline, Table, Text, Value, terms
from ragassay.report.labels import reasons_table
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count

ROWS = 12
"""Rows of a table of counts; the rest are added up."""
MOST_NOTES = 40
NAME_CHARS, FINDING_CHARS = 40, 200


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
            yield _counts(title, counts, "predictions" if counts is card.systems else "examples")
    lengths: list[Sequence[Value]] = [
        (name, each.count, each.least, each.median, round(each.mean, 1), each.p95, each.most)
        for name, each in card.lengths.items()
    ]
    heads = [Column(name, "general") for name in ("counted", "least", "median", "mean", "95 %", "most")]
    yield Table("Lengths", ["", *heads], lengths)
    yield terms("Coverage", dict(_counted(card)))


def _counts(title: str, counts: Mapping[str, int], counted: str) -> Table:
    total, rows = sum(counts.values()), list(counts.items())
    if len(rows) > ROWS:
        rows = [*rows[: ROWS - 1], (f"{len(rows) - ROWS + 1} others", sum(number for _, number in rows[ROWS - 1 :]))]
    cells: list[Sequence[Value]] = [
        (excerpt(name, NAME_CHARS), number, f"{100 * number / total:.1f} %") for name, number in rows
    ]
    return Table(title, ["", Column(counted, "count"), "share"], cells)


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
        yield "Verified labels that are the requested ones", f"{count(card.agreeing)} of {count(card.both)}"
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
    known_of = f"{count(card.known_without_context)} of {count(card.measured_without_context, 'example')}"
    yield "Answered without any context", known_of if card.measured_without_context else "not measured"
