"""Fits which summaries a strict reader takes, on a reader's verdicts.

    python benchmarks/fit_longer.py VERDICTS.jsonl...

Each line: question, form, features (name to number), accept, title. Prints the precision of the best 10, 25 and 50 %,
each eighth of the titles scored by the others, and writes the weights into the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

from logistic import auroc, fit, precision_of_top, write_weights

from ragassay.models.embedded.prose.passages import question_shape

FOLDS = 8
FOLDER = Path("src/ragassay/models/embedded/prose")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("verdicts", type=Path, nargs="+")
    parser.add_argument("--penalty", type=float, default=20.0, help="of the squared weights")
    options = parser.parse_args()
    records = [json.loads(line) for path in options.verdicts for line in path.open(encoding="utf-8")]
    rows = [{**record["features"], **question_shape(record["question"], record["form"])} for record in records]
    labels = [int(record["accept"]) for record in records]
    titles = {title: number % FOLDS for number, title in enumerate(sorted({record["title"] for record in records}))}
    folds = [titles[record["title"]] for record in records]
    left_out = [0.0] * len(rows)
    for fold in range(FOLDS):
        outside = [index for index, each in enumerate(folds) if each != fold]
        model = fit([rows[i] for i in outside], [labels[i] for i in outside], options.penalty)
        for index, each in enumerate(folds):
            if each == fold:
                left_out[index] = model.probability(rows[index])
    tops = ", ".join(f"best {share:.0%} {precision_of_top(left_out, labels, share):.2f}" for share in (0.1, 0.25, 0.5))
    print(f"{sum(labels)} of {len(labels)} accepted; {tops}; AUROC {auroc(left_out, labels):.3f}")
    write_weights(
        FOLDER / "summary_acceptability.json",
        fit(rows, labels, options.penalty),
        command=f"python benchmarks/fit_longer.py VERDICTS --penalty {options.penalty}",
        data_sha256=hashlib.sha256(b"".join(path.read_bytes() for path in options.verdicts)).hexdigest(),
        n_train=len(rows),
    )


if __name__ == "__main__":
    main()
