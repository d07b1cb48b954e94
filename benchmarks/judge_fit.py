"""Fits the weights of truthfulness and of relevance by the block anew, and says how far they hold on other articles.

    python benchmarks/judge_fit.py --data ../shared/data

Prints the weights fitted on either half of the articles and on all, the AUROC of each half's fit on the other half, and
that of the weights in ``models/embedded/judging/whole_answers.py``. Halves are made by a hash of the article's address,
so that answers about one article stay together.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from judge import CachedForRun, ragval, relevances
from logistic import fitted

from ragassay.models.embedded.judging.whole_answers import AnswerFeatures, on_block, seen_answers
from ragassay.models.embeddings import SentenceEncoder
from ragassay.people.agreement.correlation import auroc
from ragassay.tasks.ratings import AnswerOnBlock

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

RIDGE = 0.5


def report(name: str, features: Floats, ratings: Floats, first: Bools, names: list[str], shipped: Floats) -> None:
    clear = (ratings >= 4) | (ratings <= 2)
    good = ratings >= 4
    inputs = np.c_[features, np.ones(len(features))]
    print(
        f"\n{name}\n{'fitted on':14} {'AUROC there':>12} {'elsewhere':>10}  {' '.join(f'{each:>14}' for each in names)}"
    )
    for half, used in (("first half", first), ("second half", ~first), ("all", np.ones(len(first), dtype=np.bool_))):
        rows = clear & used
        weights = fitted(inputs[rows], good[rows], np.ones(rows.sum()), np.r_[np.full(features.shape[1], RIDGE), 1e-6])
        here = auroc((inputs @ weights)[clear & used], good[clear & used]).value
        there = auroc((inputs @ weights)[clear & ~used], good[clear & ~used]).value
        other = "-" if there is None else f"{there:.3f}"
        print(f"{half:14} {here:12.3f} {other:>10}  {' '.join(f'{each:14.2f}' for each in weights)}")
    values = [auroc(shipped[clear & used], good[clear & used]).value for used in (first, ~first)]
    print(f"shipped        {values[0]:.3f} on the first half, {values[1]:.3f} on the second")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder with the rated answers")
    arguments = parser.parse_args()
    if not (arguments.data / "ragval").is_dir():
        print(f"no data at {arguments.data}: nothing was fitted; give the folder with --data", file=sys.stderr)
        return 2
    encoder = CachedForRun(SentenceEncoder())
    rows, blocks = ragval(arguments.data)
    items = [AnswerOnBlock(question=row["question"], answer=row["answer"], block=blocks[row["url"]]) for row in rows]
    nothing = AnswerFeatures(*[0.0] * len(AnswerFeatures._fields))
    features = np.array([each.features if each else nothing for each in seen_answers(encoder, items)])
    by_question = np.array(relevances(encoder, [(row["question"], row["answer"]) for row in rows]))
    shipped = on_block(encoder, items, by_question.tolist())
    first = np.array([hashlib.sha256(row["url"].encode()).digest()[-1] % 2 == 0 for row in rows])
    names = [*AnswerFeatures._fields, "constant"]
    truth, rated = (np.array([float(row[name]) for row in rows]) for name in ("truthfulness", "relevance"))
    report("truthfulness", features, truth, first, names, np.array([each.truthfulness for each in shipped]))
    with_question = np.c_[features, by_question]
    names.insert(-1, "by question")
    report("relevance", with_question, rated, first, names, np.array([each.relevance for each in shipped]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
