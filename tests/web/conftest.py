"""A real browser, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, as the system has it; a test that asks for it is skipped where there is none."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        pytest.skip("no chromium is installed")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)  # several tests share two cores
    with sync_playwright() as playwright:
        # Without the sandbox: it cannot be set up for the root of a container. Nothing but our own pages is opened.
        found = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield found
        found.close()
