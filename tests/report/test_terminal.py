from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.rag.setting import Setting
from ragassay.records import Example
from ragassay.report.summary import RunSummary, recommended
from ragassay.report.terminal import print_summary, to_json_object
from ragassay.sweep.ties import Ties


def printed(summary: RunSummary, *, terminal: bool = False, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    console = Console(file=stream, width=80, force_terminal=terminal)
    print_summary(summary, console, Path("out") / ("a-long-folder-name/" * 6) / "[red]report.html")
    stream.flush()
    return raw.getvalue().decode(encoding)


def test_the_tables_fit_into_eighty_columns(summary: RunSummary) -> None:
    lines = printed(summary).splitlines()
    assert max(len(line) for line in lines if not line.startswith("Report: ")) <= 80
    row = next(line.split() for line in lines if line.startswith("answerable"))
    assert row == ["answerable", "1024", "min_max", "w=0.5", "39", "0.785", "0.835", "0.880", "0.77–0.99"]
    assert "reasoning: 1 missing, no eighth pair passes all gates" in lines
    assert "2 sources were not used:" in lines
    assert lines[-1].startswith("Report: out/")
    assert lines[-1].endswith("/[red]report.html")  # whole, on one line, and not taken for markup


def test_piped_output_has_no_escape_codes_and_colour_is_no_carrier_of_meaning(summary: RunSummary) -> None:
    assert "\x1b" not in printed(summary)


def test_a_console_without_the_signs_gets_plain_ones(summary: RunSummary) -> None:
    text = printed(summary, encoding="ascii")
    assert "0.77-0.99" in text
    assert "\\u" not in text


def test_hostile_text_neither_colours_nor_breaks_lines(hostile: tuple[RunSummary, list[Example]]) -> None:
    text = printed(hostile[0])
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]markup[/red]" in text
    assert "All are listed in the report." in text
    assert "no value" not in text
    assert "none of 1" in text


def test_the_json_object_has_the_figures_by_name(summary: RunSummary) -> None:
    found = to_json_object(summary, "out/report.html")
    assert list(found) == [
        "examples",
        "labels",
        "requested",
        "missing",
        "answered",
        "best",
        "unanswerable",
        "stages",
        "models",
        "report",
    ]
    assert found["examples"] == 39
    assert found["labels"] == {"fact_single": 16, "summary": 12, "reasoning": 7, "unanswerable": 4}
    assert found["missing"] == {"fact_single": 0, "summary": 0, "reasoning": 1, "unanswerable": 0}
    assert list(found["best"]) == ["fact_single", "summary", "reasoning", "answerable"]
    together = found["best"]["answerable"]
    assert together["setting"] == "1024 min_max w=0.5"
    rounded = {name: each if each is None else round(each, 2) for name, each in together["recall_at_5"].items()}
    assert rounded == {
        "value": 0.88,
        "low": 0.77,
        "high": 0.99,
        "n": 39,
        "total": 39,
        "method": None,
    }
    assert found["stages"]["sweep"] == {"wall_s": 74.2}
    assert found["report"] == "out/report.html"


def test_a_missing_value_is_null_in_json(hostile: tuple[RunSummary, list[Example]]) -> None:
    assert to_json_object(hostile[0], "r")["best"]["answerable"]["recall_at_5"] == {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "total": 1,
        "method": None,
    }


def test_the_cheapest_tied_setting_is_recommended_and_opened_if_it_answered(summary: RunSummary) -> None:
    cheapest = Setting(chunk_size=256, text_weight=1.0)
    ties = Ties(tied=3, others=4, cheapest=cheapest, questions=80, needed=350)
    best = tuple(replace(each, ties=ties) if each.label == ANSWERABLE else each for each in summary.best)
    top = next(each.setting.name for each in best if each.label == ANSWERABLE)
    said = " ".join(printed(replace(summary, best=best)).split())
    assert "With these 80 questions, 3 of the 4 other settings cannot be distinguished from it." in said
    assert f"about 350 questions. Recommended: {cheapest.name}, the cheapest of those within five points" in said
    assert recommended(best, {top, cheapest.name}) == cheapest.name
    assert recommended(best, {top}) == recommended(summary.best, {cheapest.name}) == top
    assert recommended((), {top}) == ""
