"""Fits the model that says which of the writer's questions a strict reader takes as they stand.

    python benchmarks/fit_asked.py READ.jsonl...

Each line: source (kind of document), title, stated (what the answer rests on), question, likelihood (of the question by
the writer: three numbers; a line without is left aside), good (1: a reader took it as it stands, 0: not), sentence (of
one of several questions on a sentence, judged with it as the answer: counts three tenths). Prints how well sources that
are left out are ordered, and what share of the best tenth, fifth and third was taken; writes asked.json into the
package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from logistic import auroc, fit, precision_of_top, write_weights

from ragassay.models.small.asked import WEIGHTS, asked_features
from ragassay.models.small.writer import Likelihood

FOLDS = 12
ONE_OF_SEVERAL = 0.3
"""What a verdict on one of several questions counts, beside one on a pair as a set has it."""
SHARES = (0.1, 0.2, 0.33)


def features(row: Mapping[str, Any]) -> dict[str, float]:
    """Those of the question, and whether it was one of several: no question that is asked is."""
    found = asked_features(row["question"], row["stated"], row["title"], Likelihood(*row["likelihood"]))
    return {**found, "one_of_several": float("sentence" in row)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("read", type=Path, nargs="+")
    parser.add_argument("--penalty", type=float, default=3.0, help="of the squared weights")
    options = parser.parse_args(arguments)
    rows = [json.loads(line) for path in options.read for line in path.open(encoding="utf-8")]
    rows = [row for row in rows if row.get("likelihood")]
    if len({row["source"] for row in rows}) < 2:
        raise SystemExit("the questions with a likelihood are of fewer than two sources: none can be left out")
    told, good = list(map(features, rows)), [int(row["good"]) for row in rows]
    counts = [ONE_OF_SEVERAL if "sentence" in row else 1.0 for row in rows]
    names = sorted({row["source"] for row in rows})
    scores = [0.0] * len(rows)
    for fold in range(min(FOLDS, len(names))):
        held = {place for place, row in enumerate(rows) if row["source"] in names[fold::FOLDS]}
        kept = [place for place in range(len(rows)) if place not in held]
        model = fit([told[i] for i in kept], [good[i] for i in kept], options.penalty, [counts[i] for i in kept])
        for place in held:
            scores[place] = model.probability(told[place])
    for name, some in (
        ("as sets have them", [place for place in range(len(rows)) if counts[place] == 1]),
        ("one of several", [place for place in range(len(rows)) if counts[place] < 1]),
    ):
        ordered, taken = [scores[place] for place in some], [good[place] for place in some]
        if any(taken):
            tops = ", ".join(f"best {share:.0%} {precision_of_top(ordered, taken, share):.2f}" for share in SHARES)
            print(f"{name}: {sum(taken)} of {len(taken)} taken; AUROC {auroc(ordered, taken):.3f}, {tops}")
    write_weights(
        WEIGHTS,
        fit(told, good, options.penalty, counts),
        command=f"python benchmarks/fit_asked.py READ --penalty {options.penalty:g}",
        data_sha256=hashlib.sha256(b"".join(path.read_bytes() for path in options.read)).hexdigest(),
        n_train=len(rows),
    )


if __name__ == "__main__":
    main()
