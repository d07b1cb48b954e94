"""The package of docs/plug-ins.md, installed: each of its parts does what the page says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import ragassay
from ragassay.models.plug_ins import GROUPS

PAGE = (Path(__file__).parents[2] / "docs" / "plug-ins.md").read_text("utf-8")
POINTS = tomllib.loads(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])["project"]["entry-points"]
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
ROWS = [{"user_input": "When?", "response": "At nine, please.", "reference": "At nine."}]


def test_the_page_names_every_group() -> None:
    assert list(POINTS) == list(GROUPS.values())


@pytest.fixture
def package(install: Callable[..., None]) -> None:
    for kind, group in GROUPS.items():
        install(CODE, "\n".join(f"{name} = {place}" for name, place in POINTS[group].items()), kind, "my_package")


def test_the_package_does_what_the_page_says(package: None, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "Pier.txt").write_text("The pier opens at nine. It closes at six.\nDogs are welcome.")
    (folder / "Mill.md").write_text("# Mill\n\nThe mill stands by the river. It was built in 1820.")
    made = ragassay.synthesize(folder, tmp_path / "set", synthesizer="firsts", n=2)
    assert made.summary.documents == 2
    assert made.summary.synthesizer == "firsts (my-package 1.2)"
    assert ragassay.evaluate(ROWS, metrics=["is_polite"])["is_polite"] == 1
