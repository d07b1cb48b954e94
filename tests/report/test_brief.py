"""The summary that a command prints when it is done: its size, every file in it, advice that fits."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from pathlib import Path

from ragassay.records import LABELS, Example, SkippedSource
from ragassay.report.brief import brief_of_run
from ragassay.report.notebook import printed
from ragassay.report.summary import RunSummary


def screen_lines(summary: RunSummary) -> int:
    shown = printed(brief_of_run(summary, Path("runs/first")), 80)
    return sum(max(1, ceil(len(line) / 80)) for line in shown.splitlines())


def test_a_summary_fits_a_screen(summary: RunSummary, hostile: tuple[RunSummary, list[Example]]) -> None:
    assert screen_lines(summary) <= 40
    assert screen_lines(hostile[0]) <= 40


def test_every_file_is_accounted_for_and_advice_fits(summary: RunSummary) -> None:
    skipped = [
        SkippedSource(source=f"{n}.txt", reason=f"Not read: it is {why}.") for n, why in enumerate(["a", "a", "b"])
    ]
    corpus = replace(summary.corpus, files=7, documents=1, skipped=tuple(skipped), notes=())
    by_rules = replace(summary.composition, by_model="ragassay synthesize kb --model M")
    made = replace(summary, composition=by_rules, corpus=corpus)
    shown = printed(brief_of_run(made, Path("runs/first")), 80)
    for words in ("7 files read, 3 not used", "0.txt, 1.txt: Not read: it is a.", "2.txt: Not read: it is b."):
        assert words in shown
    assert "from 1 document\n" in shown
    assert "synthesize kb --model M" in shown
    assert "ragassay evaluate" in shown
    assert "--model" not in printed(brief_of_run(summary, Path("r")), 80)
    none = replace(by_rules, delivered=dict.fromkeys(LABELS, 0))
    nothing = printed(brief_of_run(replace(made, composition=none), Path("r")), 80)
    assert "synthesize kb --model M" in nothing
    assert "ragassay evaluate" not in nothing  # there is nothing to evaluate
