"""Which retrieved chunks were of use for an answer (SynDAiTE 2025), and which sentences of a context help (RAGAS)."""

from __future__ import annotations

import hashlib
from typing import Any

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, TaskData, each_numbered, in_order, one_line, pieces, task
from ragassay.tasks.quoting import verbatim
from ragassay.text import sentence_spans

COPIED_SHARE = 0.5
"""Share of a sentence's characters that a copy has to hold: models and we do not always cut at the same places."""


class AnswerFromChunks(TaskData):
    """chunks: texts of the retrieved chunks, best first."""

    question: str
    answer: str
    chunks: tuple[str, ...]


class ChunkUse(TaskData):
    """useful: for arriving at the answer."""

    useful: bool
    reason: str


class ChunkUses(TaskData):
    """One for each chunk, in the order of the chunks."""

    items: tuple[ChunkUse, ...]


class ChunkUseReply(ReplyData):
    chunk: int = Field(description="its number")
    reason: str = Field(description="at most 15 words")
    useful: bool


class ChunkUsesReply(ReplyData):
    verdicts: tuple[ChunkUseReply, ...] = Field(description="one for each chunk")


def _order_shown(chunks: tuple[str, ...]) -> list[int]:
    """Places of the chunks in an order that depends on their texts alone.

    A judge that favours what stands first then favours no ranking, and rankings of the same chunks are one call.
    """
    digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in chunks]
    return sorted(range(len(chunks)), key=lambda place: (digests[place], place))


def chunk_pieces(inputs: Any) -> list[Material]:
    """The chunks in the order in which they are shown."""
    return each_numbered("chunk", (inputs.chunks[place] for place in _order_shown(inputs.chunks)))


def _chunk_uses(inputs: AnswerFromChunks, reply: ChunkUsesReply) -> ChunkUses:
    shown = _order_shown(inputs.chunks)
    places = in_order([each.chunk for each in reply.verdicts], len(shown), "chunk")
    uses = {
        chunk: ChunkUse(useful=reply.verdicts[place].useful, reason=reply.verdicts[place].reason)
        for chunk, place in zip(shown, places, strict=True)
    }
    return ChunkUses(items=tuple(uses[chunk] for chunk in sorted(uses)))


CONTEXT_USEFULNESS = task(
    _chunk_uses,
    name="context_usefulness",
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), context precision",
    prompt="""\
You judge which chunks were useful for arriving at the answer to a question. A chunk is useful if it holds information
that the answer gives or rests on; being about the same subject is not enough. Judge each chunk as if it were the only
one: one that repeats another is as useful as the other.""",
    material=pieces("question", "answer", chunk_pieces),
)


class QuestionOnContext(TaskData):
    question: str
    context: str


class HelpfulSentences(TaskData):
    """items: sentences of the context, verbatim and in its order; none where nothing in it helps.

    foreign: what was given as a copy and does not stand in the context.
    """

    items: tuple[str, ...]
    foreign: tuple[str, ...] = ()
    reason: str


class HelpfulSentencesReply(ReplyData):
    reason: str = Field(description="what the context has for the question, at most 15 words")
    sentences: tuple[str, ...] = Field(description="each copied exactly and whole; empty if nothing helps")


def _helpful(inputs: QuestionOnContext, reply: HelpfulSentencesReply) -> HelpfulSentences:
    copied: list[tuple[int, int]] = []
    foreign = []
    for sentence in reply.sentences:
        parts = verbatim(sentence, inputs.context)
        if sentence.strip() and not parts:
            foreign.append(one_line(sentence))
        places = (inputs.context.find(part) for part in parts)
        copied += [(place, place + len(part)) for place, part in zip(places, parts, strict=True)]
    return HelpfulSentences(
        items=tuple(
            inputs.context[start:end]
            for start, end in sentence_spans(inputs.context)
            if any(min(end, last) - max(start, first) >= COPIED_SHARE * (end - start) for first, last in copied)
        ),
        foreign=tuple(dict.fromkeys(foreign)),
        reason=reply.reason,
    )


HELPFUL_SENTENCES = task(
    _helpful,
    name="helpful_sentences",
    source="RAGAS (EACL 2024), context relevance",
    prompt="""\
You find what a context holds for a question. Copy every sentence of the context that helps to answer it, in part or in
full, and no other; being about the same subject is no help by itself. Copy whole sentences exactly as they stand: no
word changed, added, joined or left out. Where the context does not have the information, copy nothing.""",
    material=pieces("context", "question"),
)
