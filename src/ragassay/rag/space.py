"""What a sweep tries of each parameter of the built-in system, and the settings that come of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, Literal, get_type_hints

from pydantic import TypeAdapter, ValidationError

from ragassay.documents.chunkers import DEFAULT_SIZES, ChunkerName
from ragassay.errors import UsageError
from ragassay.models import EMBEDDED
from ragassay.options import Count, settings
from ragassay.rag.setting import ALWAYS, NO_GENERATOR, NOBODY, TOP_K, Searching, Setting, overlap_of
from ragassay.retrieval.dense_vectors import ChunkVectors
from ragassay.retrieval.hybrid import Fusion
from ragassay.retrieval.rerank import NO_RERANKER
from ragassay.settings import fault_of

TEXT_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)  # Know Your RAG (COLING 2025), retrieval per label
GUARD_THRESHOLDS = (0.75,)
MOST_LISTED = 100_000
_TRIES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """What is tried of each part; every combination that makes a difference is a setting. None: usual ones."""

    chunker: tuple[ChunkerName, ...] = ("recursive",)
    chunk_size: tuple[int, ...] | None = None
    overlap: tuple[int | None, ...] = (None,)
    prefix: tuple[tuple[str, ...], ...] = ((),)
    encoder: tuple[str, ...] = (EMBEDDED,)
    vectors: tuple[ChunkVectors, ...] = ("late",)
    fusion: tuple[Fusion, ...] = ("raw_linear",)
    text_weight: tuple[float, ...] = TEXT_WEIGHTS
    reranker: tuple[str, ...] = (NO_RERANKER,)
    candidates: tuple[int, ...] = (20,)
    top_k: tuple[int, ...] = (TOP_K,)
    generator: tuple[str, ...] = (NO_GENERATOR,)
    hyde: tuple[str, ...] = (NOBODY,)
    retrieval: tuple[Searching, ...] = (ALWAYS,)
    guard: tuple[str, ...] = ("",)
    guard_threshold: tuple[float, ...] = GUARD_THRESHOLDS
    prompt: tuple[str, ...] = ("",)

    def settings(self) -> tuple[Setting, ...]:
        """Return every setting once, in the order in which the parts are given.

        Parts that make no difference, as fusions at text weights 0 and 1, are as in the first setting that has them.
        """
        return tuple(dict.fromkeys(map(self._combined, product(*self._parts))))

    @property
    def combinations(self) -> int:
        """Count those of all values of all parts: settings that make no difference as well."""
        return math.prod(map(len, self._parts))

    def drawn(self, n: int, seed: int) -> tuple[Setting, ...]:
        """Draw n different settings by chance, fewer where there are no more, without a list of all."""
        random, parts = Random(seed), self._parts
        found: dict[Setting, None] = {}
        for _ in range(_TRIES * n):
            found[self._combined([random.choice(values) for values in parts])] = None
            if len(found) == n:
                break
        return tuple(found)

    @property
    def _parts(self) -> list[tuple[Any, ...]]:
        """Return the values of each part, the chunkers with their sizes first."""
        cut = [
            (chunker, size)
            for chunker in self.chunker
            for size in (DEFAULT_SIZES[chunker] if self.chunk_size is None else self.chunk_size)
        ]
        return [tuple(cut), *(getattr(self, name) for name in _PARTS)]

    def _combined(self, values: Sequence[Any]) -> Setting:
        (chunker, size), overlap, *rest = values
        kept = overlap_of(chunker, size, overlap)
        others = dict(zip(_PARTS[1:], rest, strict=True))
        return self._plain(Setting(chunker=chunker, chunk_size=size, overlap=kept, **others))

    def _plain(self, setting: Setting) -> Setting:
        same: dict[str, Any] = {}
        if setting.text_weight in (0, 1):
            same["fusion"] = self.fusion[0]
        if setting.text_weight == 1:
            same |= {"encoder": self.encoder[0], "vectors": self.vectors[0], "hyde": NOBODY}
        if setting.generator in (NO_GENERATOR, EMBEDDED):
            same |= {"retrieval": ALWAYS, "prompt": ""}
        if not setting.guard:
            same["guard_threshold"] = 0.0
        if setting.reranker == NO_RERANKER:
            same["candidates"] = 0
        return replace(setting, **same)


@settings
class Search:
    """grid tries every setting, random n of them. Raises UsageError for random without n."""

    method: Literal["grid", "random"] = "grid"
    n: Count | None = None

    def __post_init__(self) -> None:
        if self.method == "random" and self.n is None:
            raise UsageError("--search: random needs n, the number of settings to try")


@lru_cache(maxsize=8)
def tried(search: Search, space: Space, seed: int) -> tuple[tuple[Setting, ...], int]:
    """Return the settings that are tried, and how many there are, at most. Raises UsageError where that is too much."""
    n, is_listed = search.n, space.combinations <= MOST_LISTED
    every = space.settings() if is_listed else ()
    if search.method == "random" and n is not None and n <= MOST_LISTED // 10:
        return (every if is_listed and n >= len(every) else space.drawn(n, seed)), len(every) or space.combinations
    if not is_listed:
        raise UsageError(
            f"grid: has {space.combinations:,} combinations; give fewer values, or try some by chance, as in "
            "search: {method: random, n: 50}"
        )
    return every, len(every)


_PARTS = tuple(each.name for each in fields(Space))[2:]


def space_of(values: Mapping[str, Any], where: str) -> Space:
    """Return the space that a file describes: values for each part. Raises UsageError that names the part at fault."""
    known = {each.name: each for each in fields(Space)}
    for name in values:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(known)}"
            raise UsageError(f"{where}: unknown parameter {name!r}; {hint}")
    return Space(**{name: _checked(name, value, f"{where}: {name}") for name, value in values.items()})


def _checked(name: str, value: Any, where: str) -> tuple[Any, ...]:
    """Each value once. Raises UsageError for one that the parameter cannot have."""
    values = [*value] if isinstance(value, list | tuple | range) else [value]
    found: dict[Any, None] = {}
    for each in values or [None]:
        if name == "overlap" and each is None:
            found[None] = None
            continue
        if name in ("prefix", "guard", "prompt") and (each is None or each == NOBODY):
            each = ""
        try:
            checked = _TYPES[name].validate_python(each, strict=name != "prefix")
        except ValidationError as error:
            raise UsageError(f"{where}: {fault_of(error, name)}") from None
        if name in _NOT_ZERO and checked <= 0:
            raise UsageError(f"{where}: must be {_NOT_ZERO[name]}, not {each!r}")
        found[checked] = None
    return tuple(found)


_TYPES = {name: TypeAdapter(type_) for name, type_ in get_type_hints(Setting, include_extras=True).items()}
_NOT_ZERO = {"candidates": "at least 1", "top_k": "at least 1", "guard_threshold": "above 0"}
"""In a setting they may be 0, which says that they play no part."""
