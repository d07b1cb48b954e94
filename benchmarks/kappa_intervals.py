"""How often do the intervals of kappas hold what they should? Made-up people and a made-up judge, whose truth is known.

Each item has a true value out of four. A person gives it with a given probability, else any of the four; the judge with
another. The kappas of three people and the judge, as `ragassay agree` has them, are worked out for many samples of such
items; what they should hold is the same of 60 000 items. Printed for each setting: of the samples, the share whose
95 % interval holds it, of those that have an interval, and how many have none. 200 samples know a share to within .04.

    .venv/bin/python benchmarks/kappa_intervals.py
"""

from __future__ import annotations

import random
import sys
from typing import NamedTuple

from ragassay.agreement.leave_one_out import leave_one_out
from ragassay.agreement.measure import MeasureEstimate
from ragassay.agreement.people import among_people
from ragassay.agreement.scales import scale_of
from ragassay.agreement.tables import Judgements
from ragassay.records import LABELS

SAMPLES = 200
TRUTH_ITEMS = 60_000
SETTINGS = [(40, 0.75, 0.65), (40, 0.9, 0.85), (40, 0.97, 0.95), (150, 0.75, 0.65), (150, 0.97, 0.95)]
NAMES = ("person", "judge", "drop", "Cohen", "Fleiss")


class World(NamedTuple):
    people: Judgements
    judge: dict[str, str]


def drawn(n: int, person: float, judge: float, chance: random.Random) -> World:
    def says(truth: str, right: float) -> str:
        return truth if chance.random() < right else chance.choice(LABELS)

    people, said = {}, {}
    for number in range(n):
        truth = chance.choice(LABELS)
        people[str(number)] = {name: says(truth, person) for name in ("ana", "ben", "cy")}
        said[str(number)] = says(truth, judge)
    return World(Judgements(people), said)


def measures(world: World, seed: int) -> tuple[MeasureEstimate, ...]:
    means = leave_one_out(world.people, world.judge, seed=seed).means
    among = among_people(world.people, scale_of("label"), seed=seed)
    return means.person, means.model, means.relative_drop, among.pairs[0].kappa, among.fleiss


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    chance = random.Random(1)
    print(f"{'items':>6} {'person':>7} {'judge':>6}  " + "  ".join(f"{name:>12}" for name in NAMES))
    for n, person, judge in SETTINGS:
        truths = [each.value for each in measures(drawn(TRUTH_ITEMS, person, judge, chance), 0)]
        held, without = [0] * len(NAMES), [0] * len(NAMES)
        for sample in range(samples):
            for place, found in enumerate(measures(drawn(n, person, judge, chance), sample)):
                if found.low is None or found.high is None:
                    without[place] += 1
                else:
                    held[place] += found.low <= (truths[place] or 0.0) <= found.high
        shown = [
            f"{hits / (samples - none):.2f} ({none:3} -)" if none < samples else "-"
            for hits, none in zip(held, without, strict=True)
        ]
        print(f"{n:>6} {person:>7} {judge:>6}  " + "  ".join(f"{each:>12}" for each in shown), flush=True)


if __name__ == "__main__":
    main()
