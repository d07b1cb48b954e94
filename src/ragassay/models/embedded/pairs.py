"""The embedded model's answers to tasks that ask for whole pairs: statements that rules find, with their questions.

A question of rules comes with its statement, so a pair is a statement that was chosen. Which one chance decides, by the
text alone: the same passage gives the same pairs in the same order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import handler
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest
from ragassay.tasks.per_chunk import ChunkRequest
from ragassay.tasks.statements import Passage, PassageFacts, PassageOnTheme, Statement

KNOWS_NOTHING = "the embedded model knows nothing but what it is shown"


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
    about = theme.value.text
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


def open_ones(statements: Sequence[Statement], asked: Sequence[str]) -> list[GroundedPair]:
    """Pairs of the statements whose question was not asked before."""
    return [as_pair(each) for each in statements if each.draft and each.draft.question not in asked]


def drawn(pairs: Sequence[GroundedPair], passage: Passage, asked: Sequence[str]) -> list[GroundedPair]:
    """All pairs in an order of chance, the first ones of as many patterns as there are."""
    chance = random.Random(f"{len(asked)} {passage.title} {passage.text}")
    by_pattern: dict[str, list[GroundedPair]] = {}
    for pair in pairs:
        by_pattern.setdefault(pair.pattern, []).append(pair)
    groups = [chance.sample(group, len(group)) for _, group in sorted(by_pattern.items())]
    chance.shuffle(groups)
    longest = max(map(len, groups), default=0)
    return [group[place] for place in range(longest) for group in groups if place < len(group)]


def _simple(encoder: Encoder, inputs: Sequence[PairRequest]) -> list[Reply[GroundedPairs]]:
    """A single fact of the passage."""
    replies = []
    for each in inputs:
        found = found_in(encoder, each.passage, facts_only=True)
        replies.append(_reply(found, drawn(open_ones(found.facts, each.asked), each.passage, each.asked)[:1]))
    return replies


def _chunk_pairs(encoder: Encoder, inputs: Sequence[ChunkRequest]) -> list[Reply[GroundedPairs]]:
    """Facts and summaries of different stretches of the passage, as far as it has them: every third a summary."""
    return [_reply(found, _spread(each, found)) for each, found in _all_found(encoder, inputs)]


def _spread(request: ChunkRequest, found: Found) -> list[GroundedPair]:
    facts = drawn(open_ones(found.facts, request.asked), request.passage, request.asked)
    summaries = drawn(open_ones(found.summaries, request.asked), request.passage, request.asked)
    chosen: list[GroundedPair] = []
    while len(chosen) < request.n and (facts or summaries):
        wants_summary = len(chosen) % 3 == 1
        pool = summaries if summaries and (wants_summary or not facts) else facts
        pair = pool.pop(0)
        if not any(_overlap(pair, other) for other in chosen):
            chosen.append(pair)
    return chosen


def _overlap(one: GroundedPair, other: GroundedPair) -> bool:
    """Whether two pairs rest on the same words."""
    return any(a in b or b in a for a in one.quotes for b in other.quotes)


def _creative(encoder: Encoder, inputs: Sequence[PairRequest]) -> list[Reply[GroundedPairs]]:
    """An inference or a summary of the block; a single fact only where it gives neither."""
    replies = []
    for each, found in _all_found(encoder, inputs):
        rich = drawn(open_ones([*found.conclusions, *found.summaries], each.asked), each.passage, each.asked)
        plain = drawn(open_ones(found.facts, each.asked), each.passage, each.asked)
        replies.append(_reply(found, [*rich, *plain][:1]))
    return replies


def _all_found(encoder: Encoder, inputs: Sequence[Any]) -> list[tuple[Any, Found]]:
    return [(each, found_in(encoder, each.passage)) for each in inputs]


def _reply(found: Found, pairs: Sequence[GroundedPair]) -> Reply[GroundedPairs]:
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
