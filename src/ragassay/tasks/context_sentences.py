"""Which sentences of a context help to answer a question, copied out of it (RAGAS, context relevance)."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.base import ReplyData, Task, TaskData, pieces
from ragassay.tasks.quoting import verbatim
from ragassay.text import sentence_spans

COPIED_SHARE = 0.5
"""Share of a sentence's characters that a copy has to hold: models and we do not always cut at the same places."""


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
            foreign.append(" ".join(sentence.split()))
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


HELPFUL_SENTENCES = Task(
    name="helpful_sentences",
    version=1,
    input_type=QuestionOnContext,
    output_type=HelpfulSentences,
    source="RAGAS (EACL 2024), context relevance",
    prompt="""\
You find what a context holds for a question. Copy every sentence of the context that helps to answer it, in part or in
full, and no other; being about the same subject is no help by itself. Copy whole sentences exactly as they stand: no
word changed, added, joined or left out. Where the context does not have the information, copy nothing.""",
    material=pieces("context", "question"),
    reply_type=HelpfulSentencesReply,
    to_output=_helpful,
)
