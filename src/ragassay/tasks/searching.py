"""What a system asks of a language model before it searches: whether it has to, and what an answer might read like."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData
from ragassay.tasks.creative import BareQuestion


class Search(TaskData):
    """needed: the documents have to be searched. query: what for; the question itself where nothing else was given."""

    needed: bool
    query: str


class SearchReply(ReplyData):
    reason: str = Field(description="at most 15 words")
    search: bool
    query: str = Field(description="what to search for; empty without a search")


def _search(inputs: BareQuestion, reply: SearchReply) -> Search:
    return Search(needed=reply.search, query=reply.query.strip() or inputs.question)


SEARCH_DECISION: Task[BareQuestion, Search] = Task(
    name="search_decision",
    version=1,
    input_type=BareQuestion,
    output_type=Search,
    source="RAGVAL, variants of RAG: retrieval as a tool that the model may call",
    prompt="""\
You have one tool: a search in a collection of documents. Somebody asks a question. Decide whether you call the tool
before you answer.
- Do not call it where you are sure of the whole answer without it, and for greetings and thanks.
- Call it for everything else: what is particular to an organisation, a product, a person or a text, what may have
  changed, and whatever you are not sure of.
- query: what the documents would say about it, in the words and the language that they may use; complete in itself.""",
    material=lambda inputs: [Material("question", inputs.question)],
    reply_type=SearchReply,
    to_output=_search,
)


class HypotheticalPassage(TaskData):
    """A passage that may be wrong in all it says: only its vector is used."""

    text: str


class PassageReply(ReplyData):
    text: str = Field(description="the passage")


def _passage(_: BareQuestion, reply: PassageReply) -> HypotheticalPassage:
    if not reply.text.strip():
        raise ValueError("the passage is empty; write what such a passage may say, invented or not")
    return HypotheticalPassage(text=reply.text.strip())


HYPOTHETICAL_PASSAGE: Task[BareQuestion, HypotheticalPassage] = Task(
    name="hypothetical_passage",
    version=1,
    input_type=BareQuestion,
    output_type=HypotheticalPassage,
    source="RAGVAL, variants of RAG: HyDE, after Gao et al. 2023, section 3",
    prompt="""\
Write a passage such as might stand in a document that answers the question. It is used to search for passages that are
like it, and nobody reads it: what you do not know you make up, names and figures included.
- Three to five sentences, in the tone of a manual, a report or an encyclopedia, as befits the question.
- In the language of the question. No opening, no remark on whether it is true.""",
    material=lambda inputs: [Material("question", inputs.question)],
    reply_type=PassageReply,
    to_output=_passage,
)
