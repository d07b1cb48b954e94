"""Experiments A and B on DragonBall: does a set that Ragassay makes rank systems as the published questions do?

    python benchmarks/experiment.py [--shared ../shared/data] [--n 150] [--without-titles] [--out FOLDER]
    python benchmarks/experiment.py --generators [...]

The published set is RAGEval's 350 finance questions in English on 40 documents. It stands in for one made by people: it
was written by GPT-4o from schemas, and checked. The embedded model makes a second set from the same documents, and
eight settings of the built-in system are scored on both; with --generators, the embedded answerer and six that quote
by simple habits from a server on 127.0.0.1 (answering_servers.py): no language model is among them. Prints what
`ragassay experiment` prints, and CPU time (user and system). Figures depend on the data, the version and, where int8 is
slow, the kind of processor.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import answering_servers
from rich.console import Console

from ragassay import synthesize
from ragassay.pipeline.experiment.experiment import experiment
from ragassay.pipeline.experiment.options import Benchmark, ComparedSystem, ExperimentOptions, systems_of
from ragassay.report.experiment_tables import print_experiment
from systems import finance_english

SYSTEMS = {
    "bm25": "retriever=bm25",
    "bm25, titles": "retriever=bm25,prefix=title",
    "dense": "retriever=dense",
    "dense, titles": "retriever=dense,prefix=title",
    "hybrid, titles": "text_weight=0.05,prefix=title",
    "hybrid, titles, 128": "text_weight=0.05,prefix=title,chunk_size=128",
    "hybrid, titles, 256": "text_weight=0.05,prefix=title,chunk_size=256",
    "hybrid, titles, top 2": "text_weight=0.05,prefix=title,top_k=2",
}
"""Chunks of 512 characters and the first five of them where nothing else is said."""
ONE_RETRIEVER = "rag:text_weight=0.05,prefix=title"
METRICS = ("reference_recall@5", "mrr@5", "token_f1", "embedding_similarity", "faithfulness", "answer_relevance")
MIX = {"fact_single": 0.5, "summary": 0.25, "reasoning": 0.25}


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared/data"))
    parser.add_argument("--n", type=int, default=150, help="synthetic examples to ask for")
    parser.add_argument("--limit", type=int, default=None, help="only the first so many questions of each set")
    parser.add_argument("--out", type=Path, default=None, help="folder to keep; a temporary one if not given")
    parser.add_argument("--without-titles", action="store_true", help="of the synthetic set's documents")
    parser.add_argument("--generators", action="store_true", help="experiment B in the place of A")
    given = parser.parse_args()
    title_field = None if given.without_titles else "company_name"
    compared = generators() if given.generators else nullcontext(retrievers())
    with place(given.out) as folder, finance_english(given.shared / "dragonball") as published, compared as systems:
        documents = published.parent / "documents.jsonl"
        made = synthesize(documents, folder / "synthetic", n=given.n, mix=MIX, title_field=title_field, overwrite=True)
        print(f"{len(made.examples)} of {given.n} synthetic examples")
        human = folder / "published"
        shutil.copytree(published.parent, human, dirs_exist_ok=True)
        begun, cpu = time.monotonic(), cpu_s()
        found = experiment(
            ExperimentOptions(
                kind="generators" if given.generators else "retrievers",
                systems=systems,
                synthetic=Benchmark(dataset=folder / "synthetic"),
                human=Benchmark(dataset=human / published.name),
                out=folder / "experiment",
                metrics=METRICS[2:] if given.generators else METRICS,
                limit=given.limit,
            )
        )
        print_experiment(found, str(folder / "experiment"), Console(width=140))
        print(f"{time.monotonic() - begun:.0f} s, CPU {cpu_s() - cpu:.0f} s")


def retrievers() -> tuple[ComparedSystem, ...]:
    return systems_of([{"system": f"rag:{options}", "name": name} for name, options in SYSTEMS.items()])


@contextmanager
def generators() -> Iterator[tuple[ComparedSystem, ...]]:
    with answering_servers.running() as server:
        models = {"embedded": "embedded"} | {name: f"{server.url}#{name}" for name in answering_servers.HABITS}
        yield systems_of([{"system": ONE_RETRIEVER, "model": model, "name": name} for name, model in models.items()])


@contextmanager
def place(out: Path | None) -> Iterator[Path]:
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        yield Path(folder)


def cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    main()
