"""Verdicts on Chinese answers: statements, their support, keypoints and whether an answer covers them.

By words alone: the sentence encoder has read next to no Chinese, and its cosines would only add noise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.chinese.asked import pairs, read_question
from ragassay.models.embedded.chinese.clashes import clash
from ragassay.models.embedded.chinese.reading import Text, best_share, read_text
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.refusals import is_refusal
from ragassay.models.embedded.support import Claim, Support, lexical_support
from ragassay.models.embedded.units import sentences
from ragassay.tasks.verdicts import (
    AnswerStatement,
    AnswerStatements,
    AnswerToQuestion,
    Keypoints,
    KeypointsOnAnswer,
    KeypointVerdict,
    KeypointVerdicts,
    StatementsOnContext,
    StatementVerdict,
    StatementVerdicts,
)

# Chosen on the keypoints of a generated scenario, half of them with one value changed (docs/chinese.md).
SUPPORTED_ABOVE = 0.49
COVERED_ABOVE = 0.49
COMPARABLE_ABOVE = 0.3
# An answer of so few characters without a verb says nothing without its question.
FRAGMENT_CHARS = 14
_VERB = re.compile(r"[是为有在于被把将了过着]|[成出得到达]于|包括|位于|担任")
_MARKUP = re.compile(r"\*\*|__|^#+\s+|^\s*(?:[-*•]|[（(]?[\d一二三四五六七八九十]{1,3}[.)）、])\s*")
_LEAD_IN = re.compile(r"^[^。！？]{0,40}[：:]\s*$")


def statements_of(question: str, answer: str) -> list[str]:
    """The answer's sentences as statements that stand alone: markup gone, fragments with their question before them."""
    found = []
    for sentence in sentences(answer):
        plain = _MARKUP.sub("", sentence).strip()
        if not pairs(plain) or _LEAD_IN.match(plain):
            continue
        fragment = len(plain) <= FRAGMENT_CHARS and not _VERB.search(plain)
        found.append(f"{question.rstrip('？? ')}：{plain}" if fragment and question else plain)
    return list(dict.fromkeys(found))


def _answer_statements(_: Encoder, inputs: Sequence[AnswerToQuestion]) -> list[Reply[AnswerStatements]]:
    return [
        Reply(
            AnswerStatements(items=() if _declines(each.answer) else tuple(statements_of(each.question, each.answer)))
        )
        for each in inputs
    ]


def _declines(answer: str) -> bool:
    return is_refusal(answer) and len(sentences(answer)) == 1


def _statement_verdicts(_: Encoder, inputs: Sequence[StatementsOnContext]) -> list[Reply[StatementVerdicts]]:
    judged = lexical_support([Claim(each.question, each.statements, each.context) for each in inputs])
    return [
        Reply(
            StatementVerdicts(
                items=tuple(_verdict(text, one, each) for text, one in zip(each.statements, held, strict=True))
            )
        )
        for each, held in zip(inputs, judged, strict=True)
    ]


def _verdict(statement: str, held: Support, asked: StatementsOnContext) -> StatementVerdict:
    share = held_share(statement, read_text(asked.context), asked.question) if held.near else 0.0
    found = clash(statement, held.near, asked.context, asked.question) if share > COMPARABLE_ABOVE else None
    score = share if found is None else min(share, SUPPORTED_ABOVE)
    if not held.evidence:
        reason = "no sentence of the context shares a word with it"
    elif found is not None:
        reason = f"perhaps contradicted: {found.reason}"
    elif score > SUPPORTED_ABOVE:
        reason = f"the context says it, support {score:.2f}"
    else:
        reason = f"the nearest sentence says too little of it, support {score:.2f}"
    return StatementVerdict(supported=score > SUPPORTED_ABOVE, support=score, reason=reason, evidence=held.evidence)


def _keypoints(_: Encoder, inputs: Sequence[AnswerStatement]) -> list[Reply[Keypoints]]:
    return [
        Reply(
            Keypoints(items=tuple(dict.fromkeys(each.statements)) or tuple(statements_of(each.question, each.answer)))
        )
        for each in inputs
    ]


def _keypoint_verdicts(_: Encoder, inputs: Sequence[KeypointsOnAnswer]) -> list[Reply[KeypointVerdicts]]:
    judged = lexical_support([Claim(each.question, each.keypoints, each.answer) for each in inputs])
    return [
        Reply(
            KeypointVerdicts(
                items=tuple(_keypoint_verdict(text, one, each) for text, one in zip(each.keypoints, held, strict=True))
            )
        )
        for each, held in zip(inputs, judged, strict=True)
    ]


def _keypoint_verdict(keypoint: str, held: Support, item: KeypointsOnAnswer) -> KeypointVerdict:
    share = held_share(keypoint, read_text(item.answer), item.question) if held.near else 0.0
    if _declines(item.answer):
        return KeypointVerdict(verdict="neither", support=share, reason="the answer declines")
    found = clash(keypoint, held.near, item.answer, item.question) if share > COMPARABLE_ABOVE else None
    if found is not None:
        verdict = "neither" if found.kind == "name" else "contradicted"
        return KeypointVerdict.model_validate({"verdict": verdict, "support": share, "reason": found.reason})
    if share > COVERED_ABOVE:
        return KeypointVerdict(verdict="covered", support=share, reason=f"said in: {held.evidence}")
    return KeypointVerdict(verdict="neither", support=share, reason="the answer does not say it")


def held_share(statement: str, text: Text, question: str) -> float:
    """Share of what a statement says beyond its question in the best place of a text, in [0, 1].

    By pairs of characters, rarer ones more, those of names left out: a text says "the company" where a statement has
    its name, and another name is a clash.
    """
    asked = read_question(question)
    given = set(asked.wanted) | asked.about
    said = dict.fromkeys(read_question(statement.rstrip("。")).wanted)
    new = [pair for pair in said if pair not in given] or list(said)
    return best_share(new, text)


HANDLERS: dict[str, Handler] = {
    "answer_statements": _answer_statements,
    "statement_verdicts": _statement_verdicts,
    "keypoints": _keypoints,
    "keypoint_verdicts": _keypoint_verdicts,
}
