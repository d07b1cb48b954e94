"""The four critiques that verifier, labeller or a plain rule decide, 1 to 5; no rule here rates the others.

Source: Know Your RAG (COLING 2025), critiques.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging import chinese, labelling, verdicts
from ragassay.models.embedded.judging.judgements import ANSWERED_WINDOWS, QuestionOnText, answered
from ragassay.models.embedded.judging.labelling import asks_for_computation
from ragassay.models.embedded.judging.questions import asks_itself
from ragassay.models.embedded.languages import Handler, by_language
from ragassay.models.embedded.reading.terms import names, terms, total_weight
from ragassay.models.embedded.reading.units import stands_in
from ragassay.tasks.critique import CRITIQUES, NO_RULE, LabelVerdict, Pair, Rating
from ragassay.tasks.verdicts import AnswerToQuestion, StatementsOnContext

Rate = Callable[[Encoder, Sequence[Pair]], list[Reply[Rating]]]
_QUESTION = re.compile(
    r"[?？]|什么|谁|何|哪|多少|是否|吗|^\W*(?:wh\w+|how|name|list|explain|describe|tell|summari[sz]e|compare|outline)\b",
    re.IGNORECASE,
)


def _rating(share: float, reason: str) -> Rating:
    return Rating(rating=1 + round(4 * share), reason=reason)


def _labels(encoder: Encoder, pairs: Sequence[Pair]) -> list[LabelVerdict]:
    return _values("label", encoder, [Pair(context=pair.context, question=pair.question) for pair in pairs])


def _values(task_name: str, encoder: Encoder, inputs: Sequence[Any]) -> list[Any]:
    return [reply.value for reply in _TASKS[task_name](encoder, inputs)]


_TASKS: dict[str, Handler] = {
    **labelling.HANDLERS,
    **{
        name: by_language(verdicts.HANDLERS[name], chinese.HANDLERS[name])
        for name in ("answer_statements", "statement_verdicts")
    },
}
"""The tasks that a critique rests on."""


def _question_groundedness(encoder: Encoder, inputs: Sequence[Pair]) -> list[Reply[Rating]]:
    """By the verifier's probability that the context answers it, 3 from its threshold on; unread, by the label."""
    asked = [QuestionOnText(pair.question, pair.context, windows=ANSWERED_WINDOWS) for pair in inputs]
    found = answered(encoder, asked)
    unread = [pair for pair, read in zip(inputs, found, strict=True) if read is None]
    labels = dict(zip(map(id, unread), _labels(encoder, unread), strict=True))
    ratings = []
    for pair, read in zip(inputs, found, strict=True):
        if asks_itself(pair.context, pair.question, pair.answer):
            rating = _rating(1, "the context asks it, and answers it right there")
        elif read is None:
            rating = _rating(labels[id(pair)].label != "unanswerable", labels[id(pair)].reason)
        else:
            steps = (read.least / 2, read.least, (2 * read.least + 1) / 3, (read.least + 2) / 3)
            share = sum(read.likely >= step for step in steps) / 4
            rating = _rating(share, f"the context answers it, probability {read.likely:.2f}")
        ratings.append(Reply(rating if _QUESTION.search(pair.question) else _rating(0, "not a question")))
    return ratings


def _answer_groundedness(encoder: Encoder, inputs: Sequence[Pair]) -> list[Reply[Rating]]:
    """By the share of the answer's statements that the context supports; a computed answer is at least 3."""
    copied = [stands_in(pair.answer, pair.context) for pair in inputs]
    answers = [AnswerToQuestion(question=pair.question, answer=pair.answer) for pair in inputs]
    claims = [
        StatementsOnContext(question=pair.question, statements=() if verbatim else said.items, context=pair.context)
        for pair, verbatim, said in zip(inputs, copied, _values("answer_statements", encoder, answers), strict=True)
    ]
    ratings = []
    for pair, verbatim, found in zip(inputs, copied, _values("statement_verdicts", encoder, claims), strict=True):
        supported, total = sum(verdict.supported for verdict in found.items), len(found.items)
        rating = _rating(supported / max(1, total), f"the context supports {supported} of {total} statements")
        if verbatim:
            rating = _rating(1, "the context says it word for word")
        elif supported < total / 2 and asks_for_computation(pair.question):
            rating = _rating(0.5, "the answer is computed; the result was not computed again")
        ratings.append(Reply(rating))
    return ratings


_POINTS_AT_SOURCE = re.compile(
    r"""\b(?:the|this|that|these|given|provided|following)\s+(?:\w+\s+)?
        (?:text|passage|context|documents?|article|paragraphs?|excerpt|snippet|author|statements?|page|chapter|extract)\b(?!\s+of\b)
    | (?:\b(?:according\s+to|based\s+on|in)\s+|根据|在|^)[“"《]
      (?:[\w\ -]+\.(?:jsonl?|csv|md|rst|txt|html?|pdf|docx?)(?:\#\d+)?|(?-i:[a-z][\w.-]*(?:\ [a-z][\w.-]*)*)\ \d+)[”"》]
    | \b(?:above|below|aforementioned|mentioned|as\s+(?:described|stated))\b
    | 本文|文中|上文|上述|该文|文章|本段|材料中""",
    re.VERBOSE | re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"""\b(?:he|she|they|him|them|his|hers|her|their|its|it|this|these|those|here)\b(?!\s+(?:take|possible|true))
    | \bthe\s+(?:same\s+)?(?:company|organi[sz]ation|policy|report|patient|city|school|team|film|book|product|system
        |court|hospital|process|project|agreement|programme|study|game|event|person|man|woman|writer|department)\b
    | ^(?:该|这个|那个|此|他|她|它)""",
    re.VERBOSE | re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"“[^”]+”|(?<![\w-])--?[A-Za-z][\w-]*|(?<![\w.-])[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9]+)+(?![\w-])"
)
"""An option, a setting, a term in quotes: as good as a name."""
_SPECIFIC_WITHOUT_NAME = 1.6


def _alone(question: str) -> Rating:
    """1 if it points at the text; 2 if a pronoun has no name; 3 if it names nothing and its words are few; else 5."""
    if pointing := _POINTS_AT_SOURCE.search(question):
        return _rating(0, f"it points at the text: {pointing.group().lower()!r}")
    first, _, rest = question.partition(" ")
    if not names(f"x {rest}") and not _TECHNICAL.search(question):
        if unnamed := _UNNAMED.search(question):
            return _rating(0.25, f"{unnamed.group().lower()!r} has nothing to refer to")
        if total_weight(set(terms(f"{first} {rest}"))) < _SPECIFIC_WITHOUT_NAME:
            return _rating(0.5, "it names nothing in particular")
    return _rating(1, "it makes sense alone")


def _tautology(_: Encoder, inputs: Sequence[Pair]) -> list[Reply[Rating]]:
    """By the share of the answer's terms, rarer ones more, that the question has not; 5 from six tenths on."""
    ratings = []
    for pair in inputs:
        said = set(terms(pair.answer))
        share = total_weight(said - set(terms(pair.question))) / total_weight(said) if said else 0.0
        ratings.append(Reply(_rating(min(1.0, share / 0.6), f"{share:.0%} of the answer is new")))
    return ratings


RATES: dict[str, Rate] = {
    "question_groundedness": _question_groundedness,
    "answer_groundedness": _answer_groundedness,
    "stand_alone": lambda _, inputs: [Reply(_alone(pair.question)) for pair in inputs],
    "tautology": _tautology,
}
HANDLERS: dict[str, Handler] = {
    task.name: RATES.get(name, lambda _, inputs: [Reply(None, NO_RULE) for _ in inputs])
    for name, task in CRITIQUES.items()
}
