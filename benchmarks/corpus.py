"""How fast documents are read, stored, cut into passages and chunked, and in how much memory.

Usage: python benchmarks/corpus.py FOLDER [FOLDER ...]
Prints seconds of CPU time, so that a busy machine does not change the figures much.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from ragassay.corpus.chunkers import recursive_chunks
from ragassay.corpus.passages import passages
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.corpus.store import DocumentStore
from ragassay.records import Document, SkippedSource
from ragassay.text import count_words, sentence_spans

T = TypeVar("T")


def timed(label: str, unit: str, amount: float, work: Callable[[], T]) -> T:
    """Does the work and prints its CPU time and its rate."""
    start = time.process_time()
    result = work()
    spent = max(time.process_time() - start, 1e-9)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{label:<22} {spent:7.2f} s  {amount / spent:12,.1f} {unit}/s  peak {peak:6.0f} MiB")
    return result


def chunk_all(documents: Sequence[Document], chunk_chars: int) -> int:
    """Number of chunks of all documents."""
    return sum(len(recursive_chunks(document.text, chunk_chars)) for document in documents)


def main(paths: list[Path]) -> None:
    """Measures each stage on the documents below the paths."""
    skipped: list[SkippedSource] = []
    notes: list[SkippedSource] = []
    megabytes = sum(file.stat().st_size for path in paths for file in path.rglob("*") if file.is_file()) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        documents = read_corpus(paths, ReadOptions(), skipped.append, notes.append)
        store = timed(
            "read and store", "MB", megabytes, lambda: DocumentStore.write(Path(folder) / "corpus.jsonl", documents)
        )
        characters = sum(len(document.text) for document in store) / 1e6
        timed("open the store", "documents", len(store), lambda: DocumentStore.open(store.path).close())
        read_again = timed("read from the store", "documents", len(store), lambda: list(store))
        found = timed(
            "passages", "documents", len(store), lambda: sum(len(passages(document)) for document in read_again)
        )
        for size in (128, 512, 1024):
            timed(f"chunks of {size}", "M characters", characters, partial(chunk_all, read_again, size))
        timed("sentences", "M characters", characters, lambda: [sentence_spans(one.text) for one in read_again])
        timed("words", "M characters", characters, lambda: [count_words(one.text) for one in read_again])
        kinds = Counter(block.kind for document in read_again for block in document.blocks)
        store.close()
    print(f"{len(read_again)} documents, {characters:.1f} M characters, {found} passages, {len(skipped)} skipped")
    print(", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
