"""Chinese text to terms for BM25: bigrams of characters, words by jieba, characters, and bigrams with characters.

The last way is the product's.

    pip install jieba
    python benchmarks/chinese_words.py DATASET [DATASET ...] [--chunk-size 128 256]

Data sets are any that `ragassay convert` reads, with documents: XQuAD's zh.jsonl, or what
`ragassay scenario generate --schema law --language zh --documents 60 --n 400 --out FOLDER` makes. Rows beside bigrams
are differences to them with 95 % intervals over questions.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import jieba
import numpy as np

from ragassay.corpus.chunkers import recursive_chunks
from ragassay.datasets.registry import read_dataset
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.relevance import right_chunks
from ragassay.metrics.retrieval.catalogue import ranking_metric
from ragassay.metrics.retrieval.ranks import ranks
from ragassay.records import Document, Example
from ragassay.retrieval import tokens as tokens_module
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import hybrid_scores, top_k
from ragassay.retrieval.lexical import build_lexical_index
from ragassay.retrieval.tokens import Analyzer, Form, tokenize_documents

METRICS = ("recall@1", "recall@5", "mrr@10")


Places = Iterator[tuple[int, int]]


def cut_by(cut: Callable[[str], Places]) -> Callable[..., Analyzer]:
    """An analyzer that cuts Han text another way; all else as it is."""

    class Cut(Analyzer):
        def forms(self, raw: str) -> list[Form]:
            if not "\u3400" <= raw[0] <= "\u9fff":
                return super().forms(raw)
            return [Form(raw[start:end], start, end) for start, end in cut(raw)]

    return Cut


def words(raw: str) -> Places:
    return ((start, end) for _, start, end in jieba.tokenize(raw))


def search_words(raw: str) -> Places:
    """Long words and the words in them."""
    return ((start, end) for _, start, end in jieba.tokenize(raw, mode="search"))


def characters(raw: str) -> Places:
    return ((place, place + 1) for place in range(len(raw)))


def bigrams(raw: str) -> Places:
    return ((place, min(place + 2, len(raw))) for place in range(max(1, len(raw) - 1)))


WAYS: dict[str, Callable[..., Analyzer]] = {
    "bigrams": cut_by(bigrams),
    "jieba": cut_by(words),
    "jieba, search mode": cut_by(search_words),
    "characters": cut_by(characters),
    "bigrams and characters": Analyzer,
}


def measure(path: Path, chunk_size: int) -> None:
    records = list(read_dataset(path))
    documents = [record for record in records if isinstance(record, Document)]
    examples = [record for record in records if isinstance(record, Example)]
    places = [
        (ordinal, *span)
        for ordinal, document in enumerate(documents)
        for span in recursive_chunks(document.text, chunk_size, chunk_size // 8)
    ]
    table = ChunkTable(*np.ascontiguousarray(np.array(places, np.int32).T))
    right = right_chunks(examples, [document.id for document in documents], table)
    print(f"\n{path.name}: {len(table)} chunks of {chunk_size} characters, {len(examples)} questions\n")
    print(f"| terms | {' | '.join(METRICS)} |\n| --- | --- | --- | --- |")
    of_bigrams: dict[str, np.ndarray] = {}
    for name, analyzer in WAYS.items():
        with patch.object(tokens_module, "Analyzer", analyzer):
            tokens = tokenize_documents([document.text for document in documents], (), "zh")
            index = build_lexical_index(tokens, table)
            scores = index.scores([tokens.terms_of(example.question) for example in examples])
        found = ranks(top_k(hybrid_scores(scores, scores, "raw_linear", 1.0), 10).chunks, right)
        cells = []
        for metric in METRICS:
            values = ranking_metric(metric).all(found)
            if metric not in of_bigrams:
                of_bigrams[metric] = values
                cells.append(f"{np.nanmean(values):.4f}")
                continue
            each = estimate((values - of_bigrams[metric]).tolist(), bounds=(-1, 1))
            cells.append(f"{each.value:+.4f} [{each.low:+.4f}, {each.high:+.4f}]")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+", type=Path)
    parser.add_argument("--chunk-size", type=int, nargs="+", default=[128, 256])
    options = parser.parse_args()
    jieba.setLogLevel(logging.ERROR)
    for path in options.datasets:
        for chunk_size in options.chunk_size:
            measure(path, chunk_size)


if __name__ == "__main__":
    main()
