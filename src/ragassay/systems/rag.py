"""The built-in RAG system: search in chunks of the documents, then an answer from the best ones.

Each step can be set or left out (``RagOptions``): refusal of questions that are near to unwanted ones, the decision
whether to search at all, search by a made-up passage (HyDE), the search itself, the answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragassay.errors import UsageError
from ragassay.models.base import Effort, Model, Reply
from ragassay.rag.setting import ALWAYS, NO_GENERATOR, NOBODY, TOOL, WHOLE_DOCUMENTS, Setting
from ragassay.records import Prediction, RankedChunk
from ragassay.retrieval.dense_vectors import ChunkEncoder
from ragassay.retrieval.rerank import JUDGE, Candidates, Reranker
from ragassay.systems.base import Question, Take, failed
from ragassay.systems.guardrail import REFUSAL, Guardrail
from ragassay.systems.options import IN_MEMORY, RagOptions
from ragassay.systems.rag_index import Searcher
from ragassay.tasks.answering import (
    ANSWER,
    CLOSED_BOOK,
    HYPOTHETICAL_PASSAGE,
    SEARCH_DECISION,
    Answer,
    BareQuestion,
    QuestionWithChunks,
)
from ragassay.tasks.follow_ups import STANDALONE_QUESTION, FollowUp

BATCH = 256
"""Questions that rules answer at once."""
AT_ONCE = 32
"""Questions under way where a model on a server answers: each by itself, so that its time is known."""
GENERATION_FAILED = "the model gave no answer"


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


@dataclass(slots=True)
class Open:
    """A question on its way through the steps. prediction: set once it is done.

    standalone: what a question in a conversation was made into, to be understood alone.
    """

    question: Question
    searched: str
    hypothetical: str = ""
    searches: bool = True
    standalone: str | None = None
    chunks: tuple[RankedChunk, ...] = ()
    prediction: Prediction | None = None
    effort: Effort | None = None

    @property
    def text(self) -> str:
        """Return what is asked of models."""
        return self.question.text if self.standalone is None else self.standalone

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts of its chunks."""
        return tuple(chunk.text or "" for chunk in self.chunks)

    def count(self, effort: Effort | None) -> None:
        """Add what a reply took."""
        if effort is not None:
            before = self.effort or Effort(0, 0, replayed=True)
            self.effort = Effort(
                before.input_tokens + effort.input_tokens,
                before.output_tokens + effort.output_tokens,
                before.replayed and effort.replayed,
            )

    def fail(self, system: str, kind: str, reason: str | None) -> None:
        """Become a failure; what it had found by then stays found."""
        self.prediction = replace(failed(system, self.question, kind, reason or ""), chunks=self.chunks)

    def give(self, system: str, reply: Reply[Answer]) -> None:
        """Become what the model answered."""
        self.count(reply.effort)
        if reply.value is None:
            self.fail(system, GENERATION_FAILED, reply.reason)
            return
        text, abstained = reply.value.text, reply.value.abstained
        self.prediction = Prediction(
            example_id=self.question.id, system=system, chunks=self.chunks, answer=text, abstained=abstained
        )

    def done(self, system: str, seconds: float) -> Prediction:
        """Return the record, with its cost. seconds: of the clock; no time is known of what came out of the log."""
        prediction = self.prediction or Prediction(example_id=self.question.id, system=system, chunks=self.chunks)
        replayed = self.effort is not None and self.effort.replayed
        return replace(
            prediction,
            input_tokens=self.effort.input_tokens if self.effort else None,
            output_tokens=self.effort.output_tokens if self.effort else None,
            latency_s=None if replayed else round(seconds, 4),
            standalone_question=self.standalone,
        )


class RagSystem:
    """Answers from the chunks that it finds; the latency of a question answered with others is its share of theirs."""

    def __init__(
        self,
        name: str,
        setting: Setting,
        index: Searcher,
        generator: Generator,
        encoder: ChunkEncoder,
        guardrail: Guardrail | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        """encoder: of questions, for dense and hybrid search and the guardrail. setting: see ``check_rag``."""
        self.name = name
        self._setting = setting
        self._index = index
        self._generator = generator
        self._encoder = encoder
        self._guardrail = guardrail
        self._reranker = reranker
        steps = (setting.generator, setting.hyde, setting.retrieval)
        asks_model = steps != (NO_GENERATOR, NOBODY, ALWAYS) or setting.reranker == JUDGE
        self.batch = generator.batch if asks_model else BATCH
        self.most_at_once = generator.most_at_once if asks_model else 1

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Take all steps for some questions together."""
        begun = time.perf_counter()
        all_open = [Open(question, question.text) for question in questions]
        await restate(self._generator.model, all_open, self.name)
        self._refuse(_still(all_open))
        if self._setting.retrieval == TOOL:
            await self._decide(_still(all_open))
        if self._setting.hyde != NOBODY:
            await self._imagine([each for each in _still(all_open) if each.searches])
        self._search([each for each in _still(all_open) if each.searches])
        await self._rerank([each for each in _still(all_open) if each.chunks])
        await self._generate(_still(all_open))
        seconds = (time.perf_counter() - begun) / max(1, len(all_open))
        for each in all_open:
            take(each.done(self.name, seconds))

    async def close(self) -> None:
        """Close its index; models belong to others."""
        self._index.close()

    def _refuse(self, some: Sequence[Open]) -> None:
        if self._guardrail is None or not some:
            return
        refused = self._guardrail.refuses(self._encoder.encode([each.text for each in some]))
        for each, is_refused in zip(some, refused, strict=True):
            if is_refused:
                each.prediction = Prediction(
                    example_id=each.question.id, system=self.name, chunks=(), answer=REFUSAL, abstained=True
                )

    async def _decide(self, some: Sequence[Open]) -> None:
        asked = [BareQuestion(question=each.text) for each in some]
        for each, reply in zip(some, await self._generator.model.ask_all(SEARCH_DECISION, asked), strict=True):
            each.count(reply.effort)
            if reply.value is None:
                each.fail(self.name, "the model did not decide whether to search", reply.reason)
            else:
                each.searches, each.searched = reply.value.needed, reply.value.query

    async def _imagine(self, some: Sequence[Open]) -> None:
        asked = [BareQuestion(question=each.searched) for each in some]
        for each, reply in zip(some, await self._generator.model.ask_all(HYPOTHETICAL_PASSAGE, asked), strict=True):
            each.count(reply.effort)
            if reply.value is None:
                each.fail(self.name, "the model wrote no passage to search with", reply.reason)
            else:
                each.hypothetical = reply.value.text

    def _search(self, some: Sequence[Open]) -> None:
        some = _still(some)
        if not some:
            return
        vectors = None
        if self._setting.retriever != "lexical":
            vectors = self._encoder.encode([each.hypothetical or each.searched for each in some])
        k = max(self._setting.top_k, self._setting.candidates)
        for each, chunks in zip(some, self._index.search([each.searched for each in some], vectors, k), strict=True):
            each.chunks = chunks

    async def _rerank(self, some: Sequence[Open]) -> None:
        if self._reranker is None:
            return
        asked = [Candidates(each.searched, tuple(map(self._index.behind_prefix, each.chunks))) for each in some]
        for each, reranked in zip(some, await self._reranker.score_all(asked), strict=True):
            each.count(reranked.effort)
            if reranked.scores is None:
                each.chunks = ()  # the order in which they were found is not that of this system
                each.fail(self.name, "no new ranking", reranked.reason)
                continue
            scored = [replace(chunk, score=score) for chunk, score in zip(each.chunks, reranked.scores, strict=True)]
            each.chunks = tuple(sorted(scored, key=lambda chunk: -chunk.score)[: self._setting.top_k])

    async def _generate(self, some: Sequence[Open]) -> None:
        """Answer from the chunks; from what the model knows where it chose not to search."""
        model = self._generator.model
        alone = [each for each in some if not each.searches]
        bare = [BareQuestion(question=each.text) for each in alone]
        for each, reply in zip(alone, await model.ask_all(CLOSED_BOOK, bare), strict=True):
            each.give(self.name, reply)
        if self._setting.generator == NO_GENERATOR:
            return
        grounded = [each for each in some if each.searches]
        asked = [QuestionWithChunks(question=each.text, chunks=each.texts) for each in grounded]
        for each, reply in zip(grounded, await model.ask_all(ANSWER, asked), strict=True):
            each.give(self.name, reply)


async def restate(model: Model, all_open: Sequence[Open], system: str) -> None:
    """Make questions that stand alone of those in a conversation, to be searched for and answered in their place."""
    some = [each for each in all_open if each.question.history]
    asked = [FollowUp(turns=each.question.history, question=each.question.text) for each in some]
    for each, reply in zip(some, await model.ask_all(STANDALONE_QUESTION, asked) if some else (), strict=True):
        each.count(reply.effort)
        if reply.value is None:
            each.fail(system, "the model did not restate the question", reply.reason)
        else:
            each.standalone = each.searched = reply.value.text


def _still(all_open: Sequence[Open]) -> list[Open]:
    return [each for each in all_open if each.prediction is None]


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


def rag_name(setting: Setting, store: str, *, has_own_chunks: bool = False) -> str:
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
