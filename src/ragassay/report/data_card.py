"""The data card and the findings of a check for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console

from ragassay.datasets.card import DataCard
from ragassay.datasets.validation import KINDS, WARNINGS, Findings, shown
from ragassay.report.console import print_line, print_table
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import noun

ROWS = 12
"""Rows of a table of counts; the rest are added up."""
MOST_NOTES = 40
NAME_CHARS, FINDING_CHARS = 40, 200


def print_card(card: DataCard, console: Console) -> None:
    """Counts, composition, lengths, coverage and repeats."""
    print_line(console, _counted(card), "bold")
    console.print()
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
            _counts(console, title, counts, "predictions" if counts is card.systems else "examples")
    _lengths(console, card)
    for line in _sentences(card):
        print_line(console, line)
    console.print()


def print_findings(findings: Findings, most: int, console: Console) -> None:
    """One line for each of at most ``most`` findings, how many there are of each kind, and the verdict."""
    if findings.counts:
        print_line(console, "Findings", "bold")
    for each in shown(findings, most):
        level = "warning" if each.kind in WARNINGS else "error"
        said = f"{each.record}: {each.message}" if each.record else each.message
        print_line(console, f"{level}: {each.kind}: {excerpt(said, FINDING_CHARS)}")
    left = sum(findings.counts.values()) - min(most, len(findings.kept))
    if left > 0:
        print_line(console, f"and {_whole(left)} more; --show N prints more of them")
    if findings.counts:
        console.print()
        by_kind = ", ".join(f"{kind} {_whole(findings.counts[kind])}" for kind in KINDS if findings.counts[kind])
        print_line(console, f"{_errors(findings)}: {by_kind}", "bold")
    else:
        print_line(console, "Nothing is wrong with it.", "bold")


def print_conversion(counts: Mapping[str, int], notes: Mapping[str, int], output: str, console: Console) -> None:
    """What was read, where it went, and what did not go with it."""
    read = ", ".join(
        f"{_whole(count)} {name}{'s' if count > 1 else ''}"
        for name, count in sorted(counts.items(), key=lambda pair: pair[0] != "example")
    )
    print_line(console, f"{read} -> {output}", "bold")
    if notes:
        rows = sorted(notes.items(), key=lambda pair: (-pair[1], pair[0]))
        shown_rows = [(name, _whole(count)) for name, count in rows[:MOST_NOTES]]
        print_table(console, "What was changed or left out", ["", "records"], shown_rows)
        if len(rows) > MOST_NOTES:
            print_line(console, f"and {_whole(len(rows) - MOST_NOTES)} more kinds")


def to_json_object(card: DataCard, findings: Findings, format_name: str, most: int) -> dict[str, Any]:
    """What ``--json`` prints: the card, how many findings of each kind there are, and at most ``most`` of them."""
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


def _counted(card: DataCard) -> str:
    parts = [f"{_whole(card.examples)} {noun(card.examples, 'example')}"]
    if card.documents:
        parts.append(f"{_whole(card.documents)} {noun(card.documents, 'document')}")
    if card.predictions:
        parts.append(f"{_whole(card.predictions)} {noun(card.predictions, 'prediction')}")
    return ", ".join(parts)


def _counts(console: Console, title: str, counts: Mapping[str, int], counted: str) -> None:
    total = sum(counts.values())
    rows = list(counts.items())
    if len(rows) > ROWS:
        rest = sum(count for _, count in rows[ROWS - 1 :])
        rows = [*rows[: ROWS - 1], (f"{len(rows) - ROWS + 1} others", rest)]
    cells = [(excerpt(name, NAME_CHARS), _whole(count), f"{100 * count / total:.1f} %") for name, count in rows]
    print_table(console, title, ["", counted, "share"], cells)


def _lengths(console: Console, card: DataCard) -> None:
    if not card.lengths:
        return
    rows = [
        (
            name,
            _whole(each.count),
            _whole(each.least),
            f"{each.median:g}",
            f"{each.mean:.1f}",
            _whole(each.p95),
            _whole(each.most),
        )
        for name, each in card.lengths.items()
    ]
    print_table(console, "Lengths", ["", "counted", "least", "median", "mean", "95 %", "most"], rows)


def _sentences(card: DataCard) -> list[str]:
    """What is no table: labels that agree, coverage, repeats, what needs no context."""
    lines = []
    if card.both:
        lines.append(f"{_whole(card.agreeing)} of {_whole(card.both)} verified labels match the requested ones.")
    elif not card.verified:
        lines.append("No label was verified.")
    if card.documents:
        share = f"{100 * card.documents_used / card.documents:.1f} %"
        lines.append(
            f"{_whole(card.documents_used)} of {_whole(card.documents)} {noun(card.documents, 'document')} ({share}) "
            f"{noun(card.documents, 'is', 'are')} asked about, "
            f"the most asked one by {_whole(card.most_per_document)} {noun(card.most_per_document, 'example')}."
        )
    elif card.documents_of_examples:
        asked, most = card.documents_of_examples, card.most_per_document
        lines.append(
            f"{_whole(asked)} {noun(asked, 'document is', 'documents are')} asked about, the most asked one by "
            f"{_whole(most)} {noun(most, 'example')}; the documents are not here, so no reference was looked up."
        )
    lines.append(
        f"Questions asked before: {_whole(card.repeats)} in the same words, "
        f"{_whole(card.near_repeats)} in nearly the same."
    )
    if card.measured_without_context:
        lines.append(
            f"Answered without any context: {_whole(card.known_without_context)} of "
            f"{_whole(card.measured_without_context)} examples."
        )
    else:
        lines.append("Whether questions can be answered without any context was not measured.")
    return lines


def _errors(findings: Findings) -> str:
    parts = []
    for count, name in ((findings.errors, "error"), (findings.warnings, "warning")):
        if count:
            parts.append(f"{_whole(count)} {name}{'s' if count > 1 else ''}")
    return ", ".join(parts)


def _whole(number: int) -> str:
    return f"{number:,}".replace(",", " ")
