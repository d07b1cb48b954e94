"""What ``judge.py --write`` keeps for pages: rows of how far the embedded judge agrees with others. For ``judge.py``.

A row is a line of the table whose judge's values are those of a metric; what is said of the data and of who judged them
stands here. Claims come from the check that ``ragassay judge check --claims`` does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from ragassay.evaluation.estimate import Estimate
from ragassay.models.base import Model
from ragassay.people.agreement.claims import ClaimCheck, checked_claims, judged_claims, read_claim_set
from ragassay.people.agreement.judge_agreement import (
    AgreementFile,
    Control,
    JudgeAgreement,
    Statistic,
    TypeShare,
    agreement_row,
    rows_of_claims,
)

CLAIMS_DATA, CLAIMS_SAID_BY = "claims about passages of two kinds that it was not trained on", "the claims' writers"
KEYPOINTS = "keypoints rejected, "
UNCHANGED = "true"
CHANGES = {"number": "number changed", "month": "month changed", "negation": "negated", "entity": "name changed"}
_LONGER, _SHORTER = "the longer one is better", "the shorter one is better"
_GPT4, _PEOPLE, _MADE = "GPT-4", "people", "how they were made"
_RATED = "clearly good or bad answers of RAGVAL"
_COMMITTAL = f"{_RATED} that are no refusals"


class Line(Protocol):
    """What is read of a line of ``judge.py``."""

    @property
    def name(self) -> str: ...
    @property
    def found(self) -> Estimate: ...
    @property
    def longer(self) -> float | None: ...


@dataclass(frozen=True)
class Kept:
    """What a line is on a page. rule: of the control that the line has beside the judge."""

    metric: str
    statistic: Statistic
    data: str
    said_by: str
    rule: str = _LONGER


KEPT: Mapping[str, Kept] = {
    "faithfulness, pairs": Kept("faithfulness", "accuracy on pairs", "pairs of answers of WikiEval", _MADE),
    "answer relevance by question alone": Kept("answer_relevance", "AUROC", _RATED, _GPT4),
    "answer relevance by question alone, committal answers": Kept("answer_relevance", "AUROC", _COMMITTAL, _GPT4),
    "answer relevance, pairs": Kept("answer_relevance", "accuracy on pairs", "pairs of answers of WikiEval", _MADE),
    "context relevance, pairs": Kept(
        "context_relevance", "accuracy on pairs", "pairs of contexts of WikiEval", _MADE, _SHORTER
    ),
    "useful chunks": Kept("context_precision", "balanced accuracy", "retrieved chunks of DragonBall", "its references"),
    "human preference, overall": Kept(
        "correctness", "Pearson correlation", "comparisons of two answers (RAGChecker)", _PEOPLE
    ),
    "truthfulness": Kept("truthfulness", "AUROC", _RATED, _GPT4),
    "truthfulness, committal answers": Kept("truthfulness", "AUROC", _COMMITTAL, _GPT4),
    "answer relevance by the block": Kept("relevance", "AUROC", _RATED, _GPT4),
    "answer relevance by the block, committal answers": Kept("relevance", "AUROC", _COMMITTAL, _GPT4),
}
"""Name of a line to what it is; in the order of pages, so that the first line of a metric is the one that says most."""


def check_of_claims(model: Model) -> ClaimCheck:
    """The embedded judge on the claims that come with the package."""
    return checked_claims(asyncio.run(judged_claims(model, read_claim_set(None).passages)))


def kept_rows(lines: Sequence[Line], claims: ClaimCheck | None) -> tuple[JudgeAgreement, ...]:
    """The rows of a file. claims: None for those that were not judged."""
    by_name = {line.name: line for line in lines if line.found.value is not None}
    found = list(rows_of_claims(claims, CLAIMS_DATA, said_by=CLAIMS_SAID_BY)) if claims is not None else []
    found += [_row(by_name[name], kept) for name, kept in KEPT.items() if name in by_name]
    keypoints = [line for name, line in by_name.items() if name.startswith(KEYPOINTS)]
    return (*found, *_keypoint_rows(keypoints))


def _row(line: Line, kept: Kept) -> JudgeAgreement:
    control = None if line.longer is None else Control(rule=kept.rule, value=line.longer)
    return agreement_row(kept.metric, kept.statistic, line.found, kept.data, kept.said_by, seen=True, control=control)


def _keypoint_rows(lines: Sequence[Line]) -> Iterable[JudgeAgreement]:
    """Keypoints with one thing changed, to be rejected, against unchanged ones: a balanced accuracy, with its types.

    Its bounds are the means of those of both classes, which are wider than those of the mean.
    """
    true = next((line.found for line in lines if line.name == KEYPOINTS + UNCHANGED), None)
    changed = {line.name.removeprefix(KEYPOINTS): line.found for line in lines if line.name != KEYPOINTS + UNCHANGED}
    if true is None or not changed:
        return
    n = sum(each.n for each in changed.values())

    def mean(part: str) -> float:
        return sum((getattr(each, part) or 0.0) * each.n for each in changed.values()) / n

    passed = {part: 1 - (getattr(true, other) or 0.0) for part, other in _MIRRORED.items()}
    both = {part: (passed[part] + mean(part)) / 2 for part in _MIRRORED}
    estimate = Estimate(**both, n=n + true.n, total=n + true.n)
    shares = [TypeShare(type="unchanged", right=passed["value"], n=true.n)]
    shares += [
        TypeShare(type=CHANGES.get(kind, kind), right=each.value or 0.0, n=each.n) for kind, each in changed.items()
    ]
    yield agreement_row(
        "completeness",
        "balanced accuracy",
        estimate,
        "keypoints of DragonBall, unchanged or with one thing changed",
        _MADE,
        seen=True,
        by_type=tuple(shares),
    )


_MIRRORED = {"value": "value", "low": "high", "high": "low"}
"""Bounds of a share, to those of its rest."""


def write(path: Path, judge: str, found: tuple[JudgeAgreement, ...]) -> None:
    """Writes the file, figures to four places, which is more than their intervals allow."""
    content = asdict(AgreementFile(judge=judge, rows=found))
    path.write_text(json.dumps(_rounded(content), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value
