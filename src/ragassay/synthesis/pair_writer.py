"""Synthesizers that ask one task for whole pairs, context by context: simple, per_chunk and creative.

simple: one question with its answer a call (Know Your RAG, simple generation). per_chunk: several pairs of a chunk in
one reply (SynDAiTE 2025, generation). creative: one inventive question per block (RAGVAL, question generation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ragassay.models.base import Model
from ragassay.records import Document, Label
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.collection import Collection
from ragassay.synthesis.contexts import NOT_VERBATIM, Context, Contexts
from ragassay.synthesis.options import SetPlan
from ragassay.tasks.base import Task
from ragassay.tasks.pairs import (
    CHUNK_PAIRS,
    CREATIVE_QUESTION,
    SIMPLE_PAIR,
    GroundedPair,
    GroundedPairs,
)

PAIRS = 3
"""Pairs that ``per_chunk`` asks of a chunk unless told otherwise."""


class Asking:
    """What strategies share that ask contexts for pairs: which contexts, and what each gave before.

    dropped: reason to what was lost before it was a candidate.
    """

    def __init__(self, model: Model, collection: Collection, options: SetPlan) -> None:
        self.dropped: Counter[str] = Counter()
        self._model = model
        self._contexts = Contexts(collection, options)
        self._asked: dict[tuple[str, int, int], tuple[str, ...]] = {}
        self._exhausted: set[tuple[str, int, int]] = set()

    def _contexts_of(self, documents: Sequence[tuple[int, Document]], *, all_allowed: bool) -> list[Context]:
        contexts = [
            context
            for ordinal, document in documents
            for context in self._contexts.of(document, ordinal, all_allowed=all_allowed)
        ]
        if not all_allowed:  # later the same documents come again, and their losses were counted
            self.dropped += self._contexts.dropped
        self._contexts.dropped.clear()
        return contexts

    async def _pairs_of(
        self, contexts: Sequence[Context], task: Task[Any, GroundedPairs], lost: str, **wanted: int
    ) -> list[tuple[Context, tuple[GroundedPair, ...]]]:
        """Ask for pairs that a context has not given before; one without any is exhausted. lost: names a failure."""
        requests = [
            task.input_type(passage=context.passage, asked=self._asked.get(context.key, ()), **wanted)
            for context in contexts
        ]
        found = []
        for context, reply in zip(contexts, await self._model.ask_all(task, requests), strict=True):
            if reply.value is None:
                self.dropped[f"{lost}: {reply.reason}"] += 1
            items = reply.value.items if reply.value else ()
            if not items:
                self._exhausted.add(context.key)
            if reply.value is not None:
                found.append((context, items))
        return found

    def _kept(self, candidates: Iterable[Candidate | None]) -> list[Candidate]:
        found = list(candidates)
        if lost := found.count(None):
            self.dropped[NOT_VERBATIM] += lost
        return [each for each in found if each is not None]


class PairWriter(Asking):
    """A strategy that puts one task to each context; the label of its pairs is what the judge finds.

    once: a context that was asked is not asked again, although its document may give more. wanted: further fields of
    the task's input.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        collection: Collection,
        options: SetPlan,
        task: Task[Any, GroundedPairs],
        *,
        once: bool = False,
        **wanted: int,
    ) -> None:
        super().__init__(model, collection, options)
        self.name = name
        self._task, self._once, self._wanted = task, once, wanted

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """As ``Strategy.candidates``; the labels that are wanted cannot be asked for."""
        closed = self._asked if self._once or not all_allowed else self._exhausted
        contexts = self._contexts_of(documents, all_allowed=all_allowed)
        contexts = [context for context in contexts if context.key not in closed]
        new = {context.key for context in contexts if not self._asked.setdefault(context.key, ())}
        made: list[Candidate] = []
        for context, pairs in await self._pairs_of(contexts, self._task, "no pair", **self._wanted):
            if not pairs and context.key in new:
                self.dropped["context that the model finds nothing to ask about"] += 1
            self._asked[context.key] += tuple(pair.question for pair in pairs)
            made += self._kept(
                context.candidate(pair.question, pair.answer, pair.quotes, synthesizer=self.name) for pair in pairs
            )
        return sorted(made, key=lambda each: (each.ordinal, each.context.start))


def simple(model: Model, collection: Collection, options: SetPlan) -> PairWriter:
    """Ask for one pair a call."""
    return PairWriter("simple", model, collection, options, SIMPLE_PAIR)


def per_chunk(model: Model, collection: Collection, options: SetPlan, pairs: int = PAIRS) -> PairWriter:
    """Ask for several pairs a call, which share the cost of reading their chunk."""
    return PairWriter("per_chunk", model, collection, options, CHUNK_PAIRS, n=pairs)


def creative(model: Model, collection: Collection, options: SetPlan) -> PairWriter:
    """Ask for one question of each block, at a high temperature, once and never again."""
    return PairWriter("creative", model, collection, options, CREATIVE_QUESTION, once=True)
