"""Verdicts on Chinese answers by words alone: the sentence encoder has read next to no Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.clashes import Clash
from ragassay.models.embedded.judging.refusals import evades, spoken
from ragassay.models.embedded.judging.verdicts import statement_handlers, verdict_by_words, verdict_on_refusal
from ragassay.models.embedded.languages import Handler
from ragassay.models.embedded.reading.chinese import HAN, Amount, Date, Text, amounts, dates, pairs, read, read_text
from ragassay.tasks.verdicts import (
    KeypointsOnAnswer,
    KeypointVerdict,
    KeypointVerdicts,
    StatementsOnContext,
    StatementVerdict,
    StatementVerdicts,
)

_NEGATION = re.compile(
    rf"(?:不(?!仅|断|同|少|久|锈|良|足|过|但|论|管|满|适|等|超过|低于|少于|得不)|没有?|未(?!来|婚|成年)|无(?!锡|线|论|机|人|偿|期|罪|形)|并非|拒绝|禁止|否认)(?P<what>[{HAN}]{{2}})"
)
_NAME = re.compile(
    rf"[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{1,8}}·[{HAN}·]{{1,16}}|[A-Za-z][A-Za-z0-9.+-]{{1,}}"
    rf"|[{HAN}]{{2,12}}(?:有限公司|集团|医院|大学|法院|检察院|银行|事务所)"
)


def clash(statement: str, passages: Sequence[str], context: str, question: str = "") -> Clash | None:
    """How a context disagrees with a statement; None where it does not. Arguments: as of ``clashes.clash``."""
    if not passages:
        return None
    return (
        _date_clash(statement, passages, context, question)
        or _amount_clash(statement, passages, context, question)
        or _negation_clash(statement, passages)
        or _name_clash(statement, context, question)
    )


def _date_clash(statement: str, passages: Sequence[str], context: str, question: str) -> Clash | None:
    given = {date.value for date in dates(question)}
    stated = [date for date in dates(statement) if date.value not in given]
    near = [date for passage in passages for date in dates(passage)]
    if not stated or not near:
        return None
    anywhere = {date.value: date for date in [*near, *dates(context)]}.values()
    for date in stated:
        if not any(_agrees(date, other) for other in anywhere):
            return Clash("date", f"the text gives another date than {date.text}")
        if len(near) == 1 and not _agrees(date, near[0]):
            return Clash("date", f"the sentence that is nearest gives another date than {date.text}")
    return None


def _agrees(date: Date, other: Date) -> bool:
    return all(not one or not two or one == two for one, two in zip(date.value, other.value, strict=True))


def _amount_clash(statement: str, passages: Sequence[str], context: str, question: str) -> Clash | None:
    given = {(amount.kind, amount.size) for amount in amounts(question)}
    stated = [amount for amount in amounts(statement) if (amount.kind, amount.size) not in given]
    every = [amount for passage in passages for amount in amounts(passage)]
    for amount in stated:
        near = [other for other in every if _comparable(amount, other)]
        if not near or any(_same(amount, other) for other in near):
            continue
        if len(passages) == 1 or not any(_same(amount, other) for other in amounts(context)):
            return Clash("number", f"the text gives another amount than {amount.text}")
    return None


def _comparable(one: Amount, other: Amount) -> bool:
    return one.kind == other.kind and (one.kind in ("percent", "duration", "number") or one.unit == other.unit)


def _same(one: Amount, other: Amount) -> bool:
    return one.kind == other.kind and abs(one.size - other.size) <= 1e-6 * max(1.0, abs(one.size))


def _negation_clash(statement: str, passages: Sequence[str]) -> Clash | None:
    denied = {match["what"] for match in _NEGATION.finditer(statement)}
    said = set(pairs(_NEGATION.sub("", statement)))
    if denied and not any(_NEGATION.search(passage) for passage in passages):
        return Clash("negation", "only the statement is negated")
    verdicts = []
    for passage in passages:
        also = {match["what"] for match in _NEGATION.finditer(passage)}
        told = set(pairs(_NEGATION.sub("", passage)))
        if (denied & told) - also:
            verdicts.append("statement")
        elif (also & said) - denied - told:
            verdicts.append("text")
        else:
            return None
    return Clash("negation", f"only the {verdicts[0]} is negated")


def _name_clash(statement: str, context: str, question: str) -> Clash | None:
    for name in _NAME.findall(statement):
        if name.lower() not in f"{context}\n{question}".lower() and not _held(name, context + question):
            return Clash("name", f"the text does not name {name}")
    return None


def _held(name: str, text: str) -> bool:
    """Whether a text has the part of an organisation's name that tells it from others, as in ``凌峰实业`` for short."""
    core = _SUFFIX.sub("", name)  # perhaps with a word too many in front: the last four signs are enough
    return len(core) > 1 and (core in text or (len(core) > _LONG_CORE and core[-_LONG_CORE:] in text))


_SUFFIX = re.compile(r"(?:股份)?有限(?:责任)?公司$|集团$|人民(?=[法检医])|(?:法院|检察院|医院|大学|银行|事务所)$")
_LONG_CORE = 4


# Chosen on the keypoints of a generated scenario, half of them with one value changed (docs/chinese.md).
SUPPORTED_ABOVE = 0.49
COVERED_ABOVE = 0.49
COMPARABLE_ABOVE = 0.3
# An answer of so few characters without a verb says nothing without its question.
FRAGMENT_CHARS = 14
_VERB = re.compile(r"[是为有在于被把将了过着]|[成出得到达]于|包括|位于|担任")
_MARKUP = re.compile(r"\*\*|__|^#+\s+|^\s*(?:[-*•]|[（(]?[\d一二三四五六七八九十]{1,3}[.)）、])\s*")
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*\s*[^\W\d]?")
"""A number with the sign behind it, so that 3个月 is not the 3 of 3月."""
_LEAD_IN = re.compile(r"^[^。！？]{0,40}[：:]\s*$")


def statements_of(question: str, answer: str) -> list[str]:
    """The answer's sentences as statements that stand alone: no markup, fragments with their question before them."""
    found = []
    for sentence in spoken(answer):
        plain = _MARKUP.sub("", sentence).strip()
        if not pairs(plain) or _LEAD_IN.match(plain):
            continue
        fragment = len(plain) <= FRAGMENT_CHARS and not _VERB.search(plain)
        found.append(f"{question.rstrip('？? ')}：{plain}" if fragment and question else plain)
    return list(dict.fromkeys(found))


def _statement_verdicts(_: Encoder, inputs: Sequence[StatementsOnContext]) -> list[Reply[StatementVerdicts]]:
    found = [tuple(_verdict(statement, each) for statement in each.statements) for each in inputs]
    return [Reply(StatementVerdicts(items=verdicts)) for verdicts in found]


def _verdict(statement: str, asked: StatementsOnContext) -> StatementVerdict:
    held = held_in(statement, read_text(asked.context), asked.question)
    found = clash(statement, held.near, asked.context, asked.question) if held.share > COMPARABLE_ABOVE else None
    score = held.share if found is None else min(held.share, SUPPORTED_ABOVE)
    if found is not None:
        reason = f"perhaps contradicted: {found.reason}"
    elif score > SUPPORTED_ABOVE:
        reason = f"the context says it, support {score:.2f}"
    else:
        reason = f"the nearest sentence says too little of it, support {score:.2f}"
    evidence = held.near[0] if held.near else ""
    return StatementVerdict(supported=score > SUPPORTED_ABOVE, support=score, reason=reason, evidence=evidence)


def _keypoint_verdicts(_: Encoder, inputs: Sequence[KeypointsOnAnswer]) -> list[Reply[KeypointVerdicts]]:
    found = [tuple(_keypoint_verdict(keypoint, each) for keypoint in each.keypoints) for each in inputs]
    return [Reply(KeypointVerdicts(items=verdicts)) for verdicts in found]


def _keypoint_verdict(keypoint: str, item: KeypointsOnAnswer) -> KeypointVerdict:
    held = held_in(keypoint, read_text(item.answer), item.question)
    is_said = held.share > COVERED_ABOVE and evades(held.near[0])
    if verdict := verdict_on_refusal(keypoint, item.answer, is_said=is_said, share=held.share):
        return verdict
    found = clash(keypoint, held.near, item.answer, item.question) if held.share > COMPARABLE_ABOVE else None
    told = set() if found else _only_amounts(keypoint, item.question)
    if told and told <= _amounts(item.answer):
        return KeypointVerdict(verdict="covered", support=1.0, reason=f"said: {'、'.join(sorted(told))}")
    return verdict_by_words(found, held.share, held.near[0] if held.share > COVERED_ABOVE else "")


def _only_amounts(keypoint: str, question: str) -> set[str]:
    """The amounts of a keypoint that says nothing else beyond its question ("相隔9个月"): pairs would not show them."""
    given = set(pairs(question))
    if any(pair not in given for pair in read(keypoint.rstrip("。")).wanted):
        return set()
    return _amounts(keypoint) - _amounts(question)


def _amounts(text: str) -> set[str]:
    return {found.replace(" ", "") for found in _AMOUNT.findall(text)}


class Held(NamedTuple):
    """How far a text says a statement. share: in [0, 1]; near: the sentences that come nearest, best first."""

    share: float
    near: tuple[str, ...]


def held_in(statement: str, text: Text, question: str) -> Held:
    """Share of what a statement says beyond its question in the best place of a text, by pairs of signs."""
    asked = read(question)
    given = set(asked.wanted) | asked.about
    said = read(statement.rstrip("。")).wanted
    new = tuple(pair for pair in said if pair not in given) or said
    shares = [text.share(new, place) for place in range(len(text.units))]
    best = max(shares, default=0.0)
    if not best:
        return Held(0.0, ())
    order = sorted(range(len(shares)), key=lambda place: (-shares[place], place))[:MOST_NEAR]
    return Held(best, tuple(text.units[place].text for place in order if shares[place] >= NEAR_SHARE * best))


# A sentence with this share of the best one's may be the one that is meant.
NEAR_SHARE, MOST_NEAR = 0.8, 3


NO_RELEVANCE = "the embedded model does not judge how relevant a Chinese answer is; name a language model with --judge"


HANDLERS: dict[str, Handler] = {
    **statement_handlers(statements_of),
    "answer_relevance": lambda _, inputs: [Reply(None, NO_RELEVANCE) for _ in inputs],
    "statement_verdicts": _statement_verdicts,
    "keypoint_verdicts": _keypoint_verdicts,
}
