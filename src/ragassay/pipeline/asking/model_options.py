"""Which models a run asks, how, and what it may spend on them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from ragassay.errors import UsageError
from ragassay.models.llm.batches import Batching
from ragassay.models.llm.budget import Spent
from ragassay.models.llm.dialect import Format
from ragassay.models.llm.endpoints import KEY_VARIABLES, endpoint_of
from ragassay.models.llm.limits import Limits
from ragassay.models.llm.samplings import Samplings
from ragassay.models.plug_in_models import plug_in_model_name
from ragassay.models.sentence_transformers_encoder import PREFIX as SENTENCE_TRANSFORMERS
from ragassay.models.small.roles import is_on
from ragassay.synthesis.options import SetPlan
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, prompt_hash
from ragassay.tasks.translations import ENGLISH

EMBEDDED = "embedded"
LEXICAL = "lexical"
"""The embedded judge without sentence vectors; it judges and does nothing else."""
LOCAL = frozenset((EMBEDDED, LEXICAL))
"""Models that are asked in this process."""
Judging = Literal["joint", "separate"]
"""All that a judge on a server is asked of one pair or answer in one call, or each by itself as the papers do."""
Panel = Literal["mean", "majority"]
"""Of the judges that gave a value: their mean, or the value that more than half of them gave."""
Role = Literal["writer", "judge", "answerer"]
ROLES: tuple[Role, ...] = get_args(Role)
_OPTION_OF: Mapping[Role, str] = MappingProxyType({"writer": "--model", "judge": "--judge", "answerer": "--answers"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """Names are those of ``models/llm/endpoints.py``, or ``embedded``: rules, statistics and a small sentence encoder.

    model: who writes examples, and does the rest unless another is named; ``small:ADAPTER``, which only writes, leaves
    the rest to the embedded model. judge: who labels, rates and judges.
    more_judges: judge the same answers beside it; panel: how one score is made of theirs.
    answers: who answers from retrieved chunks. embeddings: who makes the vectors that retrieval compares.
    further: metrics that name a model of their own, each with that model.
    limits, samplings, extra_body: of calls to servers. prompts: the user's own.
    prices: a file of the user's own, see ``models/llm/prices.py``.
    max_cost: US dollars; with max_calls and max_tokens, what the calls of this process may take together.
    reply_format: what servers are asked to hold replies to; no part of what is asked, so logs answer for any.
    batching: calls to servers go in batches, at the price of batches; None: one by one.
    judging: whether a judge on a server says in one call all that it is asked of one pair or answer.
    coverage: share of the questions put to a model on a server that it has to answer, else the run counts as failed.
    """

    model: str = EMBEDDED
    judge: str | None = None
    more_judges: tuple[str, ...] = ()
    panel: Panel = "mean"
    answers: str | None = None
    embeddings: str = EMBEDDED
    further: tuple[tuple[str, str], ...] = ()
    limits: Limits = field(default_factory=Limits)
    samplings: Samplings = field(default_factory=Samplings)
    extra_body: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    prompts: PromptOverrides = NO_OVERRIDES
    prices: Path | None = None
    max_cost: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    coverage: float = 0.95
    judging: Judging = "joint"
    reply_format: Format = "json_schema"
    batching: Batching | None = None

    def name_of(self, role: Role) -> str:
        """The model of a role, as it was named."""
        own = {"writer": self.model, "judge": self.judge, "answerer": self.answers}[role]
        return own or self.model

    def option_of(self, role: Role) -> str:
        """The option that named it, for messages."""
        own = {"writer": self.model, "judge": self.judge, "answerer": self.answers}[role]
        return _OPTION_OF[role] if own else _OPTION_OF["writer"]

    @property
    def on_servers(self) -> tuple[Role, ...]:
        """The roles whose model is on a server."""
        return tuple(role for role in ROLES if not is_local(self.name_of(role)))

    @property
    def uses_servers(self) -> bool:
        """Whether anything is asked of a server."""
        more = any(not is_local(name) for name in self.more_judges)
        return bool(self.on_servers) or more or self.embeds_on_server or bool(self.further)

    @property
    def embeds_on_server(self) -> bool:
        """Whether vectors are asked of a server; sentence-transformers makes them in this process."""
        return self.embeddings != EMBEDDED and not self.embeddings.startswith(SENTENCE_TRANSFORMERS)

    def without_idle_limits(self) -> ModelOptions:
        """Without limits and prompts where nothing is asked that they could hold for."""
        if self.uses_servers:
            return self
        return replace(self, max_cost=None, max_calls=None, max_tokens=None, prompts=NO_OVERRIDES, batching=None)

    def within_means(self, synthesis: SetPlan, costs: bool) -> SetPlan:
        """What is asked of synthesis as these models can bear it. costs: a part of it is asked of servers."""
        return synthesis.sparing() if costs else synthesis

    def check(self, *, lexical: bool = False) -> None:
        """Raises UsageError for what cannot be meant; names of models are looked at where they are resolved.

        lexical: the lexical judge will do, since metrics are all that is asked.
        """
        for role in () if lexical else ROLES:
            if self.name_of(role) == LEXICAL:
                raise UsageError(
                    f"{self.option_of(role)} {LEXICAL}: only judges answers, in `ragassay score` and "
                    "`ragassay judge check`; name another model"
                )
        self.check_coverage()
        self._check_panel()
        if self.judging not in get_args(Judging):
            raise UsageError(f"--judging: unknown way {self.judging!r}; choose one of {', '.join(get_args(Judging))}")
        if self.uses_servers:
            return
        for option, value in (
            ("--prompts", self.prompts.prompts or None),
            ("--prompt-language", None if self.prompts.language == ENGLISH else self.prompts.language),
            ("--max-cost", self.max_cost),
            ("--max-calls", self.max_calls),
            ("--max-tokens", self.max_tokens),
            ("--batch", self.batching),
        ):
            if value is not None:
                raise UsageError(f"{option}: needs a model on a server; name one with --model")

    def _check_panel(self) -> None:
        if self.panel not in get_args(Panel):
            raise UsageError(f"--panel: unknown way {self.panel!r}; choose one of {', '.join(get_args(Panel))}")
        judges = [self.name_of("judge"), *self.more_judges]
        twice = next((name for place, name in enumerate(judges) if name in judges[:place]), None)
        if twice is not None:
            raise UsageError(f"--judge: {twice} is named twice; name each judge once")

    def check_coverage(self) -> None:
        """Raises UsageError for a coverage that is no share."""
        if not 0 <= self.coverage <= 1:
            raise UsageError(f"--coverage: must be between 0 and 1, not {self.coverage:g}")

    def prompt_hashes(self) -> dict[str, str]:
        """Task name to the hash of its prompt as the user may have replaced it; none where no server is asked."""
        if not (self.on_servers or self.further or any(not is_local(name) for name in self.more_judges)):
            return {}
        return {name: prompt_hash(task, self.prompts) for name, task in TASKS.items()}

    def settings(self) -> dict[str, str]:
        """What reports show, the embedded model's silence left out."""
        roles = {"model": self.model, "judge": self.judge, "answers": self.answers}
        shown = {name: plug_in_model_name(value) or value for name, value in roles.items() if value}
        if self.further:
            shown["models of metrics"] = ", ".join(f"{metric}: {name}" for metric, name in self.further)
        if self.more_judges:
            shown["judges"] = ", ".join((self.name_of("judge"), *self.more_judges))
            shown["panel"] = self.panel
        if self.embeddings != EMBEDDED:
            shown["embeddings"] = self.embeddings
        for name, sampling in sorted(self.samplings.by_task.items()):
            shown[f"sampling of {name}"] = str(sampling)
        if "judge" in self.on_servers:
            shown["judging"] = self.judging
        if self.on_servers:
            shown["sampling"] = str(self.samplings.default)
        if self.prompts.prompts:
            shown["own prompts"] = ", ".join(sorted(self.prompts.prompts))
        if self.prompts.language != ENGLISH:
            shown["prompt language"] = self.prompts.language
        return shown

    def asked(self) -> dict[str, Any]:
        """All that decides about a reply: part of the fingerprint of a run."""
        names = [*map(self.name_of, ROLES), *(name for _, name in self.further), *self.more_judges]
        switched = {} if is_on() or not any(map(is_local, names)) else {"small language model": "off"}
        alone = not self.further and not self.more_judges
        if self.embeddings == EMBEDDED and alone and all(self.name_of(role) == EMBEDDED for role in ROLES):
            return {"model": EMBEDDED, **switched}
        samplings = {name: repr(self.samplings.of(name)) for name in TASKS}
        return {
            "roles": {role: _resolved(self.name_of(role)) for role in ROLES},
            "embeddings": _resolved(self.embeddings),
            **({"further": [(metric, _resolved(name)) for metric, name in self.further]} if self.further else {}),
            **({"panel": [self.panel, *map(_resolved, self.more_judges)]} if self.more_judges else {}),
            "samplings": samplings,
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
    return plug_in_model_name(name) or endpoint_of(name, {**dict.fromkeys(KEY_VARIABLES, "none"), **os.environ}).name


def is_local(name: str) -> bool:
    """Whether a model is asked in this process."""
    return name in LOCAL
