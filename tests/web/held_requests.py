"""Requests of a page that are held back until a test lets them go, so that replies come when it says."""

from __future__ import annotations

from playwright.sync_api import Page, Route


def held_back(page: Page, path: str, *, after: int = 0) -> list[Route]:
    """Of the requests to the path one is not sent, and comes here; those before and behind it are sent.

    To be called before the page is opened: a page that is open may send a request before it has heard of this.
    """
    seen: list[Route] = []
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        seen.append(route)
        if len(seen) == after + 1:
            waiting.append(route)
        else:
            route.continue_()

    page.route(path, hold)  # for good: where the last one is taken away, the browser lets go of what it holds back
    return waiting


def held(page: Page, waiting: list[Route]) -> Route:
    """The request that was held back; the browser may tell of it some time after it was made."""
    for _ in range(6000):
        if waiting:
            break
        page.wait_for_timeout(10)
    return waiting[0]
