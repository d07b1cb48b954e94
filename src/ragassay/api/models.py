"""The model of a function: a name, the model itself, or all that can be set about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from ragassay.pipeline.asking.model_options import ModelOptions


class Asks(Protocol):
    """Answers tasks, as ``ragassay.models.base.Model`` does."""

    @property
    def ask(self) -> Callable[..., Any]: ...


class Invokes(Protocol):
    """A chat model of LangChain."""

    @property
    def invoke(self) -> Callable[..., Any]: ...


class Completes(Protocol):
    """An LLM of LlamaIndex."""

    @property
    def complete(self) -> Callable[..., Any]: ...


Model: TypeAlias = str | Callable[[str], Any] | Asks | Invokes | Completes
"""A name, a function from a prompt to a text, asynchronous or not, an object with ``ask``, a chat model of LangChain or
an LLM of LlamaIndex."""
_EMBEDDED = "embedded"


def models_of(model: Model, models: ModelOptions | None) -> ModelOptions:
    """The options, in which models that are at hand have names. Raises UsageError for what is no model."""
    from ragassay.errors import UsageError
    from ragassay.pipeline.asking.model_options import ModelOptions, model_name

    if models is None:
        return ModelOptions(model=model_name(model))
    if not isinstance(model, str) or model != _EMBEDDED:
        raise UsageError("model and models are both given; name the model in models, or leave models out")
    return models
