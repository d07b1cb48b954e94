"""``docs/gates.md``: its code runs, its table is what its code prints, and its options are those of the command."""

from __future__ import annotations

import contextlib
import io
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragassay.cli.gate import gate
from ragassay.pipeline.gate.options import GateTable

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "gates.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def printed(code: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "gates.md", "exec"), {})
    return out.getvalue()


def test_the_table_is_what_its_code_prints() -> None:
    (code,) = [each for each in blocks("python") if "paired_tests" in each]
    assert printed(code) in PAGE


def test_the_example_from_python() -> None:
    (code,) = [each for each in blocks("python") if "ragassay.gate(" in each]
    # thirty of thirty: 30 / (30 + 2.0452²) = 0.8776
    assert printed(code).startswith("[('exact_match', 'passed', 0.877")


def test_the_keys_of_the_file() -> None:
    (text,) = blocks("toml")
    table = tomllib.loads(text)["gate"]
    GateTable.model_validate(table)
    assert set(GateTable.model_fields) == {*table, "fail_over", "use", "system", "baseline_system"}


def test_the_options_are_those_of_the_command() -> None:
    command: Callable[..., Any] = gate
    known = {f"--{name.replace('_', '-')}" for name in command.__annotations__} | {"--json"}
    own = PAGE.partition("## In pytest")[0]
    assert set(re.findall(r"(?<!-)--[a-z][a-z-]+", own)) - {"--metrics", "--out"} <= known
