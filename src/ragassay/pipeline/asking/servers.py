"""Models and encoders on servers as the user's options have them: the same for runs and sweeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from ragassay.models.base import Model
from ragassay.models.joint import JointModel
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.prices import Prices
from ragassay.models.own_model import AskedModel, answers_tasks, entry_of
from ragassay.models.user_code import is_asynchronous
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.tasks.prompts import PromptOverrides

if TYPE_CHECKING:
    from ragassay.models.endpoint_encoder import EndpointEncoder
    from ragassay.models.openai_compatible import OpenAICompatible


class Told(Protocol):
    """Who is told of each reply of models on servers."""

    def replied(self, failed: bool, cost_usd: float | None) -> None: ...


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
