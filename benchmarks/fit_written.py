"""Fits what the critic says of the writer's questions: how likely a strict reader takes one, by how likely it was held.

    python benchmarks/fit_written.py READ.jsonl... --write src/ragassay/models/small/critic.json

Each line: source (kind of document), sentence (an id), question, good (1: a reader took it as it stands, 0: not),
likelihood (of the question by the writer: total, mean of a token, the two least likely tokens). Prints how well sources
that are left out are ordered, and what share was taken of the sentences whose best question is rated highest. Fit it
again whenever the writer changes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fit_critic import FOLDS, Floats, fitted
from logistic import auroc

from ragassay.models.small.critic import of_written
from ragassay.models.small.writer import ADAPTER, Likelihood

PENALTY = 1.0
"""Of the squared weight of a number with mean 0 and deviation 1."""
SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("read", type=Path, nargs="+")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = [json.loads(line) for path in options.read for line in path.open(encoding="utf-8")]
    numbers = np.array([of_written(row["question"], Likelihood(*row["likelihood"])) for row in rows])
    good = np.array([float(row["good"] == 1) for row in rows])
    sources = np.array([row["source"] for row in rows])
    mean, scale = numbers.mean(axis=0), numbers.std(axis=0) + 1e-6
    design = np.hstack([(numbers - mean) / scale, np.ones((len(rows), 1))])
    penalty = np.array([PENALTY] * numbers.shape[1] + [1e-3])
    counts = np.ones(len(rows))
    names = sorted(set(sources))
    scores = np.zeros(len(rows))
    for fold in range(min(FOLDS, len(names))):
        left_out = np.isin(sources, names[fold::FOLDS])
        scores[left_out] = design[left_out] @ fitted(design[~left_out], good[~left_out], counts[~left_out], penalty)
    print(f"{good.sum():.0f} of {len(rows)} taken; sources left out: AUROC {auroc(scores.tolist(), good.tolist()):.3f}")
    best = _best(rows, scores, good)
    tops = (f"{share:.0%} {sum(best[: int(share * len(best))]) / int(share * len(best)):.2f}" for share in SHARES)
    print(f"best question of {len(best)} sentences, taken of the highest " + ", ".join(tops))
    if options.write is None:
        return
    solution = fitted(design, good, counts, penalty)
    weights = solution[:-1] / scale
    record = json.loads(options.write.read_text(encoding="utf-8"))
    record["written"] = {
        "bias": round(float(solution[-1] - mean @ weights), 5),
        "weights": [round(float(value), 5) for value in weights],
        "questions": len(rows),
        "writer_sha256": hashlib.sha256(ADAPTER.read_bytes()).hexdigest(),
        "data_sha256": hashlib.sha256(b"".join(path.read_bytes() for path in options.read)).hexdigest(),
    }
    options.write.write_text(json.dumps(record) + "\n", encoding="utf-8")


def _best(rows: Sequence[dict[str, Any]], scores: Floats, good: Floats) -> list[float]:
    """Of each sentence whether its highest question was taken, the highest sentence first."""
    found: dict[str, tuple[float, float]] = {}
    for row, score, taken in zip(rows, scores.tolist(), good.tolist(), strict=True):
        found[row["sentence"]] = max(found.get(row["sentence"], (-np.inf, 0.0)), (score, taken))
    return [taken for _, taken in sorted(found.values(), reverse=True)]


if __name__ == "__main__":
    main()
