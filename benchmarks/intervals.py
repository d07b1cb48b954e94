"""How often the 95 % intervals of means and paired differences hold what they are of, on questions drawn at will.

Every question has a hidden normal number: a part that its document shares, and for two systems a part that both of them
share. Right or wrong is whether it lies below a limit, a score between 0 and 1 the normal distribution function of it,
so that true means and intra-class correlations are known. Beside the intervals of Ragassay stand percentile bootstraps.

    .venv/bin/python benchmarks/intervals.py [--samples 4000] [--workers 2]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from statistics import NormalDist
from time import process_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from ragassay.evaluation.aggregate import estimates
from ragassay.evaluation.clusters import Clusters
from ragassay.evaluation.paired import Differences
from ragassay.evaluation.resamples import resample_counts

Floats = npt.NDArray[np.float64]

CORRELATION = 0.3
"""Of two questions of one document: of their values, or of their differences."""
IN_COMMON = 0.4
"""Share of the hidden number that two systems have in common on a question."""
SPREAD = 0.8
"""Of scores between 0 and 1, in the units of the hidden number."""
RESAMPLES = 1_000
SIZES = (20, 50, 200)
UNEVEN = (1, 2, 4, 8)
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(200)


class Case(NamedTuple):
    """first, second: true means; second is None for the mean of one system. documents: how many questions each has."""

    kind: str
    documents: str
    n: int
    first: float
    second: float | None


class Covered(NamedTuple):
    """Shares of the samples whose interval holds the truth: ours, and bootstraps over questions and over documents."""

    ours: float
    by_questions: float
    by_documents: float


def clusters_of(case: Case) -> Clusters:
    if case.documents == "1":
        return np.arange(case.n)
    sizes = UNEVEN if case.documents == "uneven" else (int(case.documents),)
    return np.repeat(np.arange(case.n), np.resize(sizes, case.n))[: case.n]


def value(kind: str, mean: float, hidden: Floats, known: float = 1.0) -> Floats:
    """What is expected of a question of which the share ``known`` of the hidden number is given: itself for 1.

    hidden: the part that is given, of variance ``known``.
    """
    limit = NormalDist().inv_cdf(mean)
    if kind == "right or wrong":
        left = 1 - known
        return np.asarray(ndtr((limit - hidden) / sqrt(left)) if left else hidden < limit, dtype=np.float64)
    return np.asarray(ndtr((limit * sqrt(1 + SPREAD**2) + SPREAD * hidden) / sqrt(1 + SPREAD**2 * (1 - known))))


def covariance(kind: str, first: float, second: float, shared: float) -> float:
    """Of two values whose hidden numbers have a part of variance ``shared`` in common."""
    if shared >= 1 and kind == "right or wrong":
        return min(first, second) - first * second
    hidden = sqrt(shared) * _NODES
    product = value(kind, first, hidden, shared) * value(kind, second, hidden, shared)
    return float(product @ _WEIGHTS / sqrt(2 * np.pi)) - first * second


def part_of_documents(case: Case) -> float:
    """The share of the hidden number that a document's questions have in common, for the correlation wanted."""
    if case.documents == "1":
        return 0.0
    first, second = case.first, case.second
    pairs = [(first, first)] if second is None else [(first, first), (second, second)]
    whole = sum(covariance(case.kind, *pair, 1.0) for pair in pairs)
    if second is not None:
        whole -= 2 * covariance(case.kind, first, second, IN_COMMON)
    low, high = 0.0, 1.0 if second is None else 1 - IN_COMMON
    for _ in range(50):
        middle = (low + high) / 2
        found = sum(covariance(case.kind, *pair, middle) for pair in pairs) / whole
        low, high = (middle, high) if found < CORRELATION else (low, middle)
    return low


def drawn(case: Case, samples: int, seed: int) -> Floats:
    """(n, samples) Values of one system, or differences of two."""
    random = np.random.default_rng(seed)
    clusters, shared = clusters_of(case), part_of_documents(case)
    in_common = 0.0 if case.second is None else IN_COMMON
    both = sqrt(in_common) * random.normal(size=(case.n, samples))

    def of(mean: float) -> Floats:
        document = random.normal(size=(clusters.max() + 1, samples))[clusters]
        rest = random.normal(size=(case.n, samples))
        return value(case.kind, mean, sqrt(shared) * document + both + sqrt(1 - shared - in_common) * rest)

    first = of(case.first)
    return first if case.second is None else of(case.second) - first


def covered(case: Case, samples: int) -> Covered:
    values, clusters = drawn(case, samples, seed=case.n), clusters_of(case)
    if case.second is None:
        ours = [(each.low, each.high) for each in estimates(values, clusters=clusters)]
        truth = case.first
    else:
        ours = [each or (-1.0, 1.0) for each in Differences(values, [(0.0, 1.0)] * samples, clusters).intervals()]
        truth = case.second - case.first
    found = np.array(ours, dtype=np.float64)
    alone, together = bootstrap(values, np.arange(case.n)), bootstrap(values, clusters)
    return Covered(*(held(each, truth) for each in (found, alone, together)))


def bootstrap(values: Floats, clusters: Clusters) -> Floats:
    """(samples, 2) Percentile intervals over clusters."""
    sizes = np.bincount(clusters).astype(np.float64)
    sums = np.add.reduceat(values, np.flatnonzero(np.r_[True, np.diff(clusters) != 0]), axis=0)
    means = [(each @ sums) / (each @ sizes)[:, None] for each in resample_counts(len(sizes), 0, RESAMPLES)]
    return np.percentile(np.concatenate(means), [2.5, 97.5], axis=0).T


def held(intervals: Floats, truth: float) -> float:
    return float(((intervals[:, 0] <= truth + 1e-12) & (intervals[:, 1] >= truth - 1e-12)).mean())


def cases() -> Iterator[Case]:
    for first, second in ((0.5, None), (0.8, None), (0.9, None), (0.7, 0.7), (0.7, 0.8), (0.9, 0.9)):
        for kind in ("right or wrong", "score"):
            for documents in ("1", "5", "uneven"):
                for n in SIZES:
                    yield Case(kind, documents, n, first, second)


def print_times() -> None:
    """Of 10 000 questions of about 2 000 documents for 1 000 settings."""
    random = np.random.default_rng(0)
    values, clusters = random.random((10_000, 1_000)), random.integers(0, 2_000, 10_000)
    work: dict[str, Callable[[], object]] = {
        "means over questions": lambda: estimates(values),
        "means over documents": lambda: estimates(values, clusters=clusters),
        "differences over documents": lambda: Differences(values, [(0.0, 1.0)] * 1_000, clusters).p_values(),
    }
    for name, of in work.items():
        begin = process_time()
        of()
        print(f"{name}: {process_time() - begin:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=4_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    everything = list(cases())
    with ProcessPoolExecutor(options.workers) as pool:
        found = list(pool.map(covered, everything, [options.samples] * len(everything)))
    print("| of | values | questions a document |", *(f"n = {n} |" for n in SIZES))
    print("| --- | --- | --- |", *(" --- |" for _ in SIZES))
    for start in range(0, len(everything), len(SIZES)):
        case = everything[start]
        what = f"mean {case.first:g}" if case.second is None else f"difference {case.first:g} to {case.second:g}"
        cells = (f"**{e.ours:.3f}** {e.by_questions:.3f} {e.by_documents:.3f} |" for e in found[start : start + 3])
        print(f"| {what} | {case.kind} | {case.documents} |", *cells)
    many = [each.ours for case, each in zip(everything, found, strict=True) if clusters_of(case).max() >= 9]
    print(f"From ten documents on: {min(many):.3f} to {max(many):.3f};", end=" ")
    print(f"{sum(0.93 <= each <= 0.97 for each in many)} of {len(many)} within 0.93 to 0.97.")
    few = [each.ours for case, each in zip(everything, found, strict=True) if clusters_of(case).max() < 9]
    print(f"With fewer: {min(few):.3f} to {max(few):.3f}.")
    print_times()


if __name__ == "__main__":
    main()
