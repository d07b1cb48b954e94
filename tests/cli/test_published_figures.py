"""``docs/papers.md`` prints the figures that its commands give. Held-out ones are of files that are nowhere at hand."""

from __future__ import annotations

import json
import re
import shlex
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragassay

Cli = Callable[..., Any]
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "papers.md").read_text("utf-8")
RECORDED = Path(ragassay.__file__).with_name("people") / "agreement" / "judge_agreement.json"
"""What ``benchmarks/judge.py`` wrote down of the embedded judge."""
_TABLE, _FIGURES = PAGE.split("## Their tables")[1].split("## Figures")
_FIGURE = re.compile(r"^`ragassay ([^`]+)`$|^[^|\n]+ \| `([^`]+)` \| ([\d.]+)$", re.MULTILINE)
"""A command, or one of its figures below it."""
SLOW = {"label en.jsonl"}
"""What takes minutes: no test runs it."""

FIGURES: dict[str, dict[str, str]] = defaultdict(dict)
"""Command to the places of its figures in ``--json``, and what the page prints of each."""
_current = ""
for _command, _place, _printed in _FIGURE.findall(_FIGURES):
    if _command:
        _current = _command
    else:
        FIGURES[_current][_place] = _printed


def resolved(command: str, folder: Path) -> list[str] | None:
    """The words with the paths of the data sets in them; None where a file is not among these."""
    words = []
    for word in shlex.split(command):
        found = list(folder.rglob(word)) if word.endswith((".jsonl", ".yaml")) else [Path(word)]
        if len(found) != 1:
            return None
        words.append(str(found[0]))
    return words


@pytest.mark.parametrize("command", FIGURES)
def test_a_command_gives_what_the_page_prints(cli: Cli, shared_data: Path, command: str) -> None:
    words = resolved(command, shared_data)
    assert words is not None
    outcome = cli(*words, "--json")
    assert outcome.code == 0, outcome.err
    given = {place: value_at(outcome.json, place) for place in FIGURES[command]}
    assert {
        place: f"{given[place]:.{len(printed.partition('.')[2])}f}" for place, printed in FIGURES[command].items()
    } == FIGURES[command]


def value_at(printed: Any, place: str) -> float:
    for name in place.split("."):
        printed = printed[int(name)] if isinstance(printed, list) else printed[name]
    return float(printed)


def test_the_page_has_figures_of_every_command_that_needs_no_server(shared_data: Path) -> None:
    commands = {re.sub(r" --out \S+", "", each) for each in re.findall(r"\| `ragassay ([^`]+)`", _TABLE)}
    runnable = {each for each in commands if ".jsonl" in each and not each.startswith("agree")}
    watched = {each.removesuffix(" --model lexical") for each in FIGURES}
    assert len(runnable) == 4
    assert runnable - watched == SLOW
    assert all(resolved(each, shared_data) for each in runnable)


def test_held_out_figures_come_first_and_the_others_are_recorded_ones() -> None:
    page = (DOCS / "decisions" / "embedded-judge.md").read_text("utf-8")
    row = r"^{}[^|]*\| [^|]*? \| ([\d.]+) \(([\d ]+),"
    recorded = json.loads(RECORDED.read_text("utf-8"))["rows"]
    known = {each["metric"]: each for each in recorded if "WikiEval" in each["data"]}
    known["truthfulness"] = next(
        each
        for each in recorded
        if each["data"] == "clearly good or bad answers of RAGVAL" and each["metric"] == "truthfulness"
    )
    names = {
        "faithfulness": "faithfulness, WikiEval", "answer_relevance": "answer relevance, pairs",
        "context_relevance": "context relevance, pairs", "truthfulness": "truthfulness, AUROC",
    }  # fmt: skip
    for metric, name in names.items():
        ((value, n),) = re.findall(row.format(name), page, re.MULTILINE)
        assert float(value) == round(known[metric]["value"], 3)
        assert int(n.replace(" ", "")) == known[metric]["n"]
