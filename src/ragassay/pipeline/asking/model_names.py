"""Names of models that are functions and objects of the user's."""

from __future__ import annotations

from typing import Any


def model_name(model: Any) -> str:
    """Return the name of a model of the user's, or a name as it is.

    It says where the model was defined, and what its code is: a reply of another one is not taken for its own.
    """
    if isinstance(model, str):
        return model
    import secrets

    from ragassay.models.llm.endpoints import OwnModelName
    from ragassay.models.own_model import check_own_model, model_of, settings_of
    from ragassay.systems.code import code_of
    from ragassay.systems.function import name_of

    check_own_model(model)
    code = code_of(model) or settings_of(model) or secrets.token_hex(8)
    behind = f"({found})" if (found := model_of(model)) else ""
    return OwnModelName(f"own:{name_of(model)}{behind}@{code[:8]}", model)
