"""The store on disk: exact, for more vectors than fit into memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from ragassay.errors import InputError
from ragassay.retrieval.dense import check_unit_rows
from ragassay.retrieval.lexical import LexicalIndex
from ragassay.retrieval.stores.base import ChunkBatch, Hit, Vectors, check_new
from ragassay.retrieval.stores.nearest import nearest
from ragassay.retrieval.stores.words import WordsBuilder, best_by_words, places_of
from ragassay.retrieval.tokens import Analyzer, question_terms

FORMAT = 1
STORE_FILE, IDS_FILE, VECTORS_FILE, TERMS_FILE = "store.json", "ids.json", "vectors.f32", "terms.json"
_ARRAYS = ("first", "chunks", "gains")


class MappedStore:
    """Vectors and postings lie in files that are mapped; memory holds ids, terms and what is being compared."""

    is_exact = True

    def __init__(self, folder: Path, language: str = "en") -> None:
        """folder: made if missing; what another process filled in there is opened.

        Raises InputError for a folder that holds something else.
        """
        self._folder = folder
        self._language = language
        self._analyzer = Analyzer(language)
        folder.mkdir(parents=True, exist_ok=True)
        self._clear()
        if (folder / STORE_FILE).is_file():
            self._open()
        elif any(folder.iterdir()) and not all(path.name.endswith(".part") for path in folder.iterdir()):
            raise InputError(f"{folder} holds other files; name an empty or new folder")

    def __len__(self) -> int:
        return len(self._ids)

    def fill(self, batches: Iterable[ChunkBatch], fingerprint: str = "") -> None:
        """Takes all chunks, written as they come. Until all are there, the folder holds no store."""
        self._clear()
        (self._folder / STORE_FILE).unlink(missing_ok=True)
        ids: list[str] = []
        seen: set[str] = set()
        words = WordsBuilder(self._language)
        dimension = 0
        with (self._folder / VECTORS_FILE).open("wb") as file:
            for batch in batches:
                check_new(batch.ids, seen)
                check_unit_rows(batch.vectors, "chunk")
                ids += batch.ids
                words.add(batch.texts)
                dimension = batch.vectors.shape[1]
                file.write(np.ascontiguousarray(batch.vectors, np.float32).data)
        tokens, lexical = words.result()
        for name in _ARRAYS:
            np.save(self._folder / f"{name}.npy", getattr(lexical, name))
        self._write(IDS_FILE, ids)
        self._write(TERMS_FILE, list(tokens.vocabulary))
        content = {
            "format": FORMAT,
            "chunks": len(ids),
            "dimension": dimension,
            "language": self._language,
            "fingerprint": fingerprint,
        }
        self._write(STORE_FILE, content)
        self._open()

    def dense(self, questions: Vectors, k: int) -> list[list[Hit]]:
        """As ``Store.dense``; the file is read once for 256 questions."""
        check_unit_rows(questions, "question")
        if not self._ids:
            return [[] for _ in questions]
        return nearest(self._vectors, self._ids, questions, k)

    def lexical(self, questions: Sequence[str], k: int) -> list[list[Hit]]:
        """As ``Store.lexical``."""
        found = []
        for question in questions:
            known = [self._terms[term] for term in question_terms(self._analyzer, question) if term in self._terms]
            found.append(best_by_words(self._lexical, self._order, self._ids, np.array(known, np.int32), k))
        return found

    def close(self) -> None:
        """Lets go of the files, which stay."""
        self._clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _clear(self) -> None:
        self._ids: list[str] = []
        self._terms: dict[str, int] = {}
        self._order = places_of(())
        self._vectors: Vectors = np.empty((0, 0), np.float32)
        nothing = np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.float32)
        self._lexical = LexicalIndex(0, *nothing)
        self.fingerprint = ""

    def _open(self) -> None:
        content = self._read(STORE_FILE)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise InputError(f"{self._folder / STORE_FILE} has another version; remove the folder to build it again")
        self._ids = self._read(IDS_FILE)
        self._order = places_of(self._ids)
        self._terms = {term: place for place, term in enumerate(self._read(TERMS_FILE))}
        self._analyzer = Analyzer(content["language"])
        shape = (int(content["chunks"]), int(content["dimension"]))
        size = (self._folder / VECTORS_FILE).stat().st_size
        if len(self._ids) != shape[0] or size != 4 * shape[0] * shape[1]:
            raise InputError(f"the files in {self._folder} do not belong together; remove the folder to build it again")
        if shape[0]:
            self._vectors = np.memmap(self._folder / VECTORS_FILE, np.float32, "r", shape=shape)
        first, chunks, gains = (np.load(self._folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS)
        self._lexical = LexicalIndex(shape[0], first, chunks, gains)
        self.fingerprint = str(content["fingerprint"])

    def _write(self, name: str, content: Any) -> None:
        part = self._folder / f"{name}.part"
        part.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8", errors="surrogatepass")
        part.replace(self._folder / name)

    def _read(self, name: str) -> Any:
        try:
            return json.loads((self._folder / name).read_text("utf-8", "surrogatepass"))
        except (OSError, ValueError):
            raise InputError(
                f"{self._folder / name} cannot be read; remove the folder {self._folder} to build it again"
            ) from None
