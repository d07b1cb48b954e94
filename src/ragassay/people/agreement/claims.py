"""A judge on claims about passages, of which people have said whether the passage supports them.

Read the file, put the claims to the judge as faithfulness does, count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import BeforeValidator, Strict, StringConstraints

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import json_line, read_objects
from ragassay.errors import InputError
from ragassay.evaluation.aggregate import SHARE, estimate, is_varied
from ragassay.metrics.answered import miscounted
from ragassay.models.base import Model, Reply
from ragassay.people.agreement.correlation import Flags, auroc, with_clear_classes
from ragassay.people.agreement.measure import (
    Drawn,
    Measure,
    MeasureEstimate,
    defined,
    groups_of,
    mean_with_interval,
    too_few_groups,
    undefined,
    wider,
    with_intervals,
    without_interval,
)
from ragassay.records import from_json
from ragassay.tasks.verdicts import STATEMENT_VERDICTS, StatementsOnContext, StatementVerdicts

SHIPPED_CLAIMS = Path(__file__).with_name("claims.jsonl")
"""320 claims about 40 passages, written for this package and used in no training."""
LEAST_CLAIMS = 20
"""Fewer say nothing about a judge: the interval of 19 right of 19 begins at 0.80."""
_Filled = Annotated[str, StringConstraints(pattern=r"\S")]
_Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim. where: file, line and number of the claim, for messages and results.

    type: what makes it right or wrong, such as paraphrase or number. quote: the stretch of the passage that decides, as
    the author of the claim says.
    """

    text: _Filled
    supported: Annotated[bool, Strict()]
    type: _Text = ""
    quote: _Text = ""
    where: str = ""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A passage with its claims. key: the same for all lines about one passage."""

    text: _Filled
    claims: tuple[Claim, ...]
    id: str | int | None = None
    source: _Text = ""
    title: _Text = ""
    heading: _Text = ""
    key: str = ""

    @cached_property
    def context(self) -> str:
        """What claims are judged by: title and heading, where they are given, before the text."""
        head = "\n".join(each for each in (self.title, self.heading) if each.strip())
        return f"{head}\n\n{self.text}" if head else self.text


class ClaimSet(NamedTuple):
    """where: the file."""

    where: str
    passages: tuple[Passage, ...]

    @property
    def n(self) -> int:
        """Claims of all passages."""
        return sum(len(each.claims) for each in self.passages)


def holds_claims(path: Path) -> bool:
    """Return whether the first object of a JSONL file is a passage with claims; False where it cannot be read."""
    try:
        first = next(read_objects(path, Notes(keep_going=True)), None)
    except OSError:
        return False
    return first is not None and "claims" in first.value


def read_claim_set(path: Path | None) -> ClaimSet:
    """Read a file of claims; None for the set that comes with the package.

    Raises RecordError, which names line and field, for one that cannot be used, and InputError for a file that cannot
    be read or holds fewer than LEAST_CLAIMS.
    """
    source = SHIPPED_CLAIMS if path is None else path
    passages = []
    try:
        for where, value in read_objects(source, Notes()):
            read = from_json(Passage, json_line(value), where=where)
            claims = (replace(claim, where=f"{where}, claim {n}") for n, claim in enumerate(read.claims, 1))
            key = where if read.id is None else f"{read.source}\x1f{read.id}"
            passages.append(replace(read, claims=tuple(claims), key=key))
    except OSError as error:
        raise InputError(f"{source} cannot be read ({error.strerror})") from None
    found = ClaimSet(str(path or "the shipped claims"), tuple(passages))
    if found.n < LEAST_CLAIMS:
        lines = f"{len(passages):,} line{'' if len(passages) == 1 else 's'}"
        raise InputError(
            f"{source}: needs at least {LEAST_CLAIMS} claims to measure a judge, not {found.n} (in {lines})"
        )
    return found


CLAIMS_AT_ONCE = 10
"""Claims about a passage in one question: an answer of faithfulness has rarely more statements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimJudgement:
    """What a judge says of one claim.

    verdict: whether the passage supports it; None where the judge gave none, ``reason`` then says why. score: how sure
    the judge is that it does, in [0, 1]. evidence: the sentence of the passage that decided, verbatim; may be empty.
    """

    passage: str
    source: str
    claim: Claim
    verdict: bool | None
    score: float | None
    reason: str
    evidence: str = ""

    @property
    def is_right(self) -> bool | None:
        """Whether the verdict is what people say; None without a verdict."""
        return None if self.verdict is None else self.verdict == self.claim.supported


class _Part(NamedTuple):
    """Claims that are asked in one question."""

    passage: Passage
    claims: Sequence[Claim]


async def judged_claims(model: Model, passages: Sequence[Passage]) -> list[ClaimJudgement]:
    """One judgement for each claim, in the order of the file."""
    parts = [
        _Part(passage, passage.claims[begin : begin + CLAIMS_AT_ONCE])
        for passage in passages
        for begin in range(0, len(passage.claims), CLAIMS_AT_ONCE)
    ]
    texts = [tuple(each.text for each in part.claims) for part in parts]
    contexts = [part.passage.context for part in parts]
    replies = await model.ask_all(
        STATEMENT_VERDICTS,
        [StatementsOnContext(statements=each, context=context) for each, context in zip(texts, contexts, strict=True)],
    )
    return [judgement for part, reply in zip(parts, replies, strict=True) for judgement in _judgements(part, reply)]


def _judgements(part: _Part, reply: Reply[StatementVerdicts]) -> Iterator[ClaimJudgement]:
    passage = part.passage
    items = reply.value.items if reply.value is not None else ()
    problem = reply.reason if reply.value is None else miscounted(len(items), len(part.claims), "claim")
    if problem:
        for claim in part.claims:
            yield ClaimJudgement(
                passage=passage.key, source=passage.source, claim=claim, verdict=None, score=None, reason=problem
            )
        return
    for claim, item in zip(part.claims, items, strict=True):
        yield ClaimJudgement(
            passage=passage.key,
            source=passage.source,
            claim=claim,
            verdict=item.supported,
            score=item.support,
            reason=item.reason,
            evidence=item.evidence,
        )


def has_scores(judgements: Sequence[ClaimJudgement]) -> bool:
    """Return whether a judge says how sure it is: any score that is not just its verdict as 1 or 0."""
    return any(each.score is not None and each.score != float(each.verdict is True) for each in judgements)


def wrong_first(judgements: Sequence[ClaimJudgement]) -> list[ClaimJudgement]:
    """Wrong ones, the surest first; then those without a verdict; then right ones, the least sure first."""
    return sorted(judgements, key=_place)


def _place(judgement: ClaimJudgement) -> tuple[int, float]:
    if judgement.is_right is None or judgement.score is None:
        return 1, 0.0
    off = abs(float(judgement.claim.supported) - judgement.score)
    return (2 if judgement.is_right else 0), -off


NO_SCORES = "the judge says supported or not, without a score between"
NOT_JUDGED = "the judge gave no verdict"
ONE_CLASS = "supported claims are missing, or those that are not supported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFigures:
    """accuracy: share of verdicts that are right. balanced_accuracy: mean of that share over the two classes.

    auroc: of the score, supported claims against the others. Intervals are over passages; n is claims with a verdict,
    total all claims. supported: claims that people say are supported.
    """

    passages: int
    supported: int
    accuracy: MeasureEstimate
    balanced_accuracy: MeasureEstimate
    auroc: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFigures:
    """Claims of one type, and of one class where a type has both. type: empty for claims without one."""

    type: str
    supported: bool
    accuracy: MeasureEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck:
    """A judge on claims.

    commonest: accuracy of always saying what most claims are, which takes no judge. by_type: supported types first,
    each in the order of the file. reasons: why claims have no verdict, counted.
    """

    figures: ClaimFigures
    commonest: float
    by_type: tuple[TypeFigures, ...]
    reasons: Mapping[str, int]


def checked_claims(judgements: Sequence[ClaimJudgement], *, seed: int = 0) -> ClaimCheck:
    """All figures of at least one judgement."""
    scored = has_scores(judgements)
    supported = sum(each.claim.supported for each in judgements)
    return ClaimCheck(
        figures=_figures(judgements, scored, seed),
        commonest=max(supported, len(judgements) - supported) / len(judgements),
        by_type=tuple(_by_type(judgements)),
        reasons=dict(Counter(each.reason for each in judgements if each.verdict is None)),
    )


def _by_type(judgements: Sequence[ClaimJudgement]) -> list[TypeFigures]:
    groups: dict[tuple[bool, str], list[ClaimJudgement]] = {}
    for each in judgements:
        groups.setdefault((each.claim.supported, each.claim.type), []).append(each)
    ordered = sorted(groups.items(), key=lambda item: not item[0][0])
    return [
        TypeFigures(type=type_, supported=supported, accuracy=_accuracy(of_type))
        for (supported, type_), of_type in ordered
    ]


def _accuracy(judgements: Sequence[ClaimJudgement]) -> MeasureEstimate:
    judged = [each for each in judgements if each.is_right is not None]
    return mean_with_interval(
        [float(each.is_right is True) for each in judged],
        bounds=SHARE,
        total=len(judgements),
        reason=NOT_JUDGED,
        keys=[each.passage for each in judged],
    )


def _figures(judgements: Sequence[ClaimJudgement], scored: bool, seed: int) -> ClaimFigures:
    judged = [each for each in judgements if each.verdict is not None]
    balanced, area = _resampled(judged, seed, len(judgements))
    return ClaimFigures(
        passages=len({each.passage for each in judgements}),
        supported=sum(each.claim.supported for each in judgements),
        accuracy=_accuracy(judgements),
        balanced_accuracy=balanced,
        auroc=area if scored or not judged else without_interval(undefined(NO_SCORES, len(judged)), len(judgements)),
    )


def _resampled(judged: Sequence[ClaimJudgement], seed: int, total: int) -> tuple[MeasureEstimate, MeasureEstimate]:
    """Balanced accuracy and AUROC with intervals over passages, from the same resamples.

    Each is at least as wide as the interval of means where hardly a claim differs from the rest.
    """
    n = len(judged)
    if not n:
        nothing = without_interval(undefined(NOT_JUDGED), total)
        return nothing, nothing
    right = np.array([each.is_right is True for each in judged], dtype=np.bool_)
    supported = np.array([each.claim.supported for each in judged], dtype=np.bool_)
    scores = np.array([each.score for each in judged], dtype=np.float64)

    def measures(drawn: Drawn) -> tuple[Measure, Measure]:
        classes = supported[drawn]
        if classes.all() or not classes.any():
            return undefined(ONE_CLASS, len(drawn)), undefined(ONE_CLASS, len(drawn))
        hits = right[drawn]
        balanced = (hits[classes].mean() + hits[~classes].mean()) / 2
        return defined(balanced, len(drawn)), auroc(scores[drawn], classes)

    groups = groups_of([each.passage for each in judged])
    if why := too_few_groups(n, len(groups)):
        balanced, area = (without_interval(each, total, why) for each in measures(np.arange(n)))
        return balanced, area
    balanced, area = with_intervals(n, measures, seed=seed, total=total, groups=groups)
    if balanced.value is None:
        return balanced, area
    if not is_varied(right.astype(np.float64)):
        balanced = _over_classes(balanced, right, supported)
    return balanced, with_clear_classes(area, scores, supported)


def _over_classes(balanced: MeasureEstimate, right: Flags, supported: Flags) -> MeasureEstimate:
    """Widen to the mean of the intervals of both classes."""
    one, other = (estimate(right[supported == side].astype(np.float64).tolist()) for side in (True, False))
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return balanced
    return wider(balanced, (one.low + other.low) / 2, (one.high + other.high) / 2)
