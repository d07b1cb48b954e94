"""The retrieval metrics by the names that tables and scores call them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import numpy.typing as npt

from ragassay.metrics.retrieval.family import Family
from ragassay.metrics.retrieval.ranks import Ranks

NO_GROUND_SPAN = "the example names no ground span that a retriever could find"


@dataclass(frozen=True, slots=True)
class RankingMetric:
    """One metric at one depth. one: of a single ranking; all: of many at once, (n_questions,), NaN where undefined."""

    name: str
    one: Callable[[Sequence[str], Sequence[Set[str]]], float | None]
    all: Callable[[Ranks], npt.NDArray[np.float64]]


def _declared() -> Iterator[Family]:
    """Those of all modules beside this one that say so; the two that build on the families cannot be loaded yet."""
    package = import_module(__package__ or "")
    for name in sorted(each.name for each in iter_modules(package.__path__)):
        if name not in ("catalogue", "entries"):
            family = getattr(import_module(f"{package.__name__}.{name}"), "FAMILY", None)
            if family is not None:
                yield family


FAMILIES: Mapping[str, Family] = {family.name: family for family in _declared()}
RANKING_FAMILIES = tuple(FAMILIES)


@lru_cache(maxsize=256)
def ranking_metric(name: str) -> RankingMetric:
    """The metric of a name such as ``recall@5``: a family of ``RANKING_FAMILIES`` at any depth from 1.

    Raises ValueError for other names.
    """
    family, _, depth = name.partition("@")
    if family not in FAMILIES or not depth.isdecimal() or int(depth) < 1:
        raise ValueError(
            f"unknown ranking metric {name!r}; choose one of {', '.join(f'{each}@k' for each in FAMILIES)}"
        )
    found = FAMILIES[family]
    return RankingMetric(name, partial(found.one, k=int(depth)), partial(found.all, k=int(depth)))


RANKING_METRICS = tuple(
    map(ranking_metric, "recall@1 recall@3 recall@5 recall@10 hit_rate@5 mrr@10 ndcg@10 precision@5".split())
)
"""Those that every run measures."""
