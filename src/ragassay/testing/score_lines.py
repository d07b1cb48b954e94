"""The scores of a test session as a table of plain text."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import numbered
from ragassay.report.safe_text import visible
from ragassay.report.wording import decimal, interval
from ragassay.testing.score_report import ScoreRow

_HEADS = ("metric", "mean", "95 % interval", "scored", "out of bounds")


def score_lines(rows: Sequence[ScoreRow]) -> list[str]:
    """A head and a line for each metric, in the order in which they were first asked for.

    Questions of one document hang together, as in every interval.
    """
    cells = [_HEADS, *(_cells(name, [each for each in rows if each.metric == name]) for name in _metrics(rows))]
    widths = [max(len(row[place]) for row in cells) for place in range(len(_HEADS))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in cells
    ]


def _metrics(rows: Sequence[ScoreRow]) -> list[str]:
    return list(dict.fromkeys(each.metric for each in rows))


def _cells(metric: str, rows: Sequence[ScoreRow]) -> tuple[str, ...]:
    clusters = numbered([each.document_id or None for each in rows])
    found = estimate([each.value for each in rows], bounds=rows[0].bounds, clusters=clusters)
    return (
        visible(metric),
        "none" if found.value is None else decimal(found.value),
        interval(found.low, found.high) or "none",
        f"{found.n} of {found.total}",
        str(sum(not each.is_met for each in rows)),
    )
