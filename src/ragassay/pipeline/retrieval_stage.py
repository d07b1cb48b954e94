"""Third stage: every configuration of the grid on every question, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragassay.corpus.chunkers import UNITS
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.relevance import right_chunks
from ragassay.models.vector_cache import CachedEncoder
from ragassay.pipeline.corpus_stage import Corpus
from ragassay.pipeline.options import RunOptions
from ragassay.pipeline.progress import Progress
from ragassay.pipeline.question_tokens import question_tokens
from ragassay.rag.indexing import build_indexes
from ragassay.records import UNLABELLED, Example
from ragassay.report.summary import QuestionTokens
from ragassay.retrieval.index import Index
from ragassay.sweep.best import BestConfiguration, LabelResult, best_configurations, label_results
from ragassay.sweep.configuration import Configuration
from ragassay.sweep.grid import grid
from ragassay.sweep.retrieval_sweep import ConfigurationResult, sweep_retrieval


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """results: per configuration and question. scored: per label. best: per answerable label, then all of these.

    tokens: of a question and its chunks, per configuration.
    """

    results: tuple[ConfigurationResult, ...]
    scored: tuple[LabelResult, ...]
    best: tuple[BestConfiguration, ...]
    tokens: tuple[QuestionTokens, ...]

    def of(self, configuration: Configuration) -> ConfigurationResult:
        return next(result for result in self.results if result.configuration == configuration)

    @property
    def shown(self) -> tuple[Configuration, ...]:
        """The best configurations and the dense and lexical ends at their chunk sizes, each once."""
        found: dict[Configuration, None] = {}
        for best in self.best:
            size = best.configuration.chunk_size
            found[best.configuration] = None
            for result in self.results:
                other = result.configuration
                if other.chunk_size == size and other.text_weight in (0, 1):
                    found[other] = None
        return tuple(found)


def embed_chunks(folder: Path, corpus: Corpus, encoder: CachedEncoder, progress: Progress) -> list[Index]:
    """One index for each chunk size, its vectors computed once for all sizes together and kept in the folder."""
    progress.start("embedding chunks", sum(len(table) for table in corpus.tables.values()))
    return build_indexes(
        corpus.store,
        corpus.cut,
        list(corpus.cut.tables),
        encoder,
        prefix=corpus.prefix,
        folder=folder,
        lexical=corpus.lexical,
        progress=progress.advance,
    )


def sweep(
    corpus: Corpus,
    indexes: Sequence[Index],
    examples: Sequence[Example],
    encoder: CachedEncoder,
    options: RunOptions,
    progress: Progress,
) -> Sweep:
    """Runs the grid over all questions."""
    progress.start("comparing retrievers", None)
    right = {index.chunk_size: right_chunks(examples, corpus.store.ids, index.table) for index in indexes}
    questions = [example.question for example in examples]
    results = sweep_retrieval(
        indexes,
        [corpus.cut.tokens.terms_of(question) for question in questions],
        encoder.encode(questions),
        right,
        grid(options.sizes, unit=UNITS[options.chunker]),
    )
    labels = [example.requested_label or UNLABELLED for example in examples]
    clusters = clusters_of(examples)
    return Sweep(
        results=tuple(results),
        scored=label_results(results, labels, clusters),
        best=best_configurations(results, labels, clusters),
        tokens=question_tokens(corpus, questions, results, clusters),
    )
