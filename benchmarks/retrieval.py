"""Speed of lexical search, fusion, metrics and the sweep on synthetic text; with --shared, recall on published data.

    OPENBLAS_NUM_THREADS=1 python benchmarks/retrieval.py [--words 1080000] [--questions 200] [--shared ../shared]
    OPENBLAS_NUM_THREADS=1 python benchmarks/retrieval.py --large
    OPENBLAS_NUM_THREADS=1 python benchmarks/retrieval.py --million

--large: a sweep of 100 000 chunks x 5 000 questions x 6 text weights x 3 values of k, embeddings given; goals on two
cores: under 60 s and 2 GB, at least five times as fast as ranking anew for every weight, a further weight for less
than 2 % of the first. --million: search in 1 000 000 vectors on disk; goal: memory that does not grow with them.
CPU time is what to compare: wall time depends on what else is running.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ragassay.corpus.chunkers import DEFAULT_SIZES, recursive_chunks
from ragassay.evaluation.relevance import right_chunks
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.retrieval.catalogue import RANKING_METRICS
from ragassay.metrics.retrieval.ranks import RightChunks, ranks
from ragassay.metrics.retrieval.recall import recall_at_k_all
from ragassay.metrics.retrieval.reference_recall import reference_recall
from ragassay.rag.setting import FUSIONS, Setting
from ragassay.rag.space import Space
from ragassay.records import Example, Provenance, Span
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.dense import dense_scores
from ragassay.retrieval.hybrid import Rankings, Scores, hybrid_scores, top_k
from ragassay.retrieval.index import Index
from ragassay.retrieval.lexical import build_lexical_index
from ragassay.retrieval.mixes import Mix, rankings_of_mixes
from ragassay.retrieval.stores.nearest import nearest
from ragassay.retrieval.tokens import tokenize_documents
from ragassay.sweep.outcome import outcome
from ragassay.sweep.values import TOKENS_IN, TOKENS_OUT, SettingValues

T = TypeVar("T")
DIMENSION = 384
OVERLAP = 48


def measured(name: str, work: Callable[[], T]) -> T:
    """Does the work and prints what it cost; extra memory is how far it raised the highest so far."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak / 1024:.0f} | {(peak - before) / 1024:.0f} |", flush=True)
    return result


def synthetic_documents(words: int, random: np.random.Generator) -> list[str]:
    """Texts of 300 to 3 000 words whose frequencies fall as in real text (Zipf), about 6.3 characters a word."""
    letters = np.array(list("etaoinshrdlcumwfgypbvk"))
    vocabulary = ["".join(random.choice(letters, size=size)) for size in random.integers(2, 10, size=40_000)]
    vocabulary[5::50] = [f"{word}_{vocabulary[0]}" for word in vocabulary[5::50]]
    chances = 1 / np.arange(2.7, len(vocabulary) + 2.7)
    drawn = random.choice(len(vocabulary), size=words, p=chances / chances.sum())
    documents, begin = [], 0
    while begin < words:
        size = int(random.integers(300, 3000))
        documents.append(" ".join(vocabulary[word] for word in drawn[begin : begin + size]))
        begin += size
    return documents


def windows(documents: Sequence[str], size: int) -> ChunkTable:
    """Fixed windows that overlap: chunking is not what is measured here."""
    places = [
        (number, start, min(start + size, len(text)))
        for number, text in enumerate(documents)
        for start in range(0, max(1, len(text) - OVERLAP), size - OVERLAP)
    ]
    columns = np.array(places, dtype=np.int32)
    return ChunkTable(columns[:, 0], columns[:, 1], columns[:, 2])


def unit_vectors(n: int, random: np.random.Generator) -> npt.NDArray[np.float32]:
    vectors = random.standard_normal((n, DIMENSION), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def synthetic_examples(documents: Sequence[str], n: int, random: np.random.Generator) -> list[Example]:
    """Questions of eight words of the 150 characters that answer them."""
    examples = []
    for number in range(n):
        ordinal = int(random.integers(len(documents)))
        text = documents[ordinal]
        start = int(random.integers(max(1, len(text) - 150)))
        span = Span(
            document_id=str(ordinal), start=start, end=min(start + 150, len(text)), text=text[start : start + 150]
        )
        examples.append(
            Example(
                id=str(number),
                question=" ".join(random.choice(span.text.split(), size=8)),
                answer="",
                context=span,
                references=(span,),
                keypoints=(),
                requested_label=("fact_single", "summary", "reasoning", "unanswerable")[number % 4],
                verified_label=None,
                provenance=Provenance(synthesizer="benchmark", model="none"),
            )
        )
    return examples


def speed(words: int, n_questions: int) -> None:
    random = np.random.default_rng(0)
    documents = synthetic_documents(words, random)
    ids = [str(ordinal) for ordinal in range(len(documents))]
    tables = {size: windows(documents, size) for size in DEFAULT_SIZES["recursive"]}
    counts = " + ".join(f"{len(table)}" for table in tables.values())
    print(f"{sum(map(len, documents))} characters, {words} words, {counts} chunks, {n_questions} questions\n")
    print("| stage | wall s | CPU s | peak MiB | extra MiB |\n| --- | --- | --- | --- | --- |")
    tokens = measured("tokenise all documents", lambda: tokenize_documents(documents))
    lexical = measured(
        "three lexical indexes", lambda: {size: build_lexical_index(tokens, table) for size, table in tables.items()}
    )
    examples = synthetic_examples(documents, n_questions, random)
    terms = [tokens.terms_of(example.question) for example in examples]
    indexes = [Index(size, tables[size], lexical[size], unit_vectors(len(tables[size]), random)) for size in tables]
    vectors = unit_vectors(n_questions, random)
    measured("lexical scores, smallest chunks", lambda: indexes[0].lexical.scores(terms))
    measured("dense scores, smallest chunks", lambda: dense_scores(indexes[0].vectors, vectors))
    right = measured(
        "right chunks, three sizes", lambda: {size: right_chunks(examples, ids, tables[size]) for size in tables}
    )
    settings = Space(fusion=FUSIONS).settings()

    def swept() -> list[SettingValues]:
        return measures(settings, rankings(settings, indexes, terms, vectors), right, n_questions)

    values = measured(f"sweep of {len(settings)} settings", swept)
    tracemalloc.start()
    swept()
    print(f"| the sweep's own memory, traced | | | | {tracemalloc.get_traced_memory()[1] / 2**20:.0f} |")
    tracemalloc.stop()
    labels = [example.label for example in examples]
    metrics = [metric for metric, _ in metrics_named([metric.name for metric in RANKING_METRICS])]
    recall_at_5 = next(metric for metric in metrics if metric.name == "recall@5")
    measured("estimates, best of each label, paired tests", lambda: outcome(values, labels, metrics, recall_at_5))
    measured_metrics(random)


def rankings(
    settings: Sequence[Setting],
    indexes: Sequence[Index],
    terms: Sequence[npt.NDArray[np.int32]],
    vectors: npt.NDArray[np.float32],
) -> dict[Setting, Rankings]:
    """As a sweep ranks: every mix of an index at once."""
    by_size = {index.chunk_size: index for index in indexes}
    some = [[setting for setting in settings if setting.chunk_size == size] for size in by_size]
    mixes = [[Mix(setting.fusion, setting.text_weight) for setting in of_size] for of_size in some]
    found = rankings_of_mixes(list(by_size.values()), mixes, terms, vectors, max(DEPTHS))
    return {
        setting: of_index[Mix(setting.fusion, setting.text_weight)]
        for of_size, of_index in zip(some, found, strict=True)
        for setting in of_size
    }


def measures(
    settings: Sequence[Setting], found: dict[Setting, Rankings], right: dict[int, RightChunks], n_questions: int
) -> list[SettingValues]:
    tokens = {TOKENS_IN: np.ones(n_questions), TOKENS_OUT: np.zeros(n_questions)}
    values = []
    for setting in settings:
        places = ranks(found[setting].chunks, right[setting.chunk_size])
        columns = {metric.name: metric.all(places) for metric in RANKING_METRICS}
        values.append(SettingValues(setting, np.arange(n_questions), columns | tokens, {}))
    return values


def measured_metrics(random: np.random.Generator) -> None:
    rankings = np.argsort(random.random((10_000, 1000)), axis=1)[:, :100].astype(np.int32)
    ground = [[{int(chunk)} for chunk in random.integers(0, 1000, size=3)] for _ in range(10_000)]
    right = RightChunks.of(ground)

    def every_metric() -> list[npt.NDArray[np.float64]]:
        places = ranks(rankings, right)
        return [metric.all(places) for metric in RANKING_METRICS]

    measured(f"{len(RANKING_METRICS)} metrics, 10 000 questions x 100", every_metric)


def lexical_rankings(
    documents: Sequence[str],
    table: ChunkTable,
    questions: Sequence[str],
    language: str,
    prefixes: Sequence[str],
    k: int,
) -> Rankings:
    tokens = tokenize_documents(documents, prefixes, language)
    index = build_lexical_index(tokens, table, prefixes)
    scores: Scores = index.scores([tokens.terms_of(question) for question in questions])
    return top_k(hybrid_scores(scores, scores, "raw_linear", 1.0), k)


def xquad(folder: Path, language: str) -> None:
    """Every paragraph one chunk; the ground context is the paragraph that the question was asked of."""
    questions = rows(folder / f"{language}.jsonl")
    paragraphs = {context: number for number, context in enumerate(dict.fromkeys(q["context"] for q in questions))}
    texts = list(paragraphs)
    places = np.array([(number, 0, len(text)) for number, text in enumerate(texts)], dtype=np.int32)
    table = ChunkTable(places[:, 0], places[:, 1], places[:, 2])
    found = lexical_rankings(texts, table, [q["question"] for q in questions], language, (), 5)
    places_found = ranks(found.chunks, RightChunks.of([[{paragraphs[q["context"]]}] for q in questions]))
    recall = {metric.name: metric.all(places_found).mean() for metric in RANKING_METRICS[:3]}
    print(f"XQuAD {language}: " + ", ".join(f"{name} {value:.4f}" for name, value in recall.items()))


def dragonball(folder: Path) -> None:
    """Finance, English. RAGEval's Table 2 has BM25 at 60.58, top 5, over all questions; here are 50 of each type."""
    documents = [d for d in rows(folder / "documents.jsonl") if (d["domain"], d["language"]) == ("Finance", "en")]
    questions = rows(folder / "finance_en_gpt4o.jsonl")
    texts = [document["content"] for document in documents]
    places = [(number, *span) for number, text in enumerate(texts) for span in recursive_chunks(text, 512, 0)]
    columns = np.array(places, dtype=np.int32)
    table = ChunkTable(columns[:, 0], columns[:, 1], columns[:, 2])
    sentence_end = re.compile(r"(?<!M[rs]\.)(?<=[.!?])\s+(?=[A-Z0-9\"“(])")
    for name in ("company name in front", "no prefix"):
        prefixes = [documents[place[0]]["company_name"] for place in places] if name != "no prefix" else []
        found = lexical_rankings(texts, table, [q["query"]["content"] for q in questions], "en", prefixes, 6)
        recalls = []
        for k in (2, 4, 5, 6):
            values = []
            for number, question in enumerate(questions):
                chunks = [texts[places[c][0]][places[c][1] : places[c][2]] for c, _ in found.of(number)[:k]]
                references = [sentence_end.split(reference) for reference in question["ground_truth"]["references"]]
                values.append(reference_recall(chunks, references) or 0.0)  # as published: 0 without references
            recalls.append(f"top {k}: {100 * np.mean(values):.2f}")
        print(f"DragonBall finance, English, {len(table)} chunks, {name}, reference recall: " + ", ".join(recalls))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
DEPTHS = (1, 5, 10)


def large(n_chunks: int, n_questions: int) -> None:
    """The sweep of one chunk size over text weights, against ranking anew for every weight."""
    random = np.random.default_rng(0)
    documents = synthetic_documents(66 * n_chunks, random)
    table = windows(documents, 512)
    print(f"{len(table)} chunks, {n_questions} questions, k in {DEPTHS}\n")
    print("| stage | wall s | CPU s | peak MiB | extra MiB |\n| --- | --- | --- | --- | --- |")
    tokens = measured("tokenise all documents", lambda: tokenize_documents(documents))
    lexical = measured("lexical index", lambda: build_lexical_index(tokens, table))
    examples = synthetic_examples(documents, n_questions, random)
    terms = [tokens.terms_of(example.question) for example in examples]
    right = {512: right_chunks(examples, [str(ordinal) for ordinal in range(len(documents))], table)}
    index = Index(512, table, lexical, unit_vectors(len(table), random))
    vectors = unit_vectors(n_questions, random)

    def swept(weights: Sequence[float]) -> float:
        before = time.process_time()
        settings = Space(chunk_size=(512,), text_weight=tuple(weights)).settings()
        found = measured(f"sweep of {len(weights)} text weights", lambda: rankings(settings, [index], terms, vectors))
        for each in found.values():
            places = ranks(each.chunks, right[512])
            assert all(recall_at_k_all(places, k).shape == (n_questions,) for k in DEPTHS)
        return time.process_time() - before

    first, all_six = swept(WEIGHTS[2:3]), swept(WEIGHTS)
    some = max(1, n_questions // 20)
    before = time.process_time()
    for weight in WEIGHTS:
        index.search(terms[:some], vectors[:some], "raw_linear", weight, max(DEPTHS))
    anew = (time.process_time() - before) * n_questions / some
    print(
        f"\nCPU: one weight {first:.1f} s, six {all_six:.1f} s: each further one {(all_six / first - 1) / 5:.1%} of it"
    )
    print(
        f"CPU, ranking anew for each of six weights (from {some} questions): {anew:.1f} s, {anew / all_six:.1f} times"
    )


def million(n: int) -> None:
    """The nearest ten of 256 questions in vectors on disk: a quarter of them and all, so that growth would show."""
    random = np.random.default_rng(0)
    questions = unit_vectors(256, random)
    print("| stage | wall s | CPU s | peak MiB | extra MiB |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryFile() as file:

        def write() -> None:
            for _ in range(0, n, 10_000):
                file.write(unit_vectors(10_000, random).data)
            file.flush()

        measured(f"write {n:,} x {DIMENSION} vectors", write)
        for size in (n // 4, n):
            vectors = np.memmap(file, np.float32, "r", shape=(size, DIMENSION))
            measured(
                f"first 10 of 256 questions in {size:,}",
                lambda vectors=vectors: nearest(vectors, Names(), questions, 10),
            )


class Names(Sequence[str]):
    """Ids of so many chunks as anybody asks for."""

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, place: Any) -> Any:
        return f"{place:09}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=1_080_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--shared", type=Path, help="folder that holds data/xquad and data/dragonball")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--million", action="store_true")
    options = parser.parse_args()
    if options.million:
        million(1_000_000)
        return
    if options.large:
        large(100_000, 5_000)
        return
    speed(options.words, options.questions)
    if options.shared:
        print()
        for language in ("en", "zh"):
            xquad(options.shared / "data" / "xquad", language)
        dragonball(options.shared / "data" / "dragonball")


if __name__ == "__main__":
    main()
