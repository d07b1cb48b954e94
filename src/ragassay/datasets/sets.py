"""Data sets of other people as ``sets.toml`` describes them: one reader for all of their rows."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, cast

from ragassay.datasets.conversations import Conversation, calls_in, calls_said, conversation_of, question_of
from ragassay.datasets.foreign import Assembler, Item, Quote, label_in, prediction_of
from ragassay.datasets.format import MOST_KINDS, Format, Notes, Record, Source, snake_case
from ragassay.datasets.lines import Row, list_in, note_other_fields, text_of, texts_of
from ragassay.datasets.placing import with_places
from ragassay.datasets.replies.places import MISSING, at_place, unpack
from ragassay.datasets.rows import read_rows
from ragassay.datasets.texts import Texts, find_quote, unplaced
from ragassay.errors import InputError
from ragassay.records import QUESTION_TYPES, Document, Prediction, SkippedSource, Span

_HOLDS = frozenset({"example ids", "questions", "answers", "references", "places of references", "documents", "titles"})


Names = tuple[str, ...]
"""Fields of a row, of which the first that holds something counts; a dot parts a field from one in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One table of ``sets.toml``, whose head says what its fields mean."""

    name: str
    when: Sequence[Mapping[str, Any]]
    question: Names = ()
    conversation: Names = ()
    id: Names = ()
    reference: Names = ()
    loose: Names = ()
    label: Names = ()
    answer: Names = ()
    contexts: Names = ()
    keypoints: Names = ()
    language: Names = ()
    standalone_question: Names = ()
    synthesizer: Names = ()
    reference_tool_calls: Names = ()
    tool_calls: Names = ()
    passages: Names = ()
    question_type: Names = ()
    question_types: Mapping[str, str] = field(default_factory=dict)
    placed: str = ""
    inside: Sequence[str] = ()
    file: str = ""
    ignored: Sequence[str] = ()
    beside: Sequence[str] = ()
    needs_documents: bool = False
    snake_case: bool = False
    holds: frozenset[str] = _HOLDS

    @property
    def known(self) -> frozenset[str]:
        """Return the fields of a row that are read, or passed over in silence."""
        read = [name for key in _FIELDS for name in cast("Names", getattr(self, key))]
        return frozenset((*(name.partition(".")[0] for name in read), *self.ignored))


_FIELDS = tuple(each.name for each in fields(Form) if each.type == "Names")


def _form(name: str, table: Mapping[str, Any]) -> Form:
    names = {key: [value] if isinstance(value, str) else value for key, value in table.items() if key in _FIELDS}
    listed = {key: tuple(each) for key, each in names.items()}
    return Form(name=name, **{**table, **listed, "holds": frozenset(table.get("holds", _HOLDS))})


class _Fields:
    """Reads the fields of one row; what stands there and cannot be read is a fault that names row and field."""

    def __init__(self, row: Row, notes: Notes) -> None:
        self._row, self._notes = row, notes

    def raw(self, names: Names) -> tuple[str, Any]:
        """Return the first place that holds something, as it is written, and what it holds; None where none does."""
        found = ((name, self._at(name)) for name in names)
        there = [(written, value) for written, value in found if value is not MISSING]
        is_told = (each for each in there if each[1] is not None)
        return next(is_told, there[0] if there else (names[0] if names else "", None))

    def text(self, names: Names) -> str:
        """Return a text, or a number as one; "" where there is nothing."""
        written, value = self.raw(names)
        return text_of(Row(self._row.where, {written: value}), written, self._notes, default="") or ""

    def texts(self, names: Names) -> list[str]:
        """Return a list of texts; lists are read out of cells."""
        written, value = self.raw(names)
        return list(texts_of(Row(self._row.where, {written: self._listed(value)}), written, self._notes) or ())

    def answers(self, names: Names) -> list[str]:
        """Return the texts of a field that holds one, or a list of several."""
        value = self.raw(names)[1]
        found = self.texts(names) if isinstance(value, list) else [self.text(names)]
        return [text for text in found if text.strip()]

    def conversation(self, form: Form) -> Conversation | None:
        """Return the question with the turns before it; None, and a fault, without one."""
        written, value = self.raw(form.conversation)
        if form.conversation and (value is not None or not form.question):
            return conversation_of(Row(self._row.where, {written: value}), written, self._notes)
        written, value = self.raw(form.question)
        return question_of(Row(self._row.where, {written: value}), written, self._notes)

    def results(self, form: Form) -> list[Any]:
        """Return what the fields of a system's results hold; of chunks alone, null is that none were retrieved."""
        found = []
        for names in (form.contexts, form.answer):
            if any(self._at(name) is not MISSING for name in names):
                value = self.raw(names)[1]
                found.append(self._listed(value) if names is form.contexts else value)
        has_contexts = any(self._at(name) is not MISSING for name in form.contexts)
        return [""] if found == [None] and has_contexts else found

    def _at(self, name: str) -> Any:
        return at_place(self._row.value, tuple(name.split(".")))

    def _listed(self, value: Any) -> Any:
        if isinstance(value, str) and value.strip().startswith("["):
            return list_in(value.strip()) or (value if list_in(value.strip()) is None else [])
        return value


def _item(form: Form, row: Row, corpus: Texts, notes: Notes) -> Item | None:
    """Return what a row tells; None where it is left out, or cannot be read."""
    faults = len(notes.faults)
    told = _Fields(row, notes)
    said = told.conversation(form)
    kind = told.text(form.question_type) or None
    kind = form.question_types.get(kind or "", kind)
    notes.add(
        "question types that are not among the seven", bool(form.question_types and kind) and kind not in QUESTION_TYPES
    )
    prediction, is_sure = _prediction(form, told, row, said, notes)
    label = label_in(told.raw(form.label)[1], notes)
    item = Item(
        where=row.where,
        question=said.question if said else "",
        history=said.history if said else (),
        id=told.text(form.id),
        answers=told.answers(form.reference),
        loose=told.texts(form.loose),
        question_type=kind,
        keypoints=[
            re.sub(rf"\A{place}[.．、] ?", "", text) for place, text in enumerate(told.texts(form.keypoints), 1)
        ],
        language=told.text(form.language) or None,
        standalone_question=told.text(form.standalone_question) or None,
        synthesizer=told.text(form.synthesizer),
        tool_calls=_calls(row, form.reference_tool_calls, notes),
        prediction=prediction,
        is_sure=is_sure,
        **(label | {"unanswerable": "document"} if kind == "unanswerable" else label),
    )
    if len(notes.faults) > faults:
        return None
    if not item.question.strip():
        notes.fault(f"{row.where}: the question is empty")
        return None
    if form.placed == "answers":
        _place_answers(item, row, notes)
    if form.placed == "documents":
        _place_documents(item, row, told.raw(form.passages)[1], corpus, notes)
    return None if len(notes.faults) > faults else item


def _prediction(
    form: Form, told: _Fields, row: Row, said: Conversation | None, notes: Notes
) -> tuple[Prediction | None, bool]:
    results = told.results(form)
    retrieved, response = told.texts(form.contexts), told.text(form.answer) or (said.answer if said else "")
    made = _calls(row, form.tool_calls, notes)
    if made is None and _calls(row, form.reference_tool_calls, Notes(keep_going=True)) is not None:
        try:
            made = calls_said(unpack(told.raw(form.question)[1]))
        except ValueError as error:
            notes.fault(f"{row.where}: {error}")
    if "" not in results and not any(each is not None for each in (*results, made, response or None)):
        return None, False
    prediction = prediction_of("", response if "" in results else response or None, retrieved)
    is_sure = bool(response or made is not None) or any(isinstance(each, list) for each in results)
    return replace(prediction, tool_calls=made), is_sure


def _calls(row: Row, names: Names, notes: Notes) -> Any:
    try:
        return calls_in(row, names)
    except ValueError as error:
        notes.fault(f"{row.where}: {error}")
        return None


def _rows(form: Form, path: Path, notes: Notes) -> Iterator[Row]:
    for row in read_rows(path, notes):
        if form.snake_case:
            row = Row(row.where, {snake_case(name): each for name, each in row.value.items()})
        yield from _inside(row, form.inside, notes)


def _inside(row: Row, names: Sequence[str], notes: Notes) -> Iterator[Row]:
    if not names or names[0] not in row.value:
        yield row
        return
    listed, where = row.value[names[0]], f"{row.where}.{names[0]}"
    around = {name: value for name, value in row.value.items() if name != names[0]}
    if not isinstance(listed, list):
        notes.fault(f"{where} must be a list")
        return
    for number, item in enumerate(listed):
        if isinstance(item, dict):
            yield from _inside(Row(f"{where}[{number}]", {**around, **item}), names[1:], notes)
        else:
            notes.fault(f"{where}[{number}] must be an object")


def _place_answers(item: Item, row: Row, notes: Notes) -> None:
    """SQuAD: answers in their text, with offsets if they are objects; of several the commonest is meant."""
    if "context" not in row.value or row.value.keys().isdisjoint(("answers", "answer", "is_impossible")):
        notes.fault(f"{row.where}: squad has question, context and answers; name another format with --from")
        return
    text, title = text_of(row, "context", notes, default=""), text_of(row, "title", notes, default="")
    if text is None or title is None:
        return
    item.text = (text, title) if text.strip() else None
    value = row.value.get("answers")
    if value is None and row.value.get("answer") is not None:
        value = [{"text": row.value["answer"], "answer_start": row.value.get("answer_start")}]
    if isinstance(value, dict) and value and all(isinstance(column, list) for column in value.values()):
        value = [dict(zip(value, cells, strict=False)) for cells in zip(*value.values(), strict=False)]
    pairs = []
    for given in value if isinstance(value, list) else [value] if value else []:
        quote, near = (given.get("text"), given.get("answer_start")) if isinstance(given, dict) else (given, -1)
        if not isinstance(quote, str):
            notes.fault(f"{row.where}: answers must be a list of texts, or of objects with text and offset")
            return
        if quote.strip():
            pairs.append((quote, near if type(near) is int and near >= 0 else -1))
    item.answers = [quote for quote, _ in pairs]
    if pairs:
        quote, near = Counter(pairs).most_common(1)[0][0]  # of equals the first
        item.answers.insert(0, quote)
        item.quote = Quote(quote, near)
    is_impossible = row.value.get("is_impossible")
    if is_impossible and item.answers:
        notes.fault(f"{row.where}: is_impossible, but there is an answer")
    if is_impossible or (is_impossible is None and not item.answers):
        item.unanswerable = "document"


def _place_documents(item: Item, row: Row, listed: Any, corpus: Texts, notes: Notes) -> None:
    """DragonBall: quotes in the documents that the query names (listed); some have other words, and no place then."""
    if listed is not None and not (isinstance(listed, list) and all(type(name) in (int, str) for name in listed)):
        notes.fault(f"{row.where}: doc_ids must be a list of ids")
        return
    ids = [str(name) for name in listed or ()]
    unknown = next((name for name in ids if name not in corpus), None)
    if unknown is not None:
        notes.fault(f"{row.where}: doc_ids names {unknown!r}, which is not among the documents")
        return
    texts = [(name, corpus.get(name) or "") for name in ids]
    for quote in item.loose:
        places = ((name, text, find_quote(text, quote)) for name, text in texts)
        name, text, place = next((found for found in places if found[2]), (ids[0] if ids else "", quote, None))
        if place is None:
            notes.add("references that are in none of their documents")
            item.spans.append(unplaced(name, quote))
            continue
        held = text[place[0] : place[1]]
        notes.add("references with other white space than their document; the document's is taken", held != quote)
        item.spans.append(Span(document_id=name, start=place[0], end=place[1], text=held))
    item.loose = []
    if texts:
        name, text = texts[0]
        item.context = Span(document_id=name, start=0, end=len(text), text=text)
    covered = {*ids[:1], *(span.document_id for span in item.spans)}
    notes.add("documents of a question in which none of its references stands", len(set(ids) - covered))


class _Misspelt:
    """Finds fields of no other row, which nobody reads, in rows without an answer, contexts or a reference."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._usual: dict[Names, tuple[str, set[str]]] = {}
        self._lacking: list[tuple[str, Names, set[str]]] = []

    def see(self, row: Row) -> None:
        others = {str(name) for name in row.value} - self._form.known
        for names in (self._form.answer, self._form.contexts, self._form.reference):
            there = next((name for name in names if at_place(row.value, tuple(name.split("."))) is not MISSING), None)
            if there is not None:
                self._usual.setdefault(names, (there, set()))[1].update(others)
            elif others and len(self._lacking) < MOST_KINDS:
                self._lacking.append((row.where, names, others))

    def found(self) -> Iterator[SkippedSource]:
        for where, names, others in self._lacking:
            there, usual = self._usual.get(names, ("", others))
            if unknown := sorted(others - usual):
                yield SkippedSource(source=where, reason=f"no {there!r}, but an unknown field {unknown[0][:60]!r}")


def _read(form: Form, source: Source, notes: Notes) -> Iterator[Record]:
    path = source.path / form.file if form.file and source.path.is_dir() else source.path
    if source.documents is not None and not form.beside and not form.loose:
        raise InputError("--documents: the rows hold their own texts; leave it out")
    if source.documents is None and form.needs_documents:
        raise InputError(f"{path.name} needs its documents; give their file with --documents")
    yield from _records(form, source, _rows(form, path, notes), notes)


def _records(form: Form, source: Source, rows: Iterable[Row], notes: Notes) -> Iterator[Record]:
    assembler, misspelt = Assembler(form.name, source, notes), _Misspelt(form)
    is_empty = True
    with Texts() as corpus:
        for document in assembler.documents():
            if form.passages and not corpus.add(document.id, document.text):
                notes.fault(f"{source.documents}: two documents have the id {document.id!r}")
                continue
            yield document
        for row in rows:
            note_other_fields(row, form.known, notes)
            misspelt.see(row)
            is_empty = False
            item = _item(form, row, corpus, notes)
            if item is not None:
                yield from assembler.records(item)
    notes.strange += misspelt.found()
    if is_empty and not notes.faults:
        raise InputError(
            f"{source.path.name} holds no question in the form of {form.name}; name its format with --from"
        )


def read_rows_at_hand(
    rows: Iterable[Mapping[str, Any]], notes: Notes, documents: Sequence[Document] = ()
) -> Iterator[Record]:
    """Return the records of rows of RAGAS at hand. documents: to look for references in; else made of these."""
    source = Source(path=Path("rows"), has_corpus=bool(documents))
    numbered = (Row(f"row {number}", dict(row)) for number, row in enumerate(rows, start=1))
    read = chain(documents, _records(SETS["ragas"], source, numbered, notes) if rows else ())
    return with_places(read, notes, are_references=not documents, where="dataset")


_TABLE = tomllib.loads(files("ragassay.datasets").joinpath("sets.toml").read_text("utf-8"))
SETS: Mapping[str, Form] = {name: _form(name, table) for name, table in _TABLE.items()}
FORMATS: Mapping[str, Format] = {
    form.name: Format(
        name=form.name,
        holds=form.holds,
        when=form.when,
        read=partial(_read, form),
        by_text=bool(form.loose) and not form.passages,
        beside=tuple(form.beside),
    )
    for form in SETS.values()
}
