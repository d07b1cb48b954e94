"""The page of settings is what the declarations say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_of_settings_is_made_of_the_declarations() -> None:
    spec = importlib.util.spec_from_file_location("make_settings_page", DOCS / "make_settings_page.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (DOCS / "settings.md").read_text("utf-8") == script.page(), "run docs/make_settings_page.py"
