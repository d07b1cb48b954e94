"""The rankings of a sweep: every index, every vector and every ranking once for all settings that share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragassay.corpus.chunkers import Chunking
from ragassay.models import EMBEDDED
from ragassay.models.base import Effort
from ragassay.models.vector_cache import CachedEncoder
from ragassay.parts import in_parts
from ragassay.pipeline.folders.progress import Progress
from ragassay.pipeline.sweep.data import SweepData
from ragassay.pipeline.sweep.models import SettingModels
from ragassay.pipeline.sweep.options import SweepOptions
from ragassay.pipeline.sweep.queries import Asker, Memory, Queries, queries_of
from ragassay.rag.indexing import build_indexes
from ragassay.rag.setting import Setting
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.dense_vectors import ChunkVectors
from ragassay.retrieval.hybrid import NO_CHUNK, Scores
from ragassay.retrieval.hybrid import Rankings as FirstRankings
from ragassay.retrieval.index import Index, Mix, rankings_of_mixes
from ragassay.retrieval.rerank import NO_RERANKER, Candidates, Reranked, reordered
from ragassay.systems.guardrail import Guardrail


class _Space(NamedTuple):
    """What has to be the same for vectors to be comparable and read together."""

    encoder: str
    vectors: ChunkVectors
    prefix: tuple[str, ...]


class Ranked(NamedTuple):
    """chunks: (n_questions, depth) int32, best first, -1 behind the last. failed: row to the reason why it has none.

    scores: (n_questions, depth) float32 of the first ranking, as long as nothing was re-ranked; None afterwards.

    refused: rows that a guardrail keeps from being searched for and answered. alone: rows for which the model chose not
    to search. tokens: row to those read and written to make its query and to re-rank what it found. standalone: row to
    what was asked in the place of a question in a conversation.
    """

    chunks: Int32Array
    scores: Scores | None
    failed: dict[int, str]
    refused: frozenset[int]
    alone: frozenset[int]
    tokens: dict[int, tuple[int, int]]
    standalone: dict[int, str]


class Rankings:
    """Makes rankings when they are asked for, and keeps them."""

    def __init__(
        self,
        options: SweepOptions,
        data: SweepData,
        models: SettingModels,
        depth: int,
        folder: Path,
        progress: Progress,
    ) -> None:
        """depth: chunks kept of each. folder: for vectors while they are needed."""
        self._options = options
        self._data = data
        self._models = models
        self._depth = depth
        self._folder = folder
        self._progress = progress
        self._first: dict[Setting, FirstRankings] = {}
        self._indexes: dict[_Space, dict[Chunking, Index]] = {}
        self._scores: dict[tuple[str, Setting], dict[tuple[int, int], float]] = {}
        self._restates = any(example.history for example in data.examples)
        self.memory = Memory(models)
        self._queries: dict[Asker, Queries] = {}
        self._guards: dict[tuple[str, float, Asker], frozenset[int]] = {}

    async def make(self, settings: Sequence[Setting]) -> None:
        """Makes the first rankings of these settings, those together that share vectors."""
        for asker in dict.fromkeys(map(self._asker, settings)):
            if asker not in self._queries:
                self._queries[asker] = await queries_of(asker, self._data.examples, self.memory)
        missing = dict.fromkeys(each for each in map(self._ranking, settings) if each not in self._first)
        for space, members in _by_space(missing).items():
            indexes = self._indexes.pop(space, None) or self._indexed(space, members)
            self._make(space, indexes, members)

    def index(self, settings: Iterable[Setting]) -> None:
        """Makes the indexes of these settings beforehand, which ``make`` uses up."""
        for space, members in _by_space(dict.fromkeys(map(self._ranking, settings))).items():
            self._indexes[space] = self._indexed(space, members)

    def _asker(self, setting: Setting) -> Asker:
        return Asker.of(setting, restates=self._restates)

    def _ranking(self, setting: Setting) -> Setting:
        """What settings with the same first ranking have in common: in conversations also who restates questions."""
        return replace(setting.ranking, generator=setting.generator) if self._restates else setting.ranking

    async def of(self, setting: Setting) -> Ranked:
        """The ranking of a setting after its reranker."""
        ranked = self._before_reranking(setting)
        if setting.reranker == NO_RERANKER:
            return ranked
        first, failed = ranked.chunks, ranked.failed
        skipped = {*ranked.refused, *ranked.alone, *failed}
        lists = {
            row: [chunk for chunk in first[row, : setting.candidates].tolist() if chunk != NO_CHUNK]
            for row in range(len(first))
            if row not in skipped
        }
        found, efforts = await self._scored(setting, lists)
        chunks = first.copy()
        for row, scores in found.items():
            if isinstance(scores, str):
                failed[row] = scores
            else:
                chunks[row] = reordered(first[row], [scores[chunk] for chunk in lists[row]])
        tokens = dict(ranked.tokens)
        for row, effort in efforts.items():
            read, written = tokens.get(row, (0, 0))
            tokens[row] = (read + effort.input_tokens, written + effort.output_tokens)
        return ranked._replace(chunks=chunks, scores=None, tokens=tokens)

    def _before_reranking(self, setting: Setting) -> Ranked:
        chunks, scores = self._first[self._ranking(setting)]
        queries = self._queries[self._asker(setting)]
        refused = self._refused(setting)
        if refused or queries.alone:
            chunks = chunks.copy()
            chunks[sorted(refused | queries.alone)] = NO_CHUNK
        return Ranked(
            chunks,
            scores,
            failed={row: reason for row, reason in queries.failed.items() if row not in refused},
            refused=refused,
            alone=frozenset(queries.alone - refused),
            tokens={row: tokens for row, tokens in queries.tokens.items() if row not in refused},
            standalone=queries.standalone,
        )

    def _refused(self, setting: Setting) -> frozenset[int]:
        """The rows whose questions are near to what one does not want."""
        if not setting.guard:
            return frozenset()
        examples, queries = self._data.examples, self._queries[self._asker(setting)]
        key = (setting.guard, setting.guard_threshold, self._asker(setting))
        if key not in self._guards:
            encoder = self._models.encoder(EMBEDDED)
            guardrail = Guardrail(self._options.guarded(setting), encoder, setting.guard_threshold)
            questions = [queries.standalone.get(row, example.question) for row, example in enumerate(examples)]
            self._guards[key] = frozenset(np.flatnonzero(guardrail.refuses(encoder.encode(questions))).tolist())
        unread = {row for row in queries.failed if examples[row].history and row not in queries.standalone}
        return self._guards[key] - unread

    async def _scored(
        self, setting: Setting, lists: dict[int, list[int]]
    ) -> tuple[dict[int, dict[int, float] | str], dict[int, Effort]]:
        """Row to the score of each of its chunks, or the reason why there are none; row to what the model took.

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
        return found, {row: reply.effort for row, reply in replies.items() if reply.effort is not None}

    async def _asked(self, setting: Setting, asked: dict[int, list[int]]) -> list[Reranked]:
        texts = self._data.texts(setting.chunking, (chunk for chunks in asked.values() for chunk in chunks))
        words = self._queries[self._asker(setting)].words
        candidates = [
            Candidates(words[row], tuple(self._behind_prefix(setting, chunk, texts) for chunk in chunks))
            for row, chunks in asked.items()
        ]
        return await self._models.reranker(setting.reranker).score_all(candidates)

    def _key(self, setting: Setting) -> tuple[str, Setting]:
        """Pairs of a question and a chunk are scored once for all rankings of the same chunks."""
        only = Setting(
            chunker=setting.chunker,
            chunk_size=setting.chunk_size,
            overlap=setting.overlap,
            prefix=setting.prefix,
            generator=self._ranking(setting).generator,  # it may have put the question in other words
        )
        return setting.reranker, only

    def _behind_prefix(self, setting: Setting, chunk: int, texts: dict[int, str]) -> str:
        of_documents = self._data.cut.prefixes.get(setting.prefix, [])
        prefix = of_documents[self._data.cut.tables[setting.chunking].documents[chunk]] if of_documents else ""
        return f"{prefix}\n{texts[chunk]}" if prefix else texts[chunk]

    def _indexed(self, space: _Space, settings: Sequence[Setting]) -> dict[Chunking, Index]:
        chunkings = list(dict.fromkeys(setting.chunking for setting in settings))
        encoder = self._encoder(space, settings)
        told = None
        if encoder is not None:
            n_chunks = sum(len(self._data.cut.tables[chunking]) for chunking in chunkings)
            told = in_parts(self._progress, "embedding documents", len(self._data.store), n_chunks)
        indexes = build_indexes(
            self._data.store,
            self._data.cut,
            chunkings,
            encoder,
            prefix=space.prefix,
            vectors=space.vectors,
            folder=self._folder,
            lexical={
                chunking: index for (chunking, prefix), index in self._data.lexical.items() if prefix == space.prefix
            },
            progress=told,
        )
        return dict(zip(chunkings, indexes, strict=True))

    def _encoder(self, space: _Space, settings: Iterable[Setting]) -> CachedEncoder | None:
        """None where BM25 alone is searched."""
        return self._models.encoder(space.encoder) if any(each.text_weight < 1 for each in settings) else None

    def _make(self, space: _Space, indexes: Mapping[Chunking, Index], settings: Sequence[Setting]) -> None:
        encoder = self._encoder(space, settings)
        for asker in dict.fromkeys(map(self._asker, settings)):
            queries = self._queries[asker]
            none = np.ones((len(self._data.examples), 1), np.float32)
            of_queries = none if encoder is None else encoder.encode(queries.passages)
            own = [setting for setting in settings if self._asker(setting) == asker]
            self._rank(indexes, own, queries.words, of_queries)

    def _rank(
        self,
        indexes: Mapping[Chunking, Index],
        settings: Sequence[Setting],
        words: Sequence[str],
        vectors: npt.NDArray[np.float32],
    ) -> None:
        """words, vectors: of the queries."""
        members = [[setting for setting in settings if setting.chunking == chunking] for chunking in indexes]
        mixes = [[Mix(setting.fusion, setting.text_weight) for setting in some] for some in members]
        n_blocks = [len(index.blocks(len(self._data.examples))) for index in indexes.values()]
        n_rankings = sum(map(lambda n, some: n * len(some), n_blocks, mixes))
        found = rankings_of_mixes(
            list(indexes.values()),
            mixes,
            list(map(self._data.cut.tokens.terms_of, words)),
            vectors,
            self._depth,
            in_parts(self._progress, "searching for examples", len(self._data.examples), n_rankings),
        )
        for some, of_index in zip(members, found, strict=True):
            for setting in some:
                self._first[setting] = of_index[Mix(setting.fusion, setting.text_weight)]


def _by_space(rankings: Iterable[Setting]) -> dict[_Space, list[Setting]]:
    spaces: dict[_Space, list[Setting]] = {}
    for setting in rankings:
        spaces.setdefault(_Space(setting.encoder, setting.vectors, setting.prefix), []).append(setting)
    return spaces
