"""What a data set is worth without and with perfect retrieval (RAGVAL, baselines): two systems that need no index."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ragassay.corpus.store import DocumentStore
from ragassay.records import Example, RankedChunk, Span
from ragassay.systems.base import Question, Take, failed
from ragassay.systems.options import GroundTruthOptions, NoRetrievalOptions
from ragassay.systems.rag import Generator, Open, restate
from ragassay.systems.rag_index import chunk_id
from ragassay.tasks.answering import ANSWER, CLOSED_BOOK, BareQuestion, QuestionWithChunks

NO_GROUND_TRUTH = "no ground truth"


class NoRetrieval:
    """Answers from what a language model knows: what it gets right, a benchmark of retrieval cannot tell."""

    def __init__(self, options: NoRetrievalOptions, generator: Generator) -> None:
        generator.require("no_retrieval", "the embedded model only knows what it is shown")
        self.name = options.name or "no retrieval"
        self._generator = generator
        self.batch, self.most_at_once = generator.batch, generator.most_at_once

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Answer each question alone."""
        begun = time.perf_counter()
        all_open = [Open(question, question.text) for question in questions]
        await restate(self._generator.model, all_open, self.name)
        still = [each for each in all_open if each.prediction is None]
        asked = [BareQuestion(question=each.text) for each in still]
        for each, reply in zip(still, await self._generator.model.ask_all(CLOSED_BOOK, asked), strict=True):
            each.give(self.name, reply)
        for each in all_open:
            take(each.done(self.name, (time.perf_counter() - begun) / len(all_open)))

    async def close(self) -> None:
        """Hold nothing."""


class GroundTruth:
    """Answers from the texts that the examples rest on: the ceiling for every retriever."""

    def __init__(
        self,
        options: GroundTruthOptions,
        generator: Generator,
        examples: Mapping[str, Example],
        store: DocumentStore | None,
    ) -> None:
        """store: for whole documents."""
        if options.prompt:
            generator.require("prompt", "the embedded model reads no prompt")
        self.name = options.name or f"ground truth {options.context}"
        self._options = options
        self._generator = generator
        self._examples = examples
        self._store = store
        self.batch, self.most_at_once = generator.batch, generator.most_at_once

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Answer each question with its own texts."""
        begun = time.perf_counter()
        all_open = []
        for question in questions:
            spans = dict.fromkeys(span for span in self._spans(self._examples[question.id]) if span.text)
            if spans:
                chunks = tuple(_ranked(span, rank) for rank, span in enumerate(spans, start=1))
                all_open.append(Open(question, question.text, chunks=chunks))
            else:
                take(failed(self.name, question, NO_GROUND_TRUTH, "the example names no text that it rests on"))
        await restate(self._generator.model, all_open, self.name)
        still = [each for each in all_open if each.prediction is None]
        asked = [QuestionWithChunks(question=each.text, chunks=each.texts) for each in still]
        for each, reply in zip(still, await self._generator.model.ask_all(ANSWER, asked), strict=True):
            each.give(self.name, reply)
        for each in all_open:
            take(each.done(self.name, (time.perf_counter() - begun) / len(all_open)))

    async def close(self) -> None:
        """Hold nothing of its own."""

    def _spans(self, example: Example) -> list[Span]:
        if self._options.context == "references":
            return list(example.ground_spans)
        if self._options.context == "context":
            return [example.context] if example.context.text else list(example.ground_spans)
        ids = dict.fromkeys(span.document_id for span in (example.context, *example.ground_spans))
        store = self._store
        known = [store.get(document_id) for document_id in ids if store is not None and document_id in store]
        return [document.span(0, len(document.text)) for document in known]


def _ranked(span: Span, rank: int) -> RankedChunk:
    return RankedChunk(
        chunk_id=chunk_id(span.document_id, span.start, span.end),
        document_id=span.document_id,
        start=span.start,
        end=span.end,
        score=1 / rank,
        text=span.text,
    )
