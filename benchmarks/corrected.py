"""Do intervals of a judge corrected by people hold what they say, and what is the judge worth? Simulated.

    python benchmarks/corrected.py

1 000 answers, a share of them right; a judge that says right or wrong (binary) or a number (continuous), with the AUROC
given; people on n of them. Printed for each: the share of draws whose 95 % interval holds the true share, corrected and
by people alone, and the width of the corrected interval by that of people alone (never above 1).
"""

from __future__ import annotations

import argparse
from itertools import product
from statistics import NormalDist

import numpy as np

from ragassay.evaluation.prediction_powered import corrected

TOTAL = 1_000


def drawn(random: np.random.Generator, auroc: float, share: float, is_binary: bool) -> tuple[np.ndarray, np.ndarray]:
    """What is true of each answer, and what the judge says of it, in [0, 1]."""
    apart = NormalDist().inv_cdf(auroc) * 2**0.5
    truth = (random.random(TOTAL) < share).astype(float)
    said = random.normal(size=TOTAL) + apart * truth
    if is_binary:
        return truth, (said > apart / 2).astype(float)
    return truth, 1 / (1 + np.exp(-(said - apart / 2) * max(apart, 0.3)))


def row(random: np.random.Generator, n: int, auroc: float, share: float, is_binary: bool, draws: int) -> list[float]:
    """Coverage corrected and by people alone, mean ratio of widths, and the largest."""
    held, alone, ratios = [], [], []
    for _ in range(draws):
        truth, judge = drawn(random, auroc, share, is_binary)
        found = corrected(np.where(np.arange(TOTAL) < n, truth, np.nan), judge)
        assert found is not None
        both = [(each.low, each.high) for each in (found.estimate, found.people)]
        (low, high), (least, most) = both  # type: ignore[misc]
        held.append(low <= share <= high)
        alone.append(least <= share <= most)
        ratios.append((high - low) / (most - least))
    return [float(np.mean(held)), float(np.mean(alone)), float(np.mean(ratios)), max(ratios)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2_000)
    draws = parser.parse_args().draws
    random = np.random.default_rng(2026)
    print("| by people | AUROC | right | judge | held | held by people alone | width | widest |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for n, auroc, share, is_binary in product((20, 50, 200), (0.6, 0.8, 0.95), (0.5, 0.8), (True, False)):
        figures = " | ".join(f"{each:.3f}" for each in row(random, n, auroc, share, is_binary, draws))
        print(f"| {n} | {auroc} | {share} | {'binary' if is_binary else 'continuous'} | {figures} |")


if __name__ == "__main__":
    main()
