"""What a model answers with nothing retrieved, and with the right block: how hard a set is for it (RAGVAL)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragassay.models.base import Model, Reply
from ragassay.records import Critique, Example
from ragassay.tasks.answering import ANSWER, Answer, QuestionWithChunks
from ragassay.tasks.creative import CLOSED_BOOK, BareQuestion
from ragassay.tasks.ratings import BLOCK_RATINGS, AnswerOnBlock, BlockRatings

KNOWN_WITHOUT_CONTEXT = "known_without_context"
ANSWERED_WITH_BLOCK = "answered_with_block"
"""Critiques of an example: 5 where the model's answer is true and to the point, 1 where it is neither, or there is
none; the lower of RAGVAL's two ratings, rounded."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What came of one question: RAGVAL's ratings of the answer, or None with the reason."""

    ratings: BlockRatings | None
    reason: str = ""

    def critique(self, name: str) -> Critique:
        """The ratings as one critique."""
        if self.ratings is None:
            return Critique(name=name, value=None, reason=self.reason)
        lower = min(self.ratings.truthfulness, self.ratings.relevance)
        return Critique(name=name, value=int(lower + 0.5), reason=self.reason)


@dataclass(frozen=True, slots=True)
class Baselines:
    """examples: with both critiques, in their order. closed, open: example id to what came of it.

    closed is without its block, open with it.
    """

    examples: tuple[Example, ...]
    closed: Mapping[str, Baseline]
    open: Mapping[str, Baseline]


async def with_baselines(
    examples: Sequence[Example], blocks: Mapping[str, str], answerer: Model, judge: Model
) -> Baselines:
    """Has every example with an answer answered twice, and both answers rated by the block.

    blocks: example id to the text that holds the answer. Examples without an answer are left as they are.
    """
    asked = [each for each in examples if each.answer]
    closed_book = await answerer.ask_all(CLOSED_BOOK, [BareQuestion(question=each.question) for each in asked])
    with_block = await answerer.ask_all(
        ANSWER, [QuestionWithChunks(question=each.question, chunks=(blocks[each.id],)) for each in asked]
    )
    closed = await _rated(asked, blocks, closed_book, judge)
    opened = await _rated(asked, blocks, with_block, judge)
    return Baselines(
        tuple(_with_critiques(each, closed.get(each.id), opened.get(each.id)) for each in examples), closed, opened
    )


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


def _with_critiques(example: Example, closed: Baseline | None, opened: Baseline | None) -> Example:
    if closed is None or opened is None:
        return example
    added = (closed.critique(KNOWN_WITHOUT_CONTEXT), opened.critique(ANSWERED_WITH_BLOCK))
    return replace(example, critiques=(*example.critiques, *added))
