"""Fits what reads off the verifier's states whether a text answers a question.

    python benchmarks/fit_answered.py PAIRS... --write src/ragassay/models/small/answering.json

PAIRS: files in the form of ``training_data/passages.jsonl``. Answered: each fact's question on its passage. Not
answered: the same questions on the passage without the sentences that answer them, and what the passage leaves open as
its writer says. Sources in MEASURED are neither trained nor calibrated on, and figures are of them alone; the
calibration is made on those in CALIBRATED. Fit it again whenever the verifier changes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from logistic import auroc, balanced, fitted

from ragassay.models.small import roles, wording
from ragassay.models.small.verifier import ADAPTER, Verifier

MEASURED = frozenset({"clef handbook", "pubmed abstracts", "privacy policies"})
CALIBRATED = frozenset({"18F content guide", "public code standard"})
FEWEST_WORDS = 25
"""Of a passage: a shorter one answers nothing."""
WITHIN = 20
"""Characters in which a sentence begins, wherever white space was folded."""


class Asked(NamedTuple):
    """kind: the first word of the question; "open" for what its writer says is open.

    at: where in the text the answer stands or stood, in characters.
    """

    source: str
    kind: str
    question: str
    text: str
    answered: bool
    at: int = 0


def asked(rows: Sequence[dict[str, Any]]) -> Iterator[Asked]:
    for row in rows:
        for fact in row.get("facts") or ():
            question, text, quote = fact.get("question"), row["text"], fact["quote"]
            without = text.replace(quote, " ")
            if question and quote in text and len(without.split()) >= FEWEST_WORDS:
                kind = question.split()[0].lower()
                yield Asked(row["source"], kind, question, text, True, text.find(quote))
                yield Asked(row["source"], kind, question, without, False, text.find(quote))
        open_ = row.get("unanswerable") or []
        for each in open_ if isinstance(open_, list) else [open_]:
            yield Asked(row["source"], "open", each["question"], row["text"], False)


def read(items: Sequence[Asked], verifier: Verifier) -> npt.NDArray[np.float64]:
    """The verifier's states: (n_items, hidden)."""
    model = verifier.model

    def state(item: Asked) -> npt.NDArray[np.float32]:
        text = wording.plain(item.text)
        at = min(len(wording.plain(item.text[: item.at])), max(0, len(text) - 2))
        start, end = wording.window(text, at, at + WITHIN, lambda part: len(model.tokenizer.encode(part)))
        prefix = wording.prefix("", "", text[start:end])
        return model.branch_states(prefix, [wording.answered_prompt(item.question)])[0]

    with ThreadPoolExecutor(verifier.threads) as pool:
        return np.array(list(pool.map(state, items)), np.float64)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--penalty", type=float, default=300.0, help="of the squared weights")
    parser.add_argument("--most", type=int, default=10_000, help="questions that are read")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args(arguments)
    rows = [json.loads(line) for path in options.pairs for line in path.open(encoding="utf-8")]
    items = list(asked(rows))
    random.Random(5).shuffle(items)
    items = items[: options.most]
    verifier = roles.verifier()
    if verifier is None:
        raise SystemExit("the small language model is off")
    states = read(items, verifier)
    answered = np.array([item.answered for item in items], float)
    sources = np.array([item.source for item in items])
    kinds = np.array([item.kind for item in items])
    measured, calibrated = (np.isin(sources, list(some)) for some in (MEASURED, CALIBRATED))
    trained = ~measured & ~calibrated
    mean, scale = states[trained].mean(axis=0), states[trained].std(axis=0) + 1e-6
    design = np.hstack([(states - mean) / scale, np.ones((len(states), 1))])
    share = answered[trained].mean()
    counts = np.where(answered == 1, 0.5 / share, 0.5 / (1 - share))
    penalty = np.full(design.shape[1], options.penalty)
    penalty[-1] = 1e-3
    solution = fitted(design[trained], answered[trained], counts[trained], penalty)
    odds = design @ solution
    platt = np.stack([odds, np.ones_like(odds)], axis=1)
    fit = fitted(platt[calibrated], answered[calibrated], counts[calibrated], np.array([1e-3, 1e-3]))
    probability = 1 / (1 + np.exp(-platt @ fit))
    threshold = max(
        np.unique(np.floor(probability[calibrated] * 100) / 100),
        key=lambda cut: balanced(probability[calibrated] >= cut, answered[calibrated]),
    )
    logits = verifier.model.scores(states.astype(np.float32)).astype(float)
    own = logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])
    print(f"{trained.sum()} trained on, {calibrated.sum()} calibrated on, {measured.sum()} measured on")
    positive = measured & (answered == 1)
    for name in ("all", "why", "when", "what", "how", "open"):
        of = np.ones_like(measured) if name == "all" else kinds == name
        right = positive & (True if name == "open" else of)
        wrong = measured & (answered == 0) & of
        values = [
            auroc([*score[right], *score[wrong]], [1] * int(right.sum()) + [0] * int(wrong.sum()))
            for score in (own, odds)
        ]
        said = [(probability >= threshold)[some].mean() for some in (right, wrong)]
        print(
            f"{name}: {right.sum()} answered, {wrong.sum()} not; AUROC {values[0]:.3f} by the adapter's head, "
            f"{values[1]:.3f} by this one; taken as answered {said[0]:.2f} and {said[1]:.2f}"
        )
    print(f"scale {fit[0]:.4f}, shift {fit[1]:.4f}, threshold {threshold:.2f}")
    if options.write is None:
        return
    # Platt's scale and shift go into the head, so that its log-odds are calibrated as they stand.
    weights = fit[0] * solution[:-1] / scale
    record = {
        "command": f"python benchmarks/fit_answered.py PAIRS --penalty {options.penalty:g} --most {options.most}",
        "data_sha256": hashlib.sha256(b"".join(path.read_bytes() for path in options.pairs)).hexdigest(),
        "questions": int(trained.sum()),
        "verifier_sha256": hashlib.sha256(ADAPTER.read_bytes()).hexdigest(),
        "bias": round(float(fit[0] * solution[-1] + fit[1] - mean @ weights), 6),
        "threshold": round(float(threshold), 2),
        "weights": [float(f"{value:.5g}") for value in weights],
    }
    options.write.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
