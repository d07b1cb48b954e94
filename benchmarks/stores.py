"""All stores on the same documents: time to fill, time of a question, and how many of the exact first ten are found.

Hybrid is the time of both lists as deep as hybrid search joins them.

    OPENBLAS_NUM_THREADS=1 python benchmarks/stores.py DOCS [--questions 200] [--chunk-size 512]

Questions are sentences of the documents, drawn by chance and cut in half: near to their chunk without being part of its
beginning. faiss and PostgreSQL take part where their extras are installed; PostgreSQL is started by pgserver.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ragassay.corpus.chunkers import Chunking
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.records import SkippedSource
from ragassay.retrieval.stores.base import ChunkBatch, Hit
from ragassay.retrieval.stores.opening import open_store
from ragassay.systems.rag_store import LISTED
from ragassay.text import sentences

K = 10


@contextmanager
def names(folder: Path) -> Iterator[list[str]]:
    """The stores that can be had here."""
    found = ["memory", f"mapped:{folder / 'mapped'}"]
    if find_spec("faiss"):
        found += ["faiss", "faiss:hnsw"]
    if not (find_spec("psycopg") and find_spec("pgserver")):
        yield found
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pgserver
    server = pgserver.get_server(folder / "postgres")
    try:
        yield [*found, server.get_uri(), f"{server.get_uri()}:hnsw"]
    finally:
        server.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--chunk-size", type=int, default=512)
    options = parser.parse_args()
    cut = Chunking(size=options.chunk_size, overlap=48)
    skipped: list[SkippedSource] = []
    texts, whole = [], []
    for document in read_corpus(options.documents, ReadOptions(), skipped.append, skipped.append):
        texts += [document.text[start:end] for start, end in cut(document.text)]
        whole += [sentence for sentence in sentences(document.text) if 60 < len(sentence) < 300]
    encoder = CachedEncoder(SentenceEncoder())
    vectors = encoder.encode(texts)
    random = np.random.default_rng(0)
    drawn = [whole[place] for place in random.choice(len(whole), size=options.questions, replace=False).tolist()]
    questions = [sentence[len(sentence) // 2 :] for sentence in drawn]
    asked = encoder.encode(questions)
    ids = [f"c{number:07}" for number in range(len(texts))]
    batches = [
        ChunkBatch(ids[b : b + 5000], texts[b : b + 5000], vectors[b : b + 5000]) for b in range(0, len(ids), 5000)
    ]
    print(f"{len(texts)} chunks, {len(questions)} questions; hybrid joins {LISTED}\n")
    print(f"| store | fill s | dense ms | lexical ms | hybrid ms | recall@{K} |\n| --- | --- | --- | --- | --- | --- |")
    exact: list[list[Hit]] = []
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder, names(Path(folder)) as stores:
        for name in stores:
            with open_store(name) as store:
                begun = time.perf_counter()
                store.fill(batches)
                filled = time.perf_counter()
                found = store.dense(asked, K)
                searched = time.perf_counter()
                store.lexical(questions, K)
                ended = time.perf_counter()
                store.dense(asked, LISTED)
                store.lexical(questions, LISTED)
                joined = time.perf_counter()
            exact = exact or found
            pairs = zip(found, exact, strict=True)
            recall = np.mean([len({h.id for h in one} & {h.id for h in other}) / len(other) for one, other in pairs])
            times = (searched - filled, ended - searched, joined - ended)
            shown = " | ".join(f"{1000 * s / len(questions):.2f}" for s in times)
            kind = name.split(":")[0] + (", hnsw" if name.endswith(":hnsw") else "")
            print(f"| {kind} | {filled - begun:.1f} | {shown} | {recall:.4f} |", flush=True)


if __name__ == "__main__":
    main()
