"""Documents on disk: written while they stream, then read in order or one at a time; and an order that spreads them."""

from __future__ import annotations

import random
import re
from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from ragassay.errors import RecordError
from ragassay.plain_files import lines_of, open_plain
from ragassay.records import Document, from_json, to_json

_ID = re.compile(rb'\{"id":"([^"\\]+)"')
_KEPT = 32
"""Documents kept in memory after they were read."""


class DocumentStore:
    """A JSONL file of documents. Memory holds each document's id and place, and the few that were read last."""

    def __init__(self, path: Path, offsets: array[int], ids: list[str]) -> None:
        self.path = path
        self._offsets = offsets
        self._ids = ids
        self._ordinals = {document_id: ordinal for ordinal, document_id in enumerate(ids)}
        self._file: BinaryIO = open_plain(path)
        self._read = lru_cache(_KEPT)(self._read_at)

    @classmethod
    def write(cls, path: Path, documents: Iterable[Document]) -> DocumentStore:
        """Write documents as they come, whole or not at all, and open the store.

        Raises RecordError for an id that comes twice.
        """
        part = path.with_name(path.name + ".part")
        offsets, ids = array("Q"), list[str]()
        seen: set[str] = set()
        try:
            with part.open("wb") as file:
                for document in documents:
                    if document.id in seen:
                        raise RecordError(f"two documents have the id {document.id}; the second is {document.source}")
                    seen.add(document.id)
                    offsets.append(file.tell())
                    ids.append(document.id)
                    file.write(to_json(document).encode("utf-8") + b"\n")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        return cls(path, offsets, ids)

    @classmethod
    def open(cls, path: Path) -> DocumentStore:
        """Open what ``write`` wrote. Raises RecordError, with the line, for a file that is something else."""
        offsets, ids, place = array("Q"), list[str](), 0
        with open_plain(path) as file:
            for number, line in enumerate(lines_of(file, path.name), start=1):
                match = _ID.match(line)
                if match is None or not line.endswith(b"}\n"):
                    fault = f"{path} line {number} is not a document"
                    raise RecordError(f"{fault}; read the corpus again to rebuild the file")
                offsets.append(place)
                ids.append(match.group(1).decode("utf-8"))
                place += len(line)
        return cls(path, offsets, ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Document]:
        with open_plain(self.path) as file:
            for number, line in enumerate(lines_of(file, self.path.name), start=1):
                yield from_json(Document, line, where=f"{self.path.name} line {number}")

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._ordinals

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._ids)

    def ordinal(self, document_id: str) -> int:
        """Return the place of a document, from 0. Raises KeyError for an unknown id."""
        return self._ordinals[document_id]

    def get(self, document_id: str) -> Document:
        """Return the document with this id. Raises KeyError for an unknown id."""
        return self[self._ordinals[document_id]]

    def __getitem__(self, ordinal: int) -> Document:
        """Return the document at a place, from 0. Raises IndexError beyond the last."""
        if not 0 <= ordinal < len(self._ids):
            raise IndexError(f"document {ordinal} of {len(self._ids)}")
        return self._read(ordinal)

    def _read_at(self, ordinal: int) -> Document:
        self._file.seek(self._offsets[ordinal])
        return from_json(Document, self._file.readline(), where=f"{self.path.name} line {ordinal + 1}")

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> DocumentStore:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def spread_order(keys: Sequence[Hashable], seed: int) -> list[int]:
    """A permutation of the indices of ``keys``, every prefix of which is spread evenly over the different keys.

    keys: the stratum of each document, such as (folder, format, length class). In a prefix of n, each stratum has its
    share of n, give or take about one; within a stratum the order is random. The same keys and seed give the same
    order. Source: systematic sampling from a list sorted by stratum (Cochran 1977, chapter 8), here for all sample
    sizes at once.
    """
    chance = random.Random(seed)
    strata: dict[Hashable, list[int]] = defaultdict(list)
    for index, key in enumerate(keys):
        strata[key].append(index)
    placed: list[tuple[float, int]] = []
    for members in strata.values():
        chance.shuffle(members)
        offset = chance.random()
        placed += [((rank + offset) / len(members), index) for rank, index in enumerate(members)]
    return [index for _, index in sorted(placed)]


def length_class(characters: int) -> int:
    """Return the power of two at or below a length: documents of one class differ less than twofold."""
    return max(characters, 1).bit_length() - 1
