"""Who answers in a run: the model of every role, the encoder of retrieval, and what they share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ragassay.errors import UsageError
from ragassay.jobs.asking.dry_run import CountingEncoder, estimates_now
from ragassay.jobs.asking.effort import EffortTally
from ragassay.jobs.asking.model_options import ROLES, ModelOptions, Role
from ragassay.models import LEXICAL, LOCAL
from ragassay.models.base import Around, Model, Reply
from ragassay.models.embedded.model import EmbeddedModel, LexicalModel, TaskSharing
from ragassay.models.embeddings import SharedEncoder
from ragassay.models.estimating import Estimates, EstimatingModel
from ragassay.models.joint import JointModel
from ragassay.models.llm.budget import Budget, check_budget
from ragassay.models.llm.call_log import LOG_FILE, CallLog
from ragassay.models.llm.endpoints import KEY_VARIABLES, Endpoint, endpoint_of
from ragassay.models.llm.prices import Prices
from ragassay.models.own_model import AskedModel, answers_tasks, entry_of
from ragassay.models.sentence_transformers_encoder import PREFIX, SentenceTransformersEncoder, check_installed
from ragassay.models.stand_in import StandIn
from ragassay.models.user_code import is_asynchronous
from ragassay.models.vector_cache import CachedEncoder
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.prompts import PromptOverrides
from ragassay.workers import Workers

if TYPE_CHECKING:
    from ragassay.models.endpoint_encoder import EndpointEncoder
    from ragassay.models.openai_compatible import OpenAICompatible

MakeModel = Callable[[Endpoint], Model]
"""What answers for an endpoint; the dry run has something else in its place."""


class Told(Protocol):
    """Who is told of each reply of models on servers."""

    def replied(self, failed: bool, cost_usd: float | None) -> None: ...


class CountedModel(Around):
    """A model that counts what it was asked and what it could not answer."""

    def __init__(self, model: Model, *, is_on_server: bool = False) -> None:
        super().__init__(model)
        self.is_on_server = is_on_server
        self.calls = 0
        self.unanswered = 0

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        self.calls += len(inputs)
        replies = await super().ask_all(task, inputs)
        self.unanswered += sum(reply.value is None for reply in replies)
        return replies


class AskedJudge(NamedTuple):
    """A judge as it is asked. prompts: the user's own; None where it reads no prompt."""

    model: Model
    prompts: PromptOverrides | None


class Endpoints:
    """The servers that the names of a run stand for, and what may be spent on them.

    Made before anything is read or written: a wrong name or a missing key costs no time.
    """

    def __init__(self, options: ModelOptions) -> None:
        """In a dry run nothing will be sent, so a key may be missing.

        Raises UsageError for a name that cannot be meant, a key that is missing or a price that is not known.
        """
        self.estimates = estimates_now()
        environ = os.environ if self.estimates is None else {**dict.fromkeys(KEY_VARIABLES, "none"), **os.environ}
        made: dict[tuple[str, int], Endpoint] = {}

        def endpoint(name: str, option: str) -> Endpoint:
            """Of each name once; two objects of the user's may have one name."""
            key = (name, id(getattr(name, "target", None)))
            if key not in made:
                made[key] = endpoint_of(name, environ, extra_body=options.extra_body, option=option)
            return made[key]

        self.prices = Prices.load(options.prices)
        self.budget = Budget(options.max_cost, options.max_calls, options.max_tokens)
        self.of_role: dict[Role, Endpoint] = {
            role: endpoint(options.name_of(role), options.option_of(role)) for role in options.on_servers
        }
        self.further: dict[str, Endpoint] = {
            metric: endpoint(name, f"model of {metric}") for metric, name in options.further
        }
        self.more_judges: dict[str, Endpoint | None] = {
            name: None if name in LOCAL else endpoint(name, "--judge") for name in options.more_judges
        }
        if options.embeddings.startswith(PREFIX):
            check_installed(options.embeddings, "--embeddings")
        self.embeddings = (
            endpoint_of(options.embeddings, environ, option="--embeddings") if options.embeds_on_server else None
        )
        judges = [each for each in self.more_judges.values() if each is not None]
        named = [
            *self.of_role.values(),
            *self.further.values(),
            *judges,
            *([self.embeddings] if self.embeddings else []),
        ]
        check_budget(self.budget, self.prices, [each.name for each in named])
        asked = next((each.name for each in named if each.own is not None and answers_tasks(each.own)), None)
        if asked is not None and (options.max_cost, options.max_calls, options.max_tokens) != (None, None, None):
            raise UsageError(
                f"models: {asked} is called directly and has its own limits; leave out max_calls and the like"
            )

    def enter(self, stage: str) -> None:
        """Say which stage calls belong to that are counted from now on."""
        if self.estimates is not None:
            self.estimates.stage = stage


class RunModels(AsyncExitStack):
    """The models of one run. ``async with`` closes what they hold."""

    def __init__(self, options: ModelOptions, endpoints: Endpoints, workers: Workers, told: Told) -> None:
        """told: of the replies of models on servers."""
        self._options = options
        self._told = told
        super().__init__()
        self.endpoints = endpoints
        self.log: CallLog | None = None
        self._local = CachedEncoder(SharedEncoder(workers))
        self.callback(self._local.close)
        self._sharing = TaskSharing(workers, self._local.count)
        self._embedded = EmbeddedModel(self._local, self._sharing)
        self.encoder = self._local
        if options.embeddings.startswith(PREFIX):
            self.encoder = CachedEncoder(SentenceTransformersEncoder(options.embeddings.removeprefix(PREFIX)))
            self.callback(self.encoder.close)
        self.roles: dict[Role, CountedModel] = {}
        self.further: dict[str, CountedModel] = {}
        self.more_judges: dict[str, CountedModel] = {}

    def ask_servers(self, folder: Path) -> None:
        """Every role by its model; calls are logged in the folder. In a dry run they are counted alone."""
        if self.endpoints.estimates is not None:
            self._count(self.endpoints.estimates)
            return
        if self.endpoints.of_role or self.endpoints.further or any(self.endpoints.more_judges.values()):
            self.log = CallLog(folder / LOG_FILE)
            self.callback(self.log.close)
        self._fill_roles(self._on_server)
        if self.endpoints.embeddings is not None:
            budget, prices = self.endpoints.budget, self.endpoints.prices
            served = served_encoder(self.endpoints.embeddings, self._options, budget, prices)
            self.encoder = CachedEncoder(served)
            self.callback(served.close)
            self.callback(self.encoder.close)

    def _count(self, estimates: Estimates) -> None:
        """Every role by what counts its calls and stands in for it."""
        inner, prompts = StandIn(self._embedded), self._options.prompts
        self._fill_roles(lambda endpoint: EstimatingModel(inner, endpoint.name, estimates, overrides=prompts))
        if self.endpoints.embeddings is not None:
            self.encoder = CountingEncoder(self.endpoints.embeddings.name, estimates)
            self.callback(self.encoder.close)

    @property
    def distinct(self) -> list[CountedModel]:
        return list(dict.fromkeys([*self.roles.values(), *self.further.values(), *self.more_judges.values()]))

    @property
    def encoders(self) -> list[CachedEncoder]:
        return list(dict.fromkeys((self._local, self.encoder)))

    @property
    def local_encoder(self) -> CachedEncoder:
        """The encoder of this machine, which costs nothing, whoever makes the vectors of retrieval."""
        return self._local

    @property
    def writer(self) -> CountedModel:
        return self.roles["writer"]

    @property
    def judge(self) -> CountedModel:
        return self.roles["judge"]

    def judging(self, watched: Model | None = None) -> Model:
        """The judge, or what watches it, as it is asked."""
        return as_judge(watched or self.judge, self.endpoints.of_role.get("judge"), self._options)

    def panel(self, tally: EffortTally) -> dict[str, AskedJudge]:
        """Every judge by name, the first one first. tally: counts for each what it is asked."""
        judges = [(self.judge, self.endpoints.of_role.get("judge"))]
        judges += [(model, self.endpoints.more_judges[name]) for name, model in self.more_judges.items()]
        return {
            model.name: AskedJudge(
                as_judge(tally.watched(model, model.name), endpoint, self._options),
                self._options.prompts if model.is_on_server else None,
            )
            for model, endpoint in judges
        }

    @property
    def judges_prompts(self) -> PromptOverrides | None:
        """The user's own prompts for the judge; None where it reads no prompt."""
        return self._options.prompts if self.judge.is_on_server else None

    @property
    def answerer(self) -> CountedModel:
        return self.roles["answerer"]

    @property
    def name(self) -> str:
        names = {role: self.roles[role].name for role in ROLES}
        if len(set(names.values())) == 1:
            return names["writer"]
        return f"{names['writer']}; judge: {names['judge']}; answers: {names['answerer']}"

    def _fill_roles(self, on_server: MakeModel) -> None:
        """Roles of one endpoint share a model: one limit of calls in flight, one pace."""
        made: dict[tuple[str, int], CountedModel] = {}  # two objects of the user's may have one name

        def model_of(name: str, endpoint: Endpoint | None) -> CountedModel:
            key = (name, 0) if endpoint is None else (endpoint.name, id(endpoint.own))
            if key not in made:
                model = self._here(name) if endpoint is None else on_server(endpoint)
                made[key] = CountedModel(model, is_on_server=endpoint is not None)
            return made[key]

        of = self.endpoints
        self.roles = {role: model_of(self._options.name_of(role), of.of_role.get(role)) for role in ROLES}
        self.further = {metric: model_of("", endpoint) for metric, endpoint in of.further.items()}
        self.more_judges = {name: model_of(name, endpoint) for name, endpoint in of.more_judges.items()}

    def _here(self, name: str) -> Model:
        return LexicalModel() if name == LEXICAL else self._embedded

    def _on_server(self, endpoint: Endpoint) -> Model:
        assert self.log is not None
        budget, prices = self.endpoints.budget, self.endpoints.prices
        model = served_model(endpoint, self._options, self.log, budget, prices, self._told.replied)
        self.push_async_callback(model.close)
        return model


def served_model(
    endpoint: Endpoint,
    options: ModelOptions,
    log: CallLog,
    budget: Budget,
    prices: Prices,
    on_reply: Callable[[bool, float | None], None],
    prompts: PromptOverrides | None = None,
) -> OpenAICompatible | AskedModel:
    """A language model. prompts: in the place of those of the options. on_reply: called after every answered task.

    A function of the user's that is not asynchronous is called once at a time: not every one can bear more.
    """
    from ragassay.models.openai_compatible import OpenAICompatible  # imported late: it loads the HTTP client

    limits = options.limits
    if endpoint.own is not None and answers_tasks(endpoint.own):
        return AskedModel(endpoint, limits.max_in_flight)
    if endpoint.own is not None and not is_asynchronous(entry_of(endpoint.own)):
        limits = replace(limits, max_in_flight=1)
    return OpenAICompatible(
        endpoint,
        log,
        budget,
        prices=prices,
        overrides=options.prompts if prompts is None else prompts,
        limits=limits,
        temperature=options.temperature,
        on_reply=on_reply,
    )


def as_judge(model: Model, endpoint: Endpoint | None, options: ModelOptions) -> Model:
    """A judge as it is asked: jointly, unless it is of this process or an object of the user's that knows our tasks."""
    is_own = endpoint is not None and endpoint.own is not None and answers_tasks(endpoint.own)
    if endpoint is None or is_own or options.judging == "separate":
        return model
    return JointModel(model, options.prompts)


def served_encoder(endpoint: Endpoint, options: ModelOptions, budget: Budget, prices: Prices) -> EndpointEncoder:
    """An encoder, with as many calls in flight as one bears."""
    from ragassay.models.endpoint_encoder import IN_FLIGHT, EndpointEncoder

    limits = replace(options.limits, max_in_flight=min(IN_FLIGHT, options.limits.max_in_flight))
    return EndpointEncoder(endpoint, budget, prices=prices, limits=limits)
