"""What several judges came to: what ``metrics.json`` keeps of a panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeMean:
    """mean: of the n values of one judge, None where there are none; total: answers that it was asked about."""

    mean: float | None
    n: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelAgreement:
    """One metric. alpha: Krippendorff's, of n answers with two values or more; None with the reason.

    identical: of these n, those to which all judges gave the same value, to hundredths. judges: by name.
    """

    metric: str
    alpha: float | None
    n: int
    identical: int
    judges: Mapping[str, JudgeMean]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """An answer that judges see differently. values: by judge; None where it gave none."""

    example_id: str
    metric: str
    values: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeEffort:
    """What one judge took, replies from the log included. cost_usd: None where a price or the tokens are not known."""

    asked: int
    unanswered: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePanel:
    """pooled: mean or majority. judges: by name. disputes: widest first."""

    pooled: str
    judges: Mapping[str, JudgeEffort]
    agreement: tuple[PanelAgreement, ...]
    disputes: tuple[Dispute, ...]
