"""Fits the critic's head anew: which questions strict readers took as they stand.

    python benchmarks/fit_critic.py READ.jsonl... --write
    python benchmarks/fit_critic.py READ.jsonl... --open --penalty 1e6 --form-penalty 30 --write

Each line: source (kind of document), title, stated (what the answer rests on), question, form (the way to ask), good
(1: a reader took it as it stands, 0: not), weight (1 where not given). With --open, the head for questions without an
answer. What the head that is there says of a pair is one of the numbers that the new one is fitted on, so that what
earlier verdicts taught it stays, also of forms that were not read this time. Prints how well sources that are left out
are ordered, and what share of the best tenth, fifth and third was taken. Needs the shipped verifier, on whose states
the head works: fit it again whenever that changes, from heads of zeros (--before). Verdicts that the head before was
fitted on are not to be given again.
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
from ragassay.models.small.critic import HEAD, Critic, Head, HeadName, Pair
from ragassay.models.small.verifier import ADAPTER

Floats = npt.NDArray[np.float64]
FEWEST = 4
"""Pairs of a form from which on it counts by itself."""
MANY = 20
"""Pairs of a form from which on its figures are printed."""
FOLDS = 10
SAID_PENALTY = 0.1
"""Of the squared weight of what the head before says."""
SHARES = (0.1, 0.2, 0.33)


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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("read", type=Path, nargs="+")
    parser.add_argument("--penalty", type=float, default=300.0, help="of the squared weights")
    parser.add_argument("--before", type=Path, default=HEAD, help="file with the heads before: the package's")
    parser.add_argument("--form-penalty", type=float, default=3.0, help="of those of the ways to ask")
    parser.add_argument("--open", action="store_true", help="the head for questions without an answer")
    parser.add_argument("--write", action="store_true", help="into the package")
    options = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = [json.loads(line) for path in options.read for line in path.open(encoding="utf-8")]
    verifier = roles.verifier()
    if verifier is None:
        raise SystemExit("the small language model is off")
    which: HeadName = "open" if options.open else "answered"
    before = Head.read(which, options.before)
    reader = Critic(verifier.model, before, verifier.threads)
    pairs = [Pair(row["title"], row["stated"], row["question"], row["form"]) for row in rows]
    states = reader.states(pairs)
    said = np.array(before.of_state.odds(states)) + [before.forms.get(row["form"], 0.0) for row in rows]
    seen = Counter(row["form"] for row in rows)
    forms = sorted(form for form, count in seen.items() if count >= FEWEST)
    of_form = np.array([[float(row["form"] == form) for form in forms] for row in rows])
    mean, scale = states.mean(axis=0), states.std(axis=0) + 1e-6
    parts = [said[:, None], (states - mean) / scale, of_form, np.ones((len(rows), 1))]
    design = np.hstack(parts).astype(np.float64)
    good = np.array([float(row["good"]) for row in rows])
    counts = np.array([float(row.get("weight", 1.0)) for row in rows])
    width = states.shape[1]
    penalty = np.array([SAID_PENALTY, *[options.penalty] * width, *[options.form_penalty] * len(forms), 1e-3])
    sources = np.array([row["source"] for row in rows])
    names = sorted(set(sources))
    scores = np.zeros(len(rows))
    for fold in range(min(FOLDS, len(names))):
        left_out = np.isin(sources, names[fold::FOLDS])
        solution = fitted(design[~left_out], good[~left_out], counts[~left_out], penalty)
        scores[left_out] = design[left_out] @ solution
    for form in ("", *(form for form in forms if seen[form] >= MANY)):
        of = np.array([not form or row["form"] == form for row in rows])
        taken, ordered, earlier = [int(value == 1) for value in good[of]], scores[of].tolist(), said[of].tolist()
        tops = ", ".join(f"best {share:.0%} {precision_of_top(ordered, taken, share):.2f}" for share in SHARES)
        was = f"AUROC {auroc(ordered, taken):.3f} ({auroc(earlier, taken):.3f} before)"
        print(f"{form or 'all'}: {sum(taken)} of {len(taken)} taken; sources left out: {was}, {tops}")
    if not options.write:
        return
    solution = fitted(design, good, counts, penalty)
    kept, of_state = solution[0], solution[1 : width + 1] / scale
    of_forms = {form: kept * weight for form, weight in before.forms.items()}
    for form, weight in zip(forms, solution[width + 1 : -1], strict=True):
        of_forms[form] = of_forms.get(form, 0.0) + weight
    weights = kept * before.of_state.weights + of_state
    record = {
        "command": f"python benchmarks/fit_critic.py READ{' --open' if options.open else ''}"
        f" --penalty {options.penalty:g} --form-penalty {options.form_penalty:g}",
        "data_sha256": hashlib.sha256(b"".join(path.read_bytes() for path in options.read)).hexdigest(),
        "pairs": len(rows),
        "before": before.of_state.digest,
        "verifier_sha256": hashlib.sha256(ADAPTER.read_bytes()).hexdigest(),
        "bias": round(float(kept * before.of_state.bias + solution[-1] - mean @ of_state), 6),
        "forms": {form: round(float(weight), 4) for form, weight in sorted(of_forms.items())},
        "weights": [float(f"{value:.5g}") for value in weights],
    }
    heads = json.loads(HEAD.read_text(encoding="utf-8"))
    HEAD.write_text(json.dumps(heads | {which: record}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
