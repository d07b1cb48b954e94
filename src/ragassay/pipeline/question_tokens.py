"""What an answer would cost to read: tokens of a question and of the chunks that a configuration retrieves for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import estimates
from ragassay.evaluation.clusters import Clusters
from ragassay.models.llm.token_counts import estimate_tokens
from ragassay.pipeline.corpus_stage import Corpus
from ragassay.pipeline.options import ANSWERED_WITH
from ragassay.report.summary import QuestionTokens
from ragassay.retrieval.hybrid import NO_CHUNK
from ragassay.sweep.retrieval_sweep import ConfigurationResult


def question_tokens(
    corpus: Corpus, questions: Sequence[str], results: Sequence[ConfigurationResult], clusters: Clusters
) -> tuple[QuestionTokens, ...]:
    """Tokens of a question and of the chunks that it would be answered with, estimated, in the order of the results.

    As in a sweep without answers. No chunk is counted twice.
    """
    if not results:
        return ()
    of_chunks = _chunk_tokens(corpus, results)
    of_questions = np.array([estimate_tokens(question) for question in questions], dtype=np.float64)
    columns = []
    for result in results:
        chunks = _read(result)
        found = of_chunks[result.configuration.chunk_size][chunks]
        columns.append(of_questions + np.where(chunks == NO_CHUNK, 0, found).sum(axis=1))
    scored = estimates(np.column_stack(columns), bounds=None, clusters=clusters)
    return tuple(
        QuestionTokens(configuration=result.configuration, estimate=each)
        for result, each in zip(results, scored, strict=True)
    )


def _read(result: ConfigurationResult) -> npt.NDArray[np.int32]:
    """(n_questions, chunks) int32: what an answer is made from, -1 behind the last."""
    return result.rankings.chunks[:, :ANSWERED_WITH]


def _chunk_tokens(corpus: Corpus, results: Iterable[ConfigurationResult]) -> dict[int, npt.NDArray[np.int64]]:
    """Chunk size to (n_chunks,) int64: tokens of those that are read, else 0. Every document is fetched once."""
    read: dict[int, list[npt.NDArray[np.int32]]] = defaultdict(list)
    for result in results:
        read[result.configuration.chunk_size].append(_read(result))
    of_document: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for size, rankings in read.items():
        for chunk in np.unique(np.concatenate(rankings)).tolist():
            if chunk != NO_CHUNK:
                of_document[int(corpus.tables[size].documents[chunk])].append((size, chunk))
    found = {size: np.zeros(len(corpus.tables[size]), dtype=np.int64) for size in read}
    for document in sorted(of_document):
        text = corpus.store[document].text
        for size, chunk in of_document[document]:
            table = corpus.tables[size]
            found[size][chunk] = estimate_tokens(text[table.starts[chunk] : table.ends[chunk]])
    return found
