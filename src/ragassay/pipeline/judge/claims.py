"""A judge on claims about passages: what it is asked, and what is written of it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any

from ragassay.agreement.claim_files import ClaimSet
from ragassay.agreement.claim_judging import ClaimJudgement, has_scores, judged_claims
from ragassay.agreement.claim_statistics import ClaimCheck
from ragassay.metrics.judged.judge import Judge
from ragassay.parts import LOCAL_BATCH, in_batches
from ragassay.pipeline.folders.progress import Progress


def asking_claims(
    claim_set: ClaimSet, progress: Progress, *, on_server: bool
) -> Callable[[Judge], Awaitable[list[ClaimJudgement]]]:
    """Asks a judge about all claims; the judgements come in the order of the file."""

    async def ask(judge: Judge) -> list[ClaimJudgement]:
        passages, found = claim_set.passages, list[ClaimJudgement]()
        progress.start("judging claims", sum(len(passage.claims) for passage in passages))
        for batch in in_batches(passages, max(len(passages), 1) if on_server else LOCAL_BATCH):
            found += await judged_claims(judge.model, batch)
            progress.reach(len(found))
        return found

    return ask


def claim_lines(judgements: Sequence[ClaimJudgement]) -> list[str]:
    """One line of JSON for each judgement, in their order."""
    scored = has_scores(judgements)
    return [json.dumps(_judgement_object(each, scored), ensure_ascii=False) + "\n" for each in judgements]


def _judgement_object(judgement: ClaimJudgement, scored: bool) -> dict[str, Any]:
    claim = judgement.claim
    return {
        "where": claim.where,
        "source": judgement.source,
        "type": claim.type,
        "claim": claim.text,
        "supported": claim.supported,
        "verdict": judgement.verdict,
        "right": judgement.is_right,
        "probability": judgement.score if scored else None,
        "evidence": judgement.evidence,
        "reason": judgement.reason,
    }


def claim_object(check: ClaimCheck) -> dict[str, Any]:
    """What ``--json`` prints of claims."""
    return {**asdict(check), "reasons": dict(check.reasons), "by_source": _by_source(check)}


def _by_source(check: ClaimCheck) -> list[dict[str, Any]]:
    return [{"source": source, **asdict(figures)} for source, figures in check.by_source.items()]
