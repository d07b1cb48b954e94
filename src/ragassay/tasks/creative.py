"""Questions of knowledge blocks, and what a model knows of them already (RAGVAL)."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.answering import Answer
from ragassay.tasks.base import Material, ReplyData, Task, TaskData
from ragassay.tasks.pairs import GroundedPairs, PairReply, PairRequest, one_pair, request_material
from ragassay.tasks.statements import Passage, about

CREATIVE_QUESTION = Task(
    name="creative_question",
    version=1,
    input_type=PairRequest,
    output_type=GroundedPairs,
    source="RAGVAL, question generation: one creative question per knowledge block",
    prompt="""\
You invent one question that a reader with a real purpose might ask, and that a block of knowledge answers.
- Be creative: look for what is particular to this block, connect two things that it says, ask how or why, put the
  question into a situation; not the first fact of the first sentence.
- It makes sense to somebody who has never seen the block: it names what it is about and never speaks of a passage,
  text, article, block or document.
- One question, one or two sentences, no list of questions.
- The answer says all that the question asks for, follows from the block alone, and is as short as that allows.
- It is none of the questions asked before, where some are given.
- Question and answer are in the language of the block.""",
    material=request_material,
    reply_type=PairReply,
    to_output=one_pair,
    temperature=1.0,
)


class KnowledgeCheck(TaskData):
    """cutoff: until when the model that is asked has learnt, as 2023-10; empty where that is not known."""

    passage: Passage
    cutoff: str = ""


class Known(TaskData):
    """known: the model holds what the passage says already. after_cutoff: most of it happened after the cutoff."""

    known: bool
    after_cutoff: bool
    reason: str


class KnownReply(ReplyData):
    subject: str = Field(description="who or what the passage is about, in a few words")
    reason: str = Field(description="one short sentence: what you know of the subject without the passage")
    after_cutoff: bool = Field(
        description="whether most of the passage is about things that happened after the cutoff; false if none is given"
    )
    known: bool = Field(description="whether you could have told most of the passage yourself")


_OPENING_CHARS = 2_000
"""What a block is about shows in its first page; the rest would only cost tokens."""


def _known_material(inputs: KnowledgeCheck) -> list[Material]:
    return [
        Material("cutoff", inputs.cutoff),
        *about(inputs.passage),
        Material("passage", inputs.passage.text[:_OPENING_CHARS]),
    ]


def _known(_: KnowledgeCheck, reply: KnownReply) -> Known:
    return Known(known=reply.known, after_cutoff=reply.after_cutoff, reason=reply.reason.strip() or reply.subject)


KNOWLEDGE_CHECK: Task[KnowledgeCheck, Known] = Task(
    name="knowledge_check",
    version=1,
    input_type=KnowledgeCheck,
    output_type=Known,
    source="RAGVAL, filters: prompt filter",
    prompt="""\
You say whether a passage tells you anything new. Do not judge whether it is true or well written.
- Think of its subject: the person, work, product, place or event that it is about. Do you know it, and what of it?
- known: what the passage says is what you could have told somebody who asked about the subject.
- after_cutoff: it speaks mostly of what happened after the date until which you have learnt.
Be honest rather than helpful: to have heard a name is not to know what the passage says of it.""",
    material=_known_material,
    reply_type=KnownReply,
    to_output=_known,
)


class BareQuestion(TaskData):
    """attempt: which of several answers to the question is asked for; 0 and up."""

    question: str
    attempt: int = 0


class ClosedBookReply(ReplyData):
    answered: bool = Field(description="false if you do not know")
    answer: str = Field(description="if you do not know, one sentence that says so")


def _closed_book(_: BareQuestion, reply: ClosedBookReply) -> Answer:
    if not reply.answer.strip():
        raise ValueError("the answer is empty; where you do not know, it says so")
    return Answer(text=reply.answer.strip(), abstained=not reply.answered)


CLOSED_BOOK: Task[BareQuestion, Answer] = Task(
    name="closed_book_answer",
    version=1,
    input_type=BareQuestion,
    output_type=Answer,
    source="RAGVAL, baselines: answers with no retrieval",
    prompt="""\
You answer a question from what you know, with nothing to look it up in.
- Directly and briefly, in the language of the question, with all that it asks for.
- Where you do not know, say so in one sentence instead of guessing.""",
    material=lambda inputs: [Material("question", inputs.question)],
    reply_type=ClosedBookReply,
    to_output=_closed_book,
    sample=lambda inputs: inputs.attempt,
)
