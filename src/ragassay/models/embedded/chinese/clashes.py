"""Whether a Chinese text says something else than a statement: another amount or date, a negation, another name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.embedded.judging.clashes import Clash
from ragassay.models.embedded.reading.chinese_pairs import HAN, pairs
from ragassay.models.embedded.reading.chinese_quantities import Amount, Date, amounts, dates

_NEGATION = re.compile(
    rf"(?:不(?!仅|断|同|少|久|锈|良|足|过|但|论|管|满|适|等|超过|低于|少于|得不)|没有?|未(?!来|婚|成年)|无(?!锡|线|论|机|人|偿|期|罪|形)|并非|拒绝|禁止|否认)(?P<what>[{HAN}]{{2}})"
)
_NAME = re.compile(
    rf"[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{1,8}}·[{HAN}·]{{1,16}}|[A-Za-z][A-Za-z0-9.+-]{{1,}}"
    rf"|[{HAN}]{{2,12}}(?:有限公司|集团|医院|大学|法院|检察院|银行|事务所)"
)


def clash(statement: str, passages: Sequence[str], context: str, question: str = "") -> Clash | None:
    """How a context disagrees with a statement; None where it does not.

    passages: the sentences that come nearest, best first; one that agrees is enough. question: what it gives, nobody
    need repeat.
    """
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
    """Whether a text has the part of an organisation's name that tells it from others, as in ``凌峰实业`` for short.

    The rules may have cut the name out with a word too many in front, so its last four signs are enough.
    """
    core = _SUFFIX.sub("", name)
    return len(core) > 1 and (core in text or (len(core) > _LONG_CORE and core[-_LONG_CORE:] in text))


_SUFFIX = re.compile(r"(?:股份)?有限(?:责任)?公司$|集团$|人民(?=[法检医])|(?:法院|检察院|医院|大学|银行|事务所)$")
_LONG_CORE = 4
