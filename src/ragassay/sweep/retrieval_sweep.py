"""Every configuration of a grid on the same questions: scores once per chunk size, every ranking once."""

# To wire it, for documents in a fixed order and one ChunkTable per chunk size:
#   tokens = tokenize_documents((d.text for d in documents), prefixes, language)        retrieval/tokens.py
#   table = ChunkTable.of(chunks, document_ids), or ChunkTable(documents, starts, ends)  retrieval/chunk_table.py
#   index = Index(chunk_size, table, build_lexical_index(tokens, table, prefixes), vectors)   retrieval/index.py
#   right = {size: right_chunks(examples, document_ids, table), ...}                    evaluation/relevance.py
#   results = sweep_retrieval(indexes, [tokens.terms_of(e.question) for e in examples], question_vectors, right, grid())
#   best = best_configurations(results, labels, clusters)                                sweep/best.py
#   rows = label_results(results, labels, clusters)
# One question elsewhere: index.search([tokens.terms_of(q)], vector[None], fusion, text_weight, k).of(0).

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.catalogue import RANKING_METRICS
from ragassay.metrics.retrieval.ranks import RightChunks, ranks
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.hybrid import Rankings
from ragassay.retrieval.index import Index
from ragassay.retrieval.mixes import Mix, rankings_of_mixes
from ragassay.sweep.configuration import Configuration

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
) -> tuple[ConfigurationResult, ...]:
    """Results in the order of the configurations, each once.

    indexes: one for each chunk size. questions: term ids of each. question_vectors: (n_questions, dimension) float32.
    right: chunk size to the right chunks of these questions.
    Memory grows with a block of questions for each core.
    """
    by_size = {index.chunk_size: index for index in indexes}
    missing = {c.chunk_size for c in configurations} - (by_size.keys() & right.keys())
    if missing:
        raise ValueError(f"no index or no right chunks for chunk sizes {sorted(missing)}; build them or drop the sizes")
    if not len(questions) == len(question_vectors):
        raise ValueError(f"{len(questions)} questions but {len(question_vectors)} question vectors")

    ordered = list(by_size)
    mixes = [[_mix(c) for c in configurations if c.chunk_size == size] for size in ordered]
    found = rankings_of_mixes([by_size[size] for size in ordered], mixes, questions, question_vectors, DEPTH)
    rankings = dict(zip(ordered, found, strict=True))
    return tuple(
        _scored(configuration, rankings[configuration.chunk_size][_mix(configuration)], right[configuration.chunk_size])
        for configuration in dict.fromkeys(configurations)
    )


def _mix(configuration: Configuration) -> Mix:
    return Mix(configuration.fusion, configuration.text_weight)


def _scored(configuration: Configuration, rankings: Rankings, right: RightChunks) -> ConfigurationResult:
    places = ranks(rankings.chunks, right)
    metrics = {metric.name: metric.all(places) for metric in RANKING_METRICS}
    return ConfigurationResult(configuration, rankings, metrics)
