"""Several pairs of one chunk in one reply (Can we Evaluate RAGs with Synthetic Data?, question generation)."""

from __future__ import annotations

import re

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, Task
from ragassay.tasks.pairs import QUOTES, GroundedPair, GroundedPairs, PairRequest, grounded, request_material


class ChunkRequest(PairRequest):
    """n: pairs that are wanted."""

    n: int


class CheckedPair(ReplyData):
    quotes: tuple[str, ...] = Field(description=QUOTES)
    question: str
    answer: str
    missing: bool = Field(
        description="whether, looked at once more, a part of the answer is missing from the passage, or the question "
        "needs the passage in hand to be understood"
    )


class CheckedPairs(ReplyData):
    pairs: tuple[CheckedPair, ...] = Field(description="fewer than asked for if the passage gives no more")


_NUMBERING = re.compile(r"^\s*(?:Q(?:uestion)?\s*\d*\s*[:.)]|\(?\d{1,2}[.)](?!\d))\s*", re.IGNORECASE)
_CHOICES = re.compile(r"(?:^|\s)[(]?[A-Da-d][.)]\s.+(?:^|\s)[(]?[B-Db-d][.)]\s", re.DOTALL)


def _material(inputs: ChunkRequest) -> list[Material]:
    return [Material("number of pairs", str(inputs.n)), *request_material(inputs)]


def _pairs(inputs: ChunkRequest, reply: CheckedPairs) -> GroundedPairs:
    """Those that passed the model's own check and have no choices to pick from, without numbering.

    A pair whose quotes are not in the passage stays as it is: it is dropped, and counted, when it is located. Raises
    ValueError where that holds for all of them.
    """
    pairs: dict[str, GroundedPair] = {}
    fault: ValueError | None = None
    any_grounded = False
    for each in reply.pairs[: inputs.n]:
        question, answer = _NUMBERING.sub("", each.question), _NUMBERING.sub("", each.answer)
        if each.missing or not question.strip() or not answer.strip() or _CHOICES.search(each.question):
            continue
        try:
            pair = grounded(question, answer, each.quotes, (inputs.passage.text,))
            any_grounded = True
        except ValueError as error:
            pair, fault = GroundedPair(question=question.strip(), answer=answer.strip(), quotes=each.quotes), error
        pairs.setdefault(pair.question.lower(), pair)
    if fault is not None and not any_grounded:
        raise fault
    return GroundedPairs(items=tuple(pairs.values()))


CHUNK_PAIRS: Task[ChunkRequest, GroundedPairs] = Task(
    name="chunk_pairs",
    version=1,
    input_type=ChunkRequest,
    output_type=GroundedPairs,
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), question generation",
    prompt="""\
You write several questions about a passage, each with its answer, as many as the number says. They test a system that
answers questions from a collection of documents.
- Diverse: spread over the whole passage, of different kinds (what, when, why, how, how many), no two about the same
  thing; some ask for one fact, some for several things that belong together.
- Open questions without choices to pick from, without numbers in front.
- Each names what it is about and is understood without the passage; none speaks of a passage, text or document.
- Answers are whole and say only what the passage states: nothing from elsewhere, no guess.
- Before you go on to the next, check each pair against the passage.
- None is one of the questions asked before, where some are given.
- In the language of the passage.""",
    material=_material,
    reply_type=CheckedPairs,
    to_output=_pairs,
)
