"""Who does what in a sweep: encoders, rerankers, generators by their names in the grid; one log and one budget."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from ragassay.errors import UsageError
from ragassay.models.base import Model, Reply
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embedded.sharing import TaskSharing
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.llm.budget import Budget, check_budget
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.models.llm.endpoints import KEY_VARIABLES, Endpoint, endpoint_of
from ragassay.models.llm.prices import Prices
from ragassay.models.sentence_transformers_encoder import PREFIX, SentenceTransformersEncoder, check_installed
from ragassay.models.shared_encoder import SharedEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.pipeline.asking.model_options import EMBEDDED
from ragassay.pipeline.asking.models import CountedModel, Told, served_encoder, served_model
from ragassay.pipeline.sweep.options import SweepOptions
from ragassay.rag.setting import NO_GENERATOR, NOBODY, TOOL
from ragassay.retrieval.rerank import CROSS_ENCODER, JUDGE, LATE_INTERACTION, NO_RERANKER, Reranker
from ragassay.tasks.answering import ANSWER
from ragassay.tasks.base import In, Out, Task
from ragassay.workers import Workers


class SweepEndpoints:
    """The servers that the names of a sweep stand for. Made before anything is read."""

    def __init__(self, options: SweepOptions, *, without_keys: bool = False) -> None:
        """Raises UsageError for a name that cannot be meant, a key that is missing or a price that is not known."""
        models = options.models
        environ = {**dict.fromkeys(KEY_VARIABLES, "none"), **os.environ} if without_keys else os.environ
        self.judge = models.name_of("judge")
        generators = [name for name in options.space.generator if name not in (NO_GENERATOR, EMBEDDED)]
        for name in options.space.encoder:
            if name.startswith(PREFIX):
                check_installed(name, "encoder")
        encoders = [name for name in options.space.encoder if name != EMBEDDED and not name.startswith(PREFIX)]
        imaginers = [name for name in options.space.hyde if name != NOBODY]
        if EMBEDDED in imaginers:
            raise UsageError("hyde: needs a language model, such as openai:gpt-4o-mini")
        for part, is_asked in (
            ("retrieval: tool", TOOL in options.space.retrieval),
            ("prompt", any(options.space.prompt)),
        ):
            if is_asked and not generators:
                raise UsageError(f"{part} needs a language model; name one as generator, or leave it out")
        named = dict.fromkeys(imaginers, "hyde")
        named |= dict.fromkeys(generators, "generator") | dict.fromkeys(encoders, "encoder")
        if self.judge != EMBEDDED:
            named[self.judge] = models.option_of("judge")
        self.of = {
            name: endpoint_of(name, environ, extra_body=models.extra_body, option=option)
            for name, option in named.items()
        }
        self.prices = Prices.load(models.prices)
        self.budget = Budget(models.max_cost, models.max_calls, models.max_tokens)
        check_budget(self.budget, self.prices, [endpoint.name for endpoint in self.of.values()])
        if JUDGE in options.space.reranker and self.judge == EMBEDDED:
            raise UsageError(f"reranker: {JUDGE} needs a language model; name one with --judge, or leave it out")


class Failures:
    """The reasons why servers left something unanswered, by which the values that are missing for it are known.

    A reason goes from the reply to whatever could not be worked out without it, with words in front of it at most.
    """

    def __init__(self) -> None:
        self._unanswered: set[str] = set()
        self._unheard: set[str] = set()

    def note(self, replies: Iterable[Reply[Any]]) -> None:
        """Replies of a server."""
        for reply in replies:
            if reply.reason:  # every reason ends in an empty one
                (self._unheard if reply.unheard else self._unanswered).add(reply.reason)

    def is_unanswered(self, reason: str) -> bool:
        """Whether a value is missing because of a server."""
        return self.is_unheard(reason) or _ends(reason, self._unanswered)

    def is_unheard(self, reason: str) -> bool:
        """Whether it is missing because nothing came back, so that asking again may well help."""
        return _ends(reason, self._unheard)


def _ends(reason: str, endings: set[str]) -> bool:
    return reason in endings or any(map(reason.endswith, endings))


class NotedModel(CountedModel):
    """A model on a server whose failures are noted."""

    def __init__(self, model: Model, failures: Failures) -> None:
        super().__init__(model, is_on_server=True)
        self._failures = failures

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """As the model inside."""
        replies = await super().ask_all(task, inputs)
        self._failures.note(replies)
        return replies


class SettingModels(Protocol):
    """Who stands behind the names in a setting. failures: of the servers among them."""

    @property
    def failures(self) -> Failures: ...

    def encoder(self, name: str) -> CachedEncoder: ...

    def model(self, name: str, prompt: str = "") -> CountedModel: ...

    def reranker(self, name: str) -> Reranker: ...


class SweepModels:
    """Made when they are first needed. ``async with`` closes what they hold."""

    def __init__(
        self, options: SweepOptions, endpoints: SweepEndpoints, folder: Path, workers: Workers, told: Told
    ) -> None:
        """folder: for the log of calls. told: of the replies of models on servers."""
        self._options = options.models
        self.endpoints = endpoints
        self._folder = folder
        self._workers = workers
        self._told = told
        self._open = AsyncExitStack()
        self._log: CallLog | None = None
        self.failures = Failures()
        self._encoders: dict[str, CachedEncoder] = {}
        self._models: dict[tuple[str, str], CountedModel] = {}
        self._rerankers: dict[str, Reranker] = {}

    def encoder(self, name: str) -> CachedEncoder:
        """The encoder of a name in the grid."""
        if name not in self._encoders:
            self._encoders[name] = self._new_encoder(name)
            self._open.callback(self._encoders[name].close)
        return self._encoders[name]

    def model(self, name: str, prompt: str = "") -> CountedModel:
        """The language model of a name, or the embedded one. prompt: text of the answerer's; "" for the usual one."""
        if (name, prompt) not in self._models:
            endpoint = self.endpoints.of.get(name)
            encoder = self.encoder(EMBEDDED)
            self._models[name, prompt] = (
                CountedModel(EmbeddedModel(encoder, TaskSharing(self._workers, encoder.count)))
                if endpoint is None
                else NotedModel(self._on_server(endpoint, prompt), self.failures)
            )
        return self._models[name, prompt]

    @property
    def judge(self) -> CountedModel:
        return self.model(self.endpoints.judge)

    def reranker(self, name: str) -> Reranker:
        """The reranker of a name in the grid. Raises UsageError where it needs what is not installed."""
        if name not in self._rerankers:
            self._rerankers[name] = self._new_reranker(name)
        return self._rerankers[name]

    @property
    def asked(self) -> Iterable[CountedModel]:
        """The models that were needed so far."""
        return self._models.values()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    def _new_encoder(self, name: str) -> CachedEncoder:
        if name == EMBEDDED:
            return CachedEncoder(SharedEncoder(self._workers))
        if name.startswith(PREFIX):
            return CachedEncoder(SentenceTransformersEncoder(name.removeprefix(PREFIX)))
        endpoints = self.endpoints
        served = served_encoder(endpoints.of[name], self._options, endpoints.budget, endpoints.prices)
        self._open.callback(served.close)
        return CachedEncoder(served)

    def _new_reranker(self, name: str) -> Reranker:
        if name == LATE_INTERACTION:
            from ragassay.retrieval.rerank import LateInteractionReranker

            return LateInteractionReranker(SentenceEncoder())
        if name == JUDGE:
            from ragassay.retrieval.rerank import JudgeReranker

            return JudgeReranker(self.judge)
        if name.startswith(CROSS_ENCODER):
            from ragassay.retrieval.rerank import CrossEncoderReranker

            return CrossEncoderReranker(name.removeprefix(CROSS_ENCODER))
        raise ValueError(f"unknown reranker {name}" if name != NO_RERANKER else "nothing is re-ranked")

    def _on_server(self, endpoint: Endpoint, prompt: str) -> Model:
        if self._log is None:
            self._log = CallLog(self._folder / LOG_FILE)
            self._open.callback(self._log.close)
        prompts = self._options.prompts.with_prompt(ANSWER.name, prompt) if prompt else None
        budget, prices = self.endpoints.budget, self.endpoints.prices
        told = self._told
        model = served_model(endpoint, self._options, self._log, budget, prices, told.replied, prompts)
        self._open.push_async_callback(model.close)
        return model
