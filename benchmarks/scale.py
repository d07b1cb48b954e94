"""Time, memory and disk of reading, indexing and ranking as the corpus grows: one process a size.

    python benchmarks/scale.py 10000 100000 1000000
    python benchmarks/scale.py 100000 --engine ray:2

Documents of about ten chunks are made of the sentences of the demo's documents, drawn anew with changed numbers and
names, from a seed. Vectors are given, 384 random numbers of unit length by the hash of a text: encoding is not the
point. The steps are those of a sweep: documents to the store and cut, words indexed, vectors written, 100 questions
ranked by six mixes.

cpu: of all processes. held: the most of anonymous memory, which the system cannot take back. resident: with the pages
of mapped files, which it can; both of the main process. disk: of what the step wrote. growth: the exponent of the
seconds from the last size to this one. digest: of indexes, vectors and rankings, the same for whoever works them out.
--engine ray:2 starts a Ray cluster of two machines of one core each here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

DIMENSION, QUESTIONS, DEPTH = 384, 100, 10
CHUNKS_EACH, SENTENCES_EACH = 10, 40
DEMO = Path(__file__).parents[1] / "demo" / "knowledge_base"


def sentences() -> list[str]:
    texts = [path.read_text() for path in sorted(DEMO.rglob("*.md"))]
    return [each for text in texts for each in re.split(r"(?<=[.!?])\s+|\n+", text) if 40 < len(each) < 300]


def document_texts(n_chunks: int) -> Iterator[str]:
    """About so many chunks in all."""
    known, chance = sentences(), random.Random(7)
    for number in range(n_chunks // CHUNKS_EACH):
        drawn = [known[chance.randrange(len(known))] for _ in range(SENTENCES_EACH)]
        changed = [re.sub(r"\d+", lambda _: str(chance.randrange(20)), each) for each in drawn]
        yield f"# Item {number} of series {number % 97}\n\n" + " ".join(changed)


class GivenVectors:
    """An encoder that knows every text's vector: random, from the text's hash."""

    dimension = DIMENSION
    name = "given"

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> npt.NDArray[np.float32]:
        rows = np.empty((len(texts), DIMENSION), np.float32)
        for row, text in zip(rows, texts, strict=True):
            seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
            row[:] = np.random.default_rng(seed).standard_normal(DIMENSION, np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def memory_mb(field: str) -> float:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


class Steps:
    """Seconds, disk and peaks of steps: held is sampled 100 times a second, resident is the kernel's own peak."""

    def __init__(self, folder: Path) -> None:
        self.rows: list[dict[str, float | str]] = []
        self.workers_cpu_s: Callable[[], float] = lambda: 0.0
        self._folder = folder

    def _disk(self) -> int:
        return shutil.disk_usage(self._folder).used

    def _cpu(self) -> float:
        return time.process_time() + self.workers_cpu_s()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        Path("/proc/self/clear_refs").write_text("5")
        held, done = [memory_mb("RssAnon")], threading.Event()

        def watch() -> None:
            while not done.wait(0.01):
                held[0] = max(held[0], memory_mb("RssAnon"))

        watcher = threading.Thread(target=watch)
        watcher.start()
        start, cpu, disk = time.perf_counter(), self._cpu(), self._disk()
        try:
            yield
        finally:
            wall = time.perf_counter() - start
            done.set()
            watcher.join()
        row: dict[str, float | str] = {"step": name, "wall_s": wall, "cpu_s": self._cpu() - cpu}
        row |= {"held_mb": held[0], "resident_mb": memory_mb("VmHWM"), "disk_mb": (self._disk() - disk) / 2**20}
        self.rows.append(row)


def measured(n_chunks: int, folder: Path) -> dict[str, object]:
    from ragassay.corpus.chunkers import Chunking
    from ragassay.corpus.store import DocumentStore
    from ragassay.rag.cutting import Cutter, studied
    from ragassay.rag.indexing import build_indexes
    from ragassay.records import Document, content_id
    from ragassay.retrieval.mixes import Mix, rankings_of_mixes
    from ragassay.workers import Workers

    steps, workers = Steps(folder), Workers(imports=["ragassay.rag.studying"])
    steps.workers_cpu_s = lambda: workers.cpu_s
    chunking = Chunking(size=512, overlap=48)
    with steps.step("start"):
        sentences()
    with steps.step("read and cut"):
        cutter = Cutter([chunking], [("title",)], folder)

        def documents() -> Iterator[Document]:
            for number, text in enumerate(document_texts(n_chunks)):
                title = f"Series {number % 97}"
                yield Document(id=content_id("doc", text), title=title, source=f"{number}.md", text=text, language="en")

        def cut_documents() -> Iterator[Document]:
            for document, known in studied(documents(), [chunking], workers):
                cutter.add(document, known)
                yield document

        store = DocumentStore.write(folder / "documents.jsonl", cut_documents())
    with steps.step("words"):
        cut = cutter.result()
    with steps.step("lexical index"):
        lexical = {chunking: cut.lexical(chunking, ("title",))}
    encoder = GivenVectors()
    with steps.step("vectors"):
        indexes = build_indexes(
            store, cut, [chunking], encoder, prefix=("title",), vectors="plain", folder=folder, lexical=lexical
        )
    with steps.step("rank"):
        asked = [
            store[place].text.split(". ")[1][:120] for place in np.linspace(0, len(store) - 1, QUESTIONS, dtype=int)
        ]
        mixes = [Mix(fusion, weight) for fusion in ("raw_linear", "min_max", "rrf") for weight in (0.3, 0.7)]
        (found,) = rankings_of_mixes(
            indexes, [mixes], [cut.tokens.terms_of(each) for each in asked], encoder.encode(asked), DEPTH
        )
    workers.close()
    digest = hashlib.sha256()
    index = indexes[0]
    for part in (index.lexical.first, index.lexical.chunks, index.lexical.gains, index.vectors):
        digest.update(np.ascontiguousarray(part).data)
    for mix in mixes:
        digest.update(found[mix].chunks.tobytes() + found[mix].scores.tobytes())
    return {"chunks": len(index.table), "documents": len(store), "steps": steps.rows, "digest": digest.hexdigest()[:16]}


@contextmanager
def at(engine_name: str) -> Iterator[None]:
    """The engine of a name; ray:N stands for a cluster of so many machines, each a process here with one core."""
    from ragassay.scale.engines import engine

    kind, _, machines = engine_name.partition(":")
    if kind != "ray" or not machines.isdecimal():
        with engine(engine_name):
            yield
        return
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(int(machines) - 1):
        cluster.add_node(num_cpus=1)
    try:
        with engine(f"ray:{cluster.address}"):
            yield
    finally:
        cluster.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chunks", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--engine", default="local", help="local, ray, ray:HOST:PORT, or ray:N for N machines here")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        with tempfile.TemporaryDirectory() as folder, at(arguments.engine):
            print(json.dumps(measured(arguments.child, Path(folder))))
        return
    last: dict[str, tuple[int, float]] = {}
    for n_chunks in arguments.chunks:
        command = [sys.executable, __file__, "--child", str(n_chunks), "--engine", arguments.engine]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        row = json.loads(said.splitlines()[-1])
        print(f"{row['chunks']} chunks of {row['documents']} documents, digest {row['digest']}")
        print(f"{'step':<16}{'wall s':>9}{'cpu s':>9}{'held MiB':>10}{'resident MiB':>14}{'disk MiB':>10}{'growth':>8}")
        for step in row["steps"]:
            before, before_s = last.get(step["step"], (0, 0.0))
            growth = math.log(step["wall_s"] / before_s, row["chunks"] / before) if before_s > 0.05 else None
            last[step["step"]] = row["chunks"], step["wall_s"]
            print(
                f"{step['step']:<16}{step['wall_s']:>9.1f}{step['cpu_s']:>9.1f}{step['held_mb']:>10.0f}"
                f"{step['resident_mb']:>14.0f}{step['disk_mb']:>10.0f}{'' if growth is None else f'{growth:.2f}':>8}"
            )


if __name__ == "__main__":
    main()
