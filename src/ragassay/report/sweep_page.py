"""One self-contained HTML page of a sweep: what the page of a run shows of settings, and how the work was shared."""

from __future__ import annotations

from collections.abc import Mapping

from ragassay.report.compared import compared_in_sweep
from ragassay.report.compared_page import render_compared
from ragassay.report.items import Items
from ragassay.report.sweep_trust import trust_of_sweep
from ragassay.sweep.swept import Swept

MOST_UNCOVERED = 200
"""Rows of the table of settings with too few values."""
MOST_UNANSWERED = 50
"""Settings of which it is said how much servers left unanswered, the worst ones."""


def render_sweep(
    swept: Swept,
    settings: Mapping[str, str],
    versions: Mapping[str, str] | None = None,
    items: Items | None = None,
) -> str:
    """The whole page as text, to be written as UTF-8. versions: name to version of what the sweep was made with.

    items: every question with what the best settings made of it; None where there is nothing to open.
    """
    stopped = f"Stopped: {swept.budget_reached}" if swept.budget_reached else ""
    return render_compared(
        "sweep.html.j2",
        swept.version,
        compared_in_sweep(swept),
        items=items,
        alarms=[alarm for alarm in (stopped, *swept.doubts) if alarm],
        trust=trust_of_sweep(swept),
        settings=settings,
        versions=versions,
        swept=swept,
        uncovered=swept.outcome.uncovered[:MOST_UNCOVERED],
        most_unanswered=MOST_UNANSWERED,
    )
