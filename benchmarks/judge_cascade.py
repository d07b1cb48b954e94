"""Words alone, the verifier, and a cascade of both: claims a second and agreement, side by side. For ``judge.py``.

In the cascade words decide what they decide surely, and the verifier reads the rest. The cuts of words come from the
sources that the verifier is calibrated on, all that is measured from sources that nothing has learned from.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from calibrate_verifier import auroc, balanced

from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.small import wording
from ragassay.models.small.model import SmallModel
from ragassay.models.small.verifier import ADAPTER, Check, Verifier, calibrations
from ragassay.text import sentence_spans
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

CALIBRATED_ON = ("18F content guide", "public code standard")
LEFT_OUT = ("clef handbook", "pubmed abstracts", "privacy policies")
WRONG_SHARE = 0.02
"""Most of the claims beyond a cut of words that may be judged wrongly, on the sources of the calibration."""
FEWEST = 20
"""Claims beyond a cut, for that share to mean anything."""
CONTEXT_TOKENS = 300
CLAIMS_A_CONTEXT = (1, 4, 8)
EVERY = 5
"""Of the passages, those that are lengthened to CONTEXT_TOKENS."""

Floats = npt.NDArray[np.float64]
Scorer = Callable[[Sequence[Check]], Floats]


class Cuts(NamedTuple):
    """Of support by words. best: where balanced accuracy is best. low, high: below and from which words are sure."""

    best: float
    low: float
    high: float

    def undecided(self, scores: Floats) -> npt.NDArray[np.bool_]:
        return (scores >= self.low) & (scores < self.high)


@dataclass(frozen=True)
class Claims:
    """Claims about passages; kinds and right: one a claim, in the order of the checks."""

    checks: list[Check]
    kinds: npt.NDArray[np.str_]
    right: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, items: Sequence[TextItem], sources: Sequence[str]) -> Claims:
        checks, kinds, right = [], [], []
        for item in items:
            branches = [each for each in item.branches if each.kind not in (ANSWERED, UNANSWERED)]
            if item.source not in sources or not branches:
                continue
            texts = [each.prompt.removeprefix("Claim: ").removesuffix("\nSupported:") for each in branches]
            checks.append(Check(item.text, texts, item.title, item.heading))
            kinds += [each.kind for each in branches]
            right += [each.label == SUPPORTED for each in branches]
        return cls(checks, np.array(kinds), np.array(right))


def by_words(checks: Sequence[Check]) -> Floats:
    found = support(None, [Claim("", check.claims, check.text) for check in checks])
    return np.array([each.score for of_check in found for each in of_check])


def sure_cuts(scores: Floats, right: npt.NDArray[np.bool_]) -> Cuts:
    """The widest cuts with at most WRONG_SHARE wrong beyond them; none at -inf and inf."""
    values = np.unique(scores)
    lows = [v for v in values if (scores < v).sum() >= FEWEST and right[scores < v].mean() <= WRONG_SHARE]
    highs = [v for v in values if (scores >= v).sum() >= FEWEST and right[scores >= v].mean() >= 1 - WRONG_SHARE]
    best = max(values, key=lambda cut: balanced(scores >= cut, right))
    return Cuts(float(best), float(max(lows, default=-np.inf)), float(min(highs, default=np.inf)))


def scorers(model: SmallModel, cuts: Cuts) -> dict[str, Scorer]:
    """The three judges: scores of all claims in their order. Nothing is remembered from one call to the next."""
    fitted = calibrations()

    def by_verifier(checks: Sequence[Check]) -> Floats:
        verifier = Verifier(model, fitted["claims"], fitted["questions"], usable_cores())
        return np.array([each.supported for of_check in verifier.judge(checks) for each in of_check])

    def by_both(checks: Sequence[Check]) -> Floats:
        words = by_words(checks)
        unread = cuts.undecided(words)
        scores = np.where(words >= cuts.high, 1 - WRONG_SHARE, WRONG_SHARE)
        kept = iter(unread)
        left = [check._replace(claims=[claim for claim in check.claims if next(kept)]) for check in checks]
        scores[unread] = by_verifier([check for check in left if check.claims])
        return scores

    return {"words alone": by_words, "verifier": by_verifier, "cascade": by_both}


def lengthened(checks: Sequence[Check], model: SmallModel) -> list[Check]:
    """Every so many checks, their texts continued with sentences of those after them up to CONTEXT_TOKENS."""

    def count(text: str) -> int:
        return len(model.tokenizer.encode(wording.plain(text)))

    found = []
    for place in range(0, len(checks), EVERY):
        text = checks[place].text
        later = (checks[number % len(checks)].text for number in range(place + 1, place + len(checks)))
        sentences = (other[start:end] for other in later for start, end in sentence_spans(other))
        while count(longer := f"{text} {next(sentences)}") <= CONTEXT_TOKENS:
            text = longer
        if count(text) <= CONTEXT_TOKENS:
            found.append(checks[place]._replace(text=text))
    return found


def rate(score: Scorer, checks: Sequence[Check]) -> float:
    """Claims a second of processor time, of all threads together."""
    started = time.process_time()
    n_claims = len(score(checks))
    return n_claims / (time.process_time() - started)


def cascade_lines(data: Path, answers: Sequence[Claim]) -> Iterator[str]:
    """Two tables in Markdown, and how much words alone would decide of answers as systems write them."""
    items, _ = read_claims([data / "claims" / "claims.jsonl", data / "pairs" / "pairs.jsonl"])
    fitted_on, unseen = Claims.of(items, CALIBRATED_ON), Claims.of(items, LEFT_OUT)
    cuts = sure_cuts(by_words(fitted_on.checks), fitted_on.right)
    model = SmallModel.load(ADAPTER, threads=1)
    model.identity = ""  # so that no reading of an earlier run is looked up
    judges = scorers(model, cuts)
    somebody_wrote = ~np.isin(unseen.kinds, [STATEMENT, RESTATED, FOREIGN])
    least = calibrations()["claims"].threshold
    long = lengthened(unseen.checks, model)
    said = {}
    yield (
        "Claims a second of processor time, with all the claims of a passage as it is, and with some written ones on "
        f"{CONTEXT_TOKENS} tokens; AUROC and balanced accuracy:\n"
    )
    heads = ["judge", "as they are", *(f"{n} on {CONTEXT_TOKENS} tokens" for n in CLAIMS_A_CONTEXT)]
    yield from _head([*heads, f"all {len(unseen.right)} claims", f"the {somebody_wrote.sum()} written ones"])
    for name, score in judges.items():
        rates = [rate(score, unseen.checks)]
        rates += [rate(score, [each._replace(claims=each.claims[:n]) for each in long]) for n in CLAIMS_A_CONTEXT]
        scores = score(unseen.checks)
        said[name] = scores >= (cuts.best if name == "words alone" else least)
        agreed = [
            f"{auroc(scores[of], unseen.right[of]):.3f}, {balanced(said[name][of], unseen.right[of]):.3f}"
            for of in (np.ones_like(somebody_wrote), somebody_wrote)
        ]
        yield _row([name, *(f"{each:.{0 if each > 99 else 1}f}" for each in rates), *agreed])
    words = by_words(unseen.checks)
    decided = ~cuts.undecided(words)
    yield from ("", *_head(["type", "claims", *(f"{name}: right" for name in judges), "decided by words"]))
    for kind in sorted(set(unseen.kinds)):
        of = unseen.kinds == kind
        shares = [float((said[name] == unseen.right)[of].mean()) for name in judges]
        yield _row([kind, str(of.sum()), *(f"{share:.2f}" for share in (*shares, decided[of].mean()))])
    in_answers = np.array([each.score for of_answer in support(None, answers) for each in of_answer])
    yield (
        f"\ncuts of words: best {cuts.best:.3f}, sure below {cuts.low:.3f} and from {cuts.high:.3f}; of "
        f"{len(in_answers)} sentences of RAGVAL's answers they decide {(~cuts.undecided(in_answers)).mean():.3f}"
    )


def _head(cells: Sequence[str]) -> list[str]:
    return [_row(cells), _row(["---"] * len(cells))]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
