"""``docs/systems.md`` names every kind of system and every option, with its default where a table gives one."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ragassay
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


@pytest.mark.parametrize("form", [str, lambda text: SimpleNamespace(page_content=text)])
def test_a_function_may_return_what_it_found_alone(form: Callable[[str], object]) -> None:
    source = re.search(r"# my_search.py\n(.*?)```", PAGE, re.DOTALL)
    found = dict[str, Any]()
    exec(source[1] if source else "", found)
    row = {"question": "How long is the bridge", "reference_contexts": ["It is 90 m long."]}
    asked = ragassay.evaluate([row], lambda question: [*map(form, found["search"](question))], ["mrr@2"])
    assert asked["mrr@2"] == 1 / 2  # each page has one word of it, so they keep their order
