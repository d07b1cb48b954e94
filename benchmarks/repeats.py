"""Pairs of questions of one answer by the cosine of their vectors, for a person to say whether they ask the same.

    python benchmarks/repeats.py SET --shown 12

For each step of the cosine: how many pairs of questions there are, how many of them have answers of which one holds the
other, and some of these. The threshold in ``synthesis/repeats.py`` was chosen by reading them.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from ragassay.datasets.registry import read_dataset
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.records import Example
from ragassay.synthesis.repeats import holds, telling

STEPS = (0.98, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--shown", type=int, default=12)
    arguments = parser.parse_args()
    examples = [record for record in read_dataset(arguments.data) if isinstance(record, Example)]
    encoder = CachedEncoder(SentenceEncoder())
    vectors = encoder.encode([each.question for each in examples])
    answers = [telling(each.answer) for each in examples]
    rows, columns = np.triu_indices(len(examples), 1)
    cosines = (vectors @ vectors.T)[rows, columns]
    chance = random.Random(1)
    for low, high in zip(STEPS, (1.01, *STEPS), strict=False):
        places = np.flatnonzero((cosines >= low) & (cosines < high)).tolist()
        same = [place for place in places if holds(answers[rows[place]], answers[columns[place]])]
        print(f"\n{low} to {min(high, 1.0)}: {len(places)} pairs, {len(same)} with one answer in the other")
        for place in chance.sample(same, min(arguments.shown, len(same))):
            pair = (
                f"{each.question!r} {each.answer[:40]!r}" for each in (examples[rows[place]], examples[columns[place]])
            )
            print(f"  {cosines[place]:.3f} {' | '.join(pair)}")


if __name__ == "__main__":
    main()
