"""What calls cost: a table of list prices that comes with the package, and the user's own on top of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragassay.errors import InputError, UsageError
from ragassay.models.llm.endpoints import excerpted, is_local
from ragassay.settings import parsed_toml

TOKENS_PER_UNIT = 1_000_000

PACKAGE = "Ragassay"
LIST_PRICE = "list price"

_DATED = re.compile(r"(?P<model>.+?)-(?:\d{4}-\d{2}-\d{2}|\d{8})")
"""A version of a model by its day, as in gpt-4o-mini-2024-07-18 and claude-haiku-4-5-20251001."""
_Dollars = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """US dollars for a million tokens. cached: of those that a server had kept. table: whose entry it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: _Dollars
    completion: _Dollars
    cached: _Dollars | None = None
    as_of: Annotated[date | None, Field(strict=True)] = None
    source: str = ""
    table: str = ""

    def cost(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """Return US dollars for so many tokens. cached_tokens: of those of the prompt."""
        cached = self.prompt if self.cached is None else self.cached
        prompt = (prompt_tokens - cached_tokens) * self.prompt + cached_tokens * cached
        return (prompt + completion_tokens * self.completion) / TOKENS_PER_UNIT


FREE = Price(prompt=0.0, completion=0.0, source="a server of your own")


class Prices:
    """Model name to price."""

    def __init__(self, listed: Mapping[str, Price], own: Mapping[str, Price] = MappingProxyType({})) -> None:
        """listed: the table of the package. own: the user's, which goes before it."""
        self._listed = listed
        self._own = own

    @classmethod
    def load(cls, path: Path | None = None) -> Prices:
        """Return the table of the package, and the user's own in a file of the same form.

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
        """Return name and price of all entries, the user's first; those that they replace are left out."""
        return {**self._own, **{name: price for name, price in self._listed.items() if name not in self._own}}

    def of(self, name: str) -> Price | None:
        """Return the price of a model by the name of its endpoint (``Endpoint.name``), or None where it is not known.

        In this order: the user's entry for the whole name; nothing for a server in one's own network; the user's and
        then the package's entry for the model, with and without the date of a version. Nothing is guessed.
        """
        if name in self._own:
            return self._own[name]
        place, model = _split(name)
        if place == "ollama:" or is_local(place):
            return FREE
        match = _DATED.fullmatch(model)
        candidates = (model, match["model"] if match else model)
        return next((table[each] for each in candidates for table in (self._own, self._listed) if each in table), None)

    def cost(self, name: str, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float | None:
        """Return US dollars for a call, 0.0 on a local server, None where no price is known. name: as for ``of``."""
        price = self.of(name)
        return None if price is None else price.cost(prompt_tokens, completion_tokens, cached_tokens)


def _split(name: str) -> tuple[str, str]:
    """Return the place of an endpoint and the model there."""
    if "://" in name:
        url, _, model = name.partition("#")
        return url, model
    scheme, colon, model = name.partition(":")
    if colon and scheme in {"openai", "ollama"}:
        return f"{scheme}:", model
    return "", name


def _read(text: str, source: str, table: str) -> dict[str, Price]:
    tables = parsed_toml(text, source)
    return {name: _price(entry, f"{source}: {excerpted(name)!r}", table) for name, entry in tables.items()}


def _price(entry: Any, where: str, table: str) -> Price:
    if not isinstance(entry, dict) or "table" in entry:
        raise UsageError(f"{where}: must be a table with prompt and completion; quote a name that contains a dot")
    beside = {"source": LIST_PRICE} if table == PACKAGE else {}
    try:
        return Price(**{**beside, **entry, "table": table})
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise UsageError(
            f"{where}: {first['loc'][0]}: {first['msg']}; prices are US dollars per million tokens (prompt, completion "
            "and, if you like, cached), as_of a date without quotes, source a text; quote a name that contains a dot"
        ) from None
