"""The page of settings is what the declarations say."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_of_settings_is_made_of_the_declarations() -> None:
    page = runpy.run_path(str(DOCS / "make_settings_page.py"))["page"]
    assert (DOCS / "settings.md").read_text("utf-8") == page(), "run docs/make_settings_page.py"
