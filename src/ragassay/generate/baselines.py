"""What a model answers with nothing retrieved, and with the right block: how hard a set is for it (RAGVAL)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragassay.models.base import Model, Reply
from ragassay.records import Critique, Example
from ragassay.tasks.answering import ANSWER, CLOSED_BOOK, Answer, BareQuestion, QuestionWithChunks
from ragassay.tasks.ratings import BLOCK_RATINGS, AnswerOnBlock, BlockRatings

KNOWN_WITHOUT_CONTEXT = "known_without_context"
ANSWERED_WITH_BLOCK = "answered_with_block"
"""Critiques of an example: 5 where the model's answer is true and to the point, 1 where it is neither, or there is
none; the lower of RAGVAL's two ratings, rounded."""
KNOWN_IN_EVERY_TRY = "known_in_every_try"
NEW_TO_MODEL = "new_to_model"
"""Critiques of an example, of the answering model: the lowest rating of several answers without the block, where
``known_without_context`` is the highest; 5 where the model says that the block is new to it, 1 where it knows it."""
NEW = 5
OF_KNOWLEDGE = frozenset({KNOWN_WITHOUT_CONTEXT, KNOWN_IN_EVERY_TRY, ANSWERED_WITH_BLOCK})
"""Of answers; a question that nothing answers has none."""
KNOWN_FROM = 4
"""An answer whose ratings are both this high is true and to the point."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What came of one question: RAGVAL's ratings of the answer, or None with the reason."""

    ratings: BlockRatings | None
    reason: str = ""

    @property
    def lower(self) -> float | None:
        """The lower of the two ratings, in [1, 5]."""
        return None if self.ratings is None else min(self.ratings.truthfulness, self.ratings.relevance)

    def critique(self, name: str) -> Critique:
        """The ratings as one critique."""
        return Critique(name=name, value=None if self.lower is None else int(self.lower + 0.5), reason=self.reason)


@dataclass(frozen=True, slots=True)
class Attempts:
    """What came of one question: tries without its block, of which the first is the baseline, and one with it."""

    closed: tuple[Baseline, ...]
    open: Baseline

    @property
    def knows(self) -> tuple[bool, ...] | None:
        """Of each try whether it was true and to the point; None if one of them has no ratings."""
        lower = [each.lower for each in self.closed]
        known = [each >= KNOWN_FROM for each in lower if each is not None]
        return tuple(known) if len(known) == len(lower) else None


async def with_baselines(
    examples: Sequence[Example], blocks: Mapping[str, str], answerer: Model, judge: Model
) -> tuple[tuple[Example, ...], list[Attempts]]:
    """Have every example with an answer answered twice, and both answers rated by the block.

    blocks: example id to the text that holds the answer. Returns all examples, those that have an answer with both
    critiques, and what came of these.
    """
    tried = await attempts([example for example in examples if example.answer], blocks, answerer, judge)
    rated = (_with_critiques(example, tried.get(example.id)) for example in examples)
    return tuple(rated), list(tried.values())


async def attempts(
    asked: Sequence[Example], blocks: Mapping[str, str], answerer: Model, judge: Model, tries: int = 1
) -> dict[str, Attempts]:
    """Have every example answered without its block, ``tries`` times, and once with it; all rated by the block.

    blocks: example id to the text that holds the answer. Returns example id to what came of it.
    """
    closed = []
    for attempt in range(tries):
        alone = [BareQuestion(question=each.question, attempt=attempt) for each in asked]
        closed.append(await _rated(asked, blocks, await answerer.ask_all(CLOSED_BOOK, alone), judge))
    given = [QuestionWithChunks(question=each.question, chunks=(blocks[each.id],)) for each in asked]
    opened = await _rated(asked, blocks, await answerer.ask_all(ANSWER, given), judge)
    return {each.id: Attempts(tuple(of[each.id] for of in closed), opened[each.id]) for each in asked}


async def _rated(
    examples: Sequence[Example], blocks: Mapping[str, str], answers: Sequence[Reply[Answer]], judge: Model
) -> dict[str, Baseline]:
    found: dict[str, Baseline] = {}
    given: list[tuple[Example, Answer]] = []
    for example, reply in zip(examples, answers, strict=True):
        if reply.value is None:
            found[example.id] = Baseline(None, f"not answered: {reply.reason}")
        else:
            given.append((example, reply.value))
    inputs = [
        AnswerOnBlock(question=example.question, answer=answer.text, block=blocks[example.id])
        for example, answer in given
    ]
    for (example, answer), rated in zip(given, await judge.ask_all(BLOCK_RATINGS, inputs), strict=True):
        if rated.value is None:
            found[example.id] = Baseline(None, f"not rated: {rated.reason}")
        else:
            found[example.id] = Baseline(rated.value, f"answered: {answer.text[:200]}; {rated.value.reason}")
    return found


def _with_critiques(example: Example, tried: Attempts | None) -> Example:
    if tried is None:
        return example
    added = (tried.closed[0].critique(KNOWN_WITHOUT_CONTEXT), tried.open.critique(ANSWERED_WITH_BLOCK))
    return replace(example, critiques=(*example.critiques, *added))
