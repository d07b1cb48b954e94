"""Files of passages: JSON lines with a text and what was written about it. What both trainings read."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ragassay.errors import InputError, UsageError
from ragassay.plain_files import lines_of, open_plain
from ragassay.training.options import TrainOptions

LEAST_ROWS = 50
"""Pairs or claims, below which nothing is learned that could be measured."""

Fields = Mapping[str, Any]


class Placed(Protocol):
    """What comes from somewhere. source: the kind of document. document: within the source; no split divides it."""

    @property
    def source(self) -> str: ...
    @property
    def document(self) -> str: ...


T = TypeVar("T", bound=Placed)


def read_objects(path: Path) -> list[tuple[str, Fields]]:
    """(place, object) of each line. Raises InputError for what is no JSON object."""
    rows: list[tuple[str, Fields]] = []
    try:
        with open_plain(path) as file:
            for number, line in enumerate(lines_of(file, str(path)), 1):
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise InputError(f"{path}, line {number}: not a JSON object")
                    rows.append((f"{path}, line {number}", row))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{path} is not a file of JSON lines: {error}") from error
    return rows


def text_of(row: Fields, name: str, where: str, *, default: str | None = None) -> str:
    """A field that holds a text. Raises InputError."""
    value = row.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"{where}: {name!r} must be text")
    return value


def objects_of(row: Fields, name: str, where: str) -> list[Fields]:
    """A field that holds an object or a list of objects; empty where there is none. Raises InputError."""
    value = row.get(name)
    found = value if isinstance(value, list) else [value] if value else []
    if not all(isinstance(each, dict) for each in found):
        raise InputError(f"{where}: {name!r} must be an object, or a list of objects")
    return found


def digest_of(texts: Iterable[str]) -> str:
    """The hash of what was read."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def split(items: Sequence[T], options: TrainOptions) -> tuple[list[T], list[T]]:
    """Return what is trained on and what is measured on: divided by source if sources are named, else by document.

    Raises UsageError for a source that no item has, and where nothing is left to train on.
    """
    known = {item.source for item in items}
    for option, names in (("--leave-out", options.leave_out), ("--hold-out-sources", options.hold_out_sources)):
        for name in names:
            if name not in known:
                raise UsageError(f"{option}: no source {name!r}; choose from {', '.join(map(repr, sorted(known)))}")
    used = [item for item in items if item.source not in options.leave_out]
    documents = sorted({(item.source, item.document) for item in used})
    if options.hold_out_sources:
        kept = {place for place in documents if place[0] in options.hold_out_sources}
    else:
        random.Random(f"hold out {options.seed}").shuffle(documents)
        kept = set(documents[: max(round(options.hold_out_share * len(documents)), 1)])
    sides: tuple[list[T], list[T]] = ([], [])
    for item in used:
        sides[(item.source, item.document) in kept].append(item)
    if not sides[0]:
        raise UsageError("nothing left to train on; leave out or hold out less")
    return sides
