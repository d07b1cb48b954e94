"""What a run folder holds, finished or not, as single items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from typing import TypeVar

from ragassay.corpus.store import DocumentStore
from ragassay.pipeline.folder import DOCUMENTS_FILE, EXAMPLES_FILE, PREDICTIONS_FILE, SCORES_FILE
from ragassay.pipeline.predict_folder import PART_FILE
from ragassay.records import Example, Prediction, RankedChunk, Score, from_json
from ragassay.report.items import SHOWN_CHUNKS, Items

R = TypeVar("R")


def read_items(folder: Path) -> Items:
    """Examples, predictions and scores as far as they are written; texts of chunks are read when asked for.

    Raises RecordError, naming file and line, for a record that cannot be read.
    """
    examples = list(_whole_lines(folder / EXAMPLES_FILE, Example))
    predictions = list(_whole_lines(folder / PREDICTIONS_FILE, Prediction))
    if not predictions:  # of a run at work, where the latest of an example counts
        predictions = list({each.example_id: each for each in _whole_lines(folder / PART_FILE, Prediction)}.values())
    scores = list(_whole_lines(folder / SCORES_FILE, Score))
    if not (folder / DOCUMENTS_FILE).is_file():
        return Items(examples, predictions, scores)
    store = DocumentStore.open(folder / DOCUMENTS_FILE)
    named = {span.document_id for example in examples for span in (example.context, *example.references)}
    named |= {chunk.document_id for each in predictions for chunk in each.chunks[:SHOWN_CHUNKS]}
    ordered = sorted((each for each in named if each in store), key=store.ordinal)
    sources = {each: store.get(each).source for each in ordered}
    return Items(examples, predictions, scores, sources=sources, text_of=_text_of(store))


def _text_of(store: DocumentStore) -> Callable[[RankedChunk], str]:
    lock = Lock()  # pages are served by several threads, and the store has one place in its file

    def text_of(chunk: RankedChunk) -> str:
        if chunk.text is not None or chunk.document_id not in store:
            return chunk.text or ""
        with lock:
            return store.get(chunk.document_id).text[chunk.start : chunk.end]

    return text_of


def _whole_lines(path: Path, record_type: type[R]) -> Iterator[R]:
    """The records of a file that may still be written to; none where there is no file."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n") and line.strip():
                    yield from_json(record_type, line, where=f"{path.name} line {number}")
    except FileNotFoundError:
        return
