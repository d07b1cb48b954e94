"""chrF: which stretches of characters of a reference an answer has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

CHARACTER_ORDER = 6  # Popovic 2015, section 2, and sacreBLEU's default
BETA = 2  # recall counts twice as much: chrF2


def chrf(answer: str, reference: str) -> float:
    """F2 of the mean precision and mean recall over stretches of 1 to 6 characters, in [0, 1].

    White space is taken out, case counts; orders that are longer than either text are left out. sacreBLEU's chrF2
    (no word order, no eps smoothing) divided by 100. Right for Chinese as it is.
    Source: Popovic 2015; Post 2018 (sacreBLEU).
    """
    said, wanted = "".join(answer.split()), "".join(reference.split())
    orders = min(CHARACTER_ORDER, len(said), len(wanted))
    if not orders:
        return 0.0
    precision = recall = 0.0
    starts: Iterable[int] = range(len(said))
    for order in range(1, orders + 1):
        known = Counter([wanted[start : start + order] for start in range(len(wanted) - order + 1)])
        # Where a stretch is not in the reference, no longer one from there is.
        starts = [start for start in starts if said[start : start + order] in known]
        found = Counter([said[start : start + order] for start in starts])
        matched = sum(min(count, known[stretch]) for stretch, count in found.items())
        precision += matched / (len(said) - order + 1) / orders
        recall += matched / (len(wanted) - order + 1) / orders
    weighted = BETA**2 * precision + recall
    return (1 + BETA**2) * precision * recall / weighted if weighted else 0.0
