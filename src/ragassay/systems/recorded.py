"""A system whose answers are in a file: our own predictions, or rows of RAGAS, LangChain, DragonBall and others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

from ragassay.datasets.beir import is_run, read_run
from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, json_line, list_in
from ragassay.datasets.replies.places import UnreadableAnswerError, at_place
from ragassay.datasets.replies.reading import ANSWER_FIELDS, CHUNK_FIELDS, REPORTED, read_answer
from ragassay.datasets.rows import read_rows
from ragassay.errors import InputError, RecordError, choices
from ragassay.plain_files import NoPlainFileError
from ragassay.records import Prediction, from_json
from ragassay.systems.base import Question, Take, failed
from ragassay.systems.options import RecordedOptions

NOT_RECORDED, AMBIGUOUS = "not recorded", "recorded more than once"
_IDS = ("example_id", "question_id", "query_id", "qid", "id", "_id")
_QUESTIONS = ("question", "query", "user_input", "input", "prompt")
_OURS = {"example_id", "system", "chunks"}
_PREDICTIONS = "predictions.jsonl"
_DRAGONBALL = {
    "query_id": ("query", "query_id"),
    "question": ("query", "content"),
    "answer": ("prediction", "content"),
    "contexts": ("prediction", "references"),
}


class RecordedSystem:
    """Gives what a file holds. Questions are found by their id, else by their text, white space apart."""

    batch = 10_000
    most_at_once = 1

    def __init__(self, options: RecordedOptions, path: Path) -> None:
        """path: a file, or a folder with predictions.jsonl. Raises InputError for what cannot be read as such."""
        self._path = path = path / _PREDICTIONS if path.is_dir() else path
        self._by_id: dict[str, tuple[Prediction, str]] = {}
        self._by_text: dict[str, Prediction] = {}
        self._ambiguous: set[str] = set()
        systems: dict[str, None] = {}
        for row, name, prediction, text in _recorded(path, options):
            systems[name] = None
            if options.system is None or name == options.system:
                self._keep(prediction, _folded(text), row, systems)
        if not self._by_id and not self._by_text:
            if options.system is not None and systems:
                raise InputError(f"{path} holds no predictions of {options.system!r}; choose one of {choices(systems)}")
            raise InputError(f"{path} holds no predictions")
        self.name = options.name or options.system or next(iter(systems)) or path.stem

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Tell what is recorded for each."""
        for question in questions:
            found = self._found(question)
            if found is not None:
                take(replace(found, example_id=question.id, system=self.name))
            elif _folded(question.text) in self._ambiguous:
                detail = f"{self._path} holds several answers to this question, none with its id"
                take(failed(self.name, question, AMBIGUOUS, detail))
            else:
                take(failed(self.name, question, NOT_RECORDED, f"{self._path} has no answer to this question"))

    async def close(self) -> None:
        """Hold nothing."""

    def _found(self, question: Question) -> Prediction | None:
        """Look by id, unless another question stands beside it there: numbers of rows are ids too; else by text."""
        wanted = _folded(question.text)
        by_id = self._by_id.get(question.id)
        if by_id is not None and by_id[1] in ("", wanted):
            return by_id[0]
        return None if wanted in self._ambiguous else self._by_text.get(wanted)

    def _keep(self, prediction: Prediction, text: str, row: Row, systems: Mapping[str, None]) -> None:
        name = prediction.example_id
        before = self._by_text.setdefault(text, prediction) if text else prediction
        if (name in self._by_id or before.system != prediction.system) and len(systems) > 1:
            raise InputError(
                f"{self._path} holds predictions of several systems ({choices(systems, 6)}); name one "
                "with --set system=NAME"
            )
        if name in self._by_id:
            raise RecordError(f"{row.where}: a second prediction for {name!r}; drop one of them")
        if name:
            self._by_id[name] = prediction, text
        if _said(before) != _said(prediction):
            self._ambiguous.add(text)


def _said(prediction: Prediction) -> tuple[object, ...]:
    """Return what tells one answer from another: neither how long it took nor what it cost."""
    chunks = tuple((chunk.chunk_id, chunk.document_id, chunk.text) for chunk in prediction.chunks)
    return prediction.system, prediction.answer, prediction.abstained, prediction.error, chunks


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _recorded(path: Path, options: RecordedOptions) -> Iterator[tuple[Row, str, Prediction, str]]:
    """Yield (row, system, prediction, text of the question) of everything in a file."""
    if path.is_file() and is_run(path):
        yield from ((Row(str(path), {}), each.system, each, "") for each in read_run(path))
        return
    for row in _rows(path):
        yield (row, *_record(row, options))


def _rows(path: Path) -> Iterator[Row]:
    """Yield the objects of a file; lists are read out of cells, and SQuAD's one object of answers by id is rows."""
    suffix = path.suffix.lower()
    try:
        for row in read_rows(path, Notes()):
            cells = row.value.items() if suffix in (".csv", ".tsv") else ()
            lists = {name: found for name, cell in cells if (found := list_in(cell)) is not None}
            if suffix == ".json" and _holds_answers_by_id(row.value):
                yield from (Row(row.where, {"id": name, "answer": said}) for name, said in row.value.items())
            else:
                yield Row(row.where, {**row.value, **lists})
    except NoPlainFileError:
        raise
    except OSError as error:
        raise InputError(f"recorded: {path} cannot be read ({error.strerror}); name a file of predictions") from None


def _holds_answers_by_id(value: Mapping[str, Any]) -> bool:
    known = (*_IDS, *_QUESTIONS, *ANSWER_FIELDS)
    return value.keys().isdisjoint(known) and all(isinstance(answer, str) for answer in value.values())


def _record(row: Row, options: RecordedOptions) -> tuple[str, Prediction, str]:
    """Return (system, prediction, text of the question) of one row."""
    if row.value.keys() >= {"provenance", "requested_label"}:
        fault = "is an example of an evaluation set, not a prediction; its answer is the reference"
        raise InputError(f"{row.where} {fault}")
    if row.value.keys() >= _OURS:
        prediction = from_json(Prediction, json_line(row.value), where=row.where)
        return prediction.system, prediction, ""
    flat = row.value
    if isinstance(flat.get("query"), dict) and isinstance(flat.get("prediction"), dict):  # as DragonBall's are released
        flat = {name: at_place(flat, place) for name, place in _DRAGONBALL.items()}
    example_id, text = _first(flat, _IDS), _first(flat, _QUESTIONS)
    if not example_id and not text:
        raise RecordError(
            f"{row.where}: neither the id of a question (in {', '.join(_IDS[:4])} or id) nor its text (in "
            f"{', '.join(_QUESTIONS)}) is there"
        )
    system = _first(flat, ("system", "model"))
    # null is a failed question's where it stands beside an answer that is null, and else of one that retrieved nothing
    nothing = ("",) if flat.get("error") or not ANSWER_FIELDS.isdisjoint(flat) else ("", None)
    said = {
        name: [] if name in CHUNK_FIELDS and value in nothing else value
        for name, value in flat.items()
        if name not in _QUESTIONS
    }
    try:
        found = read_answer(said, options.places, example_id=example_id, system=system, latency_s=_seconds(flat))
    except UnreadableAnswerError as error:
        if not any(value is None or (isinstance(value, float) and isnan(value)) for value in said.values()):
            raise RecordError(f"{row.where}: {error}") from None
        reason = "the record has no answer"  # the fields for it are there but empty, as of a failed question
        return system, Prediction(example_id=example_id, system=system, chunks=(), error=reason), text
    # An error stands in the words of whoever recorded it.
    return system, replace(found, error=found.error.removeprefix(f"{REPORTED}: ")) if found.error else found, text


def _first(value: Mapping[str, Any], names: Sequence[str]) -> str:
    found = (value.get(name) for name in names)
    fits = (each for each in found if isinstance(each, str | int) and not isinstance(each, bool) and str(each).strip())
    return str(next(fits, ""))


def _seconds(value: Mapping[str, Any]) -> float | None:
    for name in ("latency_s", "latency", "seconds", "time_s"):
        found = value.get(name)
        if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < 1e9:
            return float(found)
    return None
