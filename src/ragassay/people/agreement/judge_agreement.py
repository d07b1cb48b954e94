"""What was measured of judges and of the embedded model's questions, to stand beside figures.

The rows of the embedded judge are in ``judge_agreement.json``, which ``benchmarks/judge.py --write`` makes; a folder of
``ragassay judge check --out`` gives rows of any judge. The counts of questions are in ``questions_read.json``, which
``benchmarks/worth.py table --write`` makes from the verdicts (docs/decisions/embedded-questions.md).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from ragassay.evaluation.estimate import Estimate
from ragassay.people.agreement.check_statistics import MeasureName, QualityCheck, Row
from ragassay.people.agreement.claims import ClaimCheck
from ragassay.people.agreement.measure import MeasureEstimate
from ragassay.records import from_json

SHIPPED_FILE = Path(__file__).with_name("judge_agreement.json")

Statistic = Literal["AUROC", "balanced accuracy", "accuracy on pairs", "Pearson correlation"]
Lead = Literal["clear", "unclear", "none"]
"""Of a judge over a control: its interval lies above it; only its value does; not even that."""

CONTROL_RULES = {"longer wins": "the longer one is better", "shorter wins": "the shorter one is better"}
"""Controls of ``ragassay judge check`` that are set beside a judge, in words."""
_METRIC_OF_F1 = "correctness"
"""Preferences are by precision, recall and F1 of statements; F1, which goes with "overall", is this metric."""
_MEASURES: Mapping[str, Sequence[tuple[MeasureName, Statistic]]] = {
    "pairs": (("accuracy", "accuracy on pairs"),),
    "ratings": (("auroc", "AUROC"), ("pearson", "Pearson correlation")),
    "comparisons": (("pearson", "Pearson correlation"),),
}
"""By the shape of the items the statistics that are shown: the first that has a value."""
_SAME_VERDICTS = {"faithfulness_inferred": "faithfulness"}
"""Metrics of which the embedded judge, which reads no prompt, gives the values of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """What takes no judge. rule: in words. value: of the same statistic on the same items."""

    rule: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeShare:
    """Items of one type. right: the share that the judge judges rightly, in [0, 1]."""

    type: str
    right: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """One statistic of a judge's values of one metric.

    data: the items, in words that follow their number: "pairs of answers of WikiEval". said_by: who says what is right.
    low, high: 95 % interval, None where there is none. seen: whether the judge's rules, weights or thresholds were
    chosen with these items in view, which makes the value optimistic. by_type: empty where items have no types.
    """

    metric: str
    data: str
    said_by: str
    statistic: Statistic
    value: float
    low: float | None
    high: float | None
    n: int
    seen: bool = False
    control: Control | None = None
    by_type: tuple[TypeShare, ...] = ()

    @property
    def lead(self) -> Lead | None:
        """How far the judge is ahead of its control; None without one."""
        if self.control is None:
            return None
        if self.value <= self.control.value:
            return "none"
        return "clear" if self.low is not None and self.low > self.control.value else "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementFile:
    """What was measured of one judge. judge: its name, as reports have it. rows: the first of a metric says most."""

    judge: str
    rows: tuple[JudgeAgreement, ...]


def measured(judge: str) -> tuple[JudgeAgreement, ...]:
    """Return what the package knows of a judge, by its name: nothing of any but the embedded one that was measured."""
    known = shipped()
    if not is_same_judge(judge, known.judge):
        return ()
    others = ((name, rows_of_metric(known.rows, metric)) for name, metric in _SAME_VERDICTS.items())
    return (*known.rows, *(replace(row, metric=name) for name, rows in others for row in rows))


@cache
def shipped() -> AgreementFile:
    """Return what ``judge_agreement.json`` holds."""
    return from_json(AgreementFile, SHIPPED_FILE.read_bytes(), where=SHIPPED_FILE.name)


def rows_of_metric(rows: Sequence[JudgeAgreement], metric: str) -> list[JudgeAgreement]:
    """Those about one metric, the one that says most first."""
    return [row for row in rows if row.metric == metric]


_EMBEDDED = re.compile(r"(?:.+, beside )?embedded \((?P<encoder>[^,()]+)(?:, (?P<others>[^()]+))?\)")
_VERIFIER = re.compile(r"\bverifier ([0-9a-f]{8})\b")


def is_same_judge(one: str, other: str) -> bool:
    """Whether two names stand for the same judge: an embedded model judges alike whoever writes its questions."""
    if one == other:
        return True
    parts = _parts(one)
    return parts is not None and parts == _parts(other)


def _parts(name: str) -> tuple[str, str] | None:
    """Return what the embedded judge's judgements depend on: its encoder, its verifier."""
    found = _EMBEDDED.fullmatch(name)
    if found is None:
        return None
    verifier = _VERIFIER.search(found["others"] or "")
    return found["encoder"], verifier[1] if verifier else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFile:
    """What is read of ``check.json`` in a folder of ``ragassay judge check --out``."""

    data: str
    model: str
    checks: Mapping[str, QualityCheck]
    claims: ClaimCheck | None = None


def rows_of_file(found: CheckFile) -> tuple[JudgeAgreement, ...]:
    """Return the rows that a check of a judge gives, in the order of its qualities."""
    is_shipped = found.data.startswith("the shipped ")
    where = "that come with Ragassay" if is_shipped else f"of {Path(found.data).name}"
    said_by = "their writers" if is_shipped else "people"
    rows = [row for check in found.checks.values() for row in rows_of_check(check, where, said_by=said_by)]
    if found.claims is not None:
        rows += rows_of_claims(found.claims, f"claims {where}", said_by=said_by)
    return tuple(rows)


def rows_of_claims(found: ClaimCheck, data: str, *, said_by: str, seen: bool = False) -> Iterator[JudgeAgreement]:
    """AUROC, where the judge gives scores, and balanced accuracy of its verdicts on claims; types with the first."""
    types = tuple(
        TypeShare(
            type=f"{'supported' if each.supported else 'not supported'}: {each.type or 'no type'}",
            right=each.accuracy.value,
            n=each.accuracy.n,
        )
        for each in found.by_type
        if each.accuracy.value is not None
    )
    figures: tuple[tuple[Statistic, MeasureEstimate], ...] = (
        ("AUROC", found.figures.auroc),
        ("balanced accuracy", found.figures.balanced_accuracy),
    )
    for statistic, measure in figures:
        if measure.value is not None:
            yield agreement_row("faithfulness", statistic, measure, data, said_by, seen=seen, by_type=types)
            types = ()


def rows_of_check(found: QualityCheck, data: str, *, said_by: str, seen: bool = False) -> Iterator[JudgeAgreement]:
    """Return the judge's rows of one quality. data: where the items are from, in words that follow their shape."""
    for row in found.rows:
        if row.role != "judge" or row.aspect not in ("", "overall"):
            continue
        control = next(
            (each for each in found.rows if each.aspect == row.aspect and each.scorer in CONTROL_RULES), None
        )
        for name, statistic in _MEASURES[found.shape]:
            measure = row.measures.get(name)
            if measure is not None and measure.value is not None:
                metric = _METRIC_OF_F1 if row.aspect else row.scorer
                shown = _control(control, name)
                shape = f"{found.shape} {data}"
                yield agreement_row(metric, statistic, measure, shape, said_by, seen=seen, control=shown)
                break


def _control(row: Row | None, measure: MeasureName) -> Control | None:
    found = None if row is None else row.measures.get(measure)
    if row is None or found is None or found.value is None:
        return None
    return Control(rule=CONTROL_RULES[row.scorer], value=found.value)


def agreement_row(
    metric: str,
    statistic: Statistic,
    found: Estimate,
    data: str,
    said_by: str,
    *,
    seen: bool = False,
    control: Control | None = None,
    by_type: tuple[TypeShare, ...] = (),
) -> JudgeAgreement:
    """Return a row of a statistic that has a value. Raises ValueError for one that has none."""
    if found.value is None:
        raise ValueError(f"{metric}: {statistic} on {data} has no value")
    return JudgeAgreement(
        metric=metric,
        data=data,
        said_by=said_by,
        statistic=statistic,
        value=found.value,
        low=found.low,
        high=found.high,
        n=found.n,
        seen=seen,
        control=control,
        by_type=by_type,
    )


QUESTIONS_FILE = Path(__file__).with_name("questions_read.json")


@dataclass(frozen=True, slots=True)
class QuestionsRead:
    """read: pairs of question and answer. kinds: of documents that they were made of.

    usable: what is asked is clear, a system that finds the passage can answer, and the answer is right. right: the
    answer is, whatever the question. accept: taken as they stood.
    """

    read: int
    kinds: int
    usable: int
    right: int
    accept: int


@cache
def questions_read() -> QuestionsRead:
    """Return the latest reading."""
    return QuestionsRead(**json.loads(QUESTIONS_FILE.read_text(encoding="utf-8")))
