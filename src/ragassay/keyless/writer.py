"""Pairs of one passage at a time, for those who ask a model for them: drafts by rules, checked by the verifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragassay.keyless.checking import Checked, faults
from ragassay.keyless.drafting import drafts_of
from ragassay.keyless.naming import page_of
from ragassay.models.base import Model, Reply
from ragassay.models.small import roles
from ragassay.records import Document
from ragassay.synthesis.collection import CollectionSurvey
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.pairs import GroundedPair, GroundedPairs
from ragassay.tasks.per_chunk import CHUNK_PAIRS, ChunkRequest


class PairWriter:
    """The embedded model, which answers ``CHUNK_PAIRS`` too. inner: answers all other tasks."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Answers one task."""
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Answers one task for many inputs, in their order."""
        if task.name != CHUNK_PAIRS.name:
            return await self._inner.ask_all(task, inputs)
        requests: Sequence[Any] = inputs
        replies: list[Reply[Any]] = [Reply(_pairs(request)) for request in requests]
        return replies


def _pairs(request: ChunkRequest) -> GroundedPairs:
    passage = request.passage
    document = Document(
        id="passage",
        title=passage.title,
        source="",
        text=passage.text,
        language=passage.language,
        blocks=passage.blocks,
        literals=passage.literals,
    )
    survey = CollectionSurvey()
    survey.add(document)
    drafts = [draft for draft in drafts_of(page_of(document, survey.result())) if draft.answer]
    drafts.sort(key=lambda draft: -draft.worth)
    drafts = drafts[: 2 * request.n]
    items = [Checked(draft, document.title, document.text, document.text) for draft in drafts]
    kept = [
        draft
        for draft, fault in zip(drafts, faults(items, roles.verifier(), roles.likelihood()), strict=True)
        if fault is None and draft.question not in request.asked
    ]
    return GroundedPairs(
        items=tuple(
            GroundedPair(
                question=draft.question,
                answer=draft.answer,
                quotes=tuple(passage.text[start:end] for start, end in draft.spans),
                pattern=draft.form,
            )
            for draft in kept[: request.n]
        )
    )
