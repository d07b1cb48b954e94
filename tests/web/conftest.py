"""A real browser, where there is one."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from view_runs import write_run

from ragassay.web.run_index import RunIndex
from ragassay.web.serving import names_of
from ragassay.web.view import view_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SLOWEST_MS = 60_000
"""Until what has to come is given up: several tests and the browser may share two slow cores."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, as the system has it; a test that asks for it is skipped where there is none.

    For one module: while playwright is there, its event loop passes for a running one in this thread, and no other
    test can call ``asyncio.run``.
    """
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        pytest.skip("no chromium is installed")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=SLOWEST_MS)
    with sync_playwright() as playwright:
        # Without the sandbox: it cannot be set up for the root of a container. Nothing but our own pages is opened.
        found = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        found.on("context", lambda context: context.set_default_timeout(SLOWEST_MS))
        yield found
        found.close()
    with pytest.raises(RuntimeError, match="no running event loop"):
        asyncio.get_running_loop()


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    write_run(folder / "first")
    write_run(folder / "below" / "second", value=0.0)
    return folder


@pytest.fixture
def client(runs: Path) -> TestClient:
    return TestClient(view_app(RunIndex(runs), names_of("127.0.0.1")), base_url="http://127.0.0.1")
