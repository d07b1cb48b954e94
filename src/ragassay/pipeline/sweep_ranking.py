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
from ragassay.retrieval.rerank.base import Candidates, Reranked, reordered
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
        lists = {
            row: [chunk for chunk in first[row, : setting.candidates].tolist() if chunk != NO_CHUNK]
            for row in rows.tolist()
        }
        found = await self._scored(setting, lists)
        chunks = first.copy()
        failed = {}
        for row, scores in found.items():
            if isinstance(scores, str):
                failed[row] = scores
            else:
                chunks[row] = reordered(first[row], [scores[chunk] for chunk in lists[row]])
        return Ranked(chunks, failed)

    async def _scored(self, setting: Setting, lists: dict[int, list[int]]) -> dict[int, dict[int, float] | str]:
        """Row to the score of each of its chunks, or the reason why there are none.

        What is asked never depends on what was asked before, so that a sweep that was stopped goes on as it would have:
        a reranker that looks at each chunk alone is asked for a pair once, another for a set of chunks once.
        """
        reranker = self._models.reranker(setting.reranker)
        known = self._scores.setdefault(self._key(setting), {})
        asked: dict[int, list[int]] = {}
        for row, chunks in lists.items():
            if not reranker.is_pointwise:
                asked[row] = sorted(chunks)
            elif new := [chunk for chunk in chunks if (row, chunk) not in known]:
                asked[row] = new
        replies = dict(zip(asked, await self._asked(setting, asked), strict=True))
        found: dict[int, dict[int, float] | str] = {}
        for row, chunks in lists.items():
            reply = replies.get(row)
            if reply is not None and reply.scores is None:
                found[row] = reply.reason or "not re-ranked"
                continue
            own = dict(zip(asked[row], reply.scores, strict=True)) if reply and reply.scores is not None else {}
            if reranker.is_pointwise:
                known.update({(row, chunk): score for chunk, score in own.items()})
                own = {chunk: known[row, chunk] for chunk in chunks}
            found[row] = own
        return found

    async def _asked(self, setting: Setting, asked: dict[int, list[int]]) -> list[Reranked]:
        texts = self._data.texts(setting.chunking, (chunk for chunks in asked.values() for chunk in chunks))
        candidates = [
            Candidates(self._questions[row], tuple(self._behind_prefix(setting, chunk, texts) for chunk in chunks))
            for row, chunks in asked.items()
        ]
        return await self._models.reranker(setting.reranker).score_all(candidates)

    @staticmethod
    def _key(setting: Setting) -> tuple[str, Setting]:
        """Pairs of a question and a chunk are scored once for all rankings of the same chunks."""
        only = Setting(
            chunker=setting.chunker, chunk_size=setting.chunk_size, overlap=setting.overlap, prefix=setting.prefix
        )
        return setting.reranker, only

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
