"""How large a say words have beside the verifier in a statement's verdict, and the scaling that goes with each share.

    python benchmarks/words_share.py --data ../shared/data

For each share: Platt's scale and shift (1999), fitted on written claims and plain statements in equal parts, of the two
sources that the verifier is calibrated on; the AUROC of both, and of written claims of the sources left out; and that
of faithfulness on answers of RAGVAL that commit themselves, rated 4 and 5 against less. WORDS_SHARE, WORDS_SCALE and
WORDS_SHIFT in ``models/embedded/judging/judgements.py`` are a row of it. Titles and headings are not known where
answers are judged, and are left out here.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from judge import ragval
from logistic import auroc, fitted

from ragassay.models.embedded.judging.refusals import is_refusal
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.verdicts import statements_of, statements_to_read
from ragassay.models.small.verifier import Check, Verifier

CALIBRATED_ON = ("18F content guide", "public code standard")
LEFT_OUT = ("clef handbook", "pubmed abstracts", "privacy policies")
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4)
SUREST = 0.995
RAGVAL_ANSWERS = 300
"""Drawn from those that are not rated 3."""


class Stated(NamedTuple):
    """What answers state of a text. right: whether it is so, or whether the answer is rated well."""

    text: str
    statements: list[str]
    right: bool


class Read(NamedTuple):
    """Of each answer with a statement: log-odds of its statements by the verifier and by words; whether it is right."""

    verifier: list[np.ndarray]
    words: list[np.ndarray]
    right: np.ndarray

    def mixed(self, share: float) -> list[np.ndarray]:
        """The log-odds of each answer's statements with this share of words."""
        return [(1 - share) * a + share * b for a, b in zip(self.verifier, self.words, strict=True)]

    def first(self, share: float) -> np.ndarray:
        """Of answers that are one claim."""
        return np.array([each[0] for each in self.mixed(share)])


def read(verifier: Verifier, items: Sequence[Stated]) -> Read:
    """Reads all that has a statement; what stands in its text word for word has none."""
    kept = [each for each in items if each.statements]
    judged = verifier.judge([Check(each.text, each.statements, windows=1) for each in kept])
    near = support(None, [Claim("", each.statements, each.text) for each in kept])
    return Read(
        [odds([one.supported for one in each]) for each in judged],
        [odds([one.score for one in each]) for each in near],
        np.array([each.right for each in kept]),
    )


def odds(probabilities: Sequence[float]) -> np.ndarray:
    kept = np.clip(np.array(probabilities), 1 - SUREST, SUREST)
    found: np.ndarray = np.log(kept / (1 - kept))
    return found


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def written(data: Path, sources: Sequence[str]) -> list[Stated]:
    """The claims that somebody wrote about passages of these sources, as answers."""
    return [
        Stated(row["text"], statements_to_read("", claim["text"], row["text"]), claim["supported"])
        for row in rows_of(data / "claims" / "claims.jsonl")
        if row["source"] in sources
        for claim in row.get("claims", [])
    ]


def plain(data: Path) -> list[Stated]:
    """What facts state, and their answers as sentences: of their passage, one of the same source, one of the other."""
    rows = [row for row in rows_of(data / "pairs" / "pairs.jsonl") if row["source"] in CALIBRATED_ON]
    chance = random.Random(1)
    made = []
    for row in rows:
        same = chance.choice([each for each in rows if each["source"] == row["source"] and each is not row])
        far = chance.choice([each for each in rows if each["source"] != row["source"]])
        for fact in row.get("facts", []):
            for said in [fact["statement"], *statements_of(fact["question"], fact["answer"])]:
                made += [Stated(each["text"], [said], each is row) for each in (row, same, far)]
    return made


def rated(data: Path) -> list[Stated]:
    """Answers of RAGVAL that commit themselves."""
    answers, blocks = ragval(data)
    clear = [each for each in answers if float(each["truthfulness"]) != 3]
    random.Random(1).shuffle(clear)
    return [
        Stated(
            blocks[each["url"]],
            statements_to_read(each["question"], each["answer"], blocks[each["url"]]),
            float(each["truthfulness"]) >= 4,
        )
        for each in clear[:RAGVAL_ANSWERS]
        if not is_refusal(each["answer"])
    ]


def alike(right: np.ndarray) -> np.ndarray:
    """Weights with which right and wrong ones count the same, and all together as many as there are."""
    share: np.ndarray = np.where(right, 0.5 / right.sum(), 0.5 / (~right).sum())
    return share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    verifier = Verifier.load()
    claims, unseen = (read(verifier, written(data, sources)) for sources in (CALIBRATED_ON, LEFT_OUT))
    facts, answers = read(verifier, plain(data)), read(verifier, rated(data))
    words = np.array([1 / (1 + np.exp(-each)) for each in map(np.mean, answers.words)])
    print(f"answers of RAGVAL: {len(answers.right)}, by words alone {auroc(words, answers.right):.3f}\n")
    print(
        "| share | scale, shift | written | plain | written, left out | RAGVAL |\n| --- | --- | --- | --- | --- | --- |"
    )
    for share in SHARES:
        both, right = np.r_[claims.first(share), facts.first(share)], np.r_[claims.right, facts.right]
        design, weights = (
            np.c_[both, np.ones_like(both)],
            np.r_[alike(claims.right), alike(facts.right)] * len(right) / 2,
        )
        scale, shift = fitted(design, right, weights, np.zeros(2))
        means = np.array([(1 / (1 + np.exp(-(scale * each + shift)))).mean() for each in answers.mixed(share)])
        values = (
            auroc(claims.first(share), claims.right),
            auroc(facts.first(share), facts.right),
            auroc(unseen.first(share), unseen.right),
            auroc(means, answers.right),
        )
        print(f"| {share} | {scale:.3f}, {shift:.3f} | {' | '.join(f'{value:.3f}' for value in values)} |")


if __name__ == "__main__":
    main()
