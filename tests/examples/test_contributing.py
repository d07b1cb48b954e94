"""The walk-throughs of CONTRIBUTING.md: what they write works as it stands there."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from ragassay.datasets import registry
from ragassay.metrics import catalogue

PAGE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
FILES = dict(re.findall(r"`((?:src|tests)/[\w/]+\.py)`:\n\n```python\n(.*?)```", PAGE, re.DOTALL))


@pytest.mark.parametrize("test", [name for name in FILES if name.startswith("tests/")])
def test_a_walk_through_works(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = list(FILES)
    source = sources[sources.index(test) - 1]
    name = source.removeprefix("src/").removesuffix(".py").replace("/", ".")
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(catalogue, "_REGISTERED", {})
    exec(compile(FILES[source], source, "exec"), module.__dict__)
    for metric in getattr(module, "METRICS", ()):
        catalogue.register(metric)
    of_test: dict[str, object] = {}
    exec(compile(FILES[test], test, "exec"), of_test)
    tests = [each for called, each in of_test.items() if called.startswith("test_")]
    assert tests
    for each in tests:
        each()  # type: ignore[operator]


def test_the_format_has_keys_that_are_read() -> None:
    (table,) = tomllib.loads(PAGE.partition("```toml\n")[2].partition("```")[0]).values()
    known = tomllib.loads((Path(registry.__file__).parent / "sets.toml").read_text("utf-8"))
    assert table.keys() <= {key for each in known.values() for key in each}
