"""Calibrates the verifier on sources that its adapter has not seen, and writes ``verifier.json`` beside it.

    python benchmarks/calibrate_verifier.py CLAIMS PAIRS --sources "18F content guide,public code standard" \\
        --adapter src/ragassay/models/small/verifier.safetensors --out src/ragassay/models/small/verifier.json

Platt scaling (Platt 1999) of the log-odds of "supported" against the other two labels, for claims and for questions
apart; the threshold is the probability at which balanced accuracy on these sources is best. --report SOURCES prints
AUROC, balanced accuracy and accuracy by type on other sources with that calibration.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from logistic import auroc, balanced

from ragassay.models.small import wording
from ragassay.models.small.model import SmallModel
from ragassay.models.small.verifier import Calibration, Check, Verifier
from ragassay.training.claims import (
    ANSWERED,
    FOREIGN,
    RESTATED,
    STATEMENT,
    SUPPORTED,
    UNANSWERED,
    TextItem,
    read_claims,
)
from ragassay.workers import usable_cores


class Scored(NamedTuple):
    """kinds: of the branches. odds: of "supported". right: whether it is."""

    kinds: np.ndarray
    odds: np.ndarray
    right: np.ndarray


def scored(verifier: Verifier, items: Sequence[TextItem]) -> tuple[Scored, Scored]:
    """(claims, questions) of the items, by the verifier's uncalibrated log-odds."""
    rows: dict[bool, list[tuple[str, float, bool]]] = {False: [], True: []}
    for item in items:
        for questions in (False, True):
            branches = [each for each in item.branches if (each.kind in (ANSWERED, UNANSWERED)) == questions]
            texts = [each.prompt.split(": ", 1)[1].rsplit("\n", 1)[0] for each in branches]
            check = Check(item.text, texts, item.title, item.heading, questions)
            for branch, judged in zip(branches, verifier.judge([check])[0], strict=True):
                share = min(max(judged.supported, 1e-9), 1 - 1e-9)
                rows[questions].append((branch.kind, float(np.log(share / (1 - share))), branch.label == SUPPORTED))
    return _columns(rows[False]), _columns(rows[True])


def _columns(rows: Sequence[tuple[str, float, bool]]) -> Scored:
    return Scored(np.array([r[0] for r in rows]), np.array([r[1] for r in rows]), np.array([r[2] for r in rows]))


def fitted(scores: Scored) -> Calibration:
    """Scale and shift by Newton's method on the logistic loss; the best threshold of the probabilities."""
    x = np.stack([scores.odds, np.ones_like(scores.odds)], axis=1)
    weights = np.array([1.0, 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (p - scores.right) + 1e-3 * (weights - [1.0, 0.0])
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(2)
        weights -= np.linalg.solve(hessian, gradient)
    p = 1 / (1 + np.exp(-x @ weights))
    # Cuts are rounded down: rounded up, one would leave out the very claims that it is taken from.
    best = max(np.unique(np.floor(p * 1000) / 1000), key=lambda cut: balanced(p >= cut, scores.right))
    return Calibration(round(float(weights[0]), 4), round(float(weights[1]), 4), float(best))


def written(scores: Scored) -> Scored:
    """Without the claims that are taken from facts and from other passages."""
    kept = ~np.isin(scores.kinds, [STATEMENT, RESTATED, FOREIGN])
    return Scored(scores.kinds[kept], scores.odds[kept], scores.right[kept])


def report(name: str, scores: Scored, calibration: Calibration) -> None:
    """Prints how well the calibrated scores tell right from wrong."""
    p = 1 / (1 + np.exp(-(calibration.scale * scores.odds + calibration.shift)))
    said = p >= calibration.threshold
    bins = np.minimum((p * 10).astype(int), 9)
    error = sum(abs(p[bins == b].mean() - scores.right[bins == b].mean()) * (bins == b).mean() for b in set(bins))
    print(
        f"{name}: n {len(p)}, AUROC {auroc(p, scores.right):.3f}, balanced accuracy {balanced(said, scores.right):.3f},"
        f" calibration error {error:.3f}"
    )
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for kind, one, right in zip(scores.kinds, said, scores.right, strict=True):
        by_kind[str(kind)].append(bool(one == right))
    print("  " + ", ".join(f"{kind} {np.mean(found):.2f} ({len(found)})" for kind, found in sorted(by_kind.items())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--sources", required=True, help="to calibrate on, with commas")
    parser.add_argument("--report", default="", help="to report on, with commas")
    parser.add_argument("--adapter", required=True, type=Path)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    plain = Calibration(1.0, 0.0, 0.5)
    verifier = Verifier(SmallModel.load(arguments.adapter, threads=1), plain, plain, usable_cores())
    items, _ = read_claims(arguments.files)

    def of(sources: str) -> tuple[Scored, Scored]:
        wanted = {each.strip() for each in sources.split(",")}
        return scored(verifier, [each for each in items if each.source in wanted])

    claims, questions = of(arguments.sources)
    calibrations = {"claims": fitted(claims), "questions": fitted(questions)}
    report("calibrated on: claims", claims, calibrations["claims"])
    report("calibrated on: claims that somebody wrote", written(claims), calibrations["claims"])
    report("calibrated on: questions", questions, calibrations["questions"])
    if arguments.out:
        fields = {name: each._asdict() for name, each in calibrations.items()}
        arguments.out.write_text(json.dumps(fields, indent=2) + "\n", "utf-8")
    if arguments.report:
        claims, questions = of(arguments.report)
        report("others: claims", claims, calibrations["claims"])
        report("others: claims that somebody wrote", written(claims), calibrations["claims"])
        report("others: questions", questions, calibrations["questions"])


if __name__ == "__main__":
    assert wording.LABELS[SUPPORTED] == "supported"
    main()
