"""A real browser, where there is one, and a page of it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLOWEST_MS = 60_000
"""Until what has to come is given up: several tests and the browser may share two slow cores."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, as the system has it; a test that asks for it is skipped where there is none.

    For this folder: while playwright is there, its event loop passes for a running one in this thread, and no other
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


@pytest.fixture(scope="package")
def kept_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def page(kept_page: Page, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """As a new one, which would take half a second: what the last test left on it and whom it told are gone."""
    told: list[tuple[Any, Callable[..., Any]]] = []
    on = kept_page.on

    def remembered(event: Any, told_of_it: Callable[..., Any]) -> None:
        told.append((event, told_of_it))
        on(event, told_of_it)

    monkeypatch.setattr(kept_page, "on", remembered)
    yield kept_page
    for each in told:
        kept_page.remove_listener(*each)
    kept_page.goto("about:blank")
    kept_page.unroute_all()
    kept_page.set_viewport_size({"width": 1280, "height": 720})
