"""Fits the model that says which drafts a strict reader takes as they stand, on a reader's verdicts.

    python benchmarks/fit_acceptability.py TRAIN.jsonl... --tune TUNE.jsonl...

Each line: features (name to number), accept (whether question and answer are good as they stand). Prints the precision
of the best 10, 25 and 50 % of the tuning verdicts, and writes acceptability.json into the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from logistic import auroc, fit, precision_of_top, write_weights

WEIGHTS = Path("src/ragassay/models/embedded/prose/acceptability.json")
PRIOR = {
    "form_how": 0.1,
    "form_how_to": 0.2,
    "form_why": 0.1,
    "form_what_do": 0.2,
    "form_time": 0.1,
    "form_how_much": 0.1,
    "form_how_many": 0.1,
    "form_subject": -0.1,
}
"""Readers of 630 questions of the same kind, in an earlier study: good or mendable were four fifths of how, why, when,
what-should-I-do, and three fifths of questions for a subject. Too few of the rarer forms are read here to tell."""
SHARES = (0.1, 0.25, 0.5)


def _read(paths: Sequence[Path]) -> tuple[list[dict[str, float]], list[int], list[str]]:
    """Features, labels and sources of the verdicts of some files."""
    records = [json.loads(line) for path in paths for line in path.open(encoding="utf-8")]
    return (
        [record["features"] for record in records],
        [int(record["accept"]) for record in records],
        [record["source"] for record in records],
    )


def _report(name: str, scores: Sequence[float], labels: Sequence[int]) -> None:
    tops = ", ".join(f"best {share:.0%} {precision_of_top(scores, labels, share):.2f}" for share in SHARES)
    print(f"{name}: {sum(labels)} of {len(labels)} accepted; {tops}; AUROC {auroc(scores, labels):.3f}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("train", type=Path, nargs="+")
    parser.add_argument("--tune", type=Path, nargs="*", default=[])
    parser.add_argument("--penalty", type=float, default=60.0, help="of the squared weights")
    options = parser.parse_args(arguments)
    rows, labels, sources = _read(options.train)
    left_out = [0.0] * len(rows)
    for source in dict.fromkeys(sources):
        inside = [index for index, each in enumerate(sources) if each == source]
        outside = [index for index, each in enumerate(sources) if each != source]
        if not outside:
            continue
        model = fit([rows[i] for i in outside], [labels[i] for i in outside], options.penalty, prior=PRIOR)
        for index in inside:
            left_out[index] = model.probability(rows[index])
    _report("training, each source scored by the others", left_out, labels)
    model = fit(rows, labels, options.penalty, prior=PRIOR)
    if options.tune:
        tune_rows, tune_labels, _ = _read(options.tune)
        _report("tuning sources", [model.probability(row) for row in tune_rows], tune_labels)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in options.train)).hexdigest()
    write_weights(
        WEIGHTS,
        model,
        command=f"python benchmarks/fit_acceptability.py VERDICTS --penalty {options.penalty}",
        data_sha256=digest,
        n_train=len(rows),
    )


if __name__ == "__main__":
    main()
