"""What is scored: examples and predictions, read in full and checked before anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from ragassay.datasets.beir import is_run, read_run
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.placing import Placer, is_collection
from ragassay.datasets.selection import EVERYTHING, field_of, said, value_of
from ragassay.datasets.texts import Texts
from ragassay.errors import InputError, UsageError, choices
from ragassay.jobs.answer.options import NOWHERE, EvaluateOptions
from ragassay.jobs.answer.questions import QuestionSet, has_documents, read_records
from ragassay.metrics.inputs import OF_EXAMPLES, Input
from ragassay.metrics.scoring import Pairs, never_there, paired
from ragassay.records import Document, Example, Prediction, SkippedSource, read_jsonl

PREDICTIONS_FILE, DOCUMENTS_FILE = "predictions.jsonl", "documents.jsonl"


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """predictions: of one system. rivals: of the other one, for rankings. texts: of the documents.

    has_collection: whether these are documents to search, and not only what references of rows were made into.
    unread: files with documents that could not be read, or were read in doubt. fields: name of ``EvaluateOptions.by``
    to document id to value.
    """

    examples: Sequence[Example]
    predictions: Sequence[Prediction]
    rivals: Sequence[Prediction]
    texts: Texts
    has_collection: bool = False
    unread: Sequence[SkippedSource] = ()
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def system(self) -> str:
        return self.predictions[0].system if self.predictions else ""


def read_inputs(options: EvaluateOptions, texts: Texts, on_document: Callable[[Document], None]) -> Inputs:
    """Reads all that is to be scored. on_document: told each document; the texts are kept in ``texts``.

    Raises InputError or RecordError for what cannot be read, UsageError where it must be said whose predictions.
    """
    examples: list[Example] = []
    made: list[Prediction] = []
    names: dict[str, tuple[str, str]] = {}
    fields: dict[str, dict[str, str]] = {name: {} for name in options.by}

    def keep(document: Document) -> None:
        if texts.add(document.id, document.text):
            names[document.id] = (document.title, document.source)
            for name, values in fields.items():
                values[document.id] = field_of(document, name)
        on_document(document)

    read = QuestionSet()
    for record in _records(options, read):
        if isinstance(record, Document):
            keep(record)
        elif isinstance(record, Example):
            examples.append(record)
        else:
            made.append(record)
    if options.predictions is not None:
        made = _predictions_of(options.predictions)
        beside = options.predictions / DOCUMENTS_FILE  # of a run folder, whose chunks may have no text of their own
        for document in read_jsonl(beside, Document) if not len(texts) and beside.is_file() else ():
            keep(document)
    if options.selection.only and not examples:
        raise InputError(f"{options.data} holds no examples{said(options.selection.only)}; give other values to --only")
    for name in (name for name, values in fields.items() if not any(value_of(each, values) for each in examples)):
        raise InputError(f"--by: no document of the examples has a field {name!r}; name one that they have")
    rivals = _predictions_of(options.against) if options.against is not None else []
    told = [_of_one_system(made, options.system_name), _of_one_system(rivals, None, "--against: ")]
    if options.selection != EVERYTHING:
        taken = {each.id for each in examples}
        told = [[each for each in predictions if each.example_id in taken] for predictions in told]
    if options.rank_by == "score":
        told = [[_by_score(each) for each in predictions] for predictions in told]
    has_collection = is_collection(examples, _documents(names, texts))
    chunks = (chunk for predictions in told for each in predictions for chunk in each.chunks)
    if not all(chunk.document_id in names and chunk.end > chunk.start for chunk in chunks):
        with closing(Placer(_documents(names, texts), only_named=not has_collection)) as placer:
            told = [_in_place(each, placer, examples) for each in told]
    ours, others = told
    return Inputs(examples, ours, others, texts, has_collection, [*read.skipped, *read.read_notes], fields)


def _by_score(prediction: Prediction) -> Prediction:
    """The prediction with its chunks as trec_eval ranks them: highest score first, of equal ones the last id."""
    chunks = sorted(prediction.chunks, key=lambda chunk: (chunk.score, chunk.document_id), reverse=True)
    return replace(prediction, chunks=tuple(chunks))


def _documents(names: Mapping[str, tuple[str, str]], texts: Texts) -> Iterator[Document]:
    """names: title and source of each document."""
    for name, (title, source) in names.items():
        yield Document(id=name, title=title, source=source, text=texts.get(name) or "")


def _in_place(predictions: Sequence[Prediction], placer: Placer, examples: Sequence[Example]) -> Sequence[Prediction]:
    """The predictions with their chunks in their places, as ``ragassay evaluate`` puts them, where documents are there.

    Offsets in documents that are not there say nothing: such a chunk counts by its text.
    """
    if not len(placer):
        return predictions
    ground = {example.id: example.ground_spans for example in examples}

    def placed(prediction: Prediction) -> Prediction:
        found = placer.placed(prediction, ground.get(prediction.example_id, ()))
        chunks = [each if each.document_id in placer else replace(each, start=0, end=0) for each in found.chunks]
        return replace(found, chunks=tuple(chunks))

    return list(map(placed, predictions))


def checked_pairs(options: EvaluateOptions, inputs: Inputs) -> Pairs:
    """Examples with their predictions, after all that can be found wrong with them beforehand.

    Raises RecordError where they do not fit, InputError where there is nothing to score, or where no example has what a
    metric needs: one sentence for each such metric.
    """
    metrics = options.chosen.on_records
    pairs = paired(
        inputs.examples,
        inputs.predictions,
        inputs.texts.get,
        inputs.rivals,
        with_blocks=any("knowledge block" in metric.inputs for metric, _ in metrics),
    )
    if not len(pairs):
        raise InputError(f"no predictions to score: {_without_predictions(options)}")
    lacking = []
    for metric, _ in metrics:
        missing = never_there(metric, pairs)
        is_open = options.beside.decide_against is not None and missing in OF_EXAMPLES  # others of the set have it
        if missing is not None and not is_open:
            is_of_set = missing in (*OF_EXAMPLES, "knowledge block", "other prediction")
            where = "example of the set" if is_of_set else "prediction"
            lacking.append(f"{metric.name} needs {missing}, which no {where} has; {_what_to_do(missing)}")
    if lacking:
        raise InputError("\n".join(lacking))
    return pairs


def _without_predictions(options: EvaluateOptions) -> str:
    if options.predictions is not None:
        return f"{options.predictions} holds none; give a file or run folder that does"
    holder = "the data set" if options.records is not None else str(options.data)
    return f"{holder} holds none; also give a file of predictions or a run folder"


_REMEDIES: dict[Input, str] = {
    "chunk documents": "return the field document_id with each chunk (a file name will do), or leave the metric out",
    "standalone question": "return the field standalone_question, or leave the metric out",
    "chunk texts": "name the documents with --documents, or leave the metric out",
    "other prediction": "name the predictions of another system with --against, or leave the metric out",
}


def _what_to_do(missing: Input) -> str:
    return _REMEDIES.get(missing, "leave the metric out")


def _records(options: EvaluateOptions, read: QuestionSet) -> Iterable[Record]:
    needs_examples = options.by or options.selection != EVERYTHING or options.out != NOWHERE
    is_of_file = options.names and not options.chosen.on_records and options.records is None
    if is_of_file and not needs_examples and not _has_documents(options):
        return ()  # the published scorer's figures need no document, and our reader of such files does
    beside = options.predictions / DOCUMENTS_FILE if options.predictions is not None else None
    if beside is not None and beside.is_file() and (options.selection.mapping or not has_documents(options)):
        options = replace(options, documents=beside)  # those that were searched, whose chunks may have no text
    return read_records(options, read, Notes())


def _has_documents(options: EvaluateOptions) -> bool:
    beside = options.data if options.data.is_dir() else options.data.parent
    names = ("dragonball_docs.jsonl", "documents.jsonl")
    return options.documents is not None or any((beside / name).is_file() for name in names)


def _predictions_of(path: Path) -> list[Prediction]:
    file = path / PREDICTIONS_FILE if path.is_dir() else path
    try:
        return list(read_run(file) if file.is_file() and is_run(file) else read_jsonl(file, Prediction))
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror})") from None


def _of_one_system(predictions: Sequence[Prediction], system: str | None, option: str = "") -> Sequence[Prediction]:
    systems = list(dict.fromkeys(prediction.system for prediction in predictions))
    named = choices(systems, 5)
    if system is not None:
        if system not in systems:
            raise UsageError(f"--system-name: no predictions of {system!r}; choose one of {named}")
        return [each for each in predictions if each.system == system]
    if len(systems) > 1:
        remedy = "give a file of one" if option else "name one with --system-name, or ask a system with --system"
        raise UsageError(f"{option}the predictions are from {len(systems)} systems ({named}); {remedy}")
    return predictions
