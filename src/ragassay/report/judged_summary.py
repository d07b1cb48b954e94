"""What labels and critiques of a data set came to: the figures of ``ragassay label`` and ``ragassay critique``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.records import left_out_if_empty
from ragassay.report.baseline_figures import KnowledgeFigures

ALL = "all"
"""The row of a profile that all examples count in."""
RATINGS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class CritiqueProfile:
    """Ratings of one critique over the examples of one label, or over all.

    estimate: mean rating in [1, 5]; its total counts the examples that the critique applies to. histogram: how many
    examples got 1, 2, 3, 4, 5.
    """

    critique: str
    label: str
    estimate: Estimate
    histogram: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingCost:
    """calls: that a server answered now; those found in the log are not among them.

    asked: tasks put to the model. unanswered: of these. cost_usd: of calls whose price is known; unpriced: the others.
    """

    asked: int
    unanswered: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    unpriced: int
    wall_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSummary:
    """judged: examples with all that was asked of them, of ``examples``. errors: reason to count of the others.

    contexts: what was judged to count: the example's context, its documents or its references.
    matrix: requested label, or "unlabelled", to verified label to count; agreement: share of the requested labels that
    were verified. Both empty in a critique, as ``profile`` is in a labelling.
    stopped_by: the limit that ended the calls, or empty. knowledge: of ``ragassay knowledge``, a part of the set each.
    """

    version: str
    stage: str
    data: str
    out: str
    model: str
    settings: Mapping[str, str]
    examples: int
    judged: int
    errors: Mapping[str, int]
    contexts: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    agreement: Estimate | None
    profile: tuple[CritiqueProfile, ...]
    notes: Mapping[str, int]
    stopped_by: str = ""
    knowledge: tuple[KnowledgeFigures, ...] = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return left_out_if_empty(handler(source), "knowledge")

    @property
    def coverage(self) -> float:
        """Share of the examples with all that was asked of them, in [0, 1]."""
        return self.judged / self.examples
