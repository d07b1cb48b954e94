"""How long things take, beside what others need for the same work in the same run.

    python benchmarks/timing.py [CASE ...] [--repeats 3]
    python benchmarks/timing.py judged --shared ../shared --ragas-python PYTHON --deepeval-python PYTHON

Every row is a process of its own, run as often as --repeats says; the least wall time counts, with the processor time
and the memory of that run. Rows that do work of a library measure it without imports, those of a command as a whole.
A peer that is not installed is left out, and the row says so. Compare processor time: wall time depends on what else
the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import itertools
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import plausible_server

LATENCY_MS = 200
PEERS_ENVIRONMENT = {"OPENAI_API_KEY": "none", "RAGAS_DO_NOT_TRACK": "true", "DEEPEVAL_TELEMETRY_OPT_OUT": "1"}


class Work(NamedTuple):
    """What a row does when all is imported and prepared, and how much of what that is."""

    amount: float
    unit: str
    do: Callable[[], object]


class Row(NamedTuple):
    """command: words with {places}; or work: a function of this module. needs: a package or option it needs."""

    command: str = ""
    work: Callable[[], Work] | None = None
    needs: str = ""


# What rows work on, the same for all.


def prose(words: int, seed: int = 0) -> list[str]:
    """Return texts of some 500 words whose frequencies fall as in real text (Zipf)."""
    chance = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlcumwfgypbvk"))
    vocabulary = np.array(["".join(chance.choice(letters, size=n)) for n in chance.integers(2, 10, size=20_000)])
    drawn = vocabulary[np.minimum(chance.zipf(1.3, size=words), len(vocabulary)) - 1].tolist()
    return [" ".join(drawn[start : start + 500]) for start in range(0, words, 500)]


def rankings(questions: int = 10_000, deep: int = 100) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Return what a retriever gave for each question, and what is right, as trec_eval takes them."""
    chance = random.Random(0)
    found = {
        f"q{q}": {f"d{d}": 1.0 / (n + 1) for n, d in enumerate(chance.sample(range(1000), deep))}
        for q in range(questions)
    }
    right = {name: {f"d{d}": 1 for d in chance.sample(range(1000), 5)} for name in found}
    return found, right


def write_samples(path: Path, n: int = 100) -> None:
    """Write answered questions with three contexts each."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(n):
            answer = f"The lamp {number} on the pier is red. It was lit in {1800 + number}. It can be seen from afar."
            rest = "The pier has a crane, two bollards and a shed, and is closed to the public in winter. " * 4
            contexts = [f"{answer} {rest}", rest, f"Lamp {number + 1} is green. {rest}"]
            row = {"question": f"What is known of lamp {number}?", "answer": answer, "contexts": contexts}
            file.write(json.dumps(row | {"ground_truth": answer}) + "\n")


# Work of libraries, ours and others'.


def index_words() -> Work:
    from ragassay.retrieval.chunk_table import ChunkTable
    from ragassay.retrieval.index import build_lexical_index
    from ragassay.retrieval.tokens import tokenize_documents

    texts, questions = prose(1_000_000), [text[:60] for text in prose(250_000, seed=1)]
    whole = ChunkTable(
        *(np.array(column, dtype=np.int32) for column in (range(len(texts)), [0] * len(texts), [*map(len, texts)]))
    )

    def search() -> object:
        tokens = tokenize_documents(texts, language="eo")
        return build_lexical_index(tokens, whole).scores([tokens.terms_of(question) for question in questions])

    return Work(len(texts), "texts", search)


def index_words_by_bm25s() -> Work:
    import bm25s

    texts, questions = prose(1_000_000), [text[:60] for text in prose(250_000, seed=1)]

    def search() -> object:
        index = bm25s.BM25(method="lucene")
        index.index([text.split() for text in texts], show_progress=False)
        return [index.get_scores(question.split()) for question in questions]

    return Work(len(texts), "texts", search)


def rank_metrics() -> Work:
    from ragassay.metrics.retrieval.rankings import ndcg_at_k, recall_at_k

    found, right = rankings()
    ranked = [([*chunks], [{name} for name in right[question]]) for question, chunks in found.items()]
    return Work(len(found), "questions", lambda: [(recall_at_k(*pair, 10), ndcg_at_k(*pair, 10)) for pair in ranked])


def rank_metrics_by_trec_eval() -> Work:
    import pytrec_eval

    found, right = rankings()
    return Work(
        len(found),
        "questions",
        lambda: pytrec_eval.RelevanceEvaluator(right, {"recall_10", "ndcg_cut_10"}).evaluate(found),
    )


def rouge_l() -> Work:
    from ragassay.metrics.answer.comparison import rouge_l

    texts = prose(500_000)
    return Work(len(texts) - 1, "pairs", lambda: [rouge_l(a, b) for a, b in itertools.pairwise(texts)])


def rouge_l_by_rouge_score() -> Work:
    from rouge_score.rouge_scorer import RougeScorer

    texts, scorer = prose(500_000)[:50], RougeScorer(["rougeL"])
    return Work(len(texts) - 1, "pairs", lambda: [scorer.score(a, b) for a, b in itertools.pairwise(texts)])


def encode() -> Work:
    from ragassay.models.embeddings import SentenceEncoder

    encoder, texts = SentenceEncoder(), [text[:500] for text in prose(128_000)]
    encoder.encode(texts[:8])
    return Work(len(texts), "texts", lambda: encoder.encode(texts))


def encode_by_sentence_transformers() -> Work:
    from sentence_transformers import SentenceTransformer

    encoder, texts = SentenceTransformer("all-MiniLM-L6-v2"), [text[:500] for text in prose(128_000)]
    encoder.encode(texts[:8])
    return Work(len(texts), "texts", lambda: encoder.encode(texts))


def post_by_aiohttp() -> Work:
    """The least that 300 calls to the server take, 64 at a time."""
    import aiohttp

    body = {"model": "m", "messages": [{"role": "user", "content": "passage: The lamp is red."}]}

    async def post_all() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=64)) as session:

            async def post() -> None:
                async with session.post(f"{os.environ['OPENAI_BASE_URL']}/chat/completions", json=body) as reply:
                    await reply.read()

            await asyncio.gather(*(post() for _ in range(300)))

    return Work(300, "calls", lambda: asyncio.run(post_all()))


_SCORE = "{python} -m ragassay evaluate {samples} --metrics faithfulness,answer_relevance,context_precision --json"
CASES: Mapping[str, Mapping[str, Row]] = {
    "words": {
        "index and search": Row(work=index_words),
        "bm25s": Row(work=index_words_by_bm25s, needs="bm25s"),
    },
    "metrics": {
        "recall@10 and ndcg@10": Row(work=rank_metrics),
        "pytrec_eval": Row(work=rank_metrics_by_trec_eval, needs="pytrec_eval"),
        "rouge_l": Row(work=rouge_l),
        "rouge_score": Row(work=rouge_l_by_rouge_score, needs="rouge_score"),
    },
    "vectors": {
        "encoder": Row(work=encode),
        "sentence-transformers": Row(work=encode_by_sentence_transformers, needs="sentence_transformers"),
    },
    "judged": {
        "ragassay": Row(f"{_SCORE} --model {{stub}}#m --embeddings {{stub}}#e --out {{out}}"),
        "ragassay, one call a verdict": Row(
            f"{_SCORE} --model {{stub}}#m --embeddings {{stub}}#e --judging separate --out {{out}}"
        ),
        "aiohttp, 300 calls": Row(work=post_by_aiohttp),
        "ragas": Row("{ragas} {bench}/bench_ragas.py --llm instructor --workers 64", needs="--ragas-python"),
        "deepeval": Row("{deepeval} {bench}/bench_deepeval.py --model custom --conc 64", needs="--deepeval-python"),
    },
}


class Took(NamedTuple):
    wall_s: float
    cpu_s: float
    peak_mb: float
    rate: str = ""


def once(row: Row, name: str, places: Mapping[str, str]) -> Took:
    """Run a row in a process of its own."""
    words = shlex.split(row.command.format_map(places)) if row.command else [sys.executable, __file__, "--work", name]
    environment = os.environ | PEERS_ENVIRONMENT | {"OPENAI_BASE_URL": places["stub"], "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin = time.perf_counter()
        process = subprocess.Popen(words, stdout=out, stderr=err, env=environment, cwd=places["bench"])
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            sys.exit(f"{name}: exit code {process.returncode}: {err.read()[-2000:]}")
        took = Took(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
        if row.work is None:
            return took
        found = json.loads(out.read().splitlines()[-1])
    return took._replace(wall_s=found["wall_s"], cpu_s=found["cpu_s"], rate=f"{found['rate']:,.1f} {found['unit']}")


def _spent() -> float:
    """Return the processor time of this process and of those that it started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def do_work(name: str) -> None:
    """Do the work of a row in this process and print what it took."""
    work = next(row.work for rows in CASES.values() for label, row in rows.items() if label == name and row.work)()
    wall, cpu = time.perf_counter(), _spent()
    work.do()
    wall, cpu = time.perf_counter() - wall, _spent() - cpu
    print(json.dumps({"wall_s": wall, "cpu_s": cpu, "rate": work.amount / max(cpu, 1e-9), "unit": work.unit}))


def lacks(row: Row, options: argparse.Namespace) -> bool:
    if row.needs.startswith("--"):
        return getattr(options, row.needs[2:].replace("-", "_")) is None
    return bool(row.needs) and importlib.util.find_spec(row.needs) is None


@contextmanager
def places_of(options: argparse.Namespace, folder: Path) -> Iterator[dict[str, str]]:
    """Start a stub server; with --shared that of its folder, which peers' scripts know, and take its samples."""
    samples, bench = folder / "samples.jsonl", folder
    python = {"python": sys.executable, "ragas": str(options.ragas_python), "deepeval": str(options.deepeval_python)}
    if options.shared is None:
        write_samples(samples)
        with plausible_server.running(latency_ms=LATENCY_MS) as stub:
            yield python | {"stub": stub.url, "samples": str(samples), "bench": str(bench)}
        return
    bench = folder / "bench"
    subprocess.run(["cp", "-r", str(options.shared.resolve() / "bench"), str(bench)], check=True)
    subprocess.run([sys.executable, "make_data.py"], cwd=bench, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, "stub_llm.py", "--port", "8137", "--latency-ms", str(LATENCY_MS)]
    with subprocess.Popen(command, cwd=bench, stdout=subprocess.PIPE, text=True) as process:
        try:
            process.stdout.readline()  # type: ignore[union-attr] - it says so when it listens
            found = {"stub": "http://127.0.0.1:8137/v1", "samples": str(bench / "data" / "samples.jsonl")}
            yield python | found | {"bench": str(bench)}
        finally:
            process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; default: all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--shared", type=Path, metavar="FOLDER", help="holds bench/ with a stub server and peers' scripts"
    )
    parser.add_argument("--ragas-python", type=Path)
    parser.add_argument("--deepeval-python", type=Path)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return do_work(options.work)
    if unknown := {*options.cases} - {*CASES}:
        parser.error(f"unknown case {', '.join(unknown)}; choose from {', '.join(CASES)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| case | row | wall s | CPU s | peak MB | done in a CPU s |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name, places_of(options, Path(name)) as places:
        for case in options.cases or CASES:
            for label, row in CASES[case].items():
                if lacks(row, options):
                    print(f"| {case} | {label} | needs {row.needs} | | | |", flush=True)
                    continue
                runs = [
                    once(row, label, places | {"out": f"{name}/{case}-{label}-{n}".replace(" ", "_").replace(",", "")})
                    for n in range(options.repeats)
                ]
                took = min(runs)
                print(
                    f"| {case} | {label} | {took.wall_s:.2f} | {took.cpu_s:.2f} | {took.peak_mb:.0f} | {took.rate} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
