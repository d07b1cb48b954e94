"""The options of models that ``ragassay schema`` and ``ragassay scenario`` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragassay.pipeline.model_options import ModelOptions


def model_options(
    model: str, prompts: Path | None = None, max_cost: float | None = None, max_calls: int | None = None
) -> ModelOptions:
    """Options as a run has them. Raises UsageError for those that need a model on a server where none is named."""
    from ragassay.pipeline.model_options import ModelOptions
    from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides

    options = ModelOptions(
        model=model,
        prompts=PromptOverrides.from_folder(prompts) if prompts else NO_OVERRIDES,
        max_cost=max_cost,
        max_calls=max_calls,
    )
    options.check()
    return options
