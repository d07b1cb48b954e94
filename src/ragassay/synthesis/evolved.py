"""The synthesizer ``evolved``: a seed question made harder, by inference or with a second document.

First a simple question, then a harder one of it, as in the test set generation of RAGAS 0.1: the kind of baseline that
Know Your RAG compares itself with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ragassay.corpus.store import DocumentStore
from ragassay.models.base import Model
from ragassay.records import Document, Label
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.hybrid import top_k
from ragassay.retrieval.lexical import LexicalIndex
from ragassay.retrieval.tokens import TokenizedDocuments
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.contexts import Context
from ragassay.synthesis.options import SetPlan
from ragassay.synthesis.pair_writer import Asking
from ragassay.tasks.pairs import (
    EVOLVE_COMBINED,
    EVOLVE_REASONING,
    SIMPLE_PAIR,
    CombinedPair,
    GroundedPair,
    SeedOnPassage,
    SeedsOnTwo,
)

EVOLVED = "evolved"
_TYPE = "multi_hop"
_LOOKED_AT = 40
"""Chunks that are looked at for one of another document: a long document has many near its own words."""
_OPENING_CHARS = 600
_NEIGHBOURS = 4
"""Neighbours that are looked at for the one that is taken: the nearest ones may have been paired already."""


class _Seeded(NamedTuple):
    """A context with a question that it answers."""

    context: Context
    seed: GroundedPair


class Neighbours:
    """Finds neighbours by BM25 over the chunks of the whole corpus."""

    def __init__(
        self, store: DocumentStore, tokens: TokenizedDocuments, table: ChunkTable, index: LexicalIndex
    ) -> None:
        self._store, self._tokens, self._table, self._index = store, tokens, table, index

    def of(self, document: Document) -> list[Document]:
        """The nearest other documents by title and opening, nearest first; none where no other shares a word."""
        home = self._store.ordinal(document.id)
        terms = np.unique(self._tokens.terms_of(f"{document.title} {document.text[:_OPENING_CHARS]}"))
        ranked = top_k(self._index.scores([terms.astype(np.int32)]), _LOOKED_AT)
        chunks = ranked.chunks[0][(ranked.chunks[0] >= 0) & (ranked.scores[0] > 0)]
        owners = dict.fromkeys(self._table.documents[chunks].tolist())
        return [self._store[owner] for owner in owners if owner != home][:_NEIGHBOURS]


class Evolved(Asking):
    """One or two seeds, then the harder question; what the seed alone answers is not kept as harder.

    neighbours: finds second documents; without one all questions are made by inference.
    """

    name = EVOLVED

    def __init__(
        self, model: Model, collection: Collection, options: SetPlan, neighbours: Neighbours | None = None
    ) -> None:
        super().__init__(model, collection, options)
        self._neighbours = neighbours
        self._seeds: dict[tuple[str, int, int], GroundedPair] = {}
        self._paired: set[frozenset[str]] = set()

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """As ``Strategy.candidates``; of two documents, the candidate is the first one's.

        Each seed goes one way, since each question costs money: by inference, or with a second document.
        """
        seeded = await self._seeded(self._contexts_of(documents, all_allowed=all_allowed))
        infers = {each.context.key for each in seeded if self._neighbours is None or each.context.ordinal % 2 == 0}
        made = await self._inferred([each for each in seeded if each.context.key in infers])
        made += await self._combined([each for each in seeded if each.context.key not in infers])
        return sorted(made, key=lambda each: (each.ordinal, each.context.start))

    async def _seeded(self, contexts: Sequence[Context]) -> list[_Seeded]:
        """Each context with a seed that it has not given before, as far as it gives one."""
        contexts = [context for context in contexts if context.key not in self._exhausted]
        found = []
        for context, seeds in await self._pairs_of(contexts, SIMPLE_PAIR, "no seed question"):
            for seed in seeds[:1]:
                self._asked[context.key] = (*self._asked.get(context.key, ()), seed.question)
                self._seeds[context.key] = seed
                found.append(_Seeded(context, seed))
        return found

    async def _inferred(self, seeded: Sequence[_Seeded]) -> list[Candidate]:
        asked = [SeedOnPassage(passage=context.passage, seed=seed) for context, seed in seeded]
        made: list[Candidate] = []
        for (context, _), reply in zip(seeded, await self._model.ask_all(EVOLVE_REASONING, asked), strict=True):
            if reply.value is None or not reply.value.items:
                self._count_no_evolution("reasoning", reply.reason)
            made += self._kept(
                context.candidate(pair.question, pair.answer, pair.quotes, synthesizer=EVOLVED, label="reasoning")
                for pair in (reply.value.items if reply.value else ())
            )
        return [replace(each, question_type=_TYPE) for each in made]

    async def _combined(self, seeded: Sequence[_Seeded]) -> list[Candidate]:
        pairs = await self._with_neighbours(seeded)
        asked = [
            SeedsOnTwo(
                first=first.context.passage,
                first_seed=first.seed,
                second=second.context.passage,
                second_seed=second.seed,
            )
            for first, second in pairs
        ]
        made: list[Candidate] = []
        for (first, second), reply in zip(pairs, await self._model.ask_all(EVOLVE_COMBINED, asked), strict=True):
            if reply.value is None or not reply.value.items:
                self._count_no_evolution("two documents", reply.reason)
            combined = reply.value.items if reply.value else ()
            made += self._kept(_of_two(first.context, second.context, pair) for pair in combined)
        return made

    async def _with_neighbours(self, seeded: Sequence[_Seeded]) -> list[tuple[_Seeded, _Seeded]]:
        """Every seed beside one of the nearest document that its own was not paired with yet."""
        pairs: list[tuple[_Seeded, Context]] = []
        for each in seeded:
            near = self._open_neighbour(each.context)
            if near is None:
                self.dropped["seed question without a second document near its own"] += 1
            else:
                self._paired.add(frozenset((each.context.document.id, near.document.id)))
                pairs.append((each, near))
        self._contexts.dropped.clear()  # of neighbours, which are counted when they are visited themselves
        new = {context.key: context for _, context in pairs if context.key not in self._seeds}
        await self._seeded(list(new.values()))  # one that has a seed needs no further one to be the second
        return [
            (first, _Seeded(context, self._seeds[context.key]))
            for first, context in pairs
            if context.key in self._seeds
        ]

    def _open_neighbour(self, context: Context) -> Context | None:
        """A context of the nearest document that is still open."""
        assert self._neighbours is not None
        for other in self._neighbours.of(context.document):
            if frozenset((context.document.id, other.id)) not in self._paired:
                for found in self._contexts.of(other, context.ordinal, all_allowed=False):
                    return found
        return None

    def _count_no_evolution(self, way: str, reason: str | None) -> None:
        self.dropped[f"no harder question by {way}: {reason}" if reason else f"seed not made harder by {way}"] += 1


def _of_two(first: Context, second: Context, pair: CombinedPair) -> Candidate | None:
    """The candidate, or None where a quote is not verbatim in its own document.

    A combined question may ask for several stated things as well as for an inference: the judge says which.
    """
    candidate = first.candidate(pair.question, pair.answer, pair.first_quotes, synthesizer=EVOLVED)
    references = second.located(pair.second_quotes)
    if candidate is None or not references:
        return None
    return replace(
        candidate,
        references=(*candidate.references, *references),
        further=(second.span,),
        question_type=pair.kind,
    )
