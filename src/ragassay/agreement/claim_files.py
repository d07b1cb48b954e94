"""Reads claims about passages, of which people have said whether the passage supports them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, read_objects, text_of
from ragassay.errors import InputError, RecordError

SHIPPED_CLAIMS = Path(__file__).with_name("claims.jsonl")
"""320 claims about 40 passages, written for this package and used in no training."""
LEAST_CLAIMS = 20
"""Fewer say nothing about a judge: the interval of 19 right of 19 begins at 0.80."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim. where: file, line and number of the claim, for messages and results.

    type: what makes it right or wrong, such as paraphrase or number; may be empty. quote: the stretch of the passage
    that decides, as the author of the claim says; may be empty.
    """

    where: str
    text: str
    supported: bool
    type: str = ""
    quote: str = ""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A passage with its claims. key: the same for all lines about one passage."""

    key: str
    text: str
    claims: tuple[Claim, ...]
    source: str = ""
    title: str = ""
    heading: str = ""

    @cached_property
    def context(self) -> str:
        """What claims are judged by: title and heading, where they are given, before the text."""
        head = "\n".join(each for each in (self.title, self.heading) if each.strip())
        return f"{head}\n\n{self.text}" if head else self.text


class ClaimSet(NamedTuple):
    """where: the file."""

    where: str
    passages: tuple[Passage, ...]

    @property
    def n(self) -> int:
        """Claims of all passages."""
        return sum(len(each.claims) for each in self.passages)


def holds_claims(path: Path) -> bool:
    """Whether the first object of a JSONL file is a passage with claims; False for a file that cannot be read."""
    try:
        first = next(read_objects(path, Notes(keep_going=True)), None)
    except OSError:
        return False
    return first is not None and "claims" in first.value


def read_claim_set(path: Path | None) -> ClaimSet:
    """Reads a file of claims; None for the set that comes with the package.

    Raises RecordError, which names the line, for one that cannot be used, and InputError for a file that cannot be read
    or holds fewer than LEAST_CLAIMS.
    """
    source = SHIPPED_CLAIMS if path is None else path
    try:
        passages = tuple(map(_passage, read_objects(source, Notes())))
    except OSError as error:
        raise InputError(f"{source} cannot be read ({error.strerror})") from None
    found = ClaimSet(str(path or "the shipped claims"), passages)
    if found.n < LEAST_CLAIMS:
        lines = f"{len(passages):,} line{'' if len(passages) == 1 else 's'}"
        raise InputError(
            f"{source}: needs at least {LEAST_CLAIMS} claims to measure a judge, not {found.n} (in {lines})"
        )
    return found


def _passage(row: Row) -> Passage:
    if not isinstance(row.value.get("claims"), list):
        raise RecordError(f"{row.where}: the field 'claims' must be a list of claims about the passage")
    source, identity = _text(row, "source", default=""), _text(row, "id", default="")
    return Passage(
        key=f"{source}\x1f{identity}" if identity else row.where,
        text=_filled(row, "text"),
        claims=tuple(_claims(row)),
        source=source,
        title=_text(row, "title", default=""),
        heading=_text(row, "heading", default=""),
    )


def _claims(row: Row) -> Iterator[Claim]:
    for number, value in enumerate(row.value["claims"], 1):
        where = f"{row.where}, claim {number}"
        if not isinstance(value, dict):
            raise RecordError(f"{where}: must be an object with the fields text and supported")
        claim = Row(where, value)
        yield Claim(
            where=where,
            text=_filled(claim, "text"),
            supported=_supported(claim),
            type=_exact_text(claim, "type"),
            quote=_exact_text(claim, "quote"),
        )


def _supported(claim: Row) -> bool:
    value: Any = claim.value.get("supported")
    if value is None:
        raise RecordError(f"{claim.where}: the field 'supported' is missing; give true or false")
    if not isinstance(value, bool):
        raise RecordError(f"{claim.where}: the field 'supported' must be true or false, not {str(value)[:40]!r}")
    return value


def _filled(row: Row, name: str) -> str:
    text = _text(row, name)
    if not text.strip():
        raise RecordError(f"{row.where}: the field {name!r} is empty")
    return text


def _exact_text(row: Row, name: str) -> str:
    """As ``_text``, but a number is no text; empty where the field is absent or null."""
    value = row.value.get(name)
    if value is not None and not isinstance(value, str):
        raise RecordError(f"{row.where}: the field {name!r} must be text")
    return value or ""


def _text(row: Row, name: str, default: str | None = None) -> str:
    return cast("str", text_of(row, name, Notes(), default=default))
