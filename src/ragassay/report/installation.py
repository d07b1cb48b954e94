"""What ``ragassay doctor`` found of an installation: one check after the other, for the terminal and ``--json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console

Status = Literal["ok", "note", "fault"]
_STYLES: dict[Status, str] = {"ok": "green", "note": "yellow", "fault": "bold red"}


class Check(NamedTuple):
    """name: what is looked at. found: what there is. remedy: what to do; empty where nothing is to be done.

    status: "note" for what works, and is worth knowing; "fault" for what stops a run.
    """

    name: str
    status: Status
    found: str
    remedy: str = ""


def faults(checks: Sequence[Check]) -> list[str]:
    """The names of what stops a run."""
    return [each.name for each in checks if each.status == "fault"]


def print_checks(checks: Sequence[Check], console: Console) -> None:
    """A row a check, what to do below it."""
    from rich import box
    from rich.table import Table

    from ragassay.report.console import text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in ("check", "", "found"):
        table.add_column(head, overflow="fold", no_wrap=head != "found")
    for each in checks:
        found = text(console, each.found)
        if each.remedy:
            found = found.append("\n").append(text(console, f"→ {each.remedy}"))
        table.add_row(text(console, each.name), text(console, each.status, _STYLES[each.status]), found)
    console.print(table)


def checks_object(checks: Sequence[Check]) -> dict[str, Any]:
    """What ``--json`` prints."""
    return {"ok": not faults(checks), "checks": [each._asdict() for each in checks]}
