"""The built-in system on published sets, and a server in trouble: what `ragassay evaluate` and `predict` make of them.

    python benchmarks/systems.py [--shared ../shared/data] [--trouble 400]

Prints DragonBall's finance questions in English (RAGEval, Tables 2 and 3), the text weights on XQuAD in English (Know
Your RAG, section 5), and runs a server that is slow, fails, answers malformed JSON and hangs, with a process that is
killed twice. Figures of tables depend on nothing but the data and the version; CPU time is user and system time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from rag_servers import Troubles, troubled

from ragassay.evaluation.estimate import Estimate
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.pipeline.answer.options import PredictOptions
from ragassay.pipeline.score.evaluate import EvaluateOptions, evaluate
from ragassay.records import Prediction, read_jsonl
from ragassay.systems.base import reason_of
from ragassay.systems.spec import parse_spec

TEXT_WEIGHTS = (0, 0.05, 0.1, 0.2, 0.5, 1)
PUBLISHED = {
    "bm25 top 5": (60.58, 10.71),
    "bm25 top 2": (51.65, 23.45),
    "bm25 top 4": (62.98, 14.93),
    "bm25 top 6": (67.68, 11.00),
}
"""Recall and EIR in RAGEval's Table 2 (BM25, top 5) and Table 3 (the rows over top-k)."""


def main() -> None:
    """Prints all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared/data"))
    parser.add_argument("--trouble", type=int, default=400, help="questions put to the server in trouble; 0 for none")
    given = parser.parse_args()
    dragonball_tables(given.shared / "dragonball")
    text_weights(given.shared / "xquad" / "en.jsonl")
    guardrail(given.shared / "xquad" / "en.jsonl")
    overhead(3000)
    if given.trouble:
        server_in_trouble(given.trouble)


def dragonball_tables(source: Path) -> None:
    """Recall and EIR as the released scorer has them, in percent: chunks of 512 characters, prefix of the company."""
    print("\nDragonBall, finance, English: chunks of 512 characters without overlap, company in front; percent")
    print(f"{'':<28}{'recall':>8}{'95 %':>16}{'EIR':>8}{'published':>18}{'CPU s':>8}")
    rows = [(f"bm25 top {k}", "retriever=bm25", k) for k in (5, 2, 4, 6)]
    rows += [("built-in encoder top 5", "retriever=dense", 5), ("hybrid w=0.05 top 5", "text_weight=0.05", 5)]
    with finance_english(source) as data:
        for name, options, k in rows:
            begun = time.process_time()
            recall, eir = scored(
                data,
                f"rag:{options},chunk_size=512,overlap=0,prefix=title,top_k={k}",
                [f"reference_recall_released@{k}", f"eir_released@{k}"],
            )
            published = "{:.2f} / {:.2f}".format(*PUBLISHED[name]) if name in PUBLISHED else ""
            print(f"{name:<28}{percent(recall)}{interval(recall)}{percent(eir)}{published:>18}", end="")
            print(f"{time.process_time() - begun:8.1f}")


@contextmanager
def finance_english(source: Path) -> Iterator[Path]:
    """The questions beside the 40 documents that they are about."""
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        lines = (source / "documents.jsonl").read_text("utf-8").splitlines(keepends=True)
        wanted = [line for line in lines if _is_finance_english(json.loads(line))]
        (Path(folder) / "documents.jsonl").write_text("".join(wanted), "utf-8")
        shutil.copy(source / "finance_en_gpt4o.jsonl", Path(folder) / "questions.jsonl")
        yield Path(folder) / "questions.jsonl"


def _is_finance_english(document: dict[str, str]) -> bool:
    return (document["domain"], document["language"]) == ("Finance", "en")


def text_weights(data: Path) -> None:
    """Recall of the paragraph that a question was asked of, for each weight of BM25 and each fusion."""
    print("\nXQuAD, English: paragraphs whole, recall@1 and recall@5 of the paragraph by text weight")
    print(f"{'fusion':<12}{'':<10}" + "".join(f"{f'w={weight:g}':>9}" for weight in TEXT_WEIGHTS))
    for fusion in ("raw_linear", "min_max", "rrf"):
        begun = time.process_time()
        found = [
            scored(data, _whole(fusion, weight), ["document_recall@1", "document_recall@5"]) for weight in TEXT_WEIGHTS
        ]
        for place, name in enumerate(("recall@1", "recall@5")):
            print(f"{fusion:<12}{name:<10}" + "".join(f"{each[place].value:9.4f}" for each in found))
        print(f"{'':<22}CPU {time.process_time() - begun:.1f} s for {len(TEXT_WEIGHTS)} evaluations")


def _whole(fusion: str, weight: float) -> str:
    kind = {0: "dense", 1: "bm25"}.get(weight, "hybrid")
    return f"rag:retriever={kind},fusion={fusion},text_weight={weight},chunk_size=10000000,overlap=0,top_k=5"


def guardrail(data: Path) -> None:
    """How often a guardrail of 50 questions refuses a question about another paragraph, by its threshold."""
    rows = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    vectors = CachedEncoder(SentenceEncoder()).encode([row["question"] for row in rows])
    paragraphs = np.array([row["context"] for row in rows])
    random = np.random.default_rng(0)
    print(
        "\nGuardrail of 50 questions: share of the questions about other paragraphs that are refused, mean of 40 draws"
    )
    nearest: list[np.ndarray] = []
    for _ in range(40):
        examples = random.choice(len(rows), 50, replace=False)
        others = ~np.isin(paragraphs, paragraphs[examples])
        nearest.append((vectors[others] @ vectors[examples].T).max(axis=1))
    for threshold in (0.6, 0.65, 0.7, 0.75, 0.8):
        print(f"  threshold {threshold:.2f}: {100 * np.mean([(each >= threshold).mean() for each in nearest]):5.2f} %")


def scored(data: Path, system: str, metrics: Sequence[str]) -> list[Estimate]:
    """The means of some metrics that ask nobody."""
    options = PredictOptions(dataset=data, system=parse_spec(system), out=Path())
    done = evaluate(EvaluateOptions(predict=options, metrics=tuple(metrics)))
    return [done.summary.metrics[name] for name in metrics]


def percent(found: Estimate) -> str:
    """A share in percent."""
    return f"{100 * (found.value or 0):8.2f}"


def interval(found: Estimate) -> str:
    """Its interval."""
    return f"{100 * (found.low or 0):>9.1f}-{100 * (found.high or 0):.1f} "


def overhead(n: int) -> None:
    """What a question costs that a server answers at once: request, reading, record on disk."""
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder, troubled() as server:
        data = _questions(Path(folder), n)
        command = [sys.executable, "-m", "ragassay", "predict", str(data), "--system", server.url]
        command += ["--out", str(Path(folder) / "run"), "--concurrency", "32", "--json"]
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"\n{n} questions to a server that answers at once: {1000 * cpu_s / n:.2f} ms CPU a question with all else,"
        )
        print(f"{n / (time.perf_counter() - begun):.0f} a second on this machine as it was, server included")


def _questions(folder: Path, n: int) -> Path:
    rows = [{"user_input": f"Question {number}?", "reference": "x"} for number in range(n)]
    path = folder / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def server_in_trouble(n: int) -> None:
    """Every question accounted for, none answered twice but those in flight when the process was killed."""
    print(f"\nA server in trouble: {n} questions, 20 % fail, 5 % malformed, 2 % hang, 50 ms each; killed twice")
    troubles = Troubles(failing=0.2, malformed=0.05, hanging=0.02, slow_ms=50)
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder, troubled(troubles) as server:
        data, out = _questions(Path(folder), n), Path(folder) / "run"
        command = [sys.executable, "-m", "ragassay", "predict", str(data), "--system", server.url, "--out", str(out)]
        command += ["--concurrency", "8", "--timeout", "1", "--coverage", "0", "--json"]
        for share in (0.3, 0.6):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while server.stats.answered.total() < share * n and process.poll() is None:
                time.sleep(0.005)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        begun = time.perf_counter()
        done = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        made = list(read_jsonl(out / "predictions.jsonl", Prediction))
        print(f"  predictions {len(made)} of {n}: {done['answered']} answered, {done['failed']} failed, by reason:")
        for reason in sorted({reason_of(each.error) for each in made if each.error}):
            print(f"    {reason:<20}{sum(reason_of(each.error or '') == reason for each in made):6}")
        repeated = sum(count - 1 for count in server.stats.answered.values())
        print(f"  answers that came after a kill and are answered anew: {repeated} (at most 2 x 8 were in flight)")
        print(f"  requests {server.stats.outcomes.total()}, {time.perf_counter() - begun:.1f} s wall for the last part")
        again = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        print(f"  the same command once more asks {again['asked_now']} questions")
        server.troubles.failing = server.troubles.malformed = server.troubles.hanging = 0
        mended = subprocess.run([*command, "--retry-failed"], capture_output=True, check=True)
        found = json.loads(mended.stdout)
        print(f"  with --retry-failed, the server mended: {found['asked_now']} asked, {found['failed']} failed")


if __name__ == "__main__":
    main()
