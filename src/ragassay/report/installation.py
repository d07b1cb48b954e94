"""What ``ragassay doctor`` found of an installation: one check after the other, for the terminal and ``--json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ragassay.report.blocks import Block, Noted, Table, Value

Status = Literal["ok", "note", "fault"]


class Check(NamedTuple):
    """name: what is looked at. found: what there is. remedy: what to do; empty where nothing is to be done.

    status: "note" for what works, and is worth knowing; "fault" for what stops a run.
    """

    name: str
    status: Status
    found: str
    remedy: str = ""


def faults(checks: Sequence[Check]) -> list[str]:
    """Return the names of what stops a run."""
    return [each.name for each in checks if each.status == "fault"]


def blocks_of_checks(checks: Sequence[Check]) -> list[Block]:
    """Return a row for each check, with what to do."""
    rows: list[Sequence[Value]] = [
        (each.name, each.status, Noted(each.found, f"-> {each.remedy}" if each.remedy else "")) for each in checks
    ]
    return [Table("Installation", ["check", "", "found"], rows)]


def checks_object(checks: Sequence[Check]) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {"ok": not faults(checks), "checks": [each._asdict() for each in checks]}
