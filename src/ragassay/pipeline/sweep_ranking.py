"""The rankings of a sweep: every index, every vector and every ranking once for all settings that share it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragassay.pipeline.progress import Progress
from ragassay.pipeline.sweep_data import SweepData
from ragassay.pipeline.sweep_models import SweepModels
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.dense_vectors import ChunkVectors, chunk_vectors
from ragassay.retrieval.hybrid import NO_CHUNK
from ragassay.retrieval.index import Index
from ragassay.retrieval.mixes import Mix, rankings_of_mixes
from ragassay.retrieval.rerank.base import Candidates, Reranker, reordered
from ragassay.retrieval.rerank.names import NO_RERANKER
from ragassay.sweep.search import Rows
from ragassay.sweep.setting import Setting


class _Space(NamedTuple):
    """What has to be the same for vectors to be comparable and read together."""

    encoder: str
    vectors: ChunkVectors
    prefix: tuple[str, ...]


class Ranked(NamedTuple):
    """chunks: (n_questions, depth) int32, best first, -1 behind the last. failed: row to the reason why it has none."""

    chunks: Int32Array
    failed: dict[int, str]


class Rankings:
    """Makes rankings when they are asked for, and keeps them."""

    def __init__(self, data: SweepData, models: SweepModels, depth: int, folder: Path, progress: Progress) -> None:
        """depth: chunks kept of each. folder: for vectors while they are needed."""
        self._data = data
        self._models = models
        self._depth = depth
        self._folder = folder
        self._progress = progress
        self._first: dict[Setting, Int32Array] = {}
        self._scores: dict[tuple[str, Setting], dict[tuple[int, int], float]] = {}
        self._failed: dict[tuple[str, Setting], dict[int, str]] = {}
        self._questions = [example.question for example in data.examples]
        self._terms = [data.tokens.terms_of(question) for question in self._questions]

    def make(self, settings: Sequence[Setting]) -> None:
        """Makes the first rankings of these settings, those together that share vectors."""
        missing = dict.fromkeys(s.ranking for s in settings if s.ranking not in self._first)
        spaces: dict[_Space, list[Setting]] = {}
        for setting in missing:
            spaces.setdefault(_Space(setting.encoder, setting.vectors, setting.prefix), []).append(setting)
        for space, members in spaces.items():
            self._make(space, members)

    async def of(self, setting: Setting, rows: Rows) -> Ranked:
        """The ranking of a setting after its reranker, right for these rows."""
        first = self._first[setting.ranking]
        if setting.reranker == NO_RERANKER:
            return Ranked(first, {})
        chunks = first.copy()
        await self._rerank(setting, rows)
        key = self._key(setting)
        scores, failed = self._scores[key], self._failed[key]
        for row in rows.tolist():
            if row not in failed:
                found = [chunk for chunk in first[row, : setting.candidates].tolist() if chunk != NO_CHUNK]
                chunks[row] = reordered(first[row], [scores[row, chunk] for chunk in found])
        return Ranked(chunks, {row: failed[row] for row in rows.tolist() if row in failed})

    @staticmethod
    def _key(setting: Setting) -> tuple[str, Setting]:
        """Pairs of a question and a chunk are scored once for all rankings of the same chunks."""
        only = Setting(
            chunker=setting.chunker, chunk_size=setting.chunk_size, overlap=setting.overlap, prefix=setting.prefix
        )
        return setting.reranker, only

    async def _rerank(self, setting: Setting, rows: Rows) -> None:
        """Scores the candidates that were not scored before."""
        key = self._key(setting)
        scores, failed = self._scores.setdefault(key, {}), self._failed.setdefault(key, {})
        first = self._first[setting.ranking][:, : setting.candidates]
        new = {
            row: [chunk for chunk in first[row].tolist() if chunk != NO_CHUNK and (row, chunk) not in scores]
            for row in rows.tolist()
            if row not in failed
        }
        new = {row: chunks for row, chunks in new.items() if chunks}
        if not new:
            return
        texts = self._data.texts(setting.chunking, (chunk for chunks in new.values() for chunk in chunks))
        asked = [
            Candidates(self._questions[row], tuple(self._behind_prefix(setting, chunk, texts) for chunk in chunks))
            for row, chunks in new.items()
        ]
        for (row, chunks), found in zip(new.items(), await self._reranker(setting).score_all(asked), strict=True):
            if found.scores is None:
                failed[row] = found.reason or "not re-ranked"
                continue
            scores.update({(row, chunk): score for chunk, score in zip(chunks, found.scores, strict=True)})

    def _reranker(self, setting: Setting) -> Reranker:
        return self._models.reranker(setting.reranker)

    def _behind_prefix(self, setting: Setting, chunk: int, texts: dict[int, str]) -> str:
        of_documents = self._data.prefixes.get(setting.prefix, [])
        prefix = of_documents[self._data.tables[setting.chunking].documents[chunk]] if of_documents else ""
        return f"{prefix}\n{texts[chunk]}" if prefix else texts[chunk]

    def _make(self, space: _Space, settings: Sequence[Setting]) -> None:
        chunkings = list(dict.fromkeys(setting.chunking for setting in settings))
        tables = [self._data.tables[chunking] for chunking in chunkings]
        asks_vectors = any(setting.text_weight < 1 for setting in settings)
        if asks_vectors:
            encoder = self._models.encoder(space.encoder)
            self._progress.start("embedding chunks", sum(map(len, tables)))
            vectors = chunk_vectors(
                (document.text for document in self._data.store),
                tables,
                encoder,
                prefixes=self._data.prefixes.get(space.prefix, []),
                vectors=space.vectors,
                folder=self._folder,
                progress=self._progress.advance,
            )
            of_questions = encoder.encode(self._questions)
        else:  # BM25 alone looks at no vector
            vectors = [np.ones((len(table), 1), np.float32) for table in tables]
            of_questions = np.ones((len(self._questions), 1), np.float32)
        indexes = [
            Index(chunking.size, table, self._data.lexical(chunking, space.prefix), of_table)
            for chunking, table, of_table in zip(chunkings, tables, vectors, strict=True)
        ]
        members = [[setting for setting in settings if setting.chunking == chunking] for chunking in chunkings]
        mixes = [[Mix(setting.fusion, setting.text_weight) for setting in some] for some in members]
        n_blocks = [len(index.blocks(len(self._questions))) for index in indexes]
        self._progress.start("ranking chunks", sum(map(lambda n, some: n * len(some), n_blocks, mixes)))
        found = rankings_of_mixes(indexes, mixes, self._terms, of_questions, self._depth, self._progress.advance)
        for some, of_index in zip(members, found, strict=True):
            for setting in some:
                self._first[setting] = of_index[Mix(setting.fusion, setting.text_weight)].chunks
