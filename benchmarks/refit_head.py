"""Fits a verifier's head anew, on the state after fewer layers than the adapter was trained with.

    python benchmarks/refit_head.py CLAIMS PAIRS --adapter TRAINED --layers 24 --out verifier.safetensors \\
        --choose "18F content guide,public code standard" --leave-out "clef handbook,pubmed abstracts,privacy policies"

What tells right claims from wrong ones stands in the states of the upper middle layers (linear probes: Alain and Bengio
2016); the last layers turn it into words, which a verifier has no use for. Multinomial logistic regression on the
states as the package computes them (int8), the strength of its penalty chosen by AUROC on --choose; --leave-out is
never looked at. The layers above are left out of the file, as they are never run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file
from scipy.optimize import minimize

from ragassay.models.small import wording
from ragassay.models.small.model import SmallModel
from ragassay.training.claims import read_claims
from ragassay.training.items import TextItem
from ragassay.workers import usable_cores

PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3)
_SMALLEST_SPREAD = 1e-3


class States(NamedTuple):
    """Of all branches: values (n, hidden), labels (n,), sources (n,)."""

    values: np.ndarray
    labels: np.ndarray
    sources: np.ndarray


class Head(NamedTuple):
    """weight (n_labels, hidden), bias (n_labels,)."""

    weight: np.ndarray
    bias: np.ndarray

    def logits(self, values: np.ndarray) -> np.ndarray:
        return values @ self.weight.T + self.bias


def states(model: SmallModel, items: Sequence[TextItem]) -> States:
    """The states of the last tokens of all branches."""

    def of(item: TextItem) -> np.ndarray:
        prefix = wording.prefix(item.title, item.heading, item.text)
        return model.branch_states(prefix, [branch.prompt for branch in item.branches])

    with ThreadPoolExecutor(usable_cores()) as pool:
        values = np.concatenate(list(pool.map(of, items)))
    branches = [(branch, item.source) for item in items for branch in item.branches]
    return States(
        values, np.array([branch.label for branch, _ in branches]), np.array([source for _, source in branches])
    )


def fitted(values: np.ndarray, labels: np.ndarray, penalty: float, n_labels: int) -> Head:
    """Multinomial logistic regression with an L2 penalty on the weights of standardised values."""
    centre, spread = values.mean(axis=0), values.std(axis=0) + _SMALLEST_SPREAD
    x = np.column_stack([(values - centre) / spread, np.ones(len(values))])
    target = np.eye(n_labels)[labels]
    shape = (n_labels, x.shape[1])

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(shape)
        logits = x @ weights.T
        logits -= logits.max(axis=1, keepdims=True)
        log_sum = np.log(np.exp(logits).sum(axis=1, keepdims=True))
        error = np.exp(logits - log_sum) - target
        decayed = weights * np.append(np.ones(shape[1] - 1), 0)
        value = -((logits - log_sum) * target).sum() / len(x) + penalty / 2 * (decayed**2).sum()
        return value, (error.T @ x / len(x) + penalty * decayed).ravel()

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weights = found.x.reshape(shape)
    weight = weights[:, :-1] / spread
    return Head(weight.astype(np.float32), (weights[:, -1] - weight @ centre).astype(np.float32))


def auroc(scores: np.ndarray, right: np.ndarray) -> float:
    """Chance that a right claim scores above a wrong one; ties count half."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    n_right, n_wrong = right.sum(), (~right).sum()
    return float((ranks[right].sum() - n_right * (n_right + 1) / 2) / (n_right * n_wrong))


def odds(logits: np.ndarray) -> np.ndarray:
    """Of the first label against the others."""
    difference: np.ndarray = logits[:, 0] - np.logaddexp.reduce(logits[:, 1:], axis=1)
    return difference


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--adapter", required=True, type=Path)
    parser.add_argument("--layers", required=True, type=int)
    parser.add_argument("--choose", required=True, help="sources to choose the penalty on, with commas")
    parser.add_argument("--leave-out", required=True, help="sources that are never looked at, with commas")
    parser.add_argument("--out", required=True, type=Path)
    arguments = parser.parse_args()
    choose, never = ({each.strip() for each in given.split(",")} for given in (arguments.choose, arguments.leave_out))
    read = read_claims(arguments.files)
    items = [item for item in read.items if item.source not in never]
    tensors, metadata = _cut(arguments.adapter, arguments.layers)
    n_labels = len(json.loads(metadata["labels"]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cut.safetensors"
        hidden = tensors["head.weight"].shape[1]
        nothing = {"head.weight": np.zeros((n_labels, hidden), np.float16), "head.bias": np.zeros(n_labels, np.float16)}
        save_file(tensors | nothing, path, metadata=metadata)
        found = states(SmallModel.load(path, task="verifier", threads=1), items)
    is_chosen_on = np.isin(found.sources, sorted(choose))
    values, labels = found.values[~is_chosen_on], found.labels[~is_chosen_on]
    right = found.labels[is_chosen_on] == 0
    best = (0.0, 0.0)
    for penalty in PENALTIES:
        scores = odds(fitted(values, labels, penalty, n_labels).logits(found.values[is_chosen_on]))
        print(f"penalty {penalty:g}: AUROC {auroc(scores, right):.3f} on {', '.join(sorted(choose))}")
        best = max(best, (auroc(scores, right), penalty))
    head = fitted(values, labels, best[1], n_labels)
    metadata |= {
        "command": f"python benchmarks/refit_head.py --layers {arguments.layers}, penalty {best[1]:g}",
        "data": read.sha256,
        "trained": hashlib.sha256(arguments.adapter.read_bytes()).hexdigest(),
    }
    save_file(tensors | {"head.weight": head.weight, "head.bias": head.bias}, arguments.out, metadata=metadata)
    print(f"{arguments.out}: {len(values)} branches, {arguments.out.stat().st_size / 1e6:.1f} MB")


def _cut(path: Path, layers: int) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Tensors of the layers that are run, with the old head, and metadata that says how many they are."""
    with safe_open(path, "np") as file:
        metadata = dict(file.metadata() or {}) | {"head_layers": str(layers)}
        names = [name for name in file.keys() if not name.startswith("blk.") or int(name.split(".")[1]) < layers]  # noqa: SIM118
        return {name: file.get_tensor(name) for name in names}, metadata


if __name__ == "__main__":
    main()
