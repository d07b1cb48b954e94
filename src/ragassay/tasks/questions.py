"""From a statement to a question, and questions that a passage nearly answers."""

from __future__ import annotations

from ragassay.tasks.base import Task, TaskData
from ragassay.tasks.statements import Passage, Statement


class StatementOnTheme(TaskData):
    statement: Statement
    theme: str
    passage: Passage


class Question(TaskData):
    """A question with its reference answer; both verbatim as they go into the example."""

    question: str
    answer: str
    pattern: str = ""


class MissCandidates(TaskData):
    """A passage, and facts stated elsewhere in the same document that might be asked of it in vain.

    whole_document: the passage is all of its document, so that what it lacks, the document lacks.
    """

    passage: Passage
    theme: str
    facts_elsewhere: tuple[Statement, ...] = ()
    whole_document: bool = False


class NearMisses(TaskData):
    """Questions that fit the passage and that it does not answer; the answers are empty."""

    items: tuple[Question, ...]


QUESTION = Task(
    name="question",
    version=1,
    input_type=StatementOnTheme,
    output_type=Question,
    instruction="Write one short question in search style that only this statement answers, using the theme.",
    source="Know Your RAG (COLING 2025), section 4.1, step 5",
)

NEAR_MISSES = Task(
    name="near_misses",
    version=1,
    input_type=MissCandidates,
    output_type=NearMisses,
    instruction="Write questions close to the passage that it neither answers nor lets one infer.",
    source="Know Your RAG (COLING 2025), section 3, label unanswerable",
)
