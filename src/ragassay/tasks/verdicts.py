"""Verdicts on answers: statements, keypoints, relevance (RAGAS, section 3; RAGEval, section 4.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ragassay.tasks.base import Task, TaskData

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


class AnswerStatement(TaskData):
    """A question, its reference answer and the statements that the answer was made from."""

    question: str
    answer: str
    statements: tuple[str, ...] = ()


class Keypoints(TaskData):
    items: tuple[str, ...]


class KeypointsOnAnswer(TaskData):
    question: str
    keypoints: tuple[str, ...]
    answer: str


class KeypointVerdict(TaskData):
    """neither: the answer is silent about it, or says that the information is missing."""

    verdict: Literal["covered", "contradicted", "neither"]
    support: Share
    reason: str


class KeypointVerdicts(TaskData):
    items: tuple[KeypointVerdict, ...]


class Relevance(TaskData):
    """relevance: how far the answer is about what was asked, in [0, 1], right or wrong; committal: not evasive."""

    relevance: Share
    committal: bool
    reason: str


ANSWER_STATEMENTS = Task(
    name="answer_statements",
    version=1,
    input_type=AnswerToQuestion,
    output_type=AnswerStatements,
    instruction="Break the answer into short, self-contained statements.",
    source="RAGAS (EACL 2024 demo), section 3, faithfulness, step 1",
)

STATEMENT_VERDICTS = Task(
    name="statement_verdicts",
    version=1,
    input_type=StatementsOnContext,
    output_type=StatementVerdicts,
    instruction="For every statement, in order: does the context support it? Give a short reason.",
    source="RAGAS (EACL 2024 demo), section 3, faithfulness, step 2",
)

KEYPOINTS = Task(
    name="keypoints",
    version=1,
    input_type=AnswerStatement,
    output_type=Keypoints,
    instruction="List the necessary facts, inferences and conclusions of the reference answer, each self-contained.",
    source="RAGEval (ACL 2025), section 3.6",
)

KEYPOINT_VERDICTS = Task(
    name="keypoint_verdicts",
    version=1,
    input_type=KeypointsOnAnswer,
    output_type=KeypointVerdicts,
    instruction="For every keypoint, in order: does the answer cover it, contradict it, or neither?",
    source="RAGEval (ACL 2025), section 4.2",
)

RELEVANCE = Task(
    name="answer_relevance",
    version=1,
    input_type=AnswerToQuestion,
    output_type=Relevance,
    instruction="How far is the answer about what was asked, whether right or wrong? Does it commit itself?",
    source="RAGAS (EACL 2024 demo), section 3, answer relevance",
)
