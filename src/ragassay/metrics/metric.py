"""What a metric is: how it is worked out for one example, and all that a reader should know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ragassay.metrics.answered import Answered, Judging
from ragassay.metrics.inputs import Input
from ragassay.records import Score

Needs = Literal["nothing", "encoder", "model", "language model", "own code"]
"""Who has to be asked besides the data: nobody, an encoder of texts, a judge, or a judge that is a language model.

Own code: a function of the user's, which may ask whom it likes.
"""
OWN_CODE: Needs = "own code"
BUILT_IN = "ragassay"
"""Where a metric comes from that this package has."""
Kind = Literal["retrieval", "answer and reference", "answer", "baseline", "published scorer"]


class Measured(NamedTuple):
    """A value, or None with the reason. evidence: what it rests on, to be read by people."""

    value: float | None
    evidence: tuple[str, ...] = ()
    reason: str | None = None


def score_of(answered: Answered, name: str, measured: Measured) -> Score:
    """Return what a metric of this name measured of an answer as its score."""
    return answered.score(name, measured.value, measured.reason, measured.evidence)


Measure = Callable[[Answered, int], Measured]
"""Of one example, with the depth k; metrics without a depth take no notice of it."""
Texts = Callable[[Answered], tuple[str, str] | None]
"""The two texts of an example that an encoder compares; None where the system abstained, which counts as 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How values of a metric are read: what a run folder keeps of those that are not ragassay's own.

    low, high: least and greatest value; high is None where there is none. The others are as in ``Metric``.
    """

    low: float = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True
    over_all: bool = False
    is_judged: bool = False

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Least and greatest value, for intervals; None where there is no greatest one."""
        return None if self.high is None else (self.low, self.high)


Scales = Mapping[str, Scale]
"""Metric name to its scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One row of the table of metrics.

    name: ends in ``@k`` where the metric has a depth; ``recall@5`` is asked for by a number in its place.
    unseen: what it is blind to, in at most eight words; empty for the user's own.
    inputs: what an example or prediction must have; without it the value is None with the reason.
    low, high: least and greatest value. higher_is_better: which way is good.
    measure: None where an encoder or a model is asked for many examples at once.
    over_all: whether its mean is over all questions; that of other metrics leaves the unanswerable ones out.
    texts: what an encoder compares; None for metrics that need none.
    judge: how many examples are scored at once by a model or the user's own code; None for the other metrics.
    tasks: names of what a model is asked. model: who is asked in place of the judge of the run.
    origin: the package, file or function that it comes from. code: fingerprint of what the user wrote, so that a change
    of it is seen. is_usual: computed where no metric is named, and listed first.
    """

    name: str
    kind: Kind
    meaning: str
    inputs: tuple[Input, ...]
    source: str
    unseen: str = ""
    needs: Needs = "nothing"
    low: float = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True
    over_all: bool = False
    measure: Measure | None = None
    texts: Texts | None = None
    judge: Judging | None = None
    tasks: tuple[str, ...] = ()
    model: str | None = None
    origin: str = BUILT_IN
    code: str = ""
    is_usual: bool = False

    @property
    def is_judged(self) -> bool:
        """Return whether a model decides it."""
        return self.needs in ("model", "language model")

    @property
    def scale(self) -> Scale:
        """Return how its values are read."""
        return Scale(
            low=self.low,
            high=self.high,
            higher_is_better=self.higher_is_better,
            over_all=self.over_all,
            is_judged=self.is_judged,
        )

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Least and greatest value, for intervals; None where there is no greatest one."""
        return self.scale.bounds

    @property
    def has_depth(self) -> bool:
        return self.name.endswith("@k")


def meaning_of(function: Callable[..., object]) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join((function.__doc__ or "").strip().split("\n\n")[0].split())


def range_words(metric: Metric) -> str:
    """Return least and greatest value: ``0 to 1``."""
    return f"{metric.low:g} to {metric.high:g}" if metric.high is not None else f"from {metric.low:g}"
