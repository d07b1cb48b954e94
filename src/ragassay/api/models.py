"""The model of a function: a name, or all that can be set about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ragassay.pipeline.model_options import ModelOptions

Model: TypeAlias = Any


def models_of(model: Model, models: ModelOptions | None) -> ModelOptions:
    from ragassay.errors import UsageError
    from ragassay.pipeline.model_options import ModelOptions

    if models is not None and model != "embedded":
        raise UsageError("model and models are both given; name the model in models, or leave models out")
    return models or ModelOptions(model=model)
