"""Reads claims about passages, of which people have said whether the passage supports them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Strict, StringConstraints

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import json_line, read_objects
from ragassay.errors import InputError
from ragassay.records import from_json

SHIPPED_CLAIMS = Path(__file__).with_name("claims.jsonl")
"""320 claims about 40 passages, written for this package and used in no training."""
LEAST_CLAIMS = 20
"""Fewer say nothing about a judge: the interval of 19 right of 19 begins at 0.80."""
_Filled = Annotated[str, StringConstraints(pattern=r"\S")]
_Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim. where: file, line and number of the claim, for messages and results.

    type: what makes it right or wrong, such as paraphrase or number. quote: the stretch of the passage that decides, as
    the author of the claim says.
    """

    text: _Filled
    supported: Annotated[bool, Strict()]
    type: _Text = ""
    quote: _Text = ""
    where: str = ""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A passage with its claims. key: the same for all lines about one passage."""

    text: _Filled
    claims: tuple[Claim, ...]
    id: str | int | None = None
    source: _Text = ""
    title: _Text = ""
    heading: _Text = ""
    key: str = ""

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
    """Return whether the first object of a JSONL file is a passage with claims; False where it cannot be read."""
    try:
        first = next(read_objects(path, Notes(keep_going=True)), None)
    except OSError:
        return False
    return first is not None and "claims" in first.value


def read_claim_set(path: Path | None) -> ClaimSet:
    """Read a file of claims; None for the set that comes with the package.

    Raises RecordError, which names line and field, for one that cannot be used, and InputError for a file that cannot
    be read or holds fewer than LEAST_CLAIMS.
    """
    source = SHIPPED_CLAIMS if path is None else path
    passages = []
    try:
        for where, value in read_objects(source, Notes()):
            read = from_json(Passage, json_line(value), where=where)
            claims = (replace(claim, where=f"{where}, claim {n}") for n, claim in enumerate(read.claims, 1))
            key = where if read.id is None else f"{read.source}\x1f{read.id}"
            passages.append(replace(read, claims=tuple(claims), key=key))
    except OSError as error:
        raise InputError(f"{source} cannot be read ({error.strerror})") from None
    found = ClaimSet(str(path or "the shipped claims"), tuple(passages))
    if found.n < LEAST_CLAIMS:
        lines = f"{len(passages):,} line{'' if len(passages) == 1 else 's'}"
        raise InputError(
            f"{source}: needs at least {LEAST_CLAIMS} claims to measure a judge, not {found.n} (in {lines})"
        )
    return found
