"""Models and encoders on servers as the user's options have them: the same for runs and sweeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from ragassay.errors import UsageError
from ragassay.models.base import Model
from ragassay.models.joint import JointModel
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.prices import Prices
from ragassay.models.own_model import AskedModel, answers_tasks
from ragassay.models.own_objects import entry_of
from ragassay.models.user_code import is_asynchronous
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.tasks.prompts import PromptOverrides

if TYPE_CHECKING:
    from ragassay.models.endpoint_encoder import EndpointEncoder
    from ragassay.models.openai_compatible import OpenAICompatible


class Told(Protocol):
    """Who is told of models on servers: of each reply, and how far batches are."""

    def replied(self, failed: bool, cost_usd: float | None) -> None: ...

    def waiting(self, news: str) -> None: ...


def served_model(
    endpoint: Endpoint,
    options: ModelOptions,
    log: CallLog,
    budget: Budget,
    prices: Prices,
    on_reply: Callable[[bool, float | None], None],
    prompts: PromptOverrides | None = None,
    *,
    on_wait: Callable[[str], None] = lambda news: None,
) -> OpenAICompatible | AskedModel:
    """A language model. prompts: in the place of those of the options. on_reply: called after every answered task.

    on_wait: told how far batches are.
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
        samplings=options.samplings,
        on_reply=on_reply,
        reply_format=options.reply_format,
        batching=replace(options.batching, on_news=on_wait) if options.batching else None,
    )


def check_batches(options: ModelOptions, endpoints: Iterable[Endpoint]) -> None:
    """Raises UsageError where calls cannot go in batches."""
    alone = next((each for each in endpoints if each.by_litellm or each.own is not None), None)
    if options.batching is not None and alone is not None:
        raise UsageError(
            f"--batch: {alone.name} is not asked through OpenAI's protocol and takes no batches; leave out --batch"
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
