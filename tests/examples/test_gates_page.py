"""``docs/gates.md``: its code runs, its table is what the code computes, and its options are those of the command."""

from __future__ import annotations

import contextlib
import io
import re
import tomllib
from math import ceil, comb, floor
from pathlib import Path

import numpy as np

from ragassay.evaluation.aggregate import ROUNDING, estimate, estimates
from ragassay.evaluation.paired import paired_tests
from ragassay.jobs.gate.options import GateOptions
from ragassay.options import read_settings_of, settings_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "gates.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def printed(code: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "gates.md", "exec"), {})
    return out.getvalue()


def test_the_table_of_questions_that_an_interval_needs() -> None:
    rows = []
    for n in (10, 20, 30, 50, 100, 200):
        right = np.ones((n, 1))
        (unchanged,) = paired_tests(right, right, bounds=[(0, 1)])
        tenth_wrong = [0.0] * (n // 10) + [1.0] * (n - n // 10)
        floors = [estimate(each).low or 0 for each in (right[:, 0].tolist(), tenth_wrong)]
        shown = [f"{floor(100 * each) / 100:.2f}" for each in floors]
        rows.append(" | ".join([f"{n}", *shown, f"{ceil(1000 * unchanged.high) / 1000:.3f}"]))
    assert "\n".join(rows) in PAGE


def test_how_often_a_system_at_its_bound_fails() -> None:
    """The share of outcomes, by the binomial distribution, whose whole interval is below the true mean."""
    shares = []
    for n in (20, 30, 50, 100, 200):
        right = np.array([[1.0] * k + [0.0] * (n - k) for k in range(n + 1)]).T
        highs = [each.high or 0 for each in estimates(right)]
        for p in (0.7, 0.8, 0.9, 0.95):
            chances = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
            shares.append(sum(chance for chance, high in zip(chances, highs, strict=True) if high < p - ROUNDING))
    assert f"between {100 * min(shares):.1f} and {100 * max(shares):.1f} % of the time" in PAGE


def test_drops_of_a_strict_gate_can_be_met() -> None:
    (text,) = blocks("toml")
    (drop,) = tomllib.loads(text)["gate"]["max_drop"].values()
    rows = re.findall(r"^(\d+) \|.* (\d\.\d+)$", PAGE, re.MULTILINE)
    for n, bound in (50, drop), (100, 0.02):
        assert n == min(int(questions) for questions, least in rows if float(least) <= bound)


def test_the_example_from_python() -> None:
    (code,) = [each for each in blocks("python") if "ragassay.gate(" in each]
    # thirty of thirty: 30 / (30 + 2.0452²) = 0.8776
    assert printed(code).startswith("[('exact_match', 'passed', 0.877")


def test_the_keys_of_the_file() -> None:
    (text,) = blocks("toml")
    table = tomllib.loads(text)["gate"]
    options = read_settings_of(GateOptions, table)
    assert len(options.conditions) == sum(len(table.get(kind, ())) for kind in ("fail_under", "fail_over", "max_drop"))


def test_the_options_are_those_of_the_command() -> None:
    known = {flag for setting in settings_of(GateOptions) for flag in setting.flags} | {"--json", "--config"}
    own = PAGE.partition("## In pytest")[0]
    assert set(re.findall(r"(?<!-)--[a-z][a-z-]+", own)) - {"--metrics", "--out"} <= known
