"""Who does what in a sweep: encoders, rerankers, generators by their names in the grid; one log and one budget."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ragassay.errors import UsageError
from ragassay.jobs.asking.models import CountedModel, Told, served_encoder, served_model
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.models import EMBEDDED
from ragassay.models.base import Model, Reply
from ragassay.models.embedded.model import EmbeddedModel, TaskSharing
from ragassay.models.embeddings import SharedEncoder
from ragassay.models.llm.budget import Budget, check_budget
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.models.llm.endpoints import KEY_VARIABLES, Endpoint, endpoint_of
from ragassay.models.llm.prices import FREE, TOKENS_PER_UNIT, Prices
from ragassay.models.sentence_transformers_encoder import PREFIX, SentenceTransformersEncoder, check_installed
from ragassay.models.vector_cache import CachedEncoder
from ragassay.rag.setting import NO_GENERATOR, NOBODY, TOOL, Setting
from ragassay.retrieval.rerank import JUDGE, Reranker
from ragassay.sweep.values import COST, TOKENS_IN, TOKENS_OUT, SettingValues, Values
from ragassay.systems.build import reranker_of
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
        return any(map(reason.endswith, self._unheard | self._unanswered))

    def is_unheard(self, reason: str) -> bool:
        """Whether it is missing because nothing came back, so that asking again may well help."""
        return any(map(reason.endswith, self._unheard))


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


class Remembered(CountedModel):
    """A model that is asked the same thing once, for all settings that share it."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._replies: dict[tuple[str, Any], Reply[Any]] = {}

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """As the model inside."""
        new = [each for each in dict.fromkeys(inputs) if (task.name, each) not in self._replies]
        replies = await super().ask_all(task, new) if new else []
        self._replies.update(((task.name, each), reply) for each, reply in zip(new, replies, strict=True))
        return [self._replies[task.name, each] for each in inputs]


class SettingModels(Protocol):
    """Who stands behind the names in a setting. failures: of the servers among them."""

    @property
    def failures(self) -> Failures: ...

    def encoder(self, name: str) -> CachedEncoder: ...

    def model(self, name: str, prompt: str = "") -> Model: ...

    def reranker(self, name: str) -> Reranker: ...


class SweepModels(AsyncExitStack):
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
        super().__init__()
        self._log: CallLog | None = None
        self.failures = Failures()
        self._encoders: dict[str, CachedEncoder] = {}
        self._models: dict[tuple[str, str], Remembered] = {}
        self._judge: CountedModel | None = None
        self._rerankers: dict[str, Reranker] = {}

    def encoder(self, name: str) -> CachedEncoder:
        """The encoder of a name in the grid."""
        if name not in self._encoders:
            self._encoders[name] = self._new_encoder(name)
            self.callback(self._encoders[name].close)
        return self._encoders[name]

    def model(self, name: str, prompt: str = "") -> Model:
        """The language model of a name, or the embedded one. prompt: text of the answerer's; "" for the usual one."""
        if (name, prompt) not in self._models:
            self._models[name, prompt] = Remembered(self._new_model(name, prompt))
        return self._models[name, prompt]

    @property
    def judge(self) -> CountedModel:
        if self._judge is None:
            self._judge = self._new_model(self.endpoints.judge)
        return self._judge

    def reranker(self, name: str) -> Reranker:
        """The reranker of a name in the grid. Raises UsageError where it needs what is not installed."""
        if name not in self._rerankers:
            made = reranker_of(name, self.judge)
            assert made is not None, "nothing is re-ranked"
            self._rerankers[name] = made
        return self._rerankers[name]

    def _new_encoder(self, name: str) -> CachedEncoder:
        if name == EMBEDDED:
            return CachedEncoder(SharedEncoder(self._workers))
        if name.startswith(PREFIX):
            return CachedEncoder(SentenceTransformersEncoder(name.removeprefix(PREFIX)))
        endpoints = self.endpoints
        served = served_encoder(endpoints.of[name], self._options, endpoints.budget, endpoints.prices)
        self.callback(served.close)
        return CachedEncoder(served)

    def _new_model(self, name: str, prompt: str = "") -> CountedModel:
        endpoint = self.endpoints.of.get(name)
        if endpoint is not None:
            return NotedModel(self._on_server(endpoint, prompt), self.failures)
        encoder = self.encoder(EMBEDDED)
        return CountedModel(EmbeddedModel(encoder, TaskSharing(self._workers, encoder.count)))

    def _on_server(self, endpoint: Endpoint, prompt: str) -> Model:
        if self._log is None:
            self._log = CallLog(self._folder / LOG_FILE)
            self.callback(self._log.close)
        prompts = self._options.prompts.with_prompt(ANSWER.name, prompt) if prompt else None
        budget, prices = self.endpoints.budget, self.endpoints.prices
        told = self._told
        model = served_model(endpoint, self._options, self._log, budget, prices, told.replied, prompts)
        self.push_async_callback(model.close)
        return model


def with_costs(values: SettingValues, endpoints: SweepEndpoints) -> SettingValues:
    """The same with the cost of each question in US dollars: 0 where no server is asked.

    NaN where a price is not known, where models with different prices share the tokens, and where nothing is answered,
    so that some of the tokens were read by nobody.
    """
    return replace(values, metrics={**values.metrics, COST: _costs(values, endpoints)})


def _costs(values: SettingValues, endpoints: SweepEndpoints) -> Values:
    prices = {endpoints.prices.of(endpoints.of[name].name) for name in _asked(values.setting, endpoints)}
    price = prices.pop() if len(prices) == 1 else None if prices else FREE
    if price is None or (price != FREE and values.setting.generator == NO_GENERATOR):
        return np.full(len(values.rows), np.nan)
    if price == FREE:
        return np.zeros(len(values.rows))  # the tokens of some questions may be unknown
    read, written = values.metrics[TOKENS_IN], values.metrics[TOKENS_OUT]
    return (read * price.prompt + written * price.completion) / TOKENS_PER_UNIT


def _asked(setting: Setting, endpoints: SweepEndpoints) -> set[str]:
    """The models on servers that find and answer: the generator, who makes up passages, the judge that re-ranks."""
    names = {setting.generator, setting.hyde, *([endpoints.judge] if setting.reranker == JUDGE else [])}
    return names & endpoints.of.keys()
