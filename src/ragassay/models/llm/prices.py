"""What calls cost: a table of list prices that comes with the package, and the user's own on top of it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ragassay.errors import InputError, UsageError
from ragassay.models.llm.endpoints import LITELLM_URL, excerpted, is_local
from ragassay.settings import parsed_toml

TOKENS_PER_UNIT = 1_000_000

PACKAGE = "Ragassay"
LIST_PRICE = "list price"
"""What every entry of the package's table is."""

_FIELDS = {"prompt", "completion", "cached", "batch_prompt", "batch_completion", "as_of", "source"}
_DATED = re.compile(r"(?P<model>.+?)-(?:\d{4}-\d{2}-\d{2}|\d{8})")
"""A version of a model by its day, as in gpt-4o-mini-2024-07-18 and claude-haiku-4-5-20251001."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens.

    cached: of a prompt's tokens that the server had kept; None where they cost what the others do. as_of: the day for
    which it was looked up, source: where, as far as the table says so. table: whose entry it is. batch_prompt,
    batch_completion: of calls in batches; None where they are not known.
    """

    prompt: float
    completion: float
    as_of: date | None = None
    cached: float | None = None
    source: str = ""
    table: str = ""
    batch_prompt: float | None = None
    batch_completion: float | None = None

    def cost(
        self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0, *, batched: bool = False
    ) -> float:
        """US dollars for so many tokens. cached_tokens: of those of the prompt.

        batched: in a batch, where what was cached costs as the rest; the price of other calls where that of batches is
        not known.
        """
        if batched and self.batch_prompt is not None and self.batch_completion is not None:
            return (prompt_tokens * self.batch_prompt + completion_tokens * self.batch_completion) / TOKENS_PER_UNIT
        cached = self.prompt if self.cached is None else self.cached
        prompt = (prompt_tokens - cached_tokens) * self.prompt + cached_tokens * cached
        return (prompt + completion_tokens * self.completion) / TOKENS_PER_UNIT


FREE = Price(0.0, 0.0, source="a server of your own")


class Prices:
    """Model name to price."""

    def __init__(self, listed: Mapping[str, Price], own: Mapping[str, Price] = MappingProxyType({})) -> None:
        """listed: the table of the package. own: the user's, which goes before it."""
        self._listed = listed
        self._own = own

    @classmethod
    def load(cls, path: Path | None = None) -> Prices:
        """The table of the package, and the user's own in a file of the same form.

        Raises InputError for a file that cannot be read, UsageError that names the entry for what is in it.
        """
        table = resources.files("ragassay.models.llm").joinpath("prices.toml").read_text("utf-8")
        listed = _read(table, "prices.toml", PACKAGE)
        if path is None:
            return cls(listed)
        try:
            own = path.read_text("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"--prices: {path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
        except OSError as error:
            raise InputError(f"--prices: {path} cannot be read: {error.strerror}") from None
        return cls(listed, _read(own, f"--prices: {path}", str(path)))

    def entries(self) -> dict[str, Price]:
        """Name to price of all entries, the user's first; those of the package that they replace are left out."""
        return {**self._own, **{name: price for name, price in self._listed.items() if name not in self._own}}

    def of(self, name: str) -> Price | None:
        """The price of a model by the name of its endpoint (``Endpoint.name``), or None where it is not known.

        In this order: the user's entry for the whole name; nothing for a server in reach of one's own network; the
        user's and then the package's entry for the model, with and without the date of a version. Nothing is guessed.
        """
        if name in self._own:
            return self._own[name]
        place, model = _split(name)
        if place == "ollama:" or is_local(place):
            return FREE
        names = [model]
        if place == LITELLM_URL:
            names.append(model.removeprefix("openai/").removeprefix("anthropic/"))
        for candidate in dict.fromkeys(each for full in names for each in (full, _undated(full))):
            found = self._own.get(candidate) or self._listed.get(candidate)
            if found is not None:
                return found
        return None

    def cost(
        self, name: str, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0, *, batched: bool = False
    ) -> float | None:
        """US dollars for a call, 0.0 on a local server, or None where the price is not known. name: as for ``of``."""
        price = self.of(name)
        return None if price is None else price.cost(prompt_tokens, completion_tokens, cached_tokens, batched=batched)

    def has_batches(self, name: str) -> bool:
        """Whether the price of batches is known."""
        price = self.of(name)
        return price is not None and price.batch_prompt is not None


def _split(name: str) -> tuple[str, str]:
    """The place of an endpoint and the model there."""
    if "://" in name:
        url, _, model = name.partition("#")
        return url, model
    scheme, colon, model = name.partition(":")
    if colon and scheme in {"openai", "ollama"}:
        return f"{scheme}:", model
    if colon and scheme == "litellm":
        return ("ollama:", model) if model.startswith(("ollama/", "ollama_chat/")) else (LITELLM_URL, model)
    return "", name


def _undated(model: str) -> str:
    match = _DATED.fullmatch(model)
    return match["model"] if match else model


def _read(text: str, source: str, table: str) -> dict[str, Price]:
    tables = parsed_toml(text, source)
    return {name: _price(entry, f"{source}: {excerpted(name)!r}", table) for name, entry in tables.items()}


def _price(entry: Any, where: str, table: str) -> Price:
    is_table = isinstance(entry, dict) and {"prompt", "completion"} <= entry.keys() <= _FIELDS
    if not is_table or ("batch_prompt" in entry) != ("batch_completion" in entry):
        raise UsageError(
            f"{where}: must have prompt and completion, and may have cached, batch_prompt with batch_completion, "
            "as_of and source, but nothing else; quote a name that contains a dot"
        )
    for name in entry.keys() - {"as_of", "source"}:
        value = entry[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
            raise UsageError(f"{where}: {name} must be US dollars per million tokens")
    as_of = entry.get("as_of")
    if as_of is not None and type(as_of) is not date:
        raise UsageError(f"{where}: as_of must be a date such as 2026-11-05, without quotes")
    source = entry.get("source", LIST_PRICE if table == PACKAGE else "")
    if not isinstance(source, str):
        raise UsageError(f"{where}: source must be a text, such as the address of a page")
    cached = float(entry["cached"]) if "cached" in entry else None
    batch = [float(entry[name]) if name in entry else None for name in ("batch_prompt", "batch_completion")]
    return Price(float(entry["prompt"]), float(entry["completion"]), as_of, cached, source, table, *batch)
