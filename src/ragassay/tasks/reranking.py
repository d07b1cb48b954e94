"""How well retrieved chunks answer a question: what re-ranking by a language model asks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData, as_number, in_order

Grade = Annotated[Literal[0, 1, 2, 3], BeforeValidator(as_number)]


class QuestionWithCandidates(TaskData):
    """chunks: texts of the chunks that a search found, best first."""

    question: str
    chunks: tuple[str, ...]


class ChunkGrades(TaskData):
    """One from 0 to 3 for each chunk, in the order of the chunks."""

    grades: tuple[Grade, ...]


class ChunkGradeReply(ReplyData):
    chunk: int = Field(description="its number")
    grade: Grade = Field(description="from 0 to 3")


class ChunkGradesReply(ReplyData):
    grades: tuple[ChunkGradeReply, ...] = Field(description="one for each chunk")


def _material(inputs: QuestionWithCandidates) -> list[Material]:
    chunks = [Material(f"chunk {number}", text.strip() or "(empty)") for number, text in enumerate(inputs.chunks, 1)]
    return [Material("question", inputs.question), *chunks]


def _grades(inputs: QuestionWithCandidates, reply: ChunkGradesReply) -> ChunkGrades:
    places = in_order([each.chunk for each in reply.grades], len(inputs.chunks), "chunk")
    return ChunkGrades(grades=tuple(reply.grades[place].grade for place in places))


CHUNK_GRADES = Task(
    name="chunk_grades",
    version=1,
    input_type=QuestionWithCandidates,
    output_type=ChunkGrades,
    source="ours, for re-ranking as in Know Your RAG (COLING 2025), retrieval per label; "
    "grades of TREC Deep Learning 2019",
    prompt="""\
You put the chunks of documents that a search found for a question in order. Give every chunk a grade:
3 if it answers the question fully, 2 if it answers a part of it or needs others to complete it, 1 if it is about the
same subject and answers nothing, 0 if it has nothing to do with the question. Judge each chunk as if it were the only
one, by what it says and not by how it sounds.""",
    material=_material,
    reply_type=ChunkGradesReply,
    to_output=_grades,
)
