"""The embedded model's answers to tasks that ask for whole pairs: statements that rules find, with their questions.

A question of rules comes with its statement, so a pair is a statement that was chosen. Which one chance decides, by the
text alone: the same passage gives the same pairs in the same order. A pair whose question does not read as what its
statement is, one fact or several, is passed over.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import handler
from ragassay.records import Label
from ragassay.tasks.labelling import Pair
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest
from ragassay.tasks.per_chunk import ChunkRequest
from ragassay.tasks.statements import Passage, PassageFacts, PassageOnTheme, Statement

KNOWS_NOTHING = "the embedded model only knows what it is shown"


class Found(NamedTuple):
    """What rules find in a passage; fault: why they find nothing, empty where they looked."""

    theme: str = ""
    facts: tuple[Statement, ...] = ()
    summaries: tuple[Statement, ...] = ()
    conclusions: tuple[Statement, ...] = ()
    fault: str = ""


def found_in(encoder: Encoder, passage: Passage, *, facts_only: bool = False) -> Found:
    """The statements of a passage, by the rules for the steps of statement extraction."""
    theme = handler("theme")(encoder, [passage])[0]
    if theme.value is None:
        return Found(fault=theme.reason or "")
    about, passage = theme.value.text, passage.model_copy(update={"widely": True})
    facts = _items(handler("facts")(encoder, [PassageOnTheme(passage=passage, theme=about)])[0])
    if facts_only:
        return Found(theme=about, facts=facts)
    with_facts = [PassageFacts(passage=passage, theme=about, facts=facts)]
    return Found(
        theme=about,
        facts=facts,
        summaries=_items(handler("summaries")(encoder, with_facts)[0]),
        conclusions=_items(handler("conclusions")(encoder, with_facts)[0]),
    )


def _items(reply: Reply[Any]) -> tuple[Statement, ...]:
    return tuple(reply.value.items) if reply.value is not None else ()


def as_pair(statement: Statement) -> GroundedPair:
    """A statement of rules with the question that was drafted with it."""
    draft = statement.draft
    assert draft is not None
    return GroundedPair(
        question=draft.question,
        answer=draft.answer,
        quotes=statement.quotes,
        statement=statement.text,
        pattern=draft.pattern,
    )


def drawn(
    encoder: Encoder, request: PairRequest, statements: Sequence[Statement], label: Label
) -> Iterator[GroundedPair]:
    """Pairs of statements that were not asked for before, in an order of chance, the first ones of different patterns.

    label: what the statements are; pairs that the labeller reads otherwise are left out.
    """
    chance = random.Random(f"{len(request.asked)} {request.passage.title} {request.passage.text}")
    by_pattern: dict[str, list[GroundedPair]] = {}
    for each in statements:
        if each.draft is not None and each.draft.question not in request.asked:
            by_pattern.setdefault(each.draft.pattern, []).append(as_pair(each))
    groups = [chance.sample(group, len(group)) for _, group in sorted(by_pattern.items())]
    chance.shuffle(groups)
    longest = max(map(len, groups), default=0)
    for pair in (group[place] for place in range(longest) for group in groups if place < len(group)):
        asked = Pair(context=request.passage.text, question=pair.question, answer=pair.answer)
        verdict = handler("label")(encoder, [asked])[0].value
        if verdict is not None and verdict.label == label:
            yield pair


def _simple(encoder: Encoder, inputs: Sequence[PairRequest]) -> list[Reply[GroundedPairs]]:
    """A single fact of the passage."""
    replies = []
    for each in inputs:
        found = found_in(encoder, each.passage, facts_only=True)
        replies.append(_reply(found, islice(drawn(encoder, each, found.facts, "fact_single"), 1)))
    return replies


def _chunk_pairs(encoder: Encoder, inputs: Sequence[ChunkRequest]) -> list[Reply[GroundedPairs]]:
    """Facts and summaries of different stretches of the passage, as far as it has them: every third a summary."""
    replies = []
    for each in inputs:
        found = found_in(encoder, each.passage)
        facts = drawn(encoder, each, found.facts, "fact_single")
        summaries = drawn(encoder, each, found.summaries, "summary")
        replies.append(_reply(found, _spread(facts, summaries, each.n)))
    return replies


def _spread(facts: Iterator[GroundedPair], summaries: Iterator[GroundedPair], most: int) -> list[GroundedPair]:
    chosen: list[GroundedPair] = []
    while len(chosen) < most:
        first, second = (summaries, facts) if len(chosen) % 3 == 1 else (facts, summaries)
        pair = next(first, None) or next(second, None)
        if pair is None:
            break
        if not any(_overlap(pair, other) for other in chosen):
            chosen.append(pair)
    return chosen


def _overlap(one: GroundedPair, other: GroundedPair) -> bool:
    """Whether two pairs rest on the same words."""
    return any(a in b or b in a for a in one.quotes for b in other.quotes)


def _creative(encoder: Encoder, inputs: Sequence[PairRequest]) -> list[Reply[GroundedPairs]]:
    """An inference or a summary of the block, whichever chance puts first; a single fact only where it gives neither.

    Counts, which ask for the least, come after the others.
    """
    replies = []
    for each in inputs:
        found = found_in(encoder, each.passage)
        counts = [fact for fact in found.conclusions if fact.draft and fact.draft.pattern == "count"]
        inferences = drawn(encoder, each, [fact for fact in found.conclusions if fact not in counts], "reasoning")
        rich = [inferences, drawn(encoder, each, found.summaries, "summary")]
        random.Random(each.passage.text).shuffle(rich)
        plain = [drawn(encoder, each, counts, "reasoning"), drawn(encoder, each, found.facts, "fact_single")]
        replies.append(_reply(found, islice(chain(*rich, *plain), 1)))
    return replies


def _reply(found: Found, pairs: Iterable[GroundedPair]) -> Reply[GroundedPairs]:
    return Reply(None, found.fault) if found.fault else Reply(GroundedPairs(items=tuple(pairs)))


def _unknown(encoder: Encoder, inputs: Sequence[Any]) -> list[Reply[Any]]:
    return [Reply(None, KNOWS_NOTHING) for _ in inputs]


HANDLERS = {
    "simple_pair": _simple,
    "chunk_pairs": _chunk_pairs,
    "creative_question": _creative,
    "knowledge_check": _unknown,
    "closed_book_answer": _unknown,
}
