"""From a statement to a question, and questions that a passage nearly answers."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData, numbered
from ragassay.tasks.languages import language_name
from ragassay.tasks.statements import Passage, Statement, about


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
    """A passage, and facts stated elsewhere in the same document that might be asked of it in vain."""

    passage: Passage
    theme: str
    facts_elsewhere: tuple[Statement, ...] = ()


class NearMisses(TaskData):
    """Questions that fit the passage and that it does not answer; the answers are empty."""

    items: tuple[Question, ...]


class QuestionReply(ReplyData):
    question: str
    answer: str


class NearMissReply(ReplyData):
    question: str
    nearest: str = Field(description="what the passage says that comes nearest to an answer, at most 15 words")
    missing: bool = Field(
        description="whether the answer, looked for once more, is missing from the passage altogether"
    )


class NearMissesReply(ReplyData):
    questions: tuple[NearMissReply, ...] = Field(description="up to three; empty if none can be asked")


_FACTS_SHOWN = 12


def _question_material(inputs: StatementOnTheme) -> list[Material]:
    return [
        Material("title", inputs.passage.title),
        Material("theme", inputs.theme),
        Material("language", language_name(inputs.passage.language)),
        Material("statement", inputs.statement.text),
    ]


def _question(_: StatementOnTheme, reply: QuestionReply) -> Question:
    question, answer = " ".join(reply.question.split()), reply.answer.strip()
    if not question or not answer:
        raise ValueError(f"the {'answer' if question else 'question'} is empty")
    return Question(question=question, answer=answer)


def _near_misses_material(inputs: MissCandidates) -> list[Material]:
    return [
        *about(inputs.passage),
        Material("theme", inputs.theme),
        Material("passage", inputs.passage.text),
        numbered("facts elsewhere", (fact.text for fact in inputs.facts_elsewhere[:_FACTS_SHOWN])),
    ]


def _near_misses(_: MissCandidates, reply: NearMissesReply) -> NearMisses:
    questions = dict.fromkeys(" ".join(each.question.split()) for each in reply.questions if each.missing)
    return NearMisses(items=tuple(Question(question=question, answer="") for question in questions if question))


QUESTION = Task(
    name="question",
    version=1,
    input_type=StatementOnTheme,
    output_type=Question,
    source="Know Your RAG (COLING 2025), statement extraction, step 5",
    prompt="""\
You write the question to which a statement is the answer. It will be put to a collection of many documents, by somebody
who has not seen the one that the statement comes from.
- One short question, as people type it into a search.
- Specific: with what it names, from the statement, the theme or the title, this statement alone answers it.
- It does not give its answer away, and asks for all that the statement says, not for a detail of it.
- It never speaks of a passage, text, document or statement.
- The answer is made of the statement: all of it that answers the question, in its words, and nothing else.
- Question and answer are in the language of the statement.""",
    material=_question_material,
    reply_type=QuestionReply,
    to_output=_question,
)

NEAR_MISSES = Task(
    name="near_misses",
    version=1,
    input_type=MissCandidates,
    output_type=NearMisses,
    source="Know Your RAG (COLING 2025), labels: unanswerable",
    prompt="""\
You write questions that a passage seems to answer and does not. They test whether a system admits what it cannot know.
- Each asks for one thing about the very subject of the passage, named as the passage names it, which a reader would
  expect to find there.
- The passage neither states the answer, nor a part of it, nor lets one infer it.
- The question takes nothing for granted that the passage contradicts or does not say.
- Facts elsewhere, where given, are stated outside the passage; what only they answer can be asked.
- Short, as people type it into a search, never speaking of a passage, text or document.
- In the language of the passage.""",
    material=_near_misses_material,
    reply_type=NearMissesReply,
    to_output=_near_misses,
)
