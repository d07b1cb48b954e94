"""``docs/systems.md`` names every kind of system and every option, with its default where a table gives one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ragassay.systems.options import KINDS, Options, RagOptions

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "systems.md").read_text("utf-8")


def named() -> set[str]:
    return set(re.findall(r"`([a-z_]+)(?:=[^`]*)?`", PAGE))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_and_option_is_named(kind: str) -> None:
    assert kind in PAGE
    of_its_own = set(KINDS[kind].model_fields) - {"timeout_s", "url", "target", "command", "file", "system", "method"}
    assert of_its_own <= named()


def test_defaults_of_the_built_in_system() -> None:
    rows = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    told = {}
    for names, defaults in rows:
        given = [each.strip(" `") for each in defaults.split(",")]
        told |= dict(zip(re.findall(r"`([a-z_]+)`", names), given, strict=False))
    options = RagOptions()
    own = set(RagOptions.model_fields) - set(Options.model_fields) - {"prompt", "prefix", "guard", "overlap"}
    for name in own:
        value = getattr(options, name)
        said = (
            str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
        )
        assert told[name] == said, name
    assert told["overlap"] == str(options.overlap_used)
