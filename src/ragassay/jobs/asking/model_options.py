"""Which models a run asks, how, and what it may spend on them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import Field, PlainValidator

from ragassay.errors import UsageError
from ragassay.models import EMBEDDED, LEXICAL, LOCAL
from ragassay.options import Count, Number, Option, Share, one_text, settings, typed_as
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, prompt_hash

if TYPE_CHECKING:
    from ragassay.models.llm.budget import Spent
    from ragassay.models.llm.pace import Limits

SENTENCE_TRANSFORMERS = "sentence-transformers:"
Judging = Literal["joint", "separate"]
"""All that a judge on a server is asked of one pair or answer in one call, or each by itself as the papers do."""
Panel = Literal["mean", "majority"]
"""Of the judges that gave a value: their mean, or the value that more than half of them gave."""
Role = Literal["writer", "judge", "answerer"]
ROLES: tuple[Role, ...] = get_args(Role)
_OPTION_OF: Mapping[Role, str] = MappingProxyType({"writer": "--model", "judge": "--judge", "answerer": "--answers"})
_SERVERS = "openai:MODEL, ollama:MODEL or http://HOST:PORT/v1#MODEL runs on a server."
_MODELS, _CALLS, _SPENDING = "Models", "Calls to servers", "Spending"


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


def _names(models: Any) -> tuple[str, ...]:
    if models is None:
        return ()
    return tuple(map(model_name, models)) if isinstance(models, list | tuple) else (model_name(models),)


def _prompts(given: Any) -> Any:
    return PromptOverrides.from_folder(Path(given)) if isinstance(given, str | Path) else given


def _extra_body(given: Any) -> Any:
    from ragassay.models.llm.endpoints import parse_extra_body

    given = one_text(given)
    return parse_extra_body(given) if isinstance(given, str) else given


Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


JudgeCheck = Annotated[
    Path | None,
    Option(
        "Folder from 'ragassay judge check --out' for this judge: shows its agreement with people next to its scores.",
        metavar="FOLDER",
        panel=_MODELS,
        is_rare=True,
    ),
]
"""Of commands that score."""


@settings
class ModelOptions:
    """Models by name (see ``models/llm/endpoints.py``), or in Python as functions and objects; how they are called.

    ``embedded`` is rules, statistics, a small sentence encoder and a small verifier, in this process.
    """

    model: Annotated[
        str,
        PlainValidator(model_name),
        Option(f"Model that writes, judges and answers. 'embedded' needs no key; {_SERVERS}", panel=_MODELS),
    ] = EMBEDDED
    judges: Annotated[
        tuple[str, ...],
        PlainValidator(_names),
        Option(
            "Model that judges; repeat it for several judges, whose scores are joined. Default: --model.",
            flags=("--judge",),
            panel=_MODELS,
        ),
    ] = ()
    panel: Annotated[
        Panel, Option("How scores of several judges are joined: mean or majority.", panel=_MODELS, is_rare=True)
    ] = "mean"
    answers: Annotated[
        str | None,
        PlainValidator(lambda model: model if model is None else model_name(model)),
        Option("Model that answers from chunks; default: --model.", panel=_MODELS),
    ] = None
    embeddings: Annotated[
        str,
        Option(
            "Model for the vectors of retrieval: 'embedded', a model on a server, or sentence-transformers:MODEL.",
            panel=_MODELS,
        ),
    ] = EMBEDDED
    prompts: Annotated[
        PromptOverrides,
        typed_as(_prompts),
        Option("Folder with your own prompts; see `ragassay list prompts`.", panel=_CALLS, is_rare=True),
    ] = field(default_factory=lambda: NO_OVERRIDES)
    temperature: Annotated[
        float | None,
        Field(ge=0, le=2),
        Option("Temperature for all tasks; default: 0 for most.", panel=_CALLS, is_rare=True),
    ] = None
    extra_body: Annotated[
        Mapping[str, Any],
        typed_as(_extra_body),
        Option("JSON object with extra fields for every call.", panel=_CALLS, metavar="JSON", is_rare=True),
    ] = field(default_factory=lambda: MappingProxyType({}))
    max_in_flight: Annotated[
        Count, Option("Calls to a server at the same time.", panel=_CALLS, is_rare=True, is_about_work=True)
    ] = 64
    call_timeout: Annotated[
        Positive,
        Option("Seconds before a call is abandoned and retried.", panel=_CALLS, is_rare=True, is_about_work=True),
    ] = 120
    judging: Annotated[
        Judging,
        Option(
            "Ask for all verdicts on a pair or answer in one call (joint), or for each by itself, as papers do "
            "(separate).",
            panel=_CALLS,
            is_rare=True,
        ),
    ] = "joint"
    coverage: Annotated[
        Share,
        Option(
            "Exit with code 8 if servers answer less than this share of calls.",
            panel=_CALLS,
            is_rare=True,
            is_about_work=True,
        ),
    ] = 0.95
    max_cost: Annotated[
        float | None, Number, Option("Stop at this many US dollars.", panel=_SPENDING, is_about_work=True)
    ] = None
    max_calls: Annotated[
        int | None, Number, Option("Stop after this many calls.", panel=_SPENDING, is_rare=True, is_about_work=True)
    ] = None
    max_tokens: Annotated[
        int | None, Number, Option("Stop after this many tokens.", panel=_SPENDING, is_rare=True, is_about_work=True)
    ] = None
    prices: Annotated[
        Path | None, Option("TOML file with prices of models.", panel=_SPENDING, is_rare=True, is_about_work=True)
    ] = None
    further: tuple[tuple[str, Any], ...] = ()
    """Metrics that name a model of their own, each with that model."""

    @property
    def judge(self) -> str | None:
        """The first judge that was named."""
        return self.judges[0] if self.judges else None

    @property
    def more_judges(self) -> tuple[str, ...]:
        """Those that judge the same beside it."""
        return self.judges[1:]

    @cached_property
    def limits(self) -> Limits:
        from ragassay.models.llm.pace import Limits

        return Limits(
            max_in_flight=self.max_in_flight,
            call_timeout_s=self.call_timeout,
        )

    def name_of(self, role: Role) -> str:
        own = {"writer": self.model, "judge": self.judge, "answerer": self.answers}[role]
        return own or self.model

    def option_of(self, role: Role) -> str:
        """The option that named it, for messages."""
        own = {"writer": self.model, "judge": self.judge, "answerer": self.answers}[role]
        return _OPTION_OF[role] if own else _OPTION_OF["writer"]

    @property
    def on_servers(self) -> tuple[Role, ...]:
        return tuple(role for role in ROLES if self.name_of(role) not in LOCAL)

    @property
    def uses_servers(self) -> bool:
        more = any(name not in LOCAL for name in self.more_judges)
        return bool(self.on_servers) or more or self.embeds_on_server or bool(self.further)

    @property
    def embeds_on_server(self) -> bool:
        """Whether vectors are asked of a server; sentence-transformers makes them in this process."""
        return self.embeddings != EMBEDDED and not self.embeddings.startswith(SENTENCE_TRANSFORMERS)

    def without_idle_limits(self) -> ModelOptions:
        """Without limits and prompts where nothing is asked that they could hold for."""
        if self.uses_servers:
            return self
        return replace(self, max_cost=None, max_calls=None, max_tokens=None, prompts=NO_OVERRIDES)

    def check(self, *, lexical: bool = False) -> None:
        """Raises UsageError for what cannot be meant; names of models are looked at where they are resolved.

        lexical: the lexical judge will do, since metrics are all that is asked.
        """
        for role in () if lexical else ROLES:
            if self.name_of(role) == LEXICAL:
                raise UsageError(
                    f"{self.option_of(role)} {LEXICAL}: only judges answers, in `ragassay evaluate` and "
                    "`ragassay judge check`; name another model"
                )
        judges = [self.name_of("judge"), *self.more_judges]
        twice = next((name for place, name in enumerate(judges) if name in judges[:place]), None)
        if twice is not None:
            raise UsageError(f"--judge: {twice} is named twice; name each judge once")
        if self.uses_servers:
            return
        for option, value in (
            ("--prompts", self.prompts.prompts or None),
            ("--max-cost", self.max_cost),
            ("--max-calls", self.max_calls),
            ("--max-tokens", self.max_tokens),
        ):
            if value is not None:
                raise UsageError(f"{option}: needs a model on a server; name one with --model")

    def prompt_hashes(self) -> dict[str, str]:
        """Task name to the hash of its prompt as the user may have replaced it; none where no server is asked."""
        if not (self.on_servers or self.further or any(name not in LOCAL for name in self.more_judges)):
            return {}
        from ragassay.tasks.catalogue import TASKS  # imported late: it imports all tasks

        return {name: prompt_hash(task, self.prompts) for name, task in TASKS.items()}

    def settings(self) -> dict[str, str]:
        """What reports show, the embedded model's silence left out."""
        roles = {"model": self.model, "judge": self.judge, "answers": self.answers}
        shown = {name: value for name, value in roles.items() if value}
        if self.further:
            shown["models of metrics"] = ", ".join(f"{metric}: {name}" for metric, name in self.further)
        if self.more_judges:
            shown["judges"] = ", ".join((self.name_of("judge"), *self.more_judges))
            shown["panel"] = self.panel
        if self.embeddings != EMBEDDED:
            shown["embeddings"] = self.embeddings
        if "judge" in self.on_servers:
            shown["judging"] = self.judging
        if self.on_servers and self.temperature is not None:
            shown["temperature"] = f"{self.temperature:g}"
        if self.prompts.prompts:
            shown["own prompts"] = ", ".join(sorted(self.prompts.prompts))
        return shown

    def asked(self) -> dict[str, Any]:
        """All that decides about a reply: part of the fingerprint of a run."""
        from ragassay.models.small.roles import is_on

        names = [*map(self.name_of, ROLES), *(name for _, name in self.further), *self.more_judges]
        switched = {} if is_on() or LOCAL.isdisjoint(names) else {"small language model": "off"}
        alone = not self.further and not self.more_judges
        if self.embeddings == EMBEDDED and alone and all(self.name_of(role) == EMBEDDED for role in ROLES):
            return {"model": EMBEDDED, **switched}
        return {
            "roles": {role: _resolved(self.name_of(role)) for role in ROLES},
            "embeddings": _resolved(self.embeddings),
            **({"further": [(metric, _resolved(name)) for metric, name in self.further]} if self.further else {}),
            **({"panel": [self.panel, *map(_resolved, self.more_judges)]} if self.more_judges else {}),
            "temperature": self.temperature,
            "judging": self.judging,
            "extra_body": json.dumps(dict(self.extra_body), sort_keys=True),
            "prompts": hashlib.sha256(json.dumps(self.prompt_hashes(), sort_keys=True).encode()).hexdigest(),
            **switched,
        }


def left(models: ModelOptions, spent: Spent) -> ModelOptions:
    """The limits that are left after what was spent: they hold for answers and metrics together."""
    tokens = spent.prompt_tokens + spent.completion_tokens
    return replace(
        models,
        max_calls=None if models.max_calls is None else max(0, models.max_calls - spent.calls),
        max_tokens=None if models.max_tokens is None else max(0, models.max_tokens - tokens),
        max_cost=None if models.max_cost is None else max(0.0, models.max_cost - spent.cost_usd),
    )


def _resolved(name: str) -> str:
    """The model that a name stands for here and now: environment variables may say where its server is."""
    if name in LOCAL or name.startswith(SENTENCE_TRANSFORMERS):
        return name
    from ragassay.models.llm.endpoints import KEY_VARIABLES, endpoint_of

    return endpoint_of(name, {**dict.fromkeys(KEY_VARIABLES, "none"), **os.environ}).name
