"""How often does looking again and again decide wrongly, and how many questions does stopping save? Simulated.

    python benchmarks/decided.py

Two systems answer the same questions right or wrong; on half of the questions they do alike. The difference is looked
at when ``evaluate --decide-against`` does (``evaluation/sequential.py``), up to 1 000 questions. A fixed number of
questions that finds such a difference in 80 % of cases stands beside it, for who knew the difference beforehand.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import product

import numpy as np

from ragassay.evaluation.sequential import intervals, next_look, verdict_of

TOTAL, MARGIN = 1_000, 0.05


def decided(random: np.random.Generator, share: float, difference: float) -> tuple[str, int]:
    """The verdict, and the questions asked for it."""
    first = random.random(TOTAL) < share
    alike = random.random(TOTAL) < 0.5
    second = np.where(alike, first, random.random(TOTAL) < share + 2 * difference)
    apart = second.astype(float) - first
    look = next_look(0)
    for n, interval in enumerate(intervals(apart, (-1, 1)), 1):
        if n not in (look, TOTAL):
            continue
        look, verdict = next_look(n), verdict_of(*interval, MARGIN)
        if verdict != "undecided":
            return verdict, n
    return "undecided", TOTAL


def fixed(share: float, difference: float) -> str:
    """Questions for 80 % power of a t test at 5 %."""
    if not difference:
        return "–"
    other = share + 2 * difference
    variance = 0.5 * (share * (1 - other) + other * (1 - share)) - difference**2
    return f"{(1.96 + 0.84) ** 2 * variance / difference**2:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    draws = parser.parse_args().draws
    random = np.random.default_rng(2026)
    print("| right | difference | better | worse | no difference | undecided | asked, mean | fixed, 80 % |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for share, difference in product((0.3, 0.6), (0, 0.05, 0.1, 0.15, 0.2)):
        found = [decided(random, share, difference) for _ in range(draws)]
        counts = Counter(verdict for verdict, _ in found)
        names = ("better", "worse", "no difference that matters", "undecided")
        shares = " | ".join(f"{counts[name] / draws:.3f}" for name in names)
        asked = np.mean([n for _, n in found])
        print(f"| {share} | {difference} | {shares} | {asked:.0f} | {fixed(share, difference)} |")


if __name__ == "__main__":
    main()
