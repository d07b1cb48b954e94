"""The questions that a system is asked, and the documents that they are asked about."""

from __future__ import annotations

import filecmp
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ragassay.datasets.beir import Grades, read_grades
from ragassay.datasets.foreign import OTHER_LABELS, holds_documents
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.lines import UNREAD
from ragassay.datasets.own import OTHER_VALUES
from ragassay.datasets.placing import PARTLY
from ragassay.datasets.registry import brings_documents, format_named, read_dataset, recognised
from ragassay.datasets.selection import kept, said
from ragassay.documents.read import read_corpus
from ragassay.documents.store import DocumentStore
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.jobs.answer.folder import PredictFolder, check_questions
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.folders.run_folder import DOCUMENTS_FILE, EXAMPLES_FILE
from ragassay.records import Document, Example, SkippedSource, read_jsonl, write_jsonl
from ragassay.systems.own_chunks import OwnChunks, documents_of, place_chunks, read_chunk_file

Check = Callable[[Sequence[Example]], None]
TEST = "test"
"""The split that published figures are of."""


ALL_ZERO = "queries left out whose judgements are all 0, which trec_eval and BEIR count as 0"


@dataclass(slots=True, eq=False)
class QuestionSet:
    """What is asked. store: None where there are no documents. own: the user's chunks.

    not_judged: queries of a BEIR folder that are left out, as its judgements say nothing of them. skipped: files with
    documents that could not be read. read_notes: on how others were read. reading: of what is left out, counted.
    at_random: examples, from the first, that were drawn by chance, of ``total`` that ``decide_against`` holds too.
    """

    examples: list[Example] = field(default_factory=list)
    skipped: list[SkippedSource] = field(default_factory=list)
    read_notes: list[SkippedSource] = field(default_factory=list)
    store: DocumentStore | None = None
    own: OwnChunks | None = None
    not_judged: int = 0
    reading: Mapping[str, int] = field(default_factory=dict)
    at_random: int = 0
    total: int = 0


def read_questions(options: EvaluateOptions, folder: PredictFolder, stack: ExitStack, check: Check) -> QuestionSet:
    """Examples and documents, which lie in the folder from now on, so that it can be scored by itself."""
    data = QuestionSet()
    examples = data.examples
    new = folder.path / f"{DOCUMENTS_FILE}.new"
    chunks = read_chunk_file(options.chunks) if options.chunks is not None else None
    try:
        if chunks is not None and not has_documents(options):
            beside = Path(stack.enter_context(TemporaryDirectory(prefix="ragassay-"))) / DOCUMENTS_FILE
            write_jsonl(beside, documents_of(chunks))
            options = replace(options, documents=beside)
        store = stack.enter_context(DocumentStore.write(new, _documents(options, data)))
        against = options.beside.decide_against
        if against is None and options.limit is not None:
            del examples[options.limit :]
        name = options.data if options.records is None else "the set given"
        if not examples and data.not_judged:
            raise InputError(f"{name}: its judgements mark no document as relevant; give others")
        if not examples:
            raise InputError(f"{name} holds no examples{said(options.only)}; give an evaluation set")
        check(examples)
        if against is not None:
            _draw(options, data, folder, against)
        if chunks is not None:
            _check_references(examples, store)
            data.own = place_chunks(chunks, store)
        check_questions(folder.path, examples, folder)
        if options.is_built_in:
            before = folder.path / DOCUMENTS_FILE
            if folder.loaded and before.exists() and not filecmp.cmp(before, new, shallow=False):
                raise RunFolderError(
                    f"--out: {folder.path} holds answers from other documents; name another folder, or start over "
                    "with --overwrite"
                )
        folder.begin()
        store.path = folder.path / DOCUMENTS_FILE
        new.replace(store.path)
    finally:
        new.unlink(missing_ok=True)
    folder.keep_examples(examples)
    data.store = store if len(store) else None
    return data


def _draw(options: EvaluateOptions, data: QuestionSet, folder: PredictFolder, against: Path) -> None:
    """Take ``limit`` questions by chance that another run answered, then others that have been answered here.

    More are taken where more of that order have been answered. Raises InputError where the run is not on this set.
    """
    examples = data.examples
    random.Random(options.seed).shuffle(examples)
    others = {each.id: each for each in read_jsonl(against / EXAMPLES_FILE, Example)}
    both = [each for each in examples if each.id in others]
    if not both:
        raise InputError(f"{against} holds no question of {options.shown_data}; name a run on this set")
    strange = next((each.id for each in both if _content(each) != _content(others[each.id])), None)
    if strange is not None:
        raise InputError(
            f"example {strange} of {against} has another question, reference answer or references; name a run on this "
            "set"
        )
    done = next((place for place, each in enumerate(both) if folder.recorded(each.id) is None), len(both))
    first = both[: max(done, options.limit or len(both))]
    data.at_random, data.total = len(first), len(both)
    if len(both) < len(examples):
        data.reading = {**data.reading, f"questions that {against} does not hold": len(examples) - len(both)}
    ids = {each.id for each in first}
    examples[:] = [*first, *(each for each in examples if each.id not in ids and folder.recorded(each.id) is not None)]


def _content(example: Example) -> tuple[str, str, list[str]]:
    return example.asked, example.answer, [span.text for span in example.references]


def has_documents(options: EvaluateOptions) -> bool:
    """Return whether the set brings documents, or others are named."""
    if options.records is not None or options.documents is not None:
        return True
    return brings_documents(options.data, options.from_format)


def _check_references(examples: Iterable[Example], store: DocumentStore) -> None:
    """Raises InputError for an example that rests on a text which its document does not hold, or holds elsewhere."""
    for example in examples:
        for span in example.ground_spans:
            known = span.end > span.start and span.document_id in store
            if known and store.get(span.document_id).text[span.start : span.end] != span.text:
                raise InputError(
                    f"example {example.id} quotes a text that is not at its place in {span.document_id}; "
                    "give the original documents with --documents"
                )


def _documents(options: EvaluateOptions, data: QuestionSet) -> Iterator[Document]:
    """The documents as they come; the examples are put into the set."""
    grades = judgements(options) if options.judged is None else options.judged
    ids: set[str] = set()
    notes = Notes()
    if grades is not None:
        data.reading = notes.counts
    for each in kept(read_records(options, data, notes), options.only):
        if isinstance(each, Document):
            yield each
        elif isinstance(each, Example):
            if each.id in ids:
                raise InputError(f"{options.data} has two examples with the id {each.id}; drop one of them")
            ids.add(each.id)
            example = each if grades is None else judged(each, grades)
            if example is None:
                data.not_judged += 1
                notes.add(ALL_ZERO, each.id in (grades or {}))
            else:
                data.examples.append(example)


def read_records(options: EvaluateOptions, data: QuestionSet, notes: Notes) -> Iterator[Record]:
    """Yield all of the set; its documents are those that the user named, where they are named."""
    if options.records is not None:
        yield from options.records
        return
    named, corpus = options.documents, None
    if named is not None and not holds_documents(named):
        corpus = read_corpus([named], options.read, data.skipped.append, data.read_notes.append, leave_out=options.out)
        named = None
    yield from read_dataset(
        options.data,
        format_name=options.from_format,
        documents=named,
        corpus=corpus,
        notes=notes,
        selection=options.selection,
    )
    unread = ", ".join(what.removeprefix(UNREAD) for what in notes.counts if what.startswith(UNREAD))
    data.read_notes += notes.strange
    if unread and options.data.suffix.lower() in (".csv", ".tsv"):
        data.read_notes.append(SkippedSource(source=options.data.name, reason=f"columns that are not used: {unread}"))
    for what in (PARTLY, OTHER_LABELS, OTHER_VALUES):
        if number := notes.counts[what]:
            data.read_notes.append(SkippedSource(source=options.data.name, reason=f"{what}: {number:,}"))


def judgements(options: EvaluateOptions) -> Grades | None:
    """Return the graded relevance that a BEIR folder brings; None for other sets.

    Of the split that the user names, else of "test" where there is one, else of all. Raises UsageError or InputError.
    """
    folder, form, split = options.data, options.from_format, options.split
    is_beir = options.records is None and (format_named(form, "--from") if form else recognised(folder)).name == "beir"
    if is_beir:
        has_test = (folder / "qrels" / f"{TEST}.tsv").is_file()
        return read_grades(folder, Notes(), split or (TEST if has_test else None))
    if split is not None:
        raise UsageError(f"--split: {folder} is not a BEIR folder; leave --split out")
    return None


def judged(example: Example, grades: Grades) -> Example | None:
    """A query with the documents that these judgements call relevant, and no others; None where they call none so."""
    relevant = grades.get(example.id)
    if not relevant:
        return None
    references = tuple(
        replace(span, grade=relevant[span.document_id]) for span in example.references if span.document_id in relevant
    )
    context = next((span for span in references if span.text), example.context)
    return replace(example, references=references, context=context)
