"""A seed question made harder: by inference, or by a second context, as RAGAS evolves its questions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData, as_name
from ragassay.tasks.pairs import QUOTES, GroundedPair, GroundedPairs, PairReply, grounded
from ragassay.tasks.statements import Passage, about

TwoDocumentKind = Literal["information_integration", "numerical_comparison", "temporal_sequence"]
"""RAGEval's question types that need two documents."""


class SeedOnPassage(TaskData):
    """A question that a passage answers, to be made harder."""

    passage: Passage
    seed: GroundedPair


class SeedsOnTwo(TaskData):
    """Two passages, each with a question that it answers, to be made one question of."""

    first: Passage
    first_seed: GroundedPair
    second: Passage
    second_seed: GroundedPair


class CombinedPair(TaskData):
    """first_quotes, second_quotes: what the answer rests on in either passage. kind: one of RAGEval's question types.

    pattern: the rule that wrote it; empty for a language model.
    """

    question: str
    answer: str
    kind: TwoDocumentKind
    first_quotes: tuple[str, ...]
    second_quotes: tuple[str, ...]
    pattern: str = ""
    statement: str = ""


class CombinedPairs(TaskData):
    """Empty where the two have nothing to do with each other."""

    items: tuple[CombinedPair, ...]


class CombinedReply(ReplyData):
    common: str = Field(description="what the two have in common that one question can be about, at most 15 words")
    first_quotes: tuple[str, ...] = Field(description=f"of the first passage, {QUOTES}")
    second_quotes: tuple[str, ...] = Field(description=f"of the second passage, {QUOTES}")
    question: str = Field(description="empty if one question about both would be artificial")
    answer: str
    kind: Annotated[TwoDocumentKind, BeforeValidator(as_name)] = Field(
        description="whether it compares numbers, orders things in time, or brings together what both say"
    )


def _reasoning_material(inputs: SeedOnPassage) -> list[Material]:
    return [
        *about(inputs.passage),
        Material("passage", inputs.passage.text),
        Material("seed question", inputs.seed.question),
        Material("seed answer", inputs.seed.answer),
    ]


def _harder(inputs: SeedOnPassage, reply: PairReply) -> GroundedPairs:
    if not reply.question.strip():
        return GroundedPairs(items=())
    pair = grounded(reply.question, reply.answer, reply.quotes, (inputs.passage.text,))
    if pair.question.lower() == inputs.seed.question.lower():
        raise ValueError("the question is the seed question; make it harder, or leave it empty")
    return GroundedPairs(items=(pair,))


def _combined_material(inputs: SeedsOnTwo) -> list[Material]:
    return [
        *about(inputs.first),
        Material("first passage", inputs.first.text),
        Material("first seed", inputs.first_seed.question),
        Material("second title", inputs.second.title),
        Material("second passage", inputs.second.text),
        Material("second seed", inputs.second_seed.question),
    ]


def _combined(inputs: SeedsOnTwo, reply: CombinedReply) -> CombinedPairs:
    if not reply.question.strip():
        return CombinedPairs(items=())
    first = grounded(reply.question, reply.answer, reply.first_quotes, (inputs.first.text,))
    second = grounded(reply.question, reply.answer, reply.second_quotes, (inputs.second.text,))
    return CombinedPairs(
        items=(
            CombinedPair(
                question=first.question,
                answer=first.answer,
                kind=reply.kind,
                first_quotes=first.quotes,
                second_quotes=second.quotes,
            ),
        )
    )


EVOLVE_REASONING: Task[SeedOnPassage, GroundedPairs] = Task(
    name="evolve_reasoning",
    version=1,
    input_type=SeedOnPassage,
    output_type=GroundedPairs,
    source="RAGAS 0.1 (its documentation, section on test set generation: reasoning); a baseline of Know Your RAG",
    prompt="""\
You make a question harder. The seed question is answered by one statement of a passage; yours takes an inference.
- Its answer is stated nowhere in the passage and follows from two or more of its statements, one of them the seed's: by
  comparing, counting, calculating, ordering in time, finding a cause or applying a rule to a case.
- The answer is certain to anybody who accepts the passage, and short.
- The quotes are all the statements that one has to put together.
- The question is one sentence, names what it is about, and never speaks of a passage, text or document.
- Question and answer are in the language of the passage.
A seed from which nothing follows gives an empty question.""",
    material=_reasoning_material,
    reply_type=PairReply,
    to_output=_harder,
)

EVOLVE_COMBINED: Task[SeedsOnTwo, CombinedPairs] = Task(
    name="evolve_combined",
    version=1,
    input_type=SeedsOnTwo,
    output_type=CombinedPairs,
    source="RAGAS 0.1 (its documentation, section on test set generation: multi-context)",
    prompt="""\
You make one question that can be answered only by somebody who has found both of two passages.
- It compares, orders, adds up or connects a thing from each: what the seed questions ask, if that fits together.
- The answer is short and says only what both together state or let one infer.
- One natural question, not two joined by "and". It names both subjects and never speaks of passages.
- Every statement that it rests on is quoted, from each passage at least one.
- In the language of the first passage.
Passages that have nothing to do with each other give an empty question.""",
    material=_combined_material,
    reply_type=CombinedReply,
    to_output=_combined,
)
