"""What is worked out from one document alone, in the process that reads it: imports nothing that takes long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ragassay.corpus.chunkers import Chunking
from ragassay.records import Document
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.tokens import RawWords, raw_words
from ragassay.text import count_words


class Studied(NamedTuple):
    """raw: a document's words. words: how many. chunks: of each chunking the starts and ends of its chunks."""

    raw: RawWords
    words: int
    chunks: tuple[tuple[Int32Array, Int32Array], ...]


def study(chunkings: Sequence[Chunking], document: Document) -> Studied:
    """The words of a document, and its chunks by each chunking."""
    return given(document, *(cut(document.text) for cut in chunkings))


def given(document: Document, *spans: Sequence[tuple[int, int]]) -> Studied:
    """The same with chunks that are known. spans: starts and ends for each way to cut."""
    tables = [np.array(each, np.int32).reshape(-1, 2) for each in spans]
    return Studied(
        raw=raw_words(document.text),
        words=count_words(document.text),
        chunks=tuple((pairs[:, 0], pairs[:, 1]) for pairs in tables),
    )
