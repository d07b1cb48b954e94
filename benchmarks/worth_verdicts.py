"""Joins a reader's verdicts to the pairs that were drawn, and says how many were accepted, with intervals."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from worth_sheets import COUNTS_FILE, NO_WORD, YES_OR_NO, Counts, read_counts, read_lines

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
FEWEST_ACCEPTED, WANTED = 0.75, 0.85
"""Share that no label and no kind may fall below, and share wanted over all."""
MOST_TOP_WORDINGS, FEWEST_WORD_SHARE = 0.25, 0.05
"""Share that the three most frequent wordings stay under; share above which a question word counts as used."""
VERDICTS_FILE = "verdicts.jsonl"
Z = 1.96  # two-sided, 95 %


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A pair and what the reader says: all that is kept of it.

    few_words: refused, and worth keeping once a few words are changed.
    """

    id: str
    kind: str
    label: str
    accept: bool
    fault: str = ""
    few_words: bool = False


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
    """The pairs that have a verdict, in the order of the sheets.

    Raises ValueError for a verdict on no pair of the sheets, a second one on the same pair, an ``accept`` that is not
    true or false, and a refusal without one of FAULTS or an acceptance with one.
    """
    by_id: dict[str, Mapping[str, Any]] = {}
    for verdict in verdicts:
        name = verdict.get("id")
        if not isinstance(name, str):
            raise ValueError(f"a verdict has no id: {json.dumps(verdict)[:100]}")
        if name in by_id:
            raise ValueError(f"{name} has two verdicts; keep one")
        _check(name, verdict)
        by_id[name] = verdict
    joined = []
    for row in rows:
        if (of_row := by_id.pop(row["id"], None)) is not None:
            fault = of_row.get("fault") or ""
            joined.append(
                Judged(
                    id=row["id"],
                    kind=row["kind"],
                    label=row["label"],
                    accept=of_row["accept"],
                    fault=fault,
                    few_words=of_row.get("few_words", False),
                )
            )
    if by_id:
        raise ValueError(f"{min(by_id)} is in none of the sheets ({len(by_id)} such verdicts); were they drawn anew?")
    return joined


def _check(name: str, verdict: Mapping[str, Any]) -> None:
    accept, fault = verdict.get("accept"), verdict.get("fault") or ""
    if not isinstance(verdict.get("few_words", False), bool):
        raise ValueError(f"the verdict on {name} must say few_words true or false, not {verdict['few_words']!r}")
    if not isinstance(accept, bool):
        raise ValueError(f"the verdict on {name} must say accept true or false, not {accept!r}")
    if accept and fault:
        raise ValueError(f"{name} is accepted with the fault {fault!r}; decide for one")
    if not accept and fault not in FAULTS:
        raise ValueError(f"{name} is refused for {fault!r}; choose one of {', '.join(FAULTS)}")


def sheets_of(folder: Path) -> list[dict[str, Any]]:
    """All rows of a folder's sheets, in the order in which they were drawn. Raises ValueError where there is none."""
    paths = [folder / f"{kind}.jsonl" for kind in read_counts(folder)]
    rows = [row for path in paths if path.is_file() for row in read_lines(path)]
    if not rows:
        raise ValueError(f"{folder} has no pairs to judge; make a set with 'worth.py draw'")
    return rows


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
    counts = {
        "read": len(judged),
        "accepted": sum(each.accept for each in judged),
        "few_words": sum(each.few_words and not each.accept for each in judged),
        "kinds": len({each.kind for each in judged}),
    }
    path.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")


def accepted_of(judged: Iterable[Judged]) -> tuple[int, int]:
    """Accepted and read."""
    verdicts = [each.accept for each in judged]
    return sum(verdicts), len(verdicts)


def accepted_table(judged: Sequence[Judged], counts: Mapping[str, Counts]) -> str:
    """Markdown: accepted of read by kind and label, with the interval of every kind, every label and the total."""
    kinds = sorted({each.kind for each in judged})
    lines = [f"| documents | delivered | {' | '.join(LABELS)} | all | 95 % |", f"| --- |{' --- |' * (len(LABELS) + 3)}"]
    for kind in [*kinds, ""]:
        of_kind = [each for each in judged if kind in (each.kind, "")]
        cells = [_fraction(each for each in of_kind if each.label == label) for label in LABELS]
        delivered = _delivered([counts[name] for name in ([kind] if kind else kinds) if name in counts])
        lines.append(f"| {kind or '**all**'} | {delivered} | {' | '.join(cells)} | {_with_interval(of_kind)} |")
    by_label = (wilson(*accepted_of(each for each in judged if each.label == label)) for label in LABELS)
    lines.append(f"| 95 % | | {' | '.join(map(_shown, by_label))} | | |")
    return "\n".join(lines)


def _fraction(judged: Iterable[Judged]) -> str:
    accepted, read = accepted_of(judged)
    return f"{accepted} of {read}" if read else "-"


def _with_interval(judged: Sequence[Judged]) -> str:
    accepted, read = accepted_of(judged)
    share = f"{accepted} of {read}, {accepted / read:.0%}" if read else "-"
    return f"{share} | {_shown(wilson(accepted, read))}"


def _shown(interval: Interval) -> str:
    return f"{interval.low:.0%}-{interval.high:.0%}"


def _delivered(counts: Sequence[Counts]) -> str:
    if not counts:
        return "?"
    return (
        f"{sum(sum(each.delivered.values()) for each in counts)} of {sum(sum(each.asked.values()) for each in counts)}"
    )


def weighted_share(judged: Sequence[Judged], counts: Mapping[str, Counts]) -> float | None:
    """Accepted share of all that was delivered: every kind and label counts as often as it was delivered, not read.

    None where nothing that was delivered has been read; kinds and labels without a verdict are left out.
    """
    cells: dict[tuple[str, str], list[bool]] = {}
    for each in judged:
        cells.setdefault((each.kind, each.label), []).append(each.accept)
    weights = {cell: counts[cell[0]].delivered.get(cell[1], 0) for cell in cells if cell[0] in counts}
    total = sum(weights.values())
    if not total:
        return None
    return sum(weight * sum(cells[cell]) / len(cells[cell]) for cell, weight in weights.items()) / total


def too_low(judged: Sequence[Judged]) -> list[str]:
    """A line for every kind and label below FEWEST_ACCEPTED, and one for the total if it is below WANTED.

    Raises ValueError where nothing was read: that is no praise.
    """
    if not judged:
        raise ValueError("there is no verdict on any pair")
    groups = [("kind", kind, [each for each in judged if each.kind == kind]) for kind in _sorted(judged, "kind")]
    groups += [("label", label, [each for each in judged if each.label == label]) for label in _sorted(judged, "label")]
    lines = []
    for what, name, group in groups:
        accepted, read = accepted_of(group)
        if accepted < FEWEST_ACCEPTED * read:
            lines.append(f"under {FEWEST_ACCEPTED:.0%}: {what} {name}, {accepted} of {read}")
    accepted, read = accepted_of(judged)
    if accepted < WANTED * read:
        lines.append(f"under {WANTED:.0%}: all, {accepted} of {read}")
    return lines


def _sorted(judged: Iterable[Judged], field: str) -> list[str]:
    return sorted({getattr(each, field) for each in judged})


def fault_table(judged: Iterable[Judged]) -> str:
    """Markdown: how often each fault was named, by label."""
    found = Counter((each.fault, each.label) for each in judged if not each.accept)
    lines = [f"| fault | {' | '.join(LABELS)} | all |", f"| --- |{' --- |' * (len(LABELS) + 1)}"]
    for fault in FAULTS:
        row = [found[fault, label] for label in LABELS]
        lines.append(f"| {fault} | {' | '.join(map(str, row))} | {sum(row)} |")
    return "\n".join(lines)


def counts_table(counts: Mapping[str, Counts]) -> str:
    """Markdown: delivered of asked by kind and label, seconds, and questions that the documents ask themselves."""
    lines = [
        f"| documents | all | {' | '.join(LABELS)} | own questions | s |",
        f"| --- |{' --- |' * (len(LABELS) + 3)}",
    ]
    for kind, of_kind in sorted(counts.items()):
        if of_kind.error:
            lines.append(f"| {kind} | failed: {of_kind.error.splitlines()[-1][:80]} |{' |' * (len(LABELS) + 2)}")
            continue
        cells = [f"{of_kind.delivered.get(label, 0)} of {of_kind.asked.get(label, 0)}" for label in LABELS]
        row = [kind, _delivered([of_kind]), *cells, of_kind.own_questions, of_kind.seconds]
        lines.append(f"| {' | '.join(map(str, row))} |")
    return "\n".join(lines)


def shape_table(counts: Mapping[str, Counts]) -> str:
    """Markdown: share of the three most frequent wordings, and the question words above FEWEST_WORD_SHARE, by kind."""
    lines = [
        "| documents | questions | three wordings | question words above 5 % | |",
        "| --- | --- | --- | --- | --- |",
    ]
    for kind, of_kind in sorted(counts.items()):
        n = sum(of_kind.question_words.values())
        if not n:
            lines.append(f"| {kind} | 0 | - | - | |")
            continue
        share = sum(of_kind.top_wordings) / n
        used = {word: count / n for word, count in of_kind.question_words.items() if count > FEWEST_WORD_SHARE * n}
        words = ", ".join(f"{word} {of_word:.0%}" for word, of_word in used.items())
        amiss = [f"wordings not under {MOST_TOP_WORDINGS:.0%}"] if share >= MOST_TOP_WORDINGS else []
        distinct = len(set(used) - {YES_OR_NO, NO_WORD})
        amiss += [f"{distinct} question words"] if distinct < 6 else []
        lines.append(f"| {kind} | {n} | {share:.0%} | {words} | {'; '.join(amiss)} |")
    return "\n".join(lines)
