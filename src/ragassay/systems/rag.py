"""The built-in RAG system: search in chunks of the documents, then an answer; and RAGVAL's baselines."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ragassay.documents.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.models.base import Model
from ragassay.models.vector_cache import SpanEncoder
from ragassay.rag.setting import ALWAYS, NO_GENERATOR, NOBODY, TOOL, WHOLE_DOCUMENTS, Setting
from ragassay.records import Example, RankedChunk, Span
from ragassay.retrieval.rerank import JUDGE, Candidates, Reranker
from ragassay.systems.base import Question, Take
from ragassay.systems.options import IN_MEMORY, GroundTruthOptions, NoRetrievalOptions, RagOptions
from ragassay.systems.rag_index import Searcher, ranked
from ragassay.systems.steps import Guardrail, OpenQuestion, decide, generate, imagine, restate

BATCH = 256
AT_ONCE = 32
"""Questions under way where a model on a server answers: each by itself, so that its time is known."""
NO_GROUND_TRUTH = "no ground truth"


class Generator:
    """Who answers, and what that takes. is_language_model: on a server; the embedded model cannot make things up."""

    def __init__(self, model: Model, *, is_language_model: bool) -> None:
        self.model = model
        self.is_language_model = is_language_model
        self.batch = 1 if is_language_model else BATCH
        self.most_at_once = AT_ONCE if is_language_model else 1

    def require(self, option: str, why: str) -> None:
        """Raise UsageError unless a language model answers."""
        if not self.is_language_model:
            raise UsageError(f"{option}: {why}; name a language model with --model, for example openai:gpt-4o-mini")


class BuiltInSystem:
    """What the built-in systems share: they find something for some questions together, and answer from it."""

    def __init__(self, name: str, generator: Generator) -> None:
        self.name = name
        self._generator = generator
        self.batch, self.most_at_once = generator.batch, generator.most_at_once

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Take all steps for some questions together."""
        begun = time.perf_counter()
        some = [OpenQuestion(question.id, question.text, question.history) for question in questions]
        await self.find(some)
        await self.write(some)
        seconds = (time.perf_counter() - begun) / max(1, len(some))
        for each in some:
            take(each.done(self.name, seconds))

    async def find(self, questions: Sequence[OpenQuestion]) -> None:
        """Make questions stand alone, and give them the chunks to be answered from."""
        raise NotImplementedError

    async def write(self, questions: Sequence[OpenQuestion]) -> None:
        """Answer the questions that are still open."""
        await generate(self._generator.model, questions)

    async def close(self) -> None:
        """Close what it holds; models belong to others."""


class RagSystem(BuiltInSystem):
    """Answers from the chunks that it finds."""

    def __init__(
        self,
        name: str,
        setting: Setting,
        index: Searcher,
        generator: Generator,
        encoder: SpanEncoder,
        guardrail: Guardrail | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        """encoder: of questions, for dense and hybrid search. setting: see ``check_rag``."""
        super().__init__(name, generator)
        self._setting = setting
        self._index = index
        self._encoder = encoder
        self._guardrail = guardrail
        self._reranker = reranker
        steps = (setting.generator, setting.hyde, setting.retrieval)
        if steps == (NO_GENERATOR, NOBODY, ALWAYS) and setting.reranker != JUDGE:  # it asks no model
            self.batch, self.most_at_once = BATCH, 1

    async def find(self, questions: Sequence[OpenQuestion]) -> None:
        """Refuse, decide, imagine, search, re-rank: what the setting says."""
        await restate(self._generator.model, questions)
        some = _still(questions)
        if self._guardrail is not None:
            for each, is_refused in zip(some, self._guardrail.refused(some), strict=True):
                if is_refused:
                    each.refuse()
        if self._setting.retrieval == TOOL:
            await decide(self._generator.model, some)
        if self._setting.hyde != NOBODY:
            await imagine(self._generator.model, some)
        self._search([each for each in _still(some) if each.searches])
        await self._rerank([each for each in _still(some) if each.chunks])

    async def write(self, questions: Sequence[OpenQuestion]) -> None:
        """Answer them, unless the system only retrieves."""
        if self._setting.generator != NO_GENERATOR:
            await super().write(questions)

    async def close(self) -> None:
        """Close its index."""
        self._index.close()

    def _search(self, some: Sequence[OpenQuestion]) -> None:
        if not some:
            return
        vectors = None
        if self._setting.retriever != "lexical":
            vectors = self._encoder.encode([each.passage or each.searched for each in some])
        k = max(self._setting.top_k, self._setting.candidates)
        for each, chunks in zip(some, self._index.search([each.searched for each in some], vectors, k), strict=True):
            _give(each, chunks)

    async def _rerank(self, some: Sequence[OpenQuestion]) -> None:
        if self._reranker is None:
            return
        asked = [
            Candidates(each.searched, tuple(map(self._index.documents.behind_prefix, each.chunks))) for each in some
        ]
        for each, reranked in zip(some, await self._reranker.score_all(asked), strict=True):
            each.count(reranked.effort)
            if reranked.scores is None:
                _give(each, ())  # the order in which they were found is not that of this system
                each.fail("no new ranking", reranked.reason)
                continue
            scored = [replace(chunk, score=score) for chunk, score in zip(each.chunks, reranked.scores, strict=True)]
            _give(each, sorted(scored, key=lambda chunk: -chunk.score)[: self._setting.top_k])


class NoRetrieval(BuiltInSystem):
    """Answers from what a language model knows: what it gets right, a benchmark of retrieval cannot tell."""

    def __init__(self, options: NoRetrievalOptions, generator: Generator) -> None:
        generator.require("no_retrieval", "the embedded model only knows what it is shown")
        super().__init__(options.name or "no retrieval", generator)

    async def find(self, questions: Sequence[OpenQuestion]) -> None:
        """Find nothing."""
        await restate(self._generator.model, questions)
        for each in questions:
            each.searches = False


class GroundTruth(BuiltInSystem):
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
        super().__init__(options.name or f"ground truth {options.context}", generator)
        self._context = options.context
        self._examples = examples
        self._store = store

    async def find(self, questions: Sequence[OpenQuestion]) -> None:
        """Give each question its own texts."""
        for each in questions:
            spans = dict.fromkeys(span for span in self._spans(self._examples[each.id]) if span.text)
            _give(each, [ranked(span, 1 / rank) for rank, span in enumerate(spans, start=1)])
            if not spans:
                each.fail(NO_GROUND_TRUTH, "the example names no text that it rests on")
        await restate(self._generator.model, questions)

    def _spans(self, example: Example) -> list[Span]:
        if self._context == "references":
            return list(example.ground_spans)
        if self._context == "context":
            return [example.context] if example.context.text else list(example.ground_spans)
        ids = dict.fromkeys(span.document_id for span in (example.context, *example.ground_spans))
        store = self._store
        known = [store.get(document_id) for document_id in ids if store is not None and document_id in store]
        return [document.span(0, len(document.text)) for document in known]


def _still(questions: Sequence[OpenQuestion]) -> list[OpenQuestion]:
    return [each for each in questions if each.is_open]


def _give(question: OpenQuestion, chunks: Sequence[RankedChunk]) -> None:
    question.chunks, question.texts = tuple(chunks), tuple(chunk.text or "" for chunk in chunks)


def check_rag(options: RagOptions, generator: Generator) -> None:
    """Raise UsageError for options that do not go together, before anything is indexed."""
    if options.hyde and options.retriever == "lexical":
        raise UsageError("hyde: needs vectors; choose retriever=dense or hybrid")
    if options.hyde:
        generator.require("hyde", "the embedded model cannot make up a passage")
    if options.retrieval == TOOL:
        generator.require("retrieval=tool", "the embedded model knows nothing to answer with if it does not search")
        if not options.generate:
            raise UsageError("retrieval=tool: cannot be combined with generate=false; leave one of the two out")
    if options.prompt:
        generator.require("prompt", "the embedded model reads no prompt")
    if options.reranker == JUDGE:
        generator.require("reranker=judge", "the embedded model cannot grade chunks")


def rag_name(setting: Setting, store: str, *, has_own_chunks: bool) -> str:
    """Return what the built-in system is called where the user gives no name: all that was set about its search."""
    if has_own_chunks:
        setting = replace(setting, chunk_size=WHOLE_DOCUMENTS, overlap=0)
    plain = replace(
        setting, generator=NO_GENERATOR, hyde=NOBODY, retrieval=ALWAYS, guard="", guard_threshold=0.0, prompt=""
    )
    words = [
        "rag",
        plain.name.replace("whole documents", "own chunks") if has_own_chunks else plain.name,
        *([f"in {store.partition(':')[0]}"] if store != IN_MEMORY else []),
        *(["hyde"] if setting.hyde != NOBODY else []),
        *(["tool"] if setting.retrieval == TOOL else []),
        *(["guard"] if setting.guard else []),
    ]
    return " ".join(words)
