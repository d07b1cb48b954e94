"""What a run folder holds, finished or not, as single items."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Set
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import BinaryIO, Generic, TypeVar

from ragassay.corpus.store import DocumentStore
from ragassay.errors import RagassayError
from ragassay.pipeline.folders.file_state import FileState, file_state, is_settled
from ragassay.pipeline.folders.run_folder import DOCUMENTS_FILE, EXAMPLES_FILE, PART_FILE, PREDICTIONS_FILE, SCORES_FILE
from ragassay.plain_files import lines_of, open_plain
from ragassay.records import Example, Prediction, RankedChunk, Score, from_json
from ragassay.report.items import SHOWN_CHUNKS, Items
from ragassay.report.store import read_summary
from ragassay.report.summary import recommended

R = TypeVar("R")
_BLOCK_BYTES = 1 << 20


def read_items(folder: Path) -> Items:
    """Examples, predictions and scores as far as they are written; texts of chunks are read when asked for.

    Raises RecordError, naming file and line, for a record that cannot be read.
    """
    return RunReader(folder).items()


class RunReader:
    """Reads a run folder again and again while it is written to, and each time only the records that are new.

    Not for several threads at once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._documents = _Documents(folder / DOCUMENTS_FILE)
        self._examples = _Records(folder / EXAMPLES_FILE, Example)
        self._predictions = _Records(folder / PREDICTIONS_FILE, Prediction)
        self._part = _Records(folder / PART_FILE, Prediction)
        self._scores = _Records(folder / SCORES_FILE, Score)

    def items(self) -> Items:
        """As ``read_items``."""
        examples, predictions = self._examples.read(), self._predictions.read()
        if not predictions:  # of a run at work, where the latest of an example counts
            predictions = list({each.example_id: each for each in self._part.read()}.values())
        scores = self._scores.read()
        several = len({each.system for each in predictions}) > 1
        best = self._recommended({each.system for each in predictions if each.answer is not None}) if several else ""
        store = self._documents.store()
        if store is None:
            return Items(examples, predictions, scores, recommended=best)
        named = {span.document_id for example in examples for span in (example.context, *example.references)}
        named |= {chunk.document_id for each in predictions for chunk in each.chunks[:SHOWN_CHUNKS]}
        return Items(
            examples,
            predictions,
            scores,
            sources=self._documents.sources(named),
            text_of=_text_of(store, self._documents.lock),
            recommended=best,
        )

    def _recommended(self, answered: Container[str]) -> str:
        """The setting that the table opens on, where the folder is a finished run; else empty."""
        try:
            return recommended(read_summary(self._folder).best, answered)
        except RagassayError:
            return ""


class _Records(Generic[R]):
    """The records of a file that may still be written to. What was read is kept while the file still begins with it."""

    def __init__(self, path: Path, record_type: type[R]) -> None:
        self._path, self._type = path, record_type
        self._forget()

    def _forget(self) -> None:
        self._found: list[R] = []
        self._bytes = self._lines = 0
        self._digest = blake2b()

    def read(self) -> list[R]:
        """The records of all whole lines; none where there is no file."""
        try:
            with open_plain(self._path) as file:
                if self._bytes and not self._begins(file):
                    self._forget()
                file.seek(self._bytes)
                for line in lines_of(file, self._path.name):
                    self._add(line)
        except (FileNotFoundError, NotADirectoryError):
            self._forget()
        return list(self._found)

    def _begins(self, file: BinaryIO) -> bool:
        digest, left = blake2b(), self._bytes
        while left and (block := file.read(min(left, _BLOCK_BYTES))):
            digest.update(block)
            left -= len(block)
        return not left and digest.digest() == self._digest.digest()

    def _add(self, line: bytes) -> None:
        if not line.endswith(b"\n"):  # the last one, which is being written
            return
        if line.strip():
            self._found.append(from_json(self._type, line, where=f"{self._path.name} line {self._lines + 1}"))
        self._lines += 1
        self._bytes += len(line)
        self._digest.update(line)


class _Documents:
    """The documents of a run, opened anew when their file is another one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._state: FileState | None = None
        self._store: DocumentStore | None = None
        self._sources: dict[str, str] = {}
        self.lock = Lock()
        """To be held where a document is read: pages are served by several threads, and a store has one place."""

    def store(self) -> DocumentStore | None:
        """None where there is no file."""
        at = time.time()
        state = file_state(self._path)
        if state is None:
            self._store = None
        elif self._store is None or state != self._state:
            self._store, self._sources = DocumentStore.open(self._path), {}
        # What was read within a tick of the clock after it was written is read again the next time.
        self._state = state if is_settled([state], at) else None
        return self._store

    def sources(self, named: Set[str]) -> dict[str, str]:
        """Document id to where it came from, of those that are there."""
        store = self._store
        if store is None:
            return {}
        known = sorted((each for each in named if each in store), key=store.ordinal)
        with self.lock:
            for each in known:
                if each not in self._sources:
                    self._sources[each] = store.get(each).source
        return {each: self._sources[each] for each in known}


def _text_of(store: DocumentStore, lock: Lock) -> Callable[[RankedChunk], str]:
    def text_of(chunk: RankedChunk) -> str:
        if chunk.text is not None or chunk.document_id not in store:
            return chunk.text or ""
        with lock:
            return store.get(chunk.document_id).text[chunk.start : chunk.end]

    return text_of
