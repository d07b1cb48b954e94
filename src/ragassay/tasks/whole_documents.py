"""Whole documents without a configuration: the baselines that RAGEval's documents are ranked against."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData


class DocumentToWrite(TaskData):
    """kind: what the document is of, as 'finance'. example: a real one of its kind; empty for none.

    chars: about how long it is to be. number: which of several such documents; 0 and up.
    """

    kind: str
    language: str
    chars: int
    example: str = ""
    number: int = 0


class WholeDocument(TaskData):
    text: str


class WholeDocumentReply(ReplyData):
    text: str = Field(description="the whole document, with its title in the first line")


_EXAMPLE_CHARS = 8_000
"""Of the example: its kind shows in so much of it."""


def _material(inputs: DocumentToWrite) -> list[Material]:
    return [
        Material("kind", inputs.kind),
        Material("language", inputs.language),
        Material("length", f"about {inputs.chars} characters"),
        Material("example", inputs.example[:_EXAMPLE_CHARS]),
    ]


def _whole(_: DocumentToWrite, reply: WholeDocumentReply) -> WholeDocument:
    if not reply.text.strip():
        raise ValueError("the document is empty")
    return WholeDocument(text=reply.text.strip())


WHOLE_DOCUMENT: Task[DocumentToWrite, WholeDocument] = Task(
    name="whole_document",
    version=1,
    input_type=DocumentToWrite,
    output_type=WholeDocument,
    source="RAGEval (ACL 2025), document quality",
    prompt="""\
You write one document of the kind that is named, in full, as a professional of the field would.
- All people, organisations, places, dates and numbers in it are made up, and agree with each other.
- Where an example is given, write a document of the same form on another case; take nothing from its facts.
- In the language and of the length that are named.""",
    material=_material,
    reply_type=WholeDocumentReply,
    to_output=_whole,
    temperature=1.0,
    sample=lambda inputs: inputs.number,
)
