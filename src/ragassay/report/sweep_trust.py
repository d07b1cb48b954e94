"""What a sweep says of its judge, beside what it says of its settings."""

from __future__ import annotations

from typing import Any

from ragassay.report.judge_trust import JudgeTrust, judge_trust
from ragassay.report.judge_trust_tables import trust_object
from ragassay.sweep.swept import Swept, summary_of


def trust_of_sweep(swept: Swept) -> JudgeTrust | None:
    """How far the values of the deciding metric can be believed; None where no judge gives them."""
    return judge_trust(swept.judge, [swept.deciding], swept.copied) if swept.judge else None


def sweep_object(swept: Swept) -> dict[str, Any]:
    """What ``summary.json`` holds and ``--json`` prints."""
    return {**summary_of(swept), "trust": trust_object(trust_of_sweep(swept))}
