"""``docs/systems.md`` names every kind of system and every option, with its default where a table gives one."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from ragassay.systems.options import KINDS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "systems.md").read_text("utf-8")


def named() -> set[str]:
    return set(re.findall(r"`([a-z_]+)(?:=[^`]*)?`", PAGE))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_and_option_is_named(kind: str) -> None:
    assert kind in PAGE
    of_its_own = set(KINDS[kind].model_fields) - {"timeout", "url", "target", "command", "file", "system", "method"}
    assert of_its_own <= named()


def test_the_tables_of_parameters_are_those_of_the_code() -> None:
    pages = runpy.run_path(str(DOCS / "make_parameter_tables.py"))["pages"]
    for path, text in pages():
        assert path.read_text("utf-8") == text, "run docs/make_parameter_tables.py"
