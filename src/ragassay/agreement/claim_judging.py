"""Puts claims to a judge: the task that faithfulness asks, one passage after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ragassay.agreement.claim_files import Claim, Passage
from ragassay.metrics.judged.answered import miscounted
from ragassay.models.base import Model, Reply
from ragassay.models.joint import jointly
from ragassay.tasks.answer_judgement import CHUNK_JUDGEMENT, AnswerOnChunks
from ragassay.tasks.verdicts import STATEMENT_VERDICTS, StatementsOnContext, StatementVerdicts

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
    told = await jointly(model, (CHUNK_JUDGEMENT, list(map(_as_answer, texts, contexts))))
    replies = await told.ask_all(
        STATEMENT_VERDICTS,
        [StatementsOnContext(statements=each, context=context) for each, context in zip(texts, contexts, strict=True)],
    )
    return [judgement for part, reply in zip(parts, replies, strict=True) for judgement in _judgements(part, reply)]


def _as_answer(claims: tuple[str, ...], context: str) -> AnswerOnChunks:
    return AnswerOnChunks(question="", answer=" ".join(claims), statements=claims, chunks=(context,), context=context)


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
