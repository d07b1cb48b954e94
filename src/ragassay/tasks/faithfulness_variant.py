"""Faithfulness in its other wording: sentence by sentence, then 1 or 0 for what can be directly inferred."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from ragassay.tasks.base import Material, ReplyData, Task, as_number, numbered, pieces
from ragassay.tasks.verdicts import (
    AnswerStatements,
    AnswerToQuestion,
    StatementsOnContext,
    StatementVerdicts,
    statement_verdicts,
)
from ragassay.text import sentences

_SOURCE = "Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), faithfulness, after RAGAS"


class SentenceClaimsReply(ReplyData):
    sentence: int = Field(description="its number")
    claims: tuple[str, ...] = Field(description="none if it claims nothing")


class AnswerClaimsReply(ReplyData):
    sentences: tuple[SentenceClaimsReply, ...] = Field(description="one for each sentence")


class InferenceReply(ReplyData):
    statement: int = Field(description="its number")
    evidence: str = Field(description="the deciding sentence of the context, copied exactly, or empty")
    reason: str = Field(description="at most 15 words")
    verdict: Annotated[Literal[0, 1], BeforeValidator(as_number)]


class InferencesReply(ReplyData):
    verdicts: tuple[InferenceReply, ...] = Field(description="one for each statement")


def _sentences_material(inputs: AnswerToQuestion) -> list[Material]:
    return [Material("question", inputs.question), numbered("sentences", sentences(inputs.answer))]


def _claims(_: AnswerToQuestion, reply: AnswerClaimsReply) -> AnswerStatements:
    ordered = sorted(reply.sentences, key=lambda each: each.sentence)
    found = (" ".join(claim.split()) for each in ordered for claim in each.claims)
    return AnswerStatements(items=tuple(dict.fromkeys(claim for claim in found if claim)))


ANSWER_CLAIMS = Task(
    name="answer_claims",
    version=1,
    input_type=AnswerToQuestion,
    output_type=AnswerStatements,
    source=_SOURCE,
    prompt="""\
You see a question and, numbered, the sentences of its answer. Look at one sentence after the other: how many claims
does it make? Write each of its claims as a full statement that can be understood without the others, the question and
the answer. A long or nested sentence gives several. Use no pronoun: write what it stands for. Change no claim and add
none.""",
    material=_sentences_material,
    reply_type=AnswerClaimsReply,
    to_output=_claims,
)

STATEMENT_INFERENCES = Task(
    name="statement_inferences",
    version=1,
    input_type=StatementsOnContext,
    output_type=StatementVerdicts,
    source=_SOURCE,
    prompt="""\
You decide for each statement whether it can be directly inferred from a context. The verdict is 1 if a careful reader
of the context alone would have to accept the whole statement, and 0 if not: where a part is missing or different, where
it takes a guess, or where only common knowledge vouches for it.""",
    material=pieces("context", "statements"),
    reply_type=InferencesReply,
    to_output=statement_verdicts,
)
