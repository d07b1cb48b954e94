"""Synthesizers that ask one task for whole pairs, context by context: simple, per_chunk and creative.

simple: one question with its answer a call (Know Your RAG, simple generation). per_chunk: several pairs of a chunk in
one reply (SynDAiTE 2025, generation). creative: one inventive question per block (RAGVAL, question generation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ragassay.generate.candidates import Candidate
from ragassay.generate.collection import Collection
from ragassay.generate.contexts import NOT_VERBATIM, Context, Contexts
from ragassay.generate.options import SetPlan
from ragassay.models.base import Model
from ragassay.records import Document, Label
from ragassay.tasks.base import Task
from ragassay.tasks.pairs import CHUNK_PAIRS, CREATIVE_QUESTION, SIMPLE_PAIR, GroundedPair, GroundedPairs

TASKS: Mapping[str, Task[Any, GroundedPairs]] = {
    "simple": SIMPLE_PAIR,
    "per_chunk": CHUNK_PAIRS,
    "creative": CREATIVE_QUESTION,
}
"""Synthesizer to the task that it puts to each context."""
_ONCE = "creative"
"""Asks about a block once, although its document may give more."""


class PairWriter:
    """A ``Strategy`` that puts one task to each context; the label of its pairs is what the judge finds."""

    def __init__(self, name: str, model: Model, collection: Collection, options: SetPlan) -> None:
        """name: one of ``TASKS``."""
        self.name = name
        self.dropped: Counter[str] = Counter()
        self._task = TASKS[name]
        self._wanted = {"n": options.pairs} if name == "per_chunk" else {}
        self._model = model
        self._contexts = Contexts(collection, options)
        self._asked: dict[tuple[str, int, int], tuple[str, ...]] = {}
        self._exhausted: set[tuple[str, int, int]] = set()

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """As ``Strategy.candidates``; the labels that are wanted cannot be asked for."""
        closed = self._asked if self.name == _ONCE or not all_allowed else self._exhausted
        contexts = self._contexts_of(documents, all_allowed=all_allowed)
        contexts = [context for context in contexts if context.key not in closed]
        new = {context.key for context in contexts if not self._asked.setdefault(context.key, ())}
        made: list[Candidate] = []
        for context, pairs in await self._pairs_of(contexts):
            if not pairs and context.key in new:
                self.dropped["context that the model finds nothing to ask about"] += 1
            self._asked[context.key] += tuple(pair.question for pair in pairs)
            for pair in pairs:
                candidate = context.candidate(pair.question, pair.answer, pair.quotes, synthesizer=self.name)
                if candidate is None:
                    self.dropped[NOT_VERBATIM] += 1
                else:
                    made.append(candidate)
        return sorted(made, key=lambda candidate: (candidate.ordinal, candidate.context.start))

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

    async def _pairs_of(self, contexts: Sequence[Context]) -> list[tuple[Context, tuple[GroundedPair, ...]]]:
        """Ask for pairs that a context has not given before; one without any is exhausted."""
        requests = [
            self._task.input_type(passage=context.passage, asked=self._asked[context.key], **self._wanted)
            for context in contexts
        ]
        found = []
        for context, reply in zip(contexts, await self._model.ask_all(self._task, requests), strict=True):
            if reply.value is None:
                self.dropped[f"no pair: {reply.reason}"] += 1
            items = reply.value.items if reply.value else ()
            if not items:
                self._exhausted.add(context.key)
            if reply.value is not None:
                found.append((context, items))
        return found
