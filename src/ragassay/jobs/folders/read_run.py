"""What a run folder holds, finished or not, as single items."""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path
from threading import Lock
from typing import TypeVar

from ragassay.documents.store import DocumentStore
from ragassay.errors import RagassayError
from ragassay.jobs.folders.run_folder import DOCUMENTS_FILE, EXAMPLES_FILE, PART_FILE, PREDICTIONS_FILE, SCORES_FILE
from ragassay.plain_files import lines_of, open_plain
from ragassay.records import Example, Prediction, RankedChunk, Score, from_json
from ragassay.report.items import SHOWN_CHUNKS, Items
from ragassay.report.summary import read_summary, recommended

R = TypeVar("R")


def read_items(folder: Path) -> Items:
    """Return examples, predictions and scores as far as they are written; texts of chunks are read when asked for.

    Raises RecordError, naming file and line, for a record that cannot be read.
    """
    examples, scores = _records(folder / EXAMPLES_FILE, Example), _records(folder / SCORES_FILE, Score)
    predictions = _records(folder / PREDICTIONS_FILE, Prediction)
    if not predictions:  # of a run at work, where the latest of an example counts
        predictions = list({each.example_id: each for each in _records(folder / PART_FILE, Prediction)}.values())
    several = len({each.system for each in predictions}) > 1
    best = _recommended(folder, {each.system for each in predictions if each.answer is not None}) if several else ""
    if not (folder / DOCUMENTS_FILE).is_file():
        return Items(examples, predictions, scores, recommended=best)
    store = DocumentStore.open(folder / DOCUMENTS_FILE)
    named = {span.document_id for example in examples for span in (example.context, *example.references)}
    named |= {chunk.document_id for each in predictions for chunk in each.chunks[:SHOWN_CHUNKS]}
    known = sorted((each for each in named if each in store), key=store.ordinal)
    sources = {each: store.get(each).source for each in known}
    return Items(examples, predictions, scores, sources=sources, text_of=_text_of(store), recommended=best)


def _records(path: Path, record_type: type[R]) -> list[R]:
    """The records of all whole lines: the last may be being written. None where there is no file."""
    try:
        with open_plain(path) as file:
            return [
                from_json(record_type, line, where=f"{path.name} line {number}")
                for number, line in enumerate(lines_of(file, path.name), 1)
                if line.endswith(b"\n") and line.strip()
            ]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _recommended(folder: Path, answered: Container[str]) -> str:
    """The setting that the table opens on, where the folder is a finished run; else empty."""
    try:
        return recommended(read_summary(folder).best, answered)
    except RagassayError:
        return ""


def _text_of(store: DocumentStore) -> Callable[[RankedChunk], str]:
    """Pages are served by several threads, and a store has one place."""
    lock = Lock()

    def text_of(chunk: RankedChunk) -> str:
        if chunk.text is not None or chunk.document_id not in store:
            return chunk.text or ""
        with lock:
            return store.get(chunk.document_id).text[chunk.start : chunk.end]

    return text_of
