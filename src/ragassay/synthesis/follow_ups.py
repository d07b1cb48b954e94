"""Follow-up questions: of two examples of one document, the second is asked as one that follows on the first.

A model words them (``follow_up_question``). Which of them count is said here: what a question leaves out must have been
named before it, it must ask for nothing else, and the judge must be able to put back what it leaves out
(``standalone_question``). The question as it was is kept as the standalone one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from ragassay.models.base import Model
from ragassay.models.embedded.reading.terms import CJK_STOP_CHARACTERS, has_cjk, question_terms
from ragassay.records import Example, Turn, content_id
from ragassay.tasks.follow_ups import FOLLOW_UP_QUESTION, STANDALONE_QUESTION, FollowUp, QuestionToFollow

PATTERN = "follow_up"
"""What the provenance of a follow-up question has, behind the pattern of the question that it was made of."""
MOST_TRIES = 4
"""Questions that one is tried behind, those first that share most with it."""
MOST_PARTNERS = 40
"""Of one document that are looked at for each."""
_STAND_ALONE = "stand_alone"
_CJK_PRONOUNS = frozenset("它他她们")


class FollowUps(NamedTuple):
    """examples: all of them in their order, some as follow-ups. made, wanted: how many became one, and should have.

    left: why tries came to nothing, with counts.
    """

    examples: tuple[Example, ...]
    made: int
    wanted: int
    left: Mapping[str, int]


class _Pair(NamedTuple):
    first: Example
    second: Example


async def with_follow_ups(
    examples: Sequence[Example], share: float, seed: int, writer: Model, judge: Model
) -> FollowUps:
    """Makes this share of the examples follow-ups of others, or as many as can be made.

    Which ones are tried depends on the seed and the examples, not on their order.
    """
    drawn = _Drawn(examples, int(share * len(examples) + 0.5), seed)
    left: Counter[str] = Counter()
    while pairs := drawn.next():
        asked = [
            QuestionToFollow(first=first.question, answer=first.answer, question=second.question)
            for first, second in pairs
        ]
        heard: list[tuple[_Pair, str]] = []
        for pair, reply in zip(pairs, await writer.ask_all(FOLLOW_UP_QUESTION, asked), strict=True):
            text = reply.value.text if reply.value else ""
            if fault := _fault(pair, text) if reply.value else "the model gave no question":
                left[fault] += 1
            else:
                heard.append((pair, text))
        restored = [FollowUp(turns=_turns(pair.first), question=text) for pair, text in heard]
        for (pair, text), alone in zip(heard, await judge.ask_all(STANDALONE_QUESTION, restored), strict=True):
            if alone.value is None:
                left["the judge gave no standalone question"] += 1
            elif _left_out(pair.second.question, text) <= _terms(alone.value.text):
                drawn.made[pair.second.id] = _following(pair, text)
                drawn.firsts.add(pair.first.id)
            else:
                left["the judge could not restore what was left out"] += 1
    made = drawn.made
    return FollowUps(tuple(made.get(each.id, each) for each in examples), len(made), drawn.wanted, left)


class _Drawn:
    """Which pairs are tried: each second question behind one first at a time, no question as both.

    made: follow-ups by the id of the question that each was. firsts: ids of those that they follow.
    """

    def __init__(self, examples: Sequence[Example], wanted: int, seed: int) -> None:
        self.wanted = wanted
        self.made: dict[str, Example] = {}
        self.firsts: set[str] = set()
        order = sorted(examples, key=lambda each: content_id("draw", str(seed), each.id))
        of_document: dict[str, list[Example]] = defaultdict(list)
        for each in order:
            of_document[each.context.document_id].append(each)
        self._partners = [
            (each, _partners(each, of_document[each.context.document_id][:MOST_PARTNERS]))
            for each in order
            if not each.history and each.context.document_id
        ]

    def next(self) -> list[_Pair]:
        """As many as are still wanted; none where all has been tried."""
        found: list[_Pair] = []
        firsts, seconds = set(self.firsts), set(self.made)
        for second, partners in self._partners:
            if len(self.made) + len(found) >= self.wanted:
                break
            if second.id in firsts | seconds:
                continue
            first = next((first for first in partners if first.id not in seconds), None)
            if first is not None:
                partners.remove(first)
                found.append(_Pair(first, second))
                firsts.add(first.id)
                seconds.add(second.id)
        return found


def _partners(second: Example, others: Sequence[Example]) -> list[Example]:
    """The examples whose question or answer names something that the second one names, most of it first."""
    named = _terms(second.question)
    shared = {each.id: len(named & _said(each)) for each in others if each.id != second.id and each.answer.strip()}
    ranked = sorted((each for each in others if shared.get(each.id)), key=lambda each: -shared[each.id])
    return ranked[:MOST_TRIES]


def _fault(pair: _Pair, text: str) -> str | None:
    """Why a question does not count as the second one, asked behind the first; None if it does."""
    if not text:
        return "nothing to refer to"
    said, named = _said(pair.first), _terms(pair.second.question)
    missing = _left_out(pair.second.question, text)
    if not missing:
        return "nothing left out"
    if not missing <= said:
        return "left out what was not named before"
    return "asked for something else" if _terms(text) - named - said else None


def _left_out(question: str, text: str) -> Set[str]:
    return _terms(question) - _terms(text)


def _said(example: Example) -> Set[str]:
    return _terms(example.question) | _terms(example.answer)


def _terms(text: str) -> Set[str]:
    """Words without inflection, function words left out; of Chinese, Japanese and Korean single characters."""
    return frozenset(_terms_in(text))


def _terms_in(text: str) -> Iterator[str]:
    if not has_cjk(text):
        yield from question_terms(text)
        return
    yield from {each for each in text if has_cjk(each)} - CJK_STOP_CHARACTERS - _CJK_PRONOUNS
    yield from question_terms("".join(" " if has_cjk(each) else each for each in text))


def _turns(first: Example) -> tuple[Turn, ...]:
    return Turn(role="user", content=first.question), Turn(role="assistant", content=first.answer)


def _following(pair: _Pair, question: str) -> Example:
    """How far it can be understood alone, and found by words, was said of the question as it was, and goes."""
    second = pair.second
    return replace(
        second,
        id=content_id("q", second.id, PATTERN, pair.first.id),
        question=question,
        history=_turns(pair.first),
        standalone_question=second.question,
        provenance=replace(second.provenance, pattern=", ".join(filter(None, (second.provenance.pattern, PATTERN)))),
        critiques=tuple(each for each in second.critiques if each.name != _STAND_ALONE),
        difficulty=None,
    )
