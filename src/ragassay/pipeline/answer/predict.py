"""Runs a system on an evaluation set: every question ends as one prediction, and none is asked twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ragassay.corpus.read import read_corpus
from ragassay.corpus.sources import by_reason
from ragassay.corpus.store import DocumentStore
from ragassay.datasets.documents_file import holds_documents
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.only import kept, said
from ragassay.datasets.placing import Placer, is_collection
from ragassay.datasets.registry import brings_documents, read_dataset
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.models.llm.budget import Spent
from ragassay.pipeline.answer.folder import PredictFolder, SystemState, check_questions, predict_folder
from ragassay.pipeline.answer.judged_queries import judged, judgements
from ragassay.pipeline.answer.loop import ask_system
from ragassay.pipeline.answer.options import EvaluateOptions
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent, Written, followed
from ragassay.pipeline.folders.run_folder import DOCUMENTS_FILE
from ragassay.plain_files import open_plain
from ragassay.records import Document, Example, Prediction, SkippedSource, write_jsonl
from ragassay.report.notebook import Shown
from ragassay.report.predictions import PredictionFigures, blocks_of_predictions, doubts_of, prediction_figures
from ragassay.systems.base import Question, System, UnusableSystemError
from ragassay.systems.build import Materials, built_in_system, outside_system
from ragassay.systems.own_chunks import OwnChunks, documents_of, place_chunks, read_chunk_file
from ragassay.systems.rag import Generator
from ragassay.workers import Workers

if TYPE_CHECKING:
    from ragassay.report.blocks import Block

STAGE = "answers"
Check = Callable[[Sequence[Example]], None]
_REUSED = "reused; --overwrite asks again."
_MAY_DIFFER = (
    " The system may have changed since, which cannot be seen: pass --system-version NAME; when NAME changes, all "
    "questions are asked again."
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Predicted(Shown):
    """A finished run of a system.

    predictions: in the order of the examples; shorter than these where a limit was reached. asked: questions put to the
    system now; the others had been answered before. notes: whether the system is still the one that gave them.
    has_documents: whether documents to search are at hand, in which chunks can be placed. outside_corpus:
    examples that rest on documents that the set, or
    --documents, does not hold. not_judged: queries of a BEIR folder that were left out, as its judgements say nothing
    of them. spent: what calls to models took. budget_reached: which limit ended them.
    """

    system: str
    folder: Path
    examples: tuple[Example, ...]
    predictions: tuple[Prediction, ...]
    asked: int
    notes: tuple[str, ...] = ()
    has_documents: bool = False
    outside_corpus: int = 0
    not_judged: int = 0
    spent: Spent = field(default_factory=Spent)
    budget_reached: str | None = None

    @property
    def figures(self) -> PredictionFigures:
        """What is printed of it."""
        return prediction_figures(
            self.system,
            len(self.examples),
            self.predictions,
            asked_now=self.asked,
            outside_corpus=self.outside_corpus,
            not_judged=self.not_judged,
            notes=tuple(dict.fromkeys((*self.notes, *self.doubts))),
        )

    def blocks(self) -> Iterable[Block]:
        return blocks_of_predictions(self.figures, "")

    @property
    def doubts(self) -> tuple[str, ...]:
        """What makes figures doubtful: answers that may be old, references and chunks that no document holds."""
        old = [note for note in self.notes if _REUSED in note]
        return (*old, *(doubts_of(self.examples, self.predictions) if self.has_documents else ()))

    @property
    def failures(self) -> list[Prediction]:
        """Those with an error."""
        return [each for each in self.predictions if each.error is not None]

    @property
    def coverage(self) -> float:
        """Share of the questions that were answered."""
        return (len(self.predictions) - len(self.failures)) / len(self.examples)


def predict(
    options: EvaluateOptions,
    progress: Progress | None = None,
    system: System | None = None,
    log_folder: Path | None = None,
    check: Check = lambda examples: None,
) -> Predicted:
    """Asks the system every question that it has not answered yet, and writes the folder.

    system: the one to ask where it is at hand; None for the one that the options name. log_folder: where calls of
    built-in systems are logged, for several runs that share replies; None for the folder of the run. check: raises for
    examples that are not worth asking.
    Raises UsageError, InputError, RunFolderError or UnusableSystemError for what cannot be used.
    """
    options.check_system()
    endpoints = Endpoints(options.answering)  # a wrong name or a missing key costs no time
    if endpoints.estimates is not None and not options.is_built_in:
        raise UsageError(
            f"--dry-run: only works for built-in systems, not for {options.spec.kind}; try it with --limit 10"
        )
    if system is None and not options.is_built_in:
        system = outside_system(options.spec)
    endpoints.enter(STAGE)
    with ExitStack() as stack:
        folder = stack.enter_context(
            predict_folder(
                options.out,
                options.identity(),
                options.settings_of_answers(),
                overwrite=options.overwrite,
                state=state_of(options, system),
            )
        )
        told = stack.enter_context(followed(progress or Silent(), folder.path, options.command))
        told.start("reading the set", None)
        log_to = log_folder or options.out
        job = _Job(options, endpoints, folder, _read(options, folder, stack, check), told, log_to)
        predicted = finished(_run(job, system))
        told.stopped(predicted.budget_reached or "")
        return predicted


def state_of(options: EvaluateOptions, system: System | None) -> SystemState:
    """Return the state of the system; built-in ones and files of answers are told apart by settings and contents."""
    if options.is_built_in or options.spec.kind == "recorded":
        return SystemState("as set up", None)
    return SystemState(getattr(system, "code", None), options.version)


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """What a run works with."""

    options: EvaluateOptions
    endpoints: Endpoints
    folder: PredictFolder
    data: _Set
    progress: Written
    log_folder: Path


async def _run(job: _Job, system: System | None) -> Predicted:
    options, folder, examples, store = job.options, job.folder, job.data.examples, job.data.store
    still_open = _open(examples, folder, retry_failed=options.retry_failed)
    follow_ups = sum(bool(example.history) for example in examples)
    asked = await _asked(job, system, still_open) if still_open else 0
    reached = job.endpoints.budget.reached
    predictions = [] if reached else folder.finish(examples)
    if reached:
        predictions = [found for example in examples if (found := folder.recorded(example.id)) is not None]
    known = set(store.ids) if store is not None else None
    return Predicted(
        system=predictions[0].system if predictions else "",
        folder=options.out,
        examples=tuple(examples),
        predictions=tuple(predictions),
        asked=asked,
        has_documents=store is not None and is_collection(examples, store),
        notes=(
            *by_reason(job.data.read_notes),
            *_notes(folder, job.data.skipped, len(examples) - asked),
            *(f"{what[0].upper()}{what[1:]}: {count:,}." for what, count in job.data.reading.items()),
            *_notes_on_turns(follow_ups, takes_history=system is None or getattr(system, "takes_history", True)),
        ),
        outside_corpus=sum(_is_outside(example, known) for example in examples) if known is not None else 0,
        not_judged=job.data.not_judged,
        spent=job.endpoints.budget.spent,
        budget_reached=reached,
    )


def _notes(folder: PredictFolder, skipped: Sequence[SkippedSource], reused: int) -> Iterator[str]:
    if skipped:
        yield f"{len(skipped):,} documents were skipped, the first being {skipped[0].source}. {skipped[0].reason}"
    if folder.set_aside is not None:
        again = "" if reused else ", so all questions were asked again"
        yield f"The system has changed since the last run{again}. The earlier answers are in {folder.set_aside.name}."
    if reused:
        answers = "1 earlier answer" if reused == 1 else f"{reused:,} earlier answers"
        yield f"{answers} {_REUSED}{_MAY_DIFFER if folder.is_unseen else ''}"


def _notes_on_turns(follow_ups: int, *, takes_history: bool) -> Iterator[str]:
    if follow_ups and not takes_history:
        yield (
            f"Questions with earlier turns: {follow_ups:,}. The system does not get the turns; give them a place: a "
            "parameter named history, or {history} in the request or input."
        )


async def _asked(job: _Job, system: System | None, still_open: Sequence[Question]) -> int:
    """Makes the system ready and asks it; how many were answered or failed."""
    async with AsyncExitStack() as stack:
        if system is None:
            system = await _built_in(job, stack)
        stack.push_async_callback(system.close)
        n = len(job.data.examples)
        job.progress.start("asking examples", n, done=n - len(still_open))
        return await _ask(job, system, still_open, _placer(job.options, job.data, stack))


async def _ask(job: _Job, system: System, questions: Sequence[Question], placer: Placer | None) -> int:
    """How many were answered or failed now."""
    asked = 0
    budget = job.endpoints.budget
    ground = {example.id: example.ground_spans for example in job.data.examples}

    def take(prediction: Prediction) -> None:
        nonlocal asked
        if prediction.error is not None and budget.reached is not None:
            return  # it was not asked for want of money: it stays open
        if not asked:
            job.progress.begin()  # a system that cannot be used leaves no trace
        job.folder.take(placer.placed(prediction, ground[prediction.example_id]) if placer is not None else prediction)
        asked += 1
        job.progress.advance()

    at_once = job.options.spec.options.concurrency
    try:
        await ask_system(system, questions, take, at_once=at_once, is_over=lambda: budget.reached is not None)
    except UnusableSystemError as error:
        if asked:
            raise UnusableSystemError(
                system.name,
                error.kind,
                f"{error.detail}; {asked} questions are done and kept in {job.options.out}; run the same "
                "command again to continue",
            ) from None
        raise
    return asked


async def _built_in(job: _Job, stack: AsyncExitStack) -> System:
    workers = stack.enter_context(Workers(None, imports=("ragassay.models.embedded.judging.answering",)))
    models = await stack.enter_async_context(RunModels(job.options.answering, job.endpoints, workers, job.progress))
    models.ask_servers(job.log_folder)
    answerer = models.answerer
    return built_in_system(
        job.options.spec,
        Materials(
            store=job.data.store,
            examples={example.id: example for example in job.data.examples},
            generator=Generator(answerer, is_language_model=answerer.is_on_server),
            encoder=models.encoder,
            encoder_name=models.encoder.name,
            folder=job.folder.path,
            progress=job.progress,
            own=job.data.own,
            workers=workers,
        ),
    )


def _open(examples: Iterable[Example], folder: PredictFolder, *, retry_failed: bool) -> list[Question]:
    """The questions that are still to be asked."""
    found = []
    for example in examples:
        before = folder.recorded(example.id)
        if before is None or (retry_failed and before.error is not None):
            found.append(Question(example.id, example.question, example.history))
    return found


@dataclass(slots=True, eq=False)
class _Set:
    """What is asked. store: None where there are no documents. own: the user's chunks.

    not_judged: as in ``Predicted``. skipped: files with documents that could not be read. read_notes: on how others
    were read. reading: of a BEIR folder,
    what it lacks, counted.
    """

    examples: list[Example] = field(default_factory=list)
    skipped: list[SkippedSource] = field(default_factory=list)
    read_notes: list[SkippedSource] = field(default_factory=list)
    store: DocumentStore | None = None
    own: OwnChunks | None = None
    not_judged: int = 0
    reading: Mapping[str, int] = field(default_factory=dict)


def _read(options: EvaluateOptions, folder: PredictFolder, stack: ExitStack, check: Check) -> _Set:
    """Examples and documents, which lie in the folder from now on, so that it can be scored by itself."""
    data = _Set()
    examples = data.examples
    new = folder.path / f"{DOCUMENTS_FILE}.new"
    chunks = read_chunk_file(options.chunks) if options.chunks is not None else None
    try:
        if chunks is not None and options.documents is None and not brings_documents(options.data, options.from_format):
            options = replace(options, documents=_written(documents_of(chunks), stack))
        store = stack.enter_context(DocumentStore.write(new, _documents(options, data)))
        if options.limit is not None:
            del examples[options.limit :]
        if not examples and data.not_judged:
            raise InputError(f"{options.data}: its judgements mark no document as relevant; give others")
        if not examples:
            raise InputError(f"{options.data} holds no examples{said(options.only)}; give an evaluation set")
        check(examples)
        if chunks is not None:
            _check_references(examples, store)
            data.own = place_chunks(chunks, store)
        check_questions(folder.path, examples, folder)
        if options.is_built_in:
            _check_documents(folder, new)
        folder.begin()
        store.path = folder.path / DOCUMENTS_FILE
        new.replace(store.path)
    finally:
        new.unlink(missing_ok=True)
    folder.keep_examples(examples)
    data.store = store if len(store) else None
    return data


def _written(documents: Iterable[Document], stack: ExitStack) -> Path:
    folder = stack.enter_context(TemporaryDirectory(prefix="ragassay-"))
    write_jsonl(Path(folder) / DOCUMENTS_FILE, documents)
    return Path(folder) / DOCUMENTS_FILE


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


ALL_ZERO = "queries left out whose judgements are all 0, which trec_eval and BEIR count as 0"


def _documents(options: EvaluateOptions, data: _Set) -> Iterator[Document]:
    """The documents as they come; the examples are put into the set."""
    grades = judgements(options.data, options.from_format) if options.judged is None else options.judged
    ids: set[str] = set()
    notes = Notes()
    if grades is not None:
        data.reading = notes.counts
    for each in kept(_records(options, data, notes), options.only):
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


def _records(options: EvaluateOptions, data: _Set, notes: Notes) -> Iterator[Record]:
    """All of the set; its documents are those that the user named, where they are named."""
    named = options.documents
    if named is None or holds_documents(named):
        yield from read_dataset(
            options.data, format_name=options.from_format, documents=named, notes=notes, selection=options.selection
        )
        return
    corpus = read_corpus([named], options.read, data.skipped.append, data.read_notes.append, leave_out=options.out)
    yield from read_dataset(
        options.data, format_name=options.from_format, corpus=corpus, notes=notes, selection=options.selection
    )


def _check_documents(folder: PredictFolder, new: Path) -> None:
    """Raises RunFolderError where answers were made from other documents."""
    before = folder.path / DOCUMENTS_FILE
    if folder.loaded and before.exists() and _digest(before) != _digest(new):
        raise RunFolderError(
            f"--out: {folder.path} holds answers from other documents; name another folder, or start over "
            "with --overwrite"
        )


def _digest(path: Path) -> bytes:
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").digest()


def _placer(options: EvaluateOptions, data: _Set, stack: AsyncExitStack) -> Placer | None:
    """What knows where chunks of systems outside are from; ours say so themselves."""
    if options.is_built_in or data.store is None:
        return None
    placer = Placer(
        data.store,
        data.own.by_id if data.own is not None else {},
        only_named=not is_collection(data.examples, data.store),
    )
    stack.callback(placer.close)
    return placer


def _is_outside(example: Example, known: set[str]) -> bool:
    return any(span.document_id and span.document_id not in known for span in example.ground_spans)
