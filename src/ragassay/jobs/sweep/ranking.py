"""The rankings of a sweep: every query, index, vector and ranking once for all settings that share it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragassay.documents.chunkers import Chunking
from ragassay.jobs.folders.progress import Progress
from ragassay.jobs.sweep.data import SweepData
from ragassay.jobs.sweep.models import SettingModels
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.models import EMBEDDED
from ragassay.models.base import Effort
from ragassay.models.vector_cache import CachedEncoder
from ragassay.parts import in_parts
from ragassay.rag.cutting import build_indexes
from ragassay.rag.setting import NO_GENERATOR, NOBODY, TOOL, Setting
from ragassay.retrieval.chunk_table import Int32Array
from ragassay.retrieval.dense_vectors import ChunkVectors
from ragassay.retrieval.hybrid import NO_CHUNK, Scores
from ragassay.retrieval.hybrid import Rankings as FirstRankings
from ragassay.retrieval.index import Index, Mix, rankings_of_mixes
from ragassay.retrieval.rerank import NO_RERANKER, Candidates, Reranked, reordered
from ragassay.systems.steps import Guardrail, OpenQuestion, decide, imagine, restate


class Ranked(NamedTuple):
    """chunks: (n_questions, depth) int32, best first, -1 behind the last.

    scores: (n_questions, depth) float32 of the first ranking, as long as nothing was re-ranked; None afterwards.
    questions: with all that became of them until then: an error where there is no ranking, a refusal of a guardrail,
    the choice not to search.
    """

    chunks: Int32Array
    scores: Scores | None
    questions: list[OpenQuestion]

    def first(self, row: int, k: int | None = None) -> list[int]:
        """The first chunks of a question, all for None."""
        return [chunk for chunk in self.chunks[row, :k].tolist() if chunk != NO_CHUNK]


class _Asker(NamedTuple):
    """Who makes queries of questions. decider: the generator that calls the search as a tool; imaginer: for HyDE.

    restater: who makes a question in a conversation stand alone, the generator or else the embedded model.
    """

    decider: str
    imaginer: str
    restater: str


class _Space(NamedTuple):
    """What has to be the same for vectors to be comparable and read together."""

    encoder: str
    vectors: ChunkVectors
    prefix: tuple[str, ...]


@dataclass(eq=False)
class Rankings:
    """Makes rankings when they are asked for, and keeps them.

    depth: chunks kept of each. folder: for vectors while they are needed.
    """

    options: SweepOptions
    data: SweepData
    models: SettingModels
    depth: int
    folder: Path
    progress: Progress
    _first: dict[Setting, FirstRankings] = field(default_factory=dict, init=False)
    _indexes: dict[_Space, dict[Chunking, Index]] = field(default_factory=dict, init=False)
    _scores: dict[tuple[object, ...], dict[tuple[int, int], float]] = field(default_factory=dict, init=False)
    _questions: dict[_Asker, list[OpenQuestion]] = field(default_factory=dict, init=False)
    _restated: dict[_Asker, list[Effort | None]] = field(default_factory=dict, init=False)
    _refused: dict[tuple[str, float, _Asker], frozenset[int]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._restates = any(example.history for example in self.data.examples)

    async def make(self, settings: Sequence[Setting]) -> None:
        """Makes the first rankings of these settings, those together that share vectors."""
        for asker in dict.fromkeys(map(self._asker, settings)):
            if asker not in self._questions:
                self._questions[asker] = await self._asked(asker)
        missing = dict.fromkeys(each for each in map(self._ranking, settings) if each not in self._first)
        for space, members in _by_space(missing).items():
            indexes = self._indexes.pop(space, None) or self._indexed(space, members)
            encoder = self._encoder(space, members)
            for asker in dict.fromkeys(map(self._asker, members)):
                own = [setting for setting in members if self._asker(setting) == asker]
                self._rank(indexes, own, self._questions[asker], encoder)

    def index(self, settings: Iterable[Setting]) -> None:
        """Makes the indexes of these settings beforehand, which ``make`` uses up."""
        for space, members in _by_space(dict.fromkeys(map(self._ranking, settings))).items():
            self._indexes[space] = self._indexed(space, members)

    async def of(self, setting: Setting) -> Ranked:
        """The ranking of a setting after its guardrail and its reranker."""
        chunks, scores = self._first[self._ranking(setting)]
        refused = self._refused_by(setting)
        questions = [replace(each) for each in self._questions[self._asker(setting)]]
        for row in refused:
            known = questions[row]
            restated = self._restated[self._asker(setting)][row]  # before the guardrail; the other steps come after it
            questions[row] = OpenQuestion(known.id, known.asked, known.history, known.standalone, effort=restated)
            questions[row].refuse()
        unsearched = [row for row, each in enumerate(questions) if row in refused or not each.searches]
        if unsearched:
            chunks = chunks.copy()
            chunks[unsearched] = NO_CHUNK
        ranked = Ranked(chunks, scores, questions)
        return ranked if setting.reranker == NO_RERANKER else await self._reranked(setting, ranked)

    def _asker(self, setting: Setting) -> _Asker:
        decider = setting.generator if setting.retrieval == TOOL else NOBODY
        restater = EMBEDDED if setting.generator == NO_GENERATOR else setting.generator
        return _Asker(decider, setting.hyde, restater if self._restates else NOBODY)

    def _ranking(self, setting: Setting) -> Setting:
        """What settings with the same first ranking have in common: in conversations also who restates questions."""
        return replace(setting.ranking, generator=setting.generator) if self._restates else setting.ranking

    async def _asked(self, asker: _Asker) -> list[OpenQuestion]:
        questions = [OpenQuestion(each.id, each.question, each.history) for each in self.data.examples]
        if asker.restater != NOBODY:
            await restate(self.models.model(asker.restater), questions)
        self._restated[asker] = [each.effort for each in questions]
        for name, step in ((asker.decider, decide), (asker.imaginer, imagine)):
            if name != NOBODY:
                await step(self.models.model(name), questions)
        return questions

    def _refused_by(self, setting: Setting) -> frozenset[int]:
        """The rows whose questions are near to what one does not want."""
        if not setting.guard:
            return frozenset()
        key = (setting.guard, setting.guard_threshold, self._asker(setting))
        if key not in self._refused:
            encoder = self.models.encoder(EMBEDDED)
            guardrail = Guardrail(self.options.guarded(setting), encoder, setting.guard_threshold)
            questions = self._questions[self._asker(setting)]
            found = enumerate(zip(questions, guardrail.refused(questions), strict=True))
            self._refused[key] = frozenset(row for row, (each, is_near) in found if is_near and not each.is_unread)
        return self._refused[key]

    async def _reranked(self, setting: Setting, ranked: Ranked) -> Ranked:
        """What is asked never depends on what was asked before, so that a stopped sweep goes on as it would have.

        A reranker that looks at each chunk alone is asked for a pair once, another for a set of chunks once.
        """
        reranker, asker = self.models.reranker(setting.reranker), self._asker(setting)
        lists = {
            row: ranked.first(row, setting.candidates)
            for row, each in enumerate(ranked.questions)
            if each.is_open and each.searches
        }
        # the passage that was made up for the vectors is not what rerankers read
        key = (setting.reranker, setting.chunking, setting.prefix, asker._replace(imaginer=NOBODY))
        known = self._scores.setdefault(key, {}) if reranker.is_pointwise else {}
        new = {row: sorted(c for c in chunks if (row, c) not in known) for row, chunks in lists.items()}
        asked = {row: chunks for row, chunks in new.items() if chunks}
        texts = self.data.texts(setting.chunking, (chunk for chunks in asked.values() for chunk in chunks))
        documents, prefixed = self.data.cut.tables[setting.chunking].documents, self.data.cut.behind_prefix
        found = await reranker.score_all(
            [
                Candidates(
                    ranked.questions[row].searched,
                    tuple(prefixed(setting.prefix, int(documents[chunk]), texts[chunk]) for chunk in chunks),
                )
                for row, chunks in asked.items()
            ]
        )
        replies = dict(zip(asked, found, strict=True))
        reordered_chunks = ranked.chunks.copy()
        for row, chunks in lists.items():
            reply = replies.get(row, Reranked(()))
            ranked.questions[row].count(reply.effort)
            if reply.scores is None:
                ranked.questions[row].fail("no new ranking", reply.reason)
                continue
            known.update(((row, chunk), score) for chunk, score in zip(new[row], reply.scores, strict=True))
            reordered_chunks[row] = reordered(ranked.chunks[row], [known[row, chunk] for chunk in chunks])
        return ranked._replace(chunks=reordered_chunks, scores=None)

    def _indexed(self, space: _Space, settings: Sequence[Setting]) -> dict[Chunking, Index]:
        chunkings = list(dict.fromkeys(setting.chunking for setting in settings))
        encoder = self._encoder(space, settings)
        told = None
        if encoder is not None:
            n_chunks = sum(len(self.data.cut.tables[chunking]) for chunking in chunkings)
            told = in_parts(self.progress, "embedding documents", len(self.data.store), n_chunks)
        indexes = build_indexes(
            self.data.store,
            self.data.cut,
            chunkings,
            encoder,
            prefix=space.prefix,
            vectors=space.vectors,
            folder=self.folder,
            lexical={
                chunking: index for (chunking, prefix), index in self.data.lexical.items() if prefix == space.prefix
            },
            progress=told,
        )
        return dict(zip(chunkings, indexes, strict=True))

    def _encoder(self, space: _Space, settings: Iterable[Setting]) -> CachedEncoder | None:
        """None where BM25 alone is searched."""
        return self.models.encoder(space.encoder) if any(each.text_weight < 1 for each in settings) else None

    def _rank(
        self,
        indexes: Mapping[Chunking, Index],
        settings: Sequence[Setting],
        questions: Sequence[OpenQuestion],
        encoder: CachedEncoder | None,
    ) -> None:
        vectors = np.ones((len(questions), 1), np.float32)
        if encoder is not None:
            vectors = encoder.encode([each.passage or each.searched for each in questions])
        members = [[setting for setting in settings if setting.chunking == chunking] for chunking in indexes]
        n_rankings = sum(
            len(index.blocks(len(questions))) * len(some) for index, some in zip(indexes.values(), members, strict=True)
        )
        found = rankings_of_mixes(
            list(indexes.values()),
            [[Mix(setting.fusion, setting.text_weight) for setting in some] for some in members],
            [self.data.cut.tokens.terms_of(each.searched) for each in questions],
            vectors,
            self.depth,
            in_parts(self.progress, "searching for examples", len(questions), n_rankings),
        )
        for some, of_index in zip(members, found, strict=True):
            for setting in some:
                self._first[setting] = of_index[Mix(setting.fusion, setting.text_weight)]


def _by_space(rankings: Iterable[Setting]) -> dict[_Space, list[Setting]]:
    spaces: dict[_Space, list[Setting]] = {}
    for setting in rankings:
        spaces.setdefault(_Space(setting.encoder, setting.vectors, setting.prefix), []).append(setting)
    return spaces
