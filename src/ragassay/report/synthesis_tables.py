"""What a synthesis came to, for the terminal and for ``--json``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragassay.corpus.sources import by_reason
from ragassay.evaluation.estimate import Estimate
from ragassay.records import LABELS
from ragassay.report.baseline_figures import BaselineFigures
from ragassay.report.safe_text import excerpt, visible
from ragassay.report.summary import StageCost
from ragassay.report.synthesis_summary import SynthesisSummary
from ragassay.report.wording import decimal, difficulty_words, interval, label_order, noun

LOSSES_SHOWN = 6
_BASELINE_HEADS = ("", "nothing retrieved", "with the block")
_WRITERS, _JUDGES, _ANSWERERS = ("writer",), ("judge",), ("answerer",)


def print_synthesis(summary: SynthesisSummary, stages: Sequence[StageCost], folder: Path, console: Console) -> None:
    """What was made of what was asked for, what is missing and why, and what it took."""
    printer = _Printer(console)
    if summary.stopped_by:
        printer.line(f"Stopped: {summary.stopped_by}", "bold yellow")
    printer.composition(summary)
    printer.missing(summary)
    printer.matrix(summary)
    printer.losses(summary)
    if summary.baselines is not None:
        printer.baselines(summary.baselines)
    printer.effort(summary, stages)
    printer.notes(summary)
    printer.line(f"Models: {summary.models}", "dim")
    printer.line(f"Examples: {folder / 'examples.jsonl'}", "bold")
    printer.line(f"To see them: ragassay report {folder}")


class _Printer:
    """Writes text as Text objects, which know no markup."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def line(self, content: str, style: str = "") -> None:
        self._console.print(Text(visible(content), style=style), soft_wrap=True)

    def _table(self, title: str, heads: Sequence[str]) -> Table:
        self.line(title, "bold")
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for number, head in enumerate(heads):
            table.add_column(Text(visible(head)), justify="right" if number else "left", overflow="fold")
        return table

    def _show(self, table: Table) -> None:
        self._console.print(table)
        self._console.print()

    def composition(self, summary: SynthesisSummary) -> None:
        title = (
            f"{summary.examples} of {summary.asked} {noun(summary.asked, 'example')} by {summary.synthesizer}, from "
            f"{summary.used} of {summary.documents} {noun(summary.documents, 'document')}, {summary.visited} read, "
            f"at most {summary.most_per_document} from one"
        )
        table = self._table(title, [f"{summary.counted_by} label", "asked for", "delivered"])
        for label in label_order([*summary.requested, *summary.delivered]):
            asked = summary.requested.get(label)
            made = summary.examples if label not in LABELS else summary.delivered.get(label, 0)
            _row(table, label, "any" if asked is None else f"{asked:,}", f"{made:,}")
        self._show(table)
        if summary.by_type:
            types = ", ".join(f"{name} {count}" for name, count in sorted(summary.by_type.items()))
            self.line(f"Question types: {types}")
        if said := difficulty_words(summary.difficulty):
            self.line(said)
        if summary.by_type or said:
            self._console.print()

    def missing(self, summary: SynthesisSummary) -> None:
        if not summary.missing:
            return
        table = self._table("Missing", ["what", "asked for", "candidates", "good", "delivered", "missing"])
        for each in summary.missing:
            counts = (each.asked, each.candidates, each.good, each.delivered, each.missing)
            _row(table, each.name, *(f"{count:,}" for count in counts))
        self._show(table)
        for each in summary.missing:
            self.line(f"{each.name}: {excerpt(each.reason, 600)}")
        if summary.spare:
            spare = ", ".join(f"{summary.spare[label]:,} {label}" for label in label_order(list(summary.spare)))
            self.line(f"Good, but more than was asked for: {spare}. A higher --n, or another --mix, takes them.")
        self._console.print()

    def matrix(self, summary: SynthesisSummary) -> None:
        rows = label_order(list(summary.matrix))
        if not rows:
            return
        table = self._table("Candidates: requested label in rows, verified label in columns", ["", *LABELS, "all"])
        for row in rows:
            counts = summary.matrix[row]
            _row(table, row, *(f"{counts.get(label, 0):,}" for label in LABELS), f"{sum(counts.values()):,}")
        self._show(table)

    def losses(self, summary: SynthesisSummary) -> None:
        losses: dict[str, int] = {}
        for reasons in summary.dropped.values():
            for reason, count in reasons.items():
                losses[reason] = losses.get(reason, 0) + count
        if not losses:
            return
        self.line("Dropped", "bold")
        ordered = sorted(losses.items(), key=lambda item: (-item[1], item[0]))
        for reason, count in ordered[:LOSSES_SHOWN]:
            self.line(f"{count:>7,}  {excerpt(reason, 160)}")
        if (left := len(ordered) - LOSSES_SHOWN) > 0:
            self.line(f"         and {left} more {noun(left, 'reason')}, in synthesis.json")
        self._console.print()

    def baselines(self, figures: BaselineFigures) -> None:
        closed, opened = figures.truthfulness, figures.truthfulness_with_block
        self.line(f"Baselines: {opened.total} questions answered by {figures.answerer}", "bold")
        table = self._table("Ratings from 1 to 5 by the block, means with 95 % intervals", _BASELINE_HEADS)
        _row(table, "truthfulness", _estimate(closed), _estimate(opened))
        _row(table, "relevance", _estimate(figures.relevance), _estimate(figures.relevance_with_block))
        _row(table, "rated", f"{closed.n} of {closed.total}", f"{opened.n} of {opened.total}")
        for number in figures.sums:
            without, with_block = figures.sums[number], figures.sums_with_block[number]
            if without or with_block:
                _row(table, f"sum of both {number}", f"{without:,}" if closed.n else "-", f"{with_block:,}")
        self._show(table)
        if figures.known.value is not None:
            known = f"{100 * figures.known.value:.0f} %"
            self.line(f"Known without context: {known} of {figures.known.n} examples (both ratings 4 or better)")
        else:
            self.line(f"Known without context: not measured; {figures.reason}")
        self._console.print()

    def effort(self, summary: SynthesisSummary, stages: Sequence[StageCost]) -> None:
        table = self._table(
            "What it took", ["role", "calls", "prompt tokens", "calls an example", "prompt tokens an example"]
        )
        roles = [roles for roles in (_WRITERS, _JUDGES, _ANSWERERS) if summary.calls_of(*roles)]
        for of in [*roles, (*_WRITERS, *_JUDGES, *_ANSWERERS)]:
            name = of[0] if len(of) == 1 else "all"
            calls, tokens = summary.calls_of(*of), summary.prompt_tokens_of(*of)
            per_example = [
                each / summary.examples if each is not None and summary.examples else None for each in (calls, tokens)
            ]
            _row(
                table,
                name,
                f"{calls:,}",
                "-" if tokens is None else f"{tokens:,}",
                "-" if per_example[0] is None else f"{per_example[0]:.1f}",
                "-" if per_example[1] is None else f"{per_example[1]:,.0f}",
            )
        self._show(table)
        if stages:
            took = ", ".join(f"{stage.name} {stage.wall_s:.1f} s ({stage.cpu_s:.1f} s CPU)" for stage in stages)
            self.line(f"Time: {took}")

    def notes(self, summary: SynthesisSummary) -> None:
        for note in summary.notes:
            self.line(note)
        if summary.skipped:
            for kind in by_reason(summary.skipped):
                self.line(f"Not used: {excerpt(kind, 320)}", "yellow")
            self.line("All are listed in synthesis.json.")


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(visible(cell)) for cell in cells))


def _estimate(estimate: Estimate) -> str:
    if estimate.value is None:
        return "-"
    return f"{decimal(estimate.value)} ({interval(estimate.low, estimate.high)})"


def synthesis_object(summary: SynthesisSummary, stages: Sequence[StageCost], folder: Path) -> dict[str, Any]:
    """What ``--json`` prints: the figures of synthesis.json, what an example took, and the time of each stage."""
    everybody = (*_WRITERS, *_JUDGES, *_ANSWERERS)
    calls, tokens = summary.calls_of(*everybody), summary.prompt_tokens_of(*everybody)
    return {
        "examples": summary.examples,
        **asdict(summary),
        "calls": calls,
        "prompt_tokens": tokens,
        "calls_per_example": calls / summary.examples if summary.examples else None,
        "prompt_tokens_per_example": tokens / summary.examples if tokens is not None and summary.examples else None,
        "stages": {
            stage.name: {"wall_s": stage.wall_s, "cpu_s": stage.cpu_s, "peak_rss_mb": stage.peak_rss_mb}
            for stage in stages
        },
        "folder": str(folder),
    }
