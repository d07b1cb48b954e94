"""Verdicts on answers: statements, relevance (RAGAS, reference-free metrics), keypoints (RAGEval).

``ANSWER_CLAIMS`` and ``STATEMENT_INFERENCES`` are faithfulness in its other wording (SynDAiTE 2025).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, create_model

from ragassay.tasks.base import (
    Material,
    ReplyData,
    Task,
    TaskData,
    as_name,
    as_number,
    distinct_lines,
    in_order,
    numbered,
    pieces,
    task,
)
from ragassay.tasks.quoting import verbatim
from ragassay.text import sentences

Share = Annotated[float, Field(ge=0, le=1)]


class AnswerToQuestion(TaskData):
    question: str
    answer: str


class AnswerStatements(TaskData):
    """The answer as short, self-contained statements; none where it says nothing."""

    items: tuple[str, ...]


class StatementsOnContext(TaskData):
    question: str = ""
    statements: tuple[str, ...]
    context: str


class StatementVerdict(TaskData):
    """support: how sure the judge is, in [0, 1]; evidence: the deciding sentence of the context, verbatim, or empty."""

    supported: bool
    support: Share
    reason: str
    evidence: str = ""


class StatementVerdicts(TaskData):
    items: tuple[StatementVerdict, ...]


class AnswerStatement(AnswerToQuestion):
    """A question, its reference answer and the statements that the answer was made from."""

    statements: tuple[str, ...] = ()


class Keypoints(TaskData):
    items: tuple[str, ...]


class KeypointsOnAnswer(AnswerToQuestion):
    keypoints: tuple[str, ...]


class KeypointVerdict(TaskData):
    """neither: the answer is silent about it, or says that the information is missing."""

    verdict: Literal["covered", "contradicted", "neither"]
    support: Share
    reason: str


class KeypointVerdicts(TaskData):
    items: tuple[KeypointVerdict, ...]


class Relevance(TaskData):
    """How far an answer is about what was asked, right or wrong; committal: not evasive.

    relevance: in [0, 1], from a judge that says it directly; None from one that gives ``questions`` instead: those that
    the answer alone suggests, to be compared with the one that was asked.
    """

    relevance: Share | None = None
    questions: tuple[str, ...] = ()
    committal: bool
    reason: str


QUESTIONS_OF_AN_ANSWER = 3
"""n of answer relevance (RAGAS, reference-free metrics)."""


class AnswerStatementsReply(ReplyData):
    statements: tuple[str, ...] = Field(description="in the order of the answer; empty if it claims nothing")


class StatementVerdictReply(ReplyData):
    statement: int = Field(description="its number")
    evidence: str = Field(description="the deciding sentence of the context, copied exactly, or empty")
    reason: str = Field(description="at most 15 words")
    supported: bool


class StatementVerdictsReply(ReplyData):
    verdicts: tuple[StatementVerdictReply, ...] = Field(description="one for each statement")


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


class KeypointsReply(ReplyData):
    keypoints: tuple[str, ...]


class KeypointVerdictReply(ReplyData):
    keypoint: int = Field(description="its number")
    reason: str = Field(description="at most 15 words")
    verdict: Annotated[Literal["covered", "contradicted", "neither"], BeforeValidator(as_name)]


class KeypointVerdictsReply(ReplyData):
    verdicts: tuple[KeypointVerdictReply, ...] = Field(description="one for each keypoint")


class RelevanceReply(ReplyData):
    questions: tuple[str, ...] = Field(description=f"exactly {QUESTIONS_OF_AN_ANSWER}")
    reason: str = Field(description="why it is committal or not, at most 15 words")
    committal: bool


def other_statements(inputs: Any) -> list[Material]:
    """The statements that an answer was made from, without the one that is the answer."""
    return [numbered("statements", (each for each in inputs.statements if each.strip() != inputs.answer.strip()))]


def _sentences(inputs: AnswerToQuestion) -> list[Material]:
    return [numbered("sentences", sentences(inputs.answer))]


def _claims(_: AnswerToQuestion, reply: AnswerClaimsReply) -> AnswerStatements:
    ordered = sorted(reply.sentences, key=lambda each: each.sentence)
    return AnswerStatements(items=distinct_lines(claim for each in ordered for claim in each.claims))


def _statement_verdicts(inputs: StatementsOnContext, reply: Any) -> StatementVerdicts:
    """Return the verdicts in the order of the statements; each is ``supported``, or has a ``verdict`` of 1 or 0."""
    places = in_order([each.statement for each in reply.verdicts], len(inputs.statements), "statement")
    found = []
    for each in (reply.verdicts[place] for place in places):
        supported = bool(each.supported if isinstance(each, StatementVerdictReply) else each.verdict)
        evidence = max(verbatim(each.evidence, inputs.context), key=len, default="")
        found.append(
            StatementVerdict(supported=supported, support=float(supported), reason=each.reason, evidence=evidence)
        )
    return StatementVerdicts(items=tuple(found))


def _keypoints(_: AnswerStatement, reply: KeypointsReply) -> Keypoints:
    keypoints = distinct_lines(reply.keypoints)
    if not keypoints:
        raise ValueError("there is no keypoint; an answer has at least one")
    return Keypoints(items=keypoints)


def _keypoint_verdicts(inputs: KeypointsOnAnswer, reply: KeypointVerdictsReply) -> KeypointVerdicts:
    places = in_order([each.keypoint for each in reply.verdicts], len(inputs.keypoints), "keypoint")
    return KeypointVerdicts(
        items=tuple(
            KeypointVerdict(verdict=each.verdict, support=float(each.verdict == "covered"), reason=each.reason)
            for each in (reply.verdicts[place] for place in places)
        )
    )


def _relevance(n: int) -> Callable[[AnswerToQuestion, RelevanceReply], Relevance]:
    def relevance(_: AnswerToQuestion, reply: RelevanceReply) -> Relevance:
        questions = distinct_lines(reply.questions)[:n]
        if len(questions) < n:
            raise ValueError(f"{n} different questions are to be written, and there are {len(questions)}")
        return Relevance(questions=questions, committal=reply.committal, reason=reply.reason)

    return relevance


ANSWER_STATEMENTS = Task(
    name="answer_statements",
    input_type=AnswerToQuestion,
    output_type=AnswerStatements,
    source="RAGAS (EACL 2024), faithfulness, step 1",
    prompt="""\
You break the answer to a question into statements.
- Each is one short sentence with one claim; a complex sentence gives several.
- Each is understood alone: no pronouns, but what they stand for, with the help of the question.
- All that the answer claims and nothing else, in its language: nothing is added, corrected or left out, right or wrong.
- What claims nothing, such as a greeting, an offer or "I do not know", gives no statement.""",
    material=pieces("question", "answer"),
    reply_type=AnswerStatementsReply,
    to_output=lambda _, reply: AnswerStatements(items=distinct_lines(reply.statements)),
)

STATEMENT_VERDICTS = task(
    _statement_verdicts,
    name="statement_verdicts",
    source="RAGAS (EACL 2024), faithfulness, step 2",
    prompt="""\
You check statements against a context; each came from an answer to the question. A statement is supported if all of it
is said in the context or follows from it directly. It is not supported if the context contradicts any of it or is
silent about any of it, however true it may be otherwise. Judge each statement by itself.""",
    material=pieces("context", "question", "statements"),
    reply_type=StatementVerdictsReply,
)

ANSWER_CLAIMS = task(
    _claims,
    name="answer_claims",
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), faithfulness, after RAGAS",
    prompt="""\
You see a question and, numbered, the sentences of its answer. Look at one sentence after the other: how many claims
does it make? Write each of its claims as a full statement that can be understood without the others, the question and
the answer. A long or nested sentence gives several. Use no pronoun: write what it stands for. Change no claim and add
none.""",
    material=pieces("question", _sentences),
)

STATEMENT_INFERENCES = task(
    _statement_verdicts,
    name="statement_inferences",
    source="Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025), faithfulness, after RAGAS",
    prompt="""\
You decide for each statement whether it can be directly inferred from a context. The verdict is 1 if a careful reader
of the context alone would have to accept the whole statement, and 0 if not: where a part is missing or different, where
it takes a guess, or where only common knowledge vouches for it.""",
    material=pieces("context", "statements"),
    reply_type=InferencesReply,
)

KEYPOINTS = task(
    _keypoints,
    name="keypoints",
    version=2,
    source="RAGEval (ACL 2025), keypoints",
    prompt="""\
You list the keypoints of a reference answer: what another answer to the question has to say to be complete.
- Each keypoint is one necessary fact, inference or conclusion with one condition: one sentence, understood without the
  others. A condition without which the answer would be wrong is a keypoint of its own.
- As many as the answer has, usually one to five; a short answer has one.
- Nothing that the question says already, nothing that the answer does not say, nothing twice.
- Statements, where given, are what the answer was made from; use them to understand it.
- In the language of the answer.""",
    material=pieces("question", ("reference answer", "answer"), other_statements),
)

KEYPOINT_VERDICTS = task(
    _keypoint_verdicts,
    name="keypoint_verdicts",
    version=3,
    source="RAGEval (ACL 2025), generation metrics",
    prompt="""\
You compare an answer to a question with keypoints, which are true. For each keypoint by itself:
- covered: the answer says all of it, in whatever words, with its facts right.
- contradicted: the answer says something that cannot be true together with it.
- neither: the answer is silent about it, says half of it or touches it, or says that it does not know or that the
  information is missing.
A keypoint that itself says that there is no answer is covered by an answer that says so too, and contradicted by one
that gives an answer all the same.""",
    material=pieces("question", "answer", "keypoints"),
)

RELEVANCE = Task(
    name="answer_relevance",
    version=2,
    input_type=AnswerToQuestion,
    output_type=Relevance,
    source="RAGAS (EACL 2024), answer relevance",
    prompt=f"""\
You see an answer without its question. Write {QUESTIONS_OF_AN_ANSWER} different questions to which it would be, as a
whole, the direct and full reply; as specific as the answer, with the names in it, in its language. Then say whether it
is committal: not if it evades, says that it does not know or cannot tell, or is so vague that it says nothing. Write
the questions for such an answer too.""",
    material=pieces("answer"),
    reply_type=RelevanceReply,
    to_output=_relevance(QUESTIONS_OF_AN_ANSWER),
)


@lru_cache
def relevance_task(n: int) -> Task[AnswerToQuestion, Relevance]:
    """``RELEVANCE`` with n questions in place of three. Raises ValueError if n < 1."""
    if n < 1:
        raise ValueError(f"{n} questions cannot be compared with anything; ask for 1 or more")
    if n == QUESTIONS_OF_AN_ANSWER:
        return RELEVANCE
    some = "one question" if n == 1 else f"{n} different questions"
    return replace(
        RELEVANCE,
        prompt=RELEVANCE.prompt.replace(f"{QUESTIONS_OF_AN_ANSWER} different questions", some),
        reply_type=create_model(
            "RelevanceReply", __base__=RelevanceReply, questions=(tuple[str, ...], Field(description=f"exactly {n}"))
        ),
        to_output=_relevance(n),
    )
