"""How often the 95 % intervals of means and of paired differences hold what they are of, where the truth is known.

    python benchmarks/intervals.py [--samples 1000]

Answers are right or wrong, each by a hidden normal number below a limit. The questions of a document share a part of
that number, and two systems another, so that the true means are known. A share of 0.95 of 1 000 samples is known to
within 0.014. Beside ours stand percentile bootstraps over questions and over documents.
"""

from __future__ import annotations

import argparse
from math import sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ragassay.evaluation.aggregate import estimates
from ragassay.evaluation.paired import Differences

Floats = npt.NDArray[np.float64]

SHARED_BY_DOCUMENT, SHARED_BY_SYSTEMS = 0.3, 0.3
RESAMPLES = 500
SIZES = (20, 50, 200)
CASES = ((0.5, None), (0.8, None), (0.9, None), (0.7, 0.7), (0.7, 0.8))
"""True means of one system, or of two."""


def documents(kind: str, n: int) -> npt.NDArray[np.int64]:
    """Return the document of each question: one each, or of one, two, four and eight questions in turn."""
    return np.arange(n) if kind == "one" else np.repeat(np.arange(n), np.resize((1, 2, 4, 8), n))[:n]


def drawn(means: tuple[float, float | None], of: npt.NDArray[np.int64], samples: int) -> Floats:
    """Return (n, samples) values of one system, or differences of two."""
    random = np.random.default_rng(len(of))
    size = (len(of), samples)
    by_document = 0.0 if of.max() == len(of) - 1 else SHARED_BY_DOCUMENT
    both = sqrt(SHARED_BY_SYSTEMS) * random.normal(size=size)

    def values(mean: float) -> Floats:
        shared = sqrt(by_document) * random.normal(size=(of.max() + 1, samples))[of]
        hidden = shared + both + sqrt(1 - by_document - SHARED_BY_SYSTEMS) * random.normal(size=size)
        return (hidden < NormalDist().inv_cdf(mean)).astype(np.float64)

    first = values(means[0])
    return first if means[1] is None else values(means[1]) - first


def bootstrap(values: Floats, of: npt.NDArray[np.int64]) -> Floats:
    """Return (samples, 2) percentile intervals over documents."""
    random = np.random.default_rng(0)
    sizes = np.bincount(of)
    sums = np.array([np.bincount(of, weights=column) for column in values.T])
    means = []
    for _ in range(RESAMPLES):
        counts = np.bincount(random.integers(len(sizes), size=len(sizes)), minlength=len(sizes))
        means.append(sums @ counts / (sizes @ counts))
    return np.percentile(means, [2.5, 97.5], axis=0).T


def held(intervals: object, truth: float) -> float:
    found = np.array(intervals, dtype=np.float64)
    return float(((found[:, 0] <= truth + 1e-12) & (found[:, 1] >= truth - 1e-12)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=1_000)
    samples = parser.parse_args().samples
    print("| of | questions a document |", " | ".join(f"n = {n}: ours, by questions, by documents" for n in SIZES), "|")
    print("| --- | --- |", " --- |" * len(SIZES))
    for means in CASES:
        for kind in ("one", "1 to 8"):
            cells = []
            for n in SIZES:
                of = documents(kind, n)
                values = drawn(means, of, samples)
                if means[1] is None:
                    truth, ours = means[0], [(each.low, each.high) for each in estimates(values, clusters=of)]
                else:
                    tests = Differences(values, [(0.0, 1.0)] * samples, of).intervals()
                    truth, ours = means[1] - means[0], [each or (-1.0, 1.0) for each in tests]
                others = [held(bootstrap(values, groups), truth) for groups in (np.arange(n), of)]
                cells.append(f"**{held(ours, truth):.3f}** " + " ".join(f"{each:.3f}" for each in others))
            name = f"mean {means[0]}" if means[1] is None else f"difference {means[0]} to {means[1]}"
            print(f"| {name} | {kind} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
