"""What several metrics ask of one answer, in one call where their inputs are the same.

The statements of an answer are written before its chunks are seen, as in RAGAS, so there are two tasks: one reads
question and answer, the other the chunks as well. What is told from the answer alone (answer relevance) stays alone.
"""

from __future__ import annotations

from ragassay.tasks.base import pieces
from ragassay.tasks.contexts import CONTEXT_USEFULNESS, AnswerFromChunks, chunk_pieces
from ragassay.tasks.joint import Part, joint_task
from ragassay.tasks.verdicts import (
    ANSWER_STATEMENTS,
    KEYPOINT_VERDICTS,
    STATEMENT_VERDICTS,
    AnswerToQuestion,
    KeypointsOnAnswer,
    StatementsOnContext,
)


class AnswerOnChunks(AnswerFromChunks):
    """statements: of the answer. context: all chunks in one text."""

    statements: tuple[str, ...]
    context: str


ANSWER_JUDGEMENT = joint_task(
    "answer_judgement",
    version=2,
    input_type=KeypointsOnAnswer,
    head="You read an answer to a question. Decide each by itself.",
    parts={
        "statements": Part(
            ANSWER_STATEMENTS,
            lambda inputs: AnswerToQuestion(question=inputs.question, answer=inputs.answer),
            """\
the answer, and no keypoint, as short sentences of one claim each, understood alone: no pronouns. All that it claims
  and nothing else, right or wrong, in its language. What claims nothing, such as "I do not know", gives none.""",
        ),
        "keypoints": Part(
            KEYPOINT_VERDICTS,
            lambda inputs: inputs,
            """\
they are true. covered: the answer says it, in whatever words, with its facts right. contradicted: the answer says what
  cannot be true together with it. neither: it is silent, or says that it does not know or that this is missing. A
  keypoint that there is no answer: covered by one who says so too, contradicted by one who answers all the same.""",
        ),
    },
    material=pieces("question", "answer", "keypoints"),
)

CHUNK_JUDGEMENT = joint_task(
    "chunk_judgement",
    version=1,
    input_type=AnswerOnChunks,
    head="You hold an answer to a question, and the statements made of it, against chunks. Decide each by itself.",
    parts={
        "statements": Part(
            STATEMENT_VERDICTS,
            lambda inputs: StatementsOnContext(
                question=inputs.question, statements=inputs.statements, context=inputs.context
            ),
            """\
supported if all of it is said in the chunks, which are the context, or follows from them directly. Not supported if
  they contradict any of it or are silent about any of it, however true it may be otherwise.""",
        ),
        "chunks": Part(
            CONTEXT_USEFULNESS,
            lambda inputs: AnswerFromChunks(question=inputs.question, answer=inputs.answer, chunks=inputs.chunks),
            """\
useful if it holds information that the answer gives or rests on; being about the same subject is not enough. As if it
  were the only one: one that repeats another is as useful as the other.""",
        ),
    },
    material=pieces(chunk_pieces, "question", "answer", "statements"),
)
