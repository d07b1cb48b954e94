"""What the pages of runs and of sweeps have in common, laid out from compared settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragassay.report.compared import Compared
from ragassay.report.compared_tables import best_rows
from ragassay.report.items import Items
from ragassay.report.judge_trust import JudgeTrust
from ragassay.report.page import render_page
from ragassay.report.sweep_rows import packed_rows
from ragassay.report.token_front import token_front
from ragassay.sweep.choice import Uncovered


def render_compared(
    template: str,
    version: str,
    compared: Compared,
    *,
    items: Items | None,
    alarms: Sequence[str],
    settings: Mapping[str, str],
    versions: Mapping[str, str] | None,
    trust: JudgeTrust | None = None,
    uncovered: Sequence[Uncovered] = (),
    **shown: object,
) -> str:
    """As ``render_page``.

    alarms: said before any figure. trust: in the deciding metric. uncovered: settings with too few values.
    """
    return render_page(
        template,
        version,
        items=items,
        results=packed_rows(compared) if compared.cells else None,
        compared=compared,
        best=best_rows(compared),
        priced=token_front(compared),
        alarms=alarms,
        settings=settings,
        versions=versions or {},
        trust=trust,
        uncovered=uncovered,
        **shown,
    )
