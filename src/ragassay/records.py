"""The records that flow between the parts: frozen, typed, with ids made of their content.

Character offsets are Python string offsets into ``Document.text`` and hold exactly:
``document.text[span.start:span.end] == span.text``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_args

from ragassay.errors import RecordError
from ragassay.plain_files import lines_of, open_plain

if TYPE_CHECKING:
    from pydantic import TypeAdapter


Label = Literal["fact_single", "summary", "reasoning", "unanswerable"]
"""How a context answers a question (Know Your RAG (COLING 2025), labels)."""
LABELS: tuple[Label, ...] = get_args(Label)
QuestionType = Literal[
    "factual", "summarization", "multi_hop", "information_integration", "numerical_comparison", "temporal_sequence",
    "unanswerable",
]  # fmt: skip
"""What a question demands, whatever its context (RAGEval (ACL 2025), questions and answers)."""
QUESTION_TYPES: tuple[QuestionType, ...] = get_args(QuestionType)
UNLABELLED = "unlabelled"
"""What an example counts under that has no label: no synthesizer was asked for one and no labeller has run."""

Role = Literal["user", "assistant"]

Scope = Literal["context", "document", "corpus"]
"""How far an answer was looked for and not found."""

Difficulty = Literal["easy", "hard"]
"""Whether a search by words (BM25) finds the document of a question among its first three chunks."""

Mending = Literal["open", "kept", "mended"]
"""What a person made of an example: it was kept as it stood; its wording was mended.

"open" stands in older sets, for a question that nobody had looked at, which None says now.
"""

BlockKind = Literal[
    "title", "heading", "paragraph", "item", "step", "term", "definition", "header_cell", "cell", "key", "value",
    "code", "quote",
]  # fmt: skip


def content_id(prefix: str, *parts: str) -> str:
    """Return a short id that depends on the parts and on nothing else: ``prefix`` and 16 hex digits."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x00")
    return f"{prefix}-{digest.hexdigest()}"


def left_out_if_usual(record_type: Any, schema: Any, *names: str) -> Any:
    """Return the pydantic schema of a record whose fields of these names are written only where they are not usual.

    For fields that most records do not need: files without them stay the same bytes.
    """
    from pydantic_core import core_schema  # imported late: `import ragassay` stays fast

    usual = {field.name: field.default for field in fields(record_type) if field.name in names}

    def written(record: Any, row_of: Any) -> dict[str, Any]:
        without = {name for name, value in usual.items() if getattr(record, name) == value}
        return {name: value for name, value in row_of(record).items() if name not in without}

    schema["serialization"] = core_schema.wrap_serializer_function_ser_schema(written)
    return schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of a document that its source marked as something: the structure that questions live on.

    start, end: character offsets into the document's text.
    level: depth of a heading (1 is the highest) or of list nesting (0 is the outermost).
    group: number of the list, definition list, table or record that the block belongs to; -1 if none.
    row, column: place inside the group. A term and its definitions share a row, so do a key and its value
        and the cells of a table row; items and steps count rows from 0.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    group: int = -1
    row: int = -1
    column: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One natural unit of the knowledge base: a file, an article.

    title: what it calls itself; empty where it says nothing, as a file name is no title.
    source: where it came from, relative to the folder given (``guides/refunds.md``), with ``#12`` for line 12 of a
        JSONL file.
    language: ISO 639-1 code, or ``und`` where the text is too short to tell.
    blocks: structure in reading order; leaf blocks do not overlap.
    literals: (start, end) of inline code, file names, options: technical names rather than prose; may lie inside
        blocks.
    """

    id: str
    title: str
    source: str
    text: str
    language: str = "und"
    metadata: Mapping[str, str] = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    literals: tuple[tuple[int, int], ...] = ()

    def span(self, start: int, end: int) -> Span:
        """Return the stretch of this document between two offsets."""
        return Span(document_id=self.id, start=start, end=end, text=self.text[start:end])


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a document."""

    document_id: str
    start: int
    end: int

    def overlaps(self, other: Place) -> bool:
        """Return whether this covers at least half of the other, or lies at least half inside it."""
        shared = min(self.end, other.end) - max(self.start, other.start)
        shorter = min(self.end - self.start, other.end - other.start)
        return self.document_id == other.document_id and shared > 0 and 2 * shared >= shorter


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A verbatim stretch of a document: a context that a question was made from, or a reference for its answer.

    grade: 1 or more, of a document that people judged as a whole, as in BEIR and TREC; None for a passage.
    elsewhere: further places of the same text, where a set has texts without places; what is right for one is right.
    """

    document_id: str
    start: int
    end: int
    text: str
    grade: int | None = None
    elsewhere: tuple[Place, ...] = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return left_out_if_usual(source, handler(source), "grade", "elsewhere")

    @property
    def places(self) -> tuple[Place, ...]:
        """Return all places of the text."""
        return (Place(self.document_id, self.start, self.end), *self.elsewhere)


NO_CONTEXT = Span(document_id="", start=0, end=0, text="")
"""The context of an example of which nobody knows what it was made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stretch of a document that a retriever returns.

    prefix: title or metadata put in front of the text when it is indexed; not part of the text, so offsets hold.
    """

    id: str
    document_id: str
    start: int
    end: int
    text: str
    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Critique:
    """A rating of an example from 1 to 5, or None with the reason why there is none (Know Your RAG, critiques)."""

    name: str
    value: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How an example came to be.

    pattern: the rule that wrote the question; empty for a language model.
    statement: the self-contained statement that the question asks for.
    unanswerable_in: for an unanswerable pair, how far the missing answer was looked for and not found.
    mending: what a person has made of it; None where nobody has looked at it.
    """

    synthesizer: str
    model: str
    pattern: str = ""
    statement: str = ""
    unanswerable_in: Scope | None = None
    mending: Mending | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return left_out_if_usual(source, handler(source), "mending")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call of a tool by a system. arguments: a JSON object with sorted keys, so that equal ones are equal texts."""

    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a conversation, as it stands before a question."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One evaluation item.

    answer: the reference answer; empty for an unanswerable pair.
    context: what the question was made from; ``NO_CONTEXT`` where a set that was made elsewhere does not say.
    references: the verbatim spans that the answer rests on; empty for an unanswerable pair.
    keypoints: self-contained statements, each one fact that a complete answer holds.
    requested_label, verified_label: the label asked of the synthesizer, and the one that the labeller gave; None where
        nobody asked for one, and where no labeller has run.
    tool_calls: those that a system should make, in their order; None where nobody says.
    history: the turns of the conversation before the question; () for a question that stands alone.
    standalone_question: the question in words that need no turns before it; None where nobody says.
    other_answers: further reference answers, each as good as ``answer``.
    difficulty: how hard its document is to find by words; None where nobody searched.
    """

    id: str
    question: str
    answer: str
    context: Span
    references: tuple[Span, ...]
    keypoints: tuple[str, ...]
    requested_label: Label | None
    verified_label: Label | None
    provenance: Provenance
    language: str = "und"
    question_type: str | None = None
    critiques: tuple[Critique, ...] = ()
    tool_calls: tuple[ToolCall, ...] | None = None
    history: tuple[Turn, ...] = ()
    standalone_question: str | None = None
    other_answers: tuple[str, ...] = ()
    difficulty: Difficulty | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        names = ("tool_calls", "history", "standalone_question", "other_answers", "difficulty")
        return left_out_if_usual(source, handler(source), *names)

    @property
    def is_itself_a_document(self) -> bool:
        """Return whether a document of this example's id is the query itself, which a search finds first.

        A document that was judged is another one of the same number, as in Cranfield's files.
        """
        return self.is_graded and all(span.document_id != self.id for span in self.references)

    @property
    def ground_spans(self) -> tuple[Span, ...]:
        """Return what a retriever should find: the references, or the context where nothing answers; () for neither.

        Each counts once, however often a set repeats it. One with neither offsets nor text names a document that is
        empty, or is not there: nothing is right for it.
        """
        wanted = self.references or ((self.context,) if self.context.document_id else ())
        return tuple(dict.fromkeys(each for each in wanted if each.end > each.start or each.text or each.document_id))

    @property
    def is_graded(self) -> bool:
        """Return whether people judged whole documents for this question: its rankings are then of documents."""
        return any(span.grade is not None for span in self.ground_spans)

    @property
    def asked(self) -> str:
        """Return the question with the turns before it, by which questions are the same or not."""
        return "\n".join((*(turn.content for turn in self.history), self.question))

    @property
    def label(self) -> str:
        """Return what the example counts under: the verified label, else the requested one, else "unlabelled"."""
        return self.verified_label or self.requested_label or UNLABELLED


_FINITE = {"allow_inf_nan": False}
"""Of records with numbers: a file that holds NaN or infinity is refused, with its line, before anything counts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedChunk:
    """A chunk as a system returned it, best first in ``Prediction.chunks``; text only where the corpus is not ours."""

    __pydantic_config__: ClassVar[Mapping[str, bool]] = _FINITE
    chunk_id: str
    document_id: str
    start: int
    end: int
    score: float
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What a system made of one question.

    answer: None where the system was only asked to retrieve, or failed; ``error`` says which.
    abstained: also of an empty answer, as in SQuAD 2.0.
    cost_usd, session: what the answer cost, and the conversation that it belongs to, where traces say so.
    tool_calls: those that it made, in their order; None where nobody says.
    standalone_question: what the system made of a question in a conversation, to search and answer with.
    """

    __pydantic_config__: ClassVar[Mapping[str, bool]] = _FINITE
    example_id: str
    system: str
    chunks: tuple[RankedChunk, ...]
    answer: str | None = None
    abstained: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_s: float | None = None
    error: str | None = None
    cost_usd: float | None = None
    session: str | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    standalone_question: str | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return left_out_if_usual(source, handler(source), "tool_calls", "standalone_question")

    def __post_init__(self) -> None:
        if self.answer is not None and not self.answer.strip() and not self.error and not self.tool_calls:
            object.__setattr__(self, "abstained", True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The value of one metric for one example under one system, or None with the reason."""

    __pydantic_config__: ClassVar[Mapping[str, bool]] = _FINITE
    example_id: str
    system: str
    metric: str
    value: float | None
    reason: str | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A judgement made by a person on an example or a prediction."""

    id: str
    subject_id: str
    annotator: str
    task: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedSource:
    """A file, or a record of one, that was not used, and why, in a clear sentence."""

    source: str
    reason: str


R = TypeVar("R")
_adapters: dict[type, TypeAdapter[Any]] = {}


def _adapter(record_type: type[R]) -> TypeAdapter[R]:
    if record_type not in _adapters:
        from pydantic import TypeAdapter  # imported late: `import ragassay` stays fast

        _adapters[record_type] = TypeAdapter(record_type)
    return _adapters[record_type]


def to_json(record: object) -> str:
    """Return one line of JSON, keys in the order of the fields, the same bytes for the same record."""
    adapter: TypeAdapter[Any] = _adapter(type(record))
    return adapter.dump_json(record).decode("utf-8")


def from_json(record_type: type[R], line: str | bytes, *, where: str = "record") -> R:
    """Return what ``to_json`` wrote. Raises RecordError that names ``where`` and the field at fault."""
    from pydantic import ValidationError

    try:
        return _adapter(record_type).validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the line"
        name = record_type.__name__
        expected = "" if name.startswith("_") else f"; expected {'an' if name[0] in 'AEIOU' else 'a'} {name}"
        raise RecordError(f"{where}: {place}: {first['msg']}{expected}") from None


def write_jsonl(path: Path, records: Iterable[object]) -> int:
    """Write one record a line to ``path``, whole or not at all. Return how many."""
    part = path.with_name(path.name + ".part")
    count = 0
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            for record in records:
                file.write(to_json(record) + "\n")
                count += 1
        part.replace(path)
    finally:
        with suppress(OSError):  # where none could be written none can be taken away
            part.unlink()
    return count


def read_jsonl(path: Path, record_type: type[R]) -> Iterator[R]:
    """Yield records one at a time. Raises RecordError that names the file and the line."""
    with open_plain(path) as file:
        for number, line in enumerate(lines_of(file, path.name), start=1):
            if line.strip():
                yield from_json(record_type, line, where=f"{path.name} line {number}")
