"""Lists of names that come with the package: people, places, streets and words of organisations that do not exist."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

_FOLDER = "names"


@cache
def shipped_lists(language: str) -> Mapping[str, tuple[str, ...]]:
    """Lists of a language by name; those of English where a language has none."""
    folder = resources.files("ragassay.synthesis.scenario") / _FOLDER
    file = folder / f"{language}.toml"
    text = (file if file.is_file() else folder / "en.toml").read_text(encoding="utf-8")
    return {name: tuple(values) for name, values in tomllib.loads(text).items()}
