"""Which of the retrieved chunks were of use for an answer (Can we Evaluate RAGs with Synthetic Data?)."""

from __future__ import annotations

import hashlib

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData, in_order


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


def chunk_pieces(chunks: tuple[str, ...]) -> list[Material]:
    """The chunks in the order in which they are shown. One that is blank takes a verdict too, and would be left out."""
    return [
        Material(f"chunk {number}", chunks[place].strip() or "(empty)")
        for number, place in enumerate(_order_shown(chunks), 1)
    ]


def _chunks_material(inputs: AnswerFromChunks) -> list[Material]:
    return [Material("question", inputs.question), Material("answer", inputs.answer), *chunk_pieces(inputs.chunks)]


def _chunk_uses(inputs: AnswerFromChunks, reply: ChunkUsesReply) -> ChunkUses:
    shown = _order_shown(inputs.chunks)
    places = in_order([each.chunk for each in reply.verdicts], len(shown), "chunk")
    uses = {
        chunk: ChunkUse(useful=reply.verdicts[place].useful, reason=reply.verdicts[place].reason)
        for chunk, place in zip(shown, places, strict=True)
    }
    return ChunkUses(items=tuple(uses[chunk] for chunk in sorted(uses)))


CONTEXT_USEFULNESS = Task(
    name="context_usefulness",
    version=1,
    input_type=AnswerFromChunks,
    output_type=ChunkUses,
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), context precision",
    prompt="""\
You judge which chunks were useful for arriving at the answer to a question. A chunk is useful if it holds information
that the answer gives or rests on; being about the same subject is not enough. Judge each chunk as if it were the only
one: one that repeats another is as useful as the other.""",
    material=_chunks_material,
    reply_type=ChunkUsesReply,
    to_output=_chunk_uses,
)
