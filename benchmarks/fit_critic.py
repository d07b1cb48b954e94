"""Fits the critic's head: which questions strict readers took as they stand.

    python benchmarks/fit_critic.py READ.jsonl... --write src/ragassay/models/small/critic.json
    python benchmarks/fit_critic.py READ.jsonl... --forms --write src/ragassay/models/small/critic.json

Each line: source (kind of document), title, stated (what the answer rests on), question, form (the way to ask,
"" where unknown), good (1: a reader took it as it stands, 0: not; between: would have with a few words changed),
weight (1 where not given), likelihood (of the question by the
writer: three numbers, or absent). Prints how well sources that are left
out are ordered, and what share of the best tenth, fifth and third was taken. Needs the shipped verifier, on whose
states the head works: fit it again whenever that changes. With --forms all stays as it is but the weights of the forms
that were read: for ways to ask that are newer than the head.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from logistic import auroc, precision_of_top

from ragassay.models.small import roles
from ragassay.models.small.critic import Critic, Head, Pair
from ragassay.models.small.heads import Linear
from ragassay.models.small.verifier import ADAPTER

Floats = npt.NDArray[np.float64]
FEWEST = 4
"""Pairs of a form from which on it counts by itself."""
FOLDS = 6
FORM_PENALTY = 1.0
"""Of the squared weight of a form: few verdicts move it little."""
SHARES = (0.1, 0.2, 0.3)
OF_FEW = 1 / 256
"""The penalty of the weight of a form or of a likelihood, as a share of that of a number of the state."""


def fitted(design: Floats, good: Floats, counts: Floats, penalty: Floats) -> Floats:
    """Logistic regression by Newton's method with a penalty on each squared weight; the last column is the bias."""
    solution = np.zeros(design.shape[1])
    for _ in range(50):
        probability = 1 / (1 + np.exp(-np.clip(design @ solution, -30, 30)))
        gradient = design.T @ (counts * (good - probability)) - penalty * solution
        curvature = (design.T * (counts * probability * (1 - probability))) @ design + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        solution += step
        if np.abs(step).max() < 1e-6:
            break
    return solution


def weigh_forms(rows: Sequence[dict[str, Any]], read: Sequence[Path], write: Path | None) -> None:
    """The weight of each form that moves what the head says of its pairs to what readers said of them."""
    head, critic = Head.read(), roles.critic()
    assert critic is not None
    pairs = [Pair(row["title"], row["stated"], row["question"], "") for row in rows]
    said = np.log(np.array([value / (1 - value) for value in critic.taken(pairs)]))
    good = np.array([float(row["good"]) for row in rows])
    added: dict[str, float] = {}
    for form, count in sorted(Counter(row["form"] for row in rows).items()):
        of_form = np.array([row["form"] == form for row in rows])
        if count < FEWEST:
            continue
        weight = 0.0
        for _ in range(50):
            probability = 1 / (1 + np.exp(-(said[of_form] + weight)))
            curvature = float((probability * (1 - probability)).sum()) + FORM_PENALTY
            weight += (float((good[of_form] - probability).sum()) - FORM_PENALTY * weight) / curvature
        added[form] = round(weight, 4)
        expected = float(np.mean(1 / (1 + np.exp(-said[of_form]))))
        print(f"{form}: {(good[of_form] == 1).sum()} of {count} taken, {expected:.2f} expected; weight {weight:.2f}")
    if write is not None:
        record = json.loads(write.read_text(encoding="utf-8"))
        record["forms"] = dict(sorted({**head.forms, **added}.items()))
        data = hashlib.sha256(b"".join(path.read_bytes() for path in read)).hexdigest()
        record["forms_added"] = {"forms": sorted(added), "pairs": len(rows), "data_sha256": data}
        write.write_text(json.dumps(record) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("read", type=Path, nargs="+")
    parser.add_argument("--penalty", type=float, default=300.0, help="of the squared weights")
    parser.add_argument("--forms", action="store_true", help="fit the weights of the forms alone, to the head as it is")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = [json.loads(line) for path in options.read for line in path.open(encoding="utf-8")]
    verifier = roles.verifier()
    if verifier is None:
        raise SystemExit("the small language model is off")
    if options.forms:
        return weigh_forms(rows, options.read, options.write)
    likelihood = np.array([row.get("likelihood") or (0.0, 0.0, 0.0) for row in rows])
    spread = likelihood.std(axis=0) + 1e-6  # not centred: nothing stays nothing
    width = len(Head.read().of_state.weights) if options.write is None or options.write.exists() else 576
    reader = Critic(verifier.model, Head(Linear(0.0, np.zeros(width, np.float32)), {}), verifier.threads)
    states = reader.states([Pair(row["title"], row["stated"], row["question"], row["form"]) for row in rows])
    seen = Counter(row["form"] for row in rows if row["form"])
    forms = sorted(form for form, count in seen.items() if count >= FEWEST)
    mean, scale = states.mean(axis=0), states.std(axis=0) + 1e-6
    of_form = np.array([[float(row["form"] == form) for form in forms] for row in rows])
    parts = [(states - mean) / scale, likelihood / spread, of_form, np.ones((len(rows), 1))]
    design = np.hstack(parts).astype(np.float64)
    good = np.array([float(row["good"]) for row in rows])
    counts = np.array([float(row.get("weight", 1.0)) for row in rows])
    few = np.full(likelihood.shape[1] + len(forms), options.penalty * OF_FEW)
    penalty = np.concatenate([np.full(width, options.penalty), few, [1e-3]])
    sources = np.array([row["source"] for row in rows])
    judged = counts >= 1  # what weighs less was made by other rules, and says nothing of these
    names = sorted(set(sources[judged]))
    scores = np.zeros(len(rows))
    for fold in range(min(FOLDS, len(names))):
        left_out = np.isin(sources, names[fold::FOLDS])
        solution = fitted(design[~left_out], good[~left_out], counts[~left_out], penalty)
        scores[left_out] = design[left_out] @ solution
    taken, ordered = [int(value == 1) for value in good[judged]], scores[judged].tolist()
    tops = ", ".join(f"best {share:.0%} {precision_of_top(ordered, taken, share):.2f}" for share in SHARES)
    asked = np.flatnonzero(judged & (likelihood[:, 0] < 0))
    if len(asked):
        by_writer = auroc(scores[asked].tolist(), [int(good[place] == 1) for place in asked])
        alone = auroc(likelihood[asked, 0].tolist(), [int(good[place] == 1) for place in asked])
        print(f"{len(asked)} with a likelihood: AUROC {by_writer:.3f}, of its total alone {alone:.3f}")
    print(f"{sum(taken)} of {len(taken)} taken; sources left out: AUROC {auroc(ordered, taken):.3f}, {tops}")
    if options.write is None:
        return
    solution = fitted(design, good, counts, penalty)
    weights = solution[:width] / scale
    first_form = width + likelihood.shape[1]
    record = {
        "command": f"python benchmarks/fit_critic.py READ --penalty {options.penalty:g}",
        "data_sha256": hashlib.sha256(b"".join(path.read_bytes() for path in options.read)).hexdigest(),
        "pairs": len(rows),
        "verifier_sha256": hashlib.sha256(ADAPTER.read_bytes()).hexdigest(),
        "bias": round(float(solution[-1] - mean @ weights), 6),
        "likelihood": [round(float(value), 5) for value in solution[width:first_form] / spread],
        "forms": {form: round(float(value), 4) for form, value in zip(forms, solution[first_form:-1], strict=True)},
        "weights": [float(f"{value:.5g}") for value in weights],
    }
    options.write.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
