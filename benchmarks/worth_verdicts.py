"""Joins readers' verdicts to the pairs of a pile, and says how many are usable, right and taken, with intervals."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from worth_sheets import COUNTS_FILE, Counts, read_lines

from ragassay.records import LABELS

FAULTS = (
    "ungrammatical",
    "unnatural",
    "not self-contained",
    "not worth asking",
    "wrong answer",
    "incomplete answer",
    "answered by the text",
    "wrong label",
    "leaks",
    "other",
)
"""Why a pair is refused. "answered by the text": an unanswerable pair; "leaks": the question gives its answer away."""
QUALITIES = {"usable": 0.9, "right": 0.95, "accept": 0.5}
"""What a reader says of a pair, with the share wanted of a set."""
VERDICTS_FILE = "verdicts.jsonl"
Z = 1.96  # two-sided, 95 %


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A pair and what the reader says: all that is kept of it. accept: taken as it stands. people: who wrote it."""

    id: str
    kind: str
    label: str
    usable: bool
    right: bool
    accept: bool
    fault: str = ""
    people: bool = False


class Interval(NamedTuple):
    low: float
    high: float


def wilson(accepted: int, read: int) -> Interval:
    """The 95 % interval of a share (Wilson 1927); [0, 1] where nothing was read.

    Raises ValueError unless 0 <= accepted <= read.
    """
    if not 0 <= accepted <= read:
        raise ValueError(f"{accepted} accepted of {read} read")
    if not read:
        return Interval(0.0, 1.0)
    share, square = accepted / read, Z * Z / read
    middle = share + square / 2
    half = Z * math.sqrt(share * (1 - share) / read + square / (4 * read))
    return Interval(max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square)))


def join(rows: Iterable[Mapping[str, Any]], verdicts: Iterable[Mapping[str, Any]]) -> list[Judged]:
    """The pairs that have a verdict, in the order of the pile; a verdict's id is the number of a page.

    Raises ValueError for a verdict on no page, a second one on the same, one that is not true or false or contradicts
    itself (taken and not usable, usable and not right), and a refusal without one of FAULTS or an acceptance with one.
    """
    by_number: dict[str, Mapping[str, Any]] = {}
    for verdict in verdicts:
        number = verdict.get("id")
        if not isinstance(number, str):
            raise ValueError(f"a verdict has no id: {json.dumps(verdict)[:100]}")
        if number in by_number:
            raise ValueError(f"{number} has two verdicts; keep one")
        _check(number, verdict)
        by_number[number] = verdict
    joined = []
    for row in rows:
        if (said := by_number.pop(row["number"], None)) is not None:
            of_row = {name: row[name] for name in ("id", "kind", "label", "people")}
            joined.append(Judged(**of_row, **{name: said[name] for name in QUALITIES}, fault=said.get("fault") or ""))
    if by_number:
        raise ValueError(f"{min(by_number)} is no page of the pile ({len(by_number)} such verdicts); was it made anew?")
    return joined


def _check(number: str, verdict: Mapping[str, Any]) -> None:
    for name in QUALITIES:
        if not isinstance(verdict.get(name), bool):
            raise ValueError(f"the verdict on {number} must say {name} true or false, not {verdict.get(name)!r}")
    fault = verdict.get("fault") or ""
    if verdict["accept"] > verdict["usable"] or verdict["usable"] > verdict["right"]:
        raise ValueError(f"{number}: what is taken is usable, and what is usable is right; decide for one")
    if verdict["accept"] and fault:
        raise ValueError(f"{number} is accepted with the fault {fault!r}; decide for one")
    if not verdict["accept"] and fault not in FAULTS:
        raise ValueError(f"{number} is refused for {fault!r}; choose one of {', '.join(FAULTS)}")


def keep(folder: Path, judged: Sequence[Judged], counts_file: Path) -> None:
    """Writes what the figures can be worked out from again, without a word of the texts."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(asdict(each)) for each in sorted(judged, key=lambda each: each.id))
    (folder / VERDICTS_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / COUNTS_FILE).write_bytes(counts_file.read_bytes())


def kept(folder: Path) -> list[Judged]:
    """The verdicts that ``keep`` wrote."""
    return [Judged(**record) for record in read_lines(folder / VERDICTS_FILE)]


def write_read(path: Path, judged: Sequence[Judged]) -> None:
    """Writes the counts that reports of the embedded model's questions show."""
    ours = [each for each in judged if not each.people]
    counts = {"read": len(ours), "kinds": len({each.kind for each in ours})}
    counts |= {name: sum(getattr(each, name) for each in ours) for name in QUALITIES}
    path.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")


def reading_table(judged: Sequence[Judged], counts: Mapping[str, Counts]) -> str:
    """Markdown: by kind, by label, in all and of people's pairs, how many are usable, right and taken."""
    ours = [each for each in judged if not each.people]
    kinds, labels = (
        sorted({each.kind for each in ours}),
        [each for each in LABELS if any(x.label == each for x in ours)],
    )
    groups = [(kind, _delivered([counts[kind]] if kind in counts else []), "kind", kind) for kind in kinds]
    groups += [(label, "", "label", label) for label in labels]
    lines = [f"| documents, labels | delivered | read | {' | '.join(QUALITIES)} |", f"| --- |{' --- |' * 5}"]
    for shown, delivered, field, name in groups:
        lines.append(_row(shown, delivered, [each for each in ours if getattr(each, field) == name]))
    lines.append(_row("**all**", _delivered([counts[kind] for kind in kinds if kind in counts]), ours))
    if len(ours) < len(judged):
        lines.append(_row("people's", "", [each for each in judged if each.people]))
    return "\n".join(lines)


def _row(shown: str, delivered: str, judged: Sequence[Judged]) -> str:
    cells = []
    for name in QUALITIES:
        found = sum(getattr(each, name) for each in judged)
        low, high = wilson(found, len(judged))
        cells.append(f"{found}, {found / len(judged):.0%} ({low:.0%} to {high:.0%})")
    return f"| {shown} | {delivered} | {len(judged)} | {' | '.join(cells)} |"


def _delivered(counts: Sequence[Counts]) -> str:
    if not counts:
        return "?"
    delivered, asked = (sum(sum(getattr(each, name).values()) for each in counts) for name in ("delivered", "asked"))
    return f"{delivered} of {asked}"


def shares(judged: Sequence[Judged], counts: Mapping[str, Counts]) -> list[str]:
    """A line for each quality: its share of what was delivered, against the share that is wanted.

    Every kind and label counts as often as it was delivered, not as it was read.
    Raises ValueError where nothing that was delivered has been read: that is no praise.
    """
    cells: dict[tuple[str, str], list[Judged]] = {}
    for each in judged:
        if not each.people and each.kind in counts:
            cells.setdefault((each.kind, each.label), []).append(each)
    weights = {(kind, label): counts[kind].delivered.get(label, 0) for kind, label in cells}
    if not sum(weights.values()):
        raise ValueError("there is no verdict on any pair that was delivered")
    lines = []
    for name, wanted in QUALITIES.items():
        means = {cell: sum(getattr(each, name) for each in of_cell) / len(of_cell) for cell, of_cell in cells.items()}
        share = sum(weights[cell] * means[cell] for cell in cells) / sum(weights.values())
        verdict = "" if share >= wanted else ": missed"
        lines.append(f"{name}, weighted by what was delivered: {share:.0%}, wanted {wanted:.0%}{verdict}")
    return lines


def fault_table(judged: Iterable[Judged]) -> str:
    """Markdown: how often each fault was named, by label."""
    found = Counter((each.fault, each.label) for each in judged if not each.accept and not each.people)
    lines = [f"| fault | {' | '.join(LABELS)} | all |", f"| --- |{' --- |' * (len(LABELS) + 1)}"]
    for fault in FAULTS:
        row = [found[fault, label] for label in LABELS]
        lines.append(f"| {fault} | {' | '.join(map(str, row))} | {sum(row)} |")
    return "\n".join(lines)
