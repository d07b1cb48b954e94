"""Synthesizers that ask one task for whole pairs, context by context: simple, per_chunk and creative are such."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from ragassay.models.base import Model
from ragassay.records import Document, Label
from ragassay.synthesis.candidates import Candidate, located
from ragassay.synthesis.contexts import Context, Contexts
from ragassay.tasks.base import Task
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest

Request = TypeVar("Request", bound=PairRequest)
NOT_VERBATIM = "reference not verbatim in its context"


class PairWriter:
    """A strategy that puts one task to each context; the label of its pairs is what the judge finds.

    request: the input of the task, from a context and the questions that were asked of it before. again: how often a
    context is asked when a document may give all it has; 0 leaves those alone that were asked once.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        contexts: Contexts,
        task: Task[Request, GroundedPairs],
        request: Callable[[Context, tuple[str, ...]], Request],
        again: int,
    ) -> None:
        self.name = name
        self.dropped: Counter[str] = Counter()
        self._model = model
        self._contexts = contexts
        self._task: Task[Request, GroundedPairs] = task
        self._request = request
        self._again = again
        self._asked: dict[tuple[str, int, int], tuple[str, ...]] = {}
        self._exhausted: set[tuple[str, int, int]] = set()

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """As ``Strategy.candidates``; the labels that are wanted cannot be asked for."""
        counted = self._contexts.dropped.copy()
        contexts = [
            each
            for ordinal, document in documents
            for each in self._contexts.of(document, ordinal, all_allowed=all_allowed)
        ]
        if all_allowed:
            self._contexts.dropped = counted  # these documents were visited, and their losses counted, before
        self.dropped += self._contexts.dropped
        self._contexts.dropped.clear()
        made: list[Candidate] = []
        once = not all_allowed or self._again == 0
        for _ in range(1 if once else self._again):
            closed = self._asked if once else self._exhausted
            made += await self._ask([each for each in contexts if each.key not in closed])
        return sorted(made, key=lambda each: (each.ordinal, each.context.start))

    async def _ask(self, contexts: Sequence[Context]) -> list[Candidate]:
        requests = [self._request(each, self._asked.get(each.key, ())) for each in contexts]
        made = []
        for context, reply in zip(contexts, await self._model.ask_all(self._task, requests), strict=True):
            before = self._asked.setdefault(context.key, ())
            if reply.value is None:
                self.dropped[f"no pair: {reply.reason}"] += 1
                self._exhausted.add(context.key)
                continue
            if not reply.value.items:
                self._exhausted.add(context.key)
                if not before:
                    self.dropped["context that the model finds nothing to ask about"] += 1
            for pair in reply.value.items:
                self._asked[context.key] += (pair.question,)
                candidate = from_pair(self.name, context, pair)
                if candidate is None:
                    self.dropped[NOT_VERBATIM] += 1
                else:
                    made.append(candidate)
        return made


def from_pair(synthesizer: str, context: Context, pair: GroundedPair, label: Label | None = None) -> Candidate | None:
    """The candidate, or None where a quote is not in the context verbatim."""
    references = located(context.document, context.span.start, context.span.end, pair.quotes)
    if not references:
        return None
    return Candidate(
        ordinal=context.ordinal,
        label=label,
        question=pair.question,
        answer=pair.answer,
        pattern=pair.pattern,
        statement=pair.statement,
        keypoints=(),
        context=context.span,
        references=references,
        language=context.document.language,
        synthesizer=synthesizer,
    )
