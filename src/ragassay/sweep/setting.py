"""One setting of the built-in system, all of it: what a sweep over more than retrieval compares."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from typing import Any

from ragassay.corpus.chunkers import CHUNKERS, DEFAULT_OVERLAPS, DEFAULT_SIZES, UNITS, ChunkerName, Chunking
from ragassay.errors import UsageError
from ragassay.retrieval.dense_vectors import ChunkVectors
from ragassay.retrieval.hybrid import Fusion
from ragassay.retrieval.rerank.names import NO_RERANKER, is_reranker
from ragassay.sweep.grid import FUSIONS, TEXT_WEIGHTS

NO_GENERATOR = "none"
EMBEDDED = "embedded"
NOBODY = "none"
ALWAYS, TOOL = "always", "tool"
GUARD_THRESHOLDS = (0.75,)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Setting:
    """chunker, chunk_size, overlap: how documents are cut. prefix: fields indexed in front of each chunk.

    encoder, vectors: who makes the vectors, and whether chunks are read in their documents (late) or alone (plain).
    fusion, text_weight: see ``Configuration``. reranker: of the first ``candidates`` chunks, ``none`` for nobody.
    top_k: chunks that the generator answers from. generator: ``none`` where nothing is answered.
    hyde: the model that makes up a passage to search with, ``none`` for nobody. retrieval: ``tool`` where the generator
    decides whether to search, and for what. guard: file with example questions to refuse, "" for none;
    guard_threshold: the cosine from which a question is near to one. prompt: file with the answerer's, "" for ours.
    """

    chunker: ChunkerName = "recursive"
    chunk_size: int = 512
    overlap: int = 48
    prefix: tuple[str, ...] = ()
    encoder: str = EMBEDDED
    vectors: ChunkVectors = "late"
    fusion: Fusion = "raw_linear"
    text_weight: float = 0.1
    reranker: str = NO_RERANKER
    candidates: int = 0
    top_k: int = 5
    generator: str = NO_GENERATOR
    hyde: str = NOBODY
    retrieval: str = ALWAYS
    guard: str = ""
    guard_threshold: float = 0.0
    prompt: str = ""

    @property
    def chunking(self) -> Chunking:
        return Chunking(chunker=self.chunker, size=self.chunk_size, overlap=self.overlap)

    @property
    def retriever(self) -> str:
        return "dense" if self.text_weight == 0 else "lexical" if self.text_weight == 1 else "hybrid"

    @property
    def ranking(self) -> Setting:
        """The same without what comes after the first ranking: settings that share it share the ranking."""
        return replace(self.retrieved, reranker=NO_RERANKER, candidates=0, guard="", guard_threshold=0.0)

    @property
    def retrieved(self) -> Setting:
        """The same without answering: settings that share it retrieve the same chunks."""
        decider = self.generator if self.retrieval == TOOL else NO_GENERATOR
        return replace(self, top_k=0, generator=decider, prompt="")

    @property
    def name(self) -> str:
        """What tables and predictions call it: all that sets it apart from other settings."""
        unit = "" if self.chunker == "recursive" else f" {UNITS[self.chunker]}"
        hybrid = f"{self.fusion} w={self.text_weight:g}"
        words = [
            f"{self.chunk_size}{unit}",
            *([f"overlap {self.overlap}"] if self.overlap != DEFAULT_OVERLAPS[self.chunker] else []),
            *([f"prefix {'+'.join(self.prefix)}"] if self.prefix else []),
            *([f"by {self.encoder}"] if self.encoder != EMBEDDED and self.text_weight < 1 else []),
            *(["plain"] if self.vectors == "plain" and self.text_weight < 1 else []),
            hybrid if self.retriever == "hybrid" else self.retriever,
            *([f"{self.reranker} of {self.candidates}"] if self.candidates else []),
            *([f"hyde {self.hyde}"] if self.hyde != NOBODY else []),
            *(["tool"] if self.retrieval == TOOL else []),
            *([f"guard {self.guard} {self.guard_threshold:g}"] if self.guard else []),
            f"top {self.top_k}",
            *([f"prompt {self.prompt}"] if self.prompt else []),
            *([f"answers {self.generator}"] if self.generator != NO_GENERATOR else []),
        ]
        return " ".join(words)

    @property
    def fingerprint(self) -> str:
        """The name of its files."""
        said = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    def row(self) -> dict[str, str | int | float]:
        """Its columns in tables."""
        return {**asdict(self), "prefix": "+".join(self.prefix), "retriever": self.retriever, "setting": self.name}


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """What is tried of each part; every combination that makes a difference is a setting.

    chunk_size: None for the chunker's usual ones. overlap: None for the chunker's usual one.
    """

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
    top_k: tuple[int, ...] = (5,)
    generator: tuple[str, ...] = (NO_GENERATOR,)
    hyde: tuple[str, ...] = (NOBODY,)
    retrieval: tuple[str, ...] = (ALWAYS,)
    guard: tuple[str, ...] = ("",)
    guard_threshold: tuple[float, ...] = GUARD_THRESHOLDS
    prompt: tuple[str, ...] = ("",)

    def settings(self) -> tuple[Setting, ...]:
        """Every setting once, in the order in which the parts are given.

        Parts that make no difference are as in the first setting that has them: fusions at text weights 0 and 1,
        encoders, their vectors and HyDE at 1, candidates without a reranker, thresholds without a guardrail, search
        as a tool and prompts where no language model answers.
        """
        found = dict.fromkeys(self._plain(setting) for setting in self._combinations())
        return tuple(found)

    def _combinations(self) -> Iterator[Setting]:
        others = [getattr(self, each.name) for each in fields(self)[3:]]
        names = [each.name for each in fields(self)[3:]]
        for chunker in self.chunker:
            sizes = DEFAULT_SIZES[chunker] if self.chunk_size is None else self.chunk_size
            for size, overlap, *rest in product(sizes, self.overlap, *others):
                usual = min(DEFAULT_OVERLAPS[chunker], size // 4)  # less where chunks are small
                kept = usual if overlap is None else overlap
                if kept >= size:
                    raise UsageError(f"overlap: {kept} is not below the chunk size {size}; make it smaller")
                yield Setting(chunker=chunker, chunk_size=size, overlap=kept, **dict(zip(names, rest, strict=True)))

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


def space_of(values: Mapping[str, Any], where: str) -> Space:
    """The space that a file describes: a value, or a list of values, for each part.

    Raises UsageError that names the part at fault. where: the file, for messages.
    """
    known = {each.name: each for each in fields(Space)}
    for name in values:
        if name not in known:
            raise UsageError(f"{where}: grid: there is no part {name!r}; the parts are {', '.join(known)}")
    given = {name: _CHECKS[name](_listed(name, value), f"{where}: {name}") for name, value in values.items()}
    return Space(**given)


def _listed(name: str, value: Any) -> list[Any]:
    values = value if isinstance(value, list) else [value]
    return values or [None]


def _names(known: Sequence[str]) -> Any:
    def check(values: list[Any], where: str) -> tuple[Any, ...]:
        strange = [value for value in values if value not in known]
        if strange:
            raise UsageError(f"{where}: {strange[0]!r} is none; give some of {', '.join(known)}")
        return tuple(dict.fromkeys(values))

    return check


def _whole(least: int) -> Any:
    def check(values: list[Any], where: str) -> tuple[int, ...]:
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise UsageError(f"{where}: {value!r} is no whole number from {least}")
        return tuple(dict.fromkeys(values))

    return check


def _weights(values: list[Any], where: str) -> tuple[float, ...]:
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise UsageError(f"{where}: {value!r} is no weight; give numbers from 0 (dense) to 1 (lexical)")
    return tuple(dict.fromkeys(float(value) for value in values))


def _prefixes(values: list[Any], where: str) -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    for value in values:
        names = value if isinstance(value, list) else str(value or "").replace("+", ",").split(",")
        if not all(isinstance(name, str) for name in names):
            raise UsageError(f'{where}: {value!r} names no fields; write "", "title" or "title+source"')
        found.append(tuple(name.strip() for name in names if name.strip()))
    return tuple(dict.fromkeys(found))


def _models(values: list[Any], where: str) -> tuple[str, ...]:
    for value in values:
        if not isinstance(value, str) or not value:
            raise UsageError(f"{where}: {value!r} is no name; give embedded, openai:MODEL or none")
    return tuple(dict.fromkeys(values))


def _rerankers(values: list[Any], where: str) -> tuple[str, ...]:
    for value in values:
        if not isinstance(value, str) or not is_reranker(value):
            raise UsageError(
                f"{where}: {value!r} is no reranker; give none, late_interaction, judge or cross_encoder:MODEL"
            )
    return tuple(dict.fromkeys(values))


def _files(values: list[Any], where: str) -> tuple[str, ...]:
    for value in values:
        if value is not None and not isinstance(value, str):
            raise UsageError(f'{where}: {value!r} is no file; give its name, or "" for none')
    return tuple(dict.fromkeys("" if value in (None, NOBODY) else value for value in values))


def _thresholds(values: list[Any], where: str) -> tuple[float, ...]:
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            raise UsageError(f"{where}: {value!r} is no cosine to refuse from; give numbers above 0, up to 1")
    return tuple(dict.fromkeys(float(value) for value in values))


def _overlaps(values: list[Any], where: str) -> tuple[int | None, ...]:
    return (None,) if values == [None] else tuple(_whole(0)(values, where))


_CHECKS: Mapping[str, Any] = {
    "chunker": _names(CHUNKERS),
    "chunk_size": _whole(1),
    "overlap": _overlaps,
    "prefix": _prefixes,
    "encoder": _models,
    "vectors": _names(("late", "plain")),
    "fusion": _names(FUSIONS),
    "text_weight": _weights,
    "reranker": _rerankers,
    "candidates": _whole(1),
    "top_k": _whole(1),
    "generator": _models,
    "hyde": _models,
    "retrieval": _names((ALWAYS, TOOL)),
    "guard": _files,
    "guard_threshold": _thresholds,
    "prompt": _files,
}


def preference(setting: Setting) -> tuple[Any, ...]:
    """Smaller is better among settings that are worth the same: the smallest text weight, then what is least work."""
    return (
        setting.text_weight,
        setting.generator != NO_GENERATOR,
        setting.hyde != NOBODY,
        setting.retrieval == TOOL,
        bool(setting.guard),
        bool(setting.prompt),
        setting.candidates,
        setting.top_k,
        setting.chunk_size,
        CHUNKERS.index(setting.chunker),
        setting.overlap,
        len(setting.prefix),
        FUSIONS.index(setting.fusion),
        setting,
    )


def varied(settings: Iterable[Setting]) -> list[str]:
    """Names of the parts in which the settings differ."""
    rows = [asdict(setting) for setting in settings]
    return [each.name for each in fields(Setting) if len({row[each.name] for row in rows}) > 1]
