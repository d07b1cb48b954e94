"""Speed and memory of metrics that ask nobody; with --shared, the published DragonBall figures and their speed.

    OPENBLAS_NUM_THREADS=1 python benchmarks/metrics.py [--items 10000] [--shared ../shared]

The same items go through ``ragassay score`` too, from files, with a process for each core, intervals and all.

The straightforward way beside RAGEval's released figures is pysbd for every text of every metric and a table for the
longest common subsequence. pysbd is no dependency: install it apart (pip install --target FOLDER pysbd==0.3.4) and name
the folder in PYTHONPATH, or that row is left out. CPU time is what to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

from ragassay.metrics.catalogue import METRICS, metrics_named
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.released.dragonball import ReleasedScores, released_scores
from ragassay.metrics.released.rouge_l import released_words
from ragassay.metrics.released.sentences import released_sentences
from ragassay.metrics.retrieval.catalogue import RANKING_FAMILIES, ranking_metric
from ragassay.metrics.retrieval.eir import released_effective_information_rate, without_metadata
from ragassay.metrics.retrieval.ranks import RightChunks, ranks
from ragassay.metrics.retrieval.reference_recall import all_references_recall, reference_recall
from ragassay.metrics.scoring import scored
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.records import Example, Prediction, Provenance, RankedChunk, Span, to_json
from ragassay.tasks.context_sentences import HELPFUL_SENTENCES, QuestionOnContext
from ragassay.text import sentences

T = TypeVar("T")
PUBLISHED = ReleasedScores(0.5863585373543355, 0.10780761369852739, 0.5057142857142857, 0.13217312401810513)


def measured(name: str, work: Callable[[], T]) -> tuple[T, float]:
    """Does the work, prints wall and CPU seconds, and the highest memory so far in MiB; gives the CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |", flush=True)
    return result, cpu


def answered_items(number: int, seed: int = 5) -> Iterator[Answered]:
    """Answers of about 90 words, two references, ten chunks of 80 words that hold one of them; made one at a time."""
    random = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlcumwfgypbvk"))
    words = np.array(["".join(random.choice(letters, size=size)) for size in random.integers(2, 10, size=5000)])
    for place in range(number):
        yield _item(f"q{place}", words, random)


def _item(name: str, words: Any, random: np.random.Generator) -> Answered:
    texts = [_prose(words, random, 80) for _ in range(10)]
    right = int(random.integers(0, 10))
    found = texts[right].split(". ")[1] + "."
    references = (
        Span(document_id=f"d{right}", start=0, end=len(found), text=found),
        Span(document_id="d99", start=0, end=60, text=_prose(words, random, 12)),
    )
    chunks = tuple(
        RankedChunk(
            chunk_id=f"c{place}", document_id=f"d{place}", start=0, end=len(text), score=1 / (place + 1), text=text
        )
        for place, text in enumerate(texts)
    )
    example = Example(
        id=name,
        question="What?",
        answer=_prose(words, random, 30),
        context=references[0],
        references=references,
        keypoints=(),
        requested_label="fact_single",
        verified_label=None,
        provenance=Provenance(synthesizer="benchmark", model="none"),
        language="en",
    )
    answer = f"{_prose(words, random, 60)} {example.answer}"
    return Answered(example, Prediction(example_id=name, system="made up", chunks=chunks, answer=answer), tuple(texts))


def _prose(words: Any, random: np.random.Generator, count: int) -> str:
    drawn = words[np.minimum(random.zipf(1.3, size=count), len(words)) - 1].tolist()
    sentences = [" ".join(drawn[start : start + 10]).capitalize() for start in range(0, count, 10)]
    return ". ".join(sentences) + "."


def names_at_5() -> list[str]:
    """The metrics that ask nobody and that made-up items have the data for."""
    return [
        name.replace("@k", "@5")
        for name, metric in METRICS.items()
        if metric.measure and "graded judgements" not in metric.inputs
    ]


def all_metrics(number: int) -> None:
    """Every metric that asks nobody on made-up items, which are not kept."""
    metrics = metrics_named(names_at_5())
    _, making = measured(f"making {number} items", lambda: sum(1 for _ in answered_items(number)))
    for count in (number // 10, number):
        scores, cpu = measured(
            f"{count} items through {len(metrics)} metrics",
            lambda count=count: sum(score.value is not None for score in scored(metrics, answered_items(count))),
        )
        print(f"\n{scores} values; scoring alone {cpu - making * count / number:.1f} s of CPU\n")


def by_command(number: int) -> None:
    """Every metric that asks nobody, from files, by the command line."""
    names = ",".join(names_at_5())
    with tempfile.TemporaryDirectory() as name:
        examples, predictions = Path(name, "examples.jsonl"), Path(name, "predictions.jsonl")
        with examples.open("w", encoding="utf-8") as first, predictions.open("w", encoding="utf-8") as second:
            for item in answered_items(number):
                first.write(to_json(item.example) + "\n")
                second.write(to_json(item.prediction) + "\n")
        entry = "from ragassay.cli import main; main()"
        command = [sys.executable, "-c", entry, "score", str(examples), str(predictions), "--metrics", names, "--json"]
        before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        wall, after = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"| {number} items by ragassay score, {len(found['metrics'])} metrics | {wall:.2f} | {cpu:.2f} | ", end="")
    print(f"{after.ru_maxrss / 1024:.0f} (the largest process) |\n", flush=True)


def rankings(queries: int = 10_000, depth: int = 100) -> None:
    """All ranking metrics at the full depth."""
    random = np.random.default_rng(0)
    ranked = np.argsort(random.random((queries, 3 * depth)), axis=1)[:, :depth].astype(np.int32)
    ground = [[{int(c) for c in random.integers(0, 3 * depth, 2)} for _ in range(2)] for _ in range(queries)]
    right = RightChunks.of(ground)

    def work() -> list[float]:
        found = ranks(ranked, right)
        return [float(np.nanmean(ranking_metric(f"{family}@{depth}").all(found))) for family in RANKING_FAMILIES]

    measured(f"{queries} queries x {depth}, {len(RANKING_FAMILIES)} ranking metrics", work)


def dragonball(shared: Path, copies: int = 100) -> None:
    """The published figures, and how long 350 x ``copies`` items take either way."""
    items = _lines(shared / "data/dragonball/finance_en_gpt4o.jsonl")
    scores = [_released(item) for item in items]
    for name, ours, published in zip(ReleasedScores._fields, zip(*scores, strict=True), PUBLISHED, strict=True):
        print(f"{name}: {fmean(ours)!r}, published {published!r}")
    print()
    _, ours_cpu = measured(f"350 x {copies} items, ours", lambda: [_released(item) for item in items * copies])
    _, unremembered = measured(
        "the same, no split remembered", lambda: [_released(item, forget=True) for item in items * copies]
    )
    slow = _straightforward()
    if slow is None:
        print("pysbd is not there: the straightforward way is left out")
        return
    theirs, cpu = measured("350 items, the straightforward way", lambda: [slow(item) for item in items])
    assert theirs == scores
    print(f"\nover 350 x {copies} items: {cpu * copies / ours_cpu:.0f} times as fast, ", end="")
    print(f"{cpu * copies / unremembered:.0f} without remembered splits; 350 items of the other measured")


def helpful_sentences(shared: Path) -> None:
    """How far the sentences that the embedded model calls helpful are those of the references; pairs of contexts."""
    model = EmbeddedModel(CachedEncoder(SentenceEncoder()))

    def picked(asked: Sequence[tuple[str, str]]) -> list[set[str]]:
        inputs = [QuestionOnContext(question=question, context=context) for question, context in asked]
        replies = asyncio.run(model.ask_all(HELPFUL_SENTENCES, inputs))
        return [set(reply.value.items) if reply.value else set() for reply in replies]

    rows = [
        row for row in _lines(shared / "data/dragonball/finance_en_gpt4o.jsonl") if row["ground_truth"]["references"]
    ]
    asked = [(row["query"]["content"], "\n\n".join(row["prediction"]["references"])) for row in rows]
    right = chosen = both = every = 0
    for row, (_, context), found in zip(rows, asked, picked(asked), strict=True):
        split = set(sentences(context))
        gold = {each for each in split if each in " ".join(row["ground_truth"]["references"])}
        right, chosen, both, every = (
            right + len(gold),
            chosen + len(found),
            both + len(gold & found),
            every + len(split),
        )
    print(f"\nhelpful sentences, DragonBall: precision {both / chosen:.2f}, recall {both / right:.2f}; ", end="")
    print(f"of all {every} sentences {right / every:.2f} are of a reference, {chosen / every:.2f} are picked")
    pairs = _lines(shared / "data/wikieval/context_relevance.jsonl")
    shares = {}
    for side in ("better", "worse"):
        contexts = [(row["question"], row[side]) for row in pairs]
        shares[side] = [
            len(found) / len(sentences(context)) for (_, context), found in zip(contexts, picked(contexts), strict=True)
        ]
    wins = fmean((a > b) + (a == b) / 2 for a, b in zip(shares["better"], shares["worse"], strict=True))
    print(f"context relevance, WikiEval: the better context is preferred in {wins:.3f} of {len(pairs)} pairs")


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _released(item: dict[str, Any], *, forget: bool = False) -> ReleasedScores:
    if forget:
        released_sentences.cache_clear()
    return released_scores(
        answer=item["prediction"]["content"],
        reference_answer=item["ground_truth"]["content"],
        references=item["ground_truth"]["references"],
        chunks=item["prediction"]["references"],
    )


def _straightforward() -> Callable[[dict[str, Any]], ReleasedScores] | None:
    try:
        import pysbd
    except ImportError:
        return None
    segmenter = pysbd.Segmenter(language="en", clean=False)

    def split(item: dict[str, Any]) -> list[list[str]]:
        references = (segmenter.segment(text) for text in item["ground_truth"]["references"])
        return [[sentence.strip() for sentence in found] for found in references]

    def score(item: dict[str, Any]) -> ReleasedScores:
        chunks = item["prediction"]["references"]
        every = all_references_recall(chunks, split(item))
        return ReleasedScores(
            reference_recall(chunks, split(item)) or 0.0,
            released_effective_information_rate([without_metadata(chunk) for chunk in chunks], split(item)),
            1.0 if every is None else every,
            _rouge_l_by_table(released_words(item["prediction"]["content"]), released_words(_reference(item))),
        )

    return score


def _reference(item: dict[str, Any]) -> str:
    return str(item["ground_truth"]["content"])


def _rouge_l_by_table(said: Sequence[str], wanted: Sequence[str]) -> float:
    if not said or not wanted:
        return 0.0
    row = [0] * (len(wanted) + 1)
    for word in said:
        above, row = row, [0]
        for place, other in enumerate(wanted):
            row.append(above[place] + 1 if word == other else max(above[place + 1], row[-1]))
    p, r = row[-1] / len(said), row[-1] / len(wanted)
    return 2.0 * ((p * r) / (p + r + 1e-8))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--shared", type=Path)
    options = parser.parse_args()
    print("| work | wall s | CPU s | peak MiB |\n| --- | --- | --- | --- |")
    rankings()
    all_metrics(options.items)
    by_command(options.items)
    if options.shared:
        dragonball(options.shared)
        helpful_sentences(options.shared)


if __name__ == "__main__":
    main()
