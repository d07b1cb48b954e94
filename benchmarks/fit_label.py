"""Fits what reads off the verifier's states how a text answers a question: one thing, several, or by inference.

    python benchmarks/fit_label.py PAIRS... --write src/ragassay/models/small/labelling.json

PAIRS: files in the form of ``training_data/passages.jsonl``, whose writers asked for facts, summaries and inferences.
Two heads: several (summaries against facts) and inferred (inferences against both), calibrated for the labels in the
proportion of the default mix. Several is read off the answer, too: every question counts without one, with a phrase as
people answer, and with the whole statement as the package does. Sources in MEASURED are neither trained nor calibrated
on, and figures are of them alone, beside those of the rules that decide where the small model is off. Fit it again
whenever the verifier changes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from fit_answered import CALIBRATED, MEASURED, Asked, read
from logistic import auroc, fitted

from ragassay.models.embedded.judging.labelling import extent_of
from ragassay.models.small import roles
from ragassay.models.small.verifier import ADAPTER

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
LABELS = ("fact_single", "summary", "reasoning")
MIX = {"fact_single": 0.5, "summary": 0.25, "reasoning": 0.25}
"""Shares of the labels that the calibration reckons with; in training all labels count the same."""
EQUAL = dict.fromkeys(MIX, 1 / len(MIX))
OF_FEW = 1 / 256
"""The penalty of the weight of a number that few words tell, as a share of that of a number of the state."""
FACTS = 2
"""Of a passage that are read, drawn by chance: they are many."""


class Labelled(NamedTuple):
    """asked: with the label as ``kind``. answers: as people give it, and as the package does."""

    asked: Asked
    answers: tuple[str, str]


def labelled(rows: Sequence[dict[str, Any]]) -> Iterator[Labelled]:
    for place, row in enumerate(rows):
        text = row["text"]
        facts = [fact for fact in row.get("facts") or () if fact.get("question")]
        random.Random(place).shuffle(facts)
        for fact in facts[:FACTS]:
            one = Asked(row["source"], "fact_single", fact["question"], text, True, max(0, text.find(fact["quote"])))
            yield Labelled(one, (fact.get("answer") or "", fact.get("statement") or fact["quote"]))
        for label in LABELS[1:]:
            found = row.get(label) or []
            for made in found if isinstance(found, list) else [found]:
                if not made["question"]:
                    continue
                at = max(0, text.find(made["quotes"][0]))
                asked = Asked(row["source"], label, made["question"], text, True, at)
                answer = made.get("answer") or " ".join(made["quotes"])
                yield Labelled(asked, (answer, answer))


def head(
    states: Floats, beside: Floats, right: Flags, weights: Floats, parts: tuple[Flags, Flags], penalty: float
) -> dict[str, Any]:
    """A calibrated head. beside: numbers that are read beside the states, whose first says whether there are others.

    parts: rows that are trained on, and rows that are calibrated on.
    """
    trained, calibrated = parts
    mean, scale = states[trained].mean(axis=0), states[trained].std(axis=0) + 1e-6
    ones = np.ones((len(states), 1))
    design = np.hstack([(states - mean) / scale, beside, ones])
    width, few = states.shape[1], beside.shape[1]
    penalties = np.array([penalty] * width + [penalty * OF_FEW] * few + [1e-3])
    solution = fitted(design[trained], right[trained].astype(float), weights[trained], penalties)
    platt = np.hstack([(design @ solution)[:, None], beside[:, :1], ones])
    fit = fitted(platt[calibrated], right[calibrated].astype(float), weights[calibrated], np.full(platt.shape[1], 1e-3))
    of_state, of_few = fit[0] * solution[:width] / scale, fit[0] * solution[width:-1]
    of_few[:1] += fit[1:-1]
    bias = round(float(fit[0] * solution[-1] + fit[-1] - mean @ of_state), 6)
    found = {"bias": bias, "answer": [round(float(value), 4) for value in of_few]}
    return {**found, "weights": [float(f"{value:.5g}") for value in of_state]}


def weighted(labels: npt.NDArray[np.str_], trained: Flags, calibrated: Flags) -> Floats:
    """Weights by which labels have the same share of what is trained on, and those of ``MIX`` of what calibrates.

    Their mean in both is 1.
    """
    counts = np.zeros(len(labels))
    for among, shares in ((trained, EQUAL), (calibrated, MIX)):
        for label in np.unique(labels[among]):
            of = among & (labels == label)
            counts[of] = shares[label] / of.sum()
        counts[among] *= among.sum() / counts[among].sum()
    return counts


def confusion(name: str, given: npt.NDArray[np.str_], right: npt.NDArray[np.str_]) -> None:
    recalls = [float((given[right == label] == label).mean()) for label in LABELS]
    exact = [float((right[given == label] == label).mean()) if (given == label).any() else 0.0 for label in LABELS]
    print(
        f"{name}: right {np.mean(given == right):.3f}, balanced {np.mean(recalls):.3f}; "
        + ", ".join(
            f"{label} found {found:.2f}, rightly {rightly:.2f}"
            for label, found, rightly in zip(LABELS, recalls, exact, strict=True)
        )
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--penalty", type=float, default=300.0, help="of the squared weights")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args(arguments)
    rows = list(labelled([json.loads(line) for path in options.pairs for line in path.open(encoding="utf-8")]))
    items = [row.asked for row in rows]
    verifier = roles.verifier()
    if verifier is None:
        raise SystemExit("the small language model is off")
    states = read(items, verifier)
    sources, labels = (np.array(column) for column in ([each.source for each in items], [each.kind for each in items]))
    # every question three times: without an answer, with one as people give it, and as the package gives it
    ways = [
        np.array([extent_of(answer) for answer in each])
        for each in zip(*(("", *row.answers) for row in rows), strict=True)
    ]
    measured, calibrated = (np.isin(sources, list(some)) for some in (MEASURED, CALIBRATED))
    trained = ~measured & ~calibrated
    several, inferred = labels == "summary", labels == "reasoning"
    heads = {
        "several": head(
            np.tile(states, (len(ways), 1)),
            np.concatenate(ways),
            *(
                np.tile(each, len(ways))
                for each in (several, weighted(labels, trained & ~inferred, calibrated & ~inferred))
            ),
            (np.tile(trained & ~inferred, len(ways)), np.tile(calibrated & ~inferred, len(ways))),
            options.penalty * len(ways),
        ),
        "inferred": head(
            states,
            np.empty((len(states), 0)),
            inferred,
            weighted(labels, trained, calibrated),
            (trained, calibrated),
            options.penalty,
        ),
    }
    odds = {name: states @ np.array(found["weights"]) + found["bias"] for name, found in heads.items()}
    print(f"{trained.sum()} trained on, {calibrated.sum()} calibrated on, {measured.sum()} measured on")
    print(f"inferred: AUROC {auroc(odds['inferred'][measured], inferred[measured]):.3f}")
    stated = measured & ~inferred
    names = ("no answer", "answers of people", "answers of the package")
    for name, beside in zip(names, ways, strict=True):
        told = odds["several"] + beside @ np.array(heads["several"]["answer"])
        print(f"{name}: several, AUROC {auroc(told[stated], several[stated]):.3f}")
        learned = np.where(odds["inferred"] >= 0, "reasoning", np.where(told >= 0, "summary", "fact_single"))
        confusion(name, learned[measured], labels[measured])
    if options.write is None:
        return
    record = {
        "command": f"python benchmarks/fit_label.py PAIRS --penalty {options.penalty:g}",
        "data_sha256": hashlib.sha256(b"".join(path.read_bytes() for path in options.pairs)).hexdigest(),
        "questions": int(trained.sum()),
        "verifier_sha256": hashlib.sha256(ADAPTER.read_bytes()).hexdigest(),
        **heads,
    }
    options.write.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
