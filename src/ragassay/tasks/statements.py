"""From a passage to statements: theme, facts, summaries, conclusions (Know Your RAG, section 4.1)."""

from __future__ import annotations

from ragassay.records import Block
from ragassay.tasks.base import Task, TaskData


class Passage(TaskData):
    """A stretch of a document that examples are made from.

    title: of the document. section: the headings above the passage, outermost first.
    text: verbatim. blocks, literals: its structure, offsets counted from the start of the passage.
    opening: the first lines of the document, where it says what it is about; the passage may come later.
    collection: name of what the whole collection is about ('PostgreSQL'), or empty.
    sibling_attributes: keys and options that most documents of this kind have and this one lacks.
    known_keys: keys of ``Key: value`` lines that several records of the collection have, in lower case.
    """

    title: str
    section: tuple[str, ...] = ()
    text: str
    language: str = "und"
    blocks: tuple[Block, ...] = ()
    literals: tuple[tuple[int, int], ...] = ()
    opening: str = ""
    collection: str = ""
    known_keys: frozenset[str] = frozenset()
    sibling_attributes: tuple[str, ...] = ()


class Theme(TaskData):
    """What the passage is about, in a few words that name it unmistakably within the collection."""

    text: str


class QuestionDraft(TaskData):
    """A question that the maker of a statement already knows to ask; pattern names the rule that wrote it."""

    question: str
    answer: str
    pattern: str


class Statement(TaskData):
    """One self-contained statement of a passage.

    quotes: the verbatim stretches of the passage that it rests on.
    draft: filled in by makers that derive statement and question together; None for the others.
    """

    text: str
    quotes: tuple[str, ...] = ()
    draft: QuestionDraft | None = None


class Statements(TaskData):
    items: tuple[Statement, ...]


class PassageOnTheme(TaskData):
    passage: Passage
    theme: str


class PassageFacts(TaskData):
    """A passage with the factual statements that were found in it."""

    passage: Passage
    theme: str
    facts: tuple[Statement, ...]


THEME = Task(
    name="theme",
    version=1,
    input_type=Passage,
    output_type=Theme,
    instruction="Name what the passage is about in a few words.",
    source="Know Your RAG (COLING 2025), section 4.1, step 1",
)

FACTS = Task(
    name="facts",
    version=1,
    input_type=PassageOnTheme,
    output_type=Statements,
    instruction=(
        "List factual statements of the passage: each one unit of information, understandable alone with the theme, "
        "independent of the others, nothing that passage and theme do not say."
    ),
    source="Know Your RAG (COLING 2025), section 4.1, step 2",
)

SUMMARIES = Task(
    name="summaries",
    version=1,
    input_type=PassageFacts,
    output_type=Statements,
    instruction="Write summary statements: each merges several facts into complete sentences, without overlap.",
    source="Know Your RAG (COLING 2025), section 4.1, step 3a",
)

CONCLUSIONS = Task(
    name="conclusions",
    version=1,
    input_type=PassageFacts,
    output_type=Statements,
    instruction="Draw conclusions from several facts: nothing that one fact says directly, understandable alone.",
    source="Know Your RAG (COLING 2025), section 4.1, step 3b",
)
