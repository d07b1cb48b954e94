"""What ``ragassay synthesize`` made, what is missing, and what it took: the figures of its table and its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ragassay.records import SkippedSource
from ragassay.report.baseline_figures import BaselineFigures
from ragassay.synthesis.shortfall import Shortage

SYNTHESIS_FILE = "synthesis.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEffort:
    """What one task of one role took. role: writer, judge or answerer.

    asked: inputs put to the model. unanswered: of these. prompt_tokens, completion_tokens: of the replies, those of
    the log included; None for the embedded model, which gets no prompt.
    """

    role: str
    task: str
    asked: int
    unanswered: int
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisSummary:
    """requested: label, or "any label", to count. delivered: label to count, by the label that ``counted_by`` names.

    matrix: requested to verified label to candidates. dropped: label to reason to count. by_type: question type to
    examples. visited: documents that were read for examples, of ``documents``; used: that gave one.
    stopped_by: the limit that ended the calls, or empty. ratings: critique to rating, or "none", to candidates; passed:
    candidates that no critique drops. spare: label to good candidates that are not in the set. difficulty: to examples.
    """

    version: str
    synthesizer: str
    models: str
    asked: int
    requested: Mapping[str, int]
    delivered: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    dropped: Mapping[str, Mapping[str, int]]
    missing: tuple[Shortage, ...]
    by_type: Mapping[str, int]
    documents: int
    visited: int
    used: int
    most_per_document: int
    skipped: tuple[SkippedSource, ...]
    notes: tuple[str, ...]
    effort: tuple[TaskEffort, ...]
    baselines: BaselineFigures | None = None
    stopped_by: str = ""
    counted_by: Literal["verified", "requested"] = "verified"
    ratings: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    passed: int = 0
    spare: Mapping[str, int] = field(default_factory=dict)
    difficulty: Mapping[str, int] = field(default_factory=dict)

    @property
    def examples(self) -> int:
        """How many were made."""
        return sum(self.delivered.values())

    def calls_of(self, *roles: str) -> int:
        """Inputs that were put to models in these roles."""
        return sum(each.asked for each in self.effort if each.role in roles)

    def prompt_tokens_of(self, *roles: str) -> int | None:
        """Prompt tokens of these roles; None where none of them asked a model that counts tokens."""
        counts = [each.prompt_tokens for each in self.effort if each.role in roles and each.prompt_tokens is not None]
        return sum(counts) if counts else None
