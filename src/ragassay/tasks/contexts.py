"""Retrieved chunks against a question: which were of use, and which sentences of a context help."""

from __future__ import annotations

import hashlib

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData, in_order
from ragassay.tasks.quoting import verbatim


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


class QuestionOnContext(TaskData):
    question: str
    context: str


class HelpfulSentences(TaskData):
    """Sentences of the context that help to answer, verbatim and each once; none where the context is insufficient."""

    items: tuple[str, ...]


class ChunkUseReply(ReplyData):
    chunk: int = Field(description="its number")
    reason: str = Field(description="at most 15 words")
    useful: bool


class ChunkUsesReply(ReplyData):
    verdicts: tuple[ChunkUseReply, ...] = Field(description="one for each chunk")


class HelpfulSentencesReply(ReplyData):
    sentences: tuple[str, ...] = Field(description="copied character by character; empty if none helps")


def _order_shown(chunks: tuple[str, ...]) -> list[int]:
    """Places of the chunks in an order that depends on their texts alone.

    A judge that favours what stands first then favours no ranking, and rankings of the same chunks are one call.
    """
    digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in chunks]
    return sorted(range(len(chunks)), key=lambda place: (digests[place], place))


def _chunks_material(inputs: AnswerFromChunks) -> list[Material]:
    shown = _order_shown(inputs.chunks)
    return [
        Material("question", inputs.question),
        Material("answer", inputs.answer),
        *(Material(f"chunk {number}", inputs.chunks[place]) for number, place in enumerate(shown, 1)),
    ]


def _chunk_uses(inputs: AnswerFromChunks, reply: ChunkUsesReply) -> ChunkUses:
    shown = _order_shown(inputs.chunks)
    places = in_order([each.chunk for each in reply.verdicts], len(shown), "chunk")
    verdicts = dict(zip(shown, (reply.verdicts[place] for place in places), strict=True))
    return ChunkUses(
        items=tuple(
            ChunkUse(useful=verdicts[place].useful, reason=verdicts[place].reason) for place in range(len(shown))
        )
    )


def _sentences_material(inputs: QuestionOnContext) -> list[Material]:
    return [Material("context", inputs.context), Material("question", inputs.question)]


def _helpful_sentences(inputs: QuestionOnContext, reply: HelpfulSentencesReply) -> HelpfulSentences:
    """A sentence that is not in the context does not count."""
    found = [stretch for sentence in reply.sentences for stretch in verbatim(sentence, inputs.context)]
    return HelpfulSentences(items=tuple(dict.fromkeys(found)))


CONTEXT_USEFULNESS = Task(
    name="context_usefulness",
    version=1,
    input_type=AnswerFromChunks,
    output_type=ChunkUses,
    instruction="For every chunk: was it useful for arriving at the answer?",
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), context precision",
    prompt="""\
You judge which chunks were useful for arriving at the answer to a question. A chunk is useful if it holds information
that the answer gives or rests on; being about the same subject is not enough. Judge each chunk as if it were the only
one: one that repeats another is as useful as the other.""",
    material=_chunks_material,
    reply_type=ChunkUsesReply,
    to_output=_chunk_uses,
)

HELPFUL_SENTENCES = Task(
    name="helpful_sentences",
    version=1,
    input_type=QuestionOnContext,
    output_type=HelpfulSentences,
    instruction="Copy the sentences of the context that help answer the question; none if they are insufficient.",
    source="RAGAS (EACL 2024 demo), section 3, context relevance",
    prompt="""\
You pick the sentences of a context that help to answer a question. Copy each of them whole and unchanged, and no
other. If the context does not hold the information that the question needs, pick none.""",
    material=_sentences_material,
    reply_type=HelpfulSentencesReply,
    to_output=_helpful_sentences,
)
