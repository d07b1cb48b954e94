"""Every configuration of a grid on the same questions: scores once per chunk size, every ranking once."""

# To wire it, for documents in a fixed order and one ChunkTable per chunk size:
#   tokens = tokenize_documents((d.text for d in documents), prefixes, language)        retrieval/tokens.py
#   table = ChunkTable.of(chunks, document_ids), or ChunkTable(documents, starts, ends)  retrieval/chunk_table.py
#   index = Index(chunk_size, table, build_lexical_index(tokens, table, prefixes), vectors)   retrieval/index.py
#   right = {size: right_chunks(examples, document_ids, table), ...}                    evaluation/relevance.py
#   results = sweep_retrieval(indexes, [tokens.terms_of(e.question) for e in examples], question_vectors, right, grid())
#   best = best_configurations(results, labels, seed=seed)                                sweep/best.py
#   rows = label_results(results, labels, seed=seed)
# One question elsewhere: index.search([tokens.terms_of(q)], vector[None], fusion, text_weight, k).of(0).

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.catalogue import RANKING_METRICS
from ragassay.metrics.retrieval.ranks import RightChunks, ranks
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.hybrid import Rankings, ScorePair
from ragassay.retrieval.index import Index, joined_rankings
from ragassay.retrieval.shortlist import Shortlist
from ragassay.sweep.configuration import Configuration
from ragassay.workers import usable_cores

DEPTH = 10
"""Chunks kept of every ranking."""


@dataclass(frozen=True, slots=True, eq=False)
class ConfigurationResult:
    """What one configuration retrieved, and how good it was, question by question.

    rankings: the first chunks of every question. metrics: name to (n_questions,) float64, NaN where the
    question has no ground span.
    """

    configuration: Configuration
    rankings: Rankings
    metrics: Mapping[str, npt.NDArray[np.float64]]


def sweep_retrieval(
    indexes: Sequence[Index],
    questions: Sequence[Int32Array],
    question_vectors: npt.NDArray[np.float32],
    right: Mapping[int, RightChunks],
    configurations: Sequence[Configuration],
    depth: int = DEPTH,
    progress: Callable[[int], None] | None = None,
) -> tuple[ConfigurationResult, ...]:
    """Results in the order of the configurations, each once.

    indexes: one for each chunk size. questions: term ids of each. question_vectors: (n_questions, dimension) float32.
    right: chunk size to the right chunks of these questions. depth: chunks kept of every ranking, at least ``DEPTH``.
    progress is called with the rankings just made, each of one configuration and block of questions.
    Memory grows with a block of questions for each core.
    """
    by_size = {index.chunk_size: index for index in indexes}
    missing = {c.chunk_size for c in configurations} - (by_size.keys() & right.keys())
    if missing:
        raise ValueError(f"no index or no right chunks for chunk sizes {sorted(missing)}; build them or drop the sizes")
    if not len(questions) == len(question_vectors):
        raise ValueError(f"{len(questions)} questions but {len(question_vectors)} question vectors")

    depth = max(depth, DEPTH)
    tasks = [
        (index, block, [c for c in dict.fromkeys(configurations) if c.chunk_size == size])
        for size, index in by_size.items()
        for block in index.blocks(len(questions))
    ]

    def rankings_of(task: tuple[Index, slice, list[Configuration]]) -> dict[Configuration, Rankings]:
        index, block, asked = task
        return _rankings(index.scores(questions[block], question_vectors[block]), asked, depth)

    blocks: dict[Configuration, list[Rankings]] = {configuration: [] for configuration in configurations}
    with ThreadPoolExecutor(usable_cores()) as threads:  # numpy computes in several threads at once
        for found in threads.map(rankings_of, tasks):
            for configuration, rankings in found.items():
                blocks[configuration].append(rankings)
            if progress is not None:
                progress(len(found))
    return tuple(
        _scored(configuration, joined_rankings(found, depth), right[configuration.chunk_size])
        for configuration, found in blocks.items()
    )


def _scored(configuration: Configuration, rankings: Rankings, right: RightChunks) -> ConfigurationResult:
    places = ranks(rankings.chunks, right)
    metrics = {metric.name: metric.all(places) for metric in RANKING_METRICS}
    return ConfigurationResult(configuration, rankings, metrics)


def _rankings(scores: ScorePair, configurations: Sequence[Configuration], depth: int) -> dict[Configuration, Rankings]:
    """Each fusion's scale is worked out once, and each end of the weights once for all fusions."""
    shortlist = Shortlist(*scores)
    return {c: shortlist.first(c.fusion, c.text_weight, depth) for c in configurations}
