"""The cascade's cuts and its texts; how it is read is the verifier's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import judge_cascade
import numpy as np
from judge_cascade import Claims, lengthened, sure_cuts

from ragassay.models.small import wording
from ragassay.models.small.verifier import Check
from ragassay.training.claims import ANSWERED, NOT_STATED, SUPPORTED, TextBranch, TextItem


def test_cuts_are_as_wide_as_the_share_of_wrong_ones_allows() -> None:
    scores = np.arange(1000) / 1000
    right = scores >= 0.5
    right[[100, 899]] = True, False
    cuts = sure_cuts(scores, right)
    # Of 509 claims below or above, 10 are wrong: the one by itself and nine beyond the middle; with ten it were 2.2 %.
    assert cuts == (0.5, 0.509, 0.491)
    assert not cuts.undecided(scores).any()


def test_what_lies_between_the_cuts_is_left_to_read() -> None:
    scores = np.arange(200) / 200
    right = np.where((scores > 0.3) & (scores < 0.7), np.arange(200) % 2 == 0, scores >= 0.5)
    cuts = sure_cuts(scores, right)
    assert (scores[cuts.undecided(scores)] == scores[(scores >= cuts.low) & (scores < cuts.high)]).all()
    assert 0.3 < cuts.low < cuts.high < 0.7
    for beyond, said in ((scores < cuts.low, False), (scores >= cuts.high, True)):
        assert (right[beyond] != said).mean() <= judge_cascade.WRONG_SHARE


def test_no_cut_where_words_say_nothing() -> None:
    scores = np.arange(100) / 100
    cuts = sure_cuts(scores, np.arange(100) % 2 == 0)
    assert cuts.undecided(scores).all()


def test_claims_without_questions_of_the_sources_asked_for() -> None:
    branches = (
        TextBranch(prompt=wording.claim_prompt("It is wet."), label=SUPPORTED, kind="paraphrase"),
        TextBranch(prompt=wording.answered_prompt("Is it wet?"), label=SUPPORTED, kind=ANSWERED),
        TextBranch(prompt=wording.claim_prompt("It is dry."), label=NOT_STATED, kind="antonym"),
    )
    items = [
        TextItem(id=str(n), source=source, document=source, title="T", heading="H", text="Rain.", branches=branches)
        for n, source in enumerate(("one", "two"))
    ]
    claims = Claims.of(items, ["two"])
    assert claims.checks == [Check("Rain.", ["It is wet.", "It is dry."], "T", "H")]
    assert claims.kinds.tolist() == ["paraphrase", "antonym"]
    assert claims.right.tolist() == [True, False]


def test_texts_are_lengthened_by_whole_sentences() -> None:
    checks = [Check(f"Number {number} is a sentence of seven words.", ["A claim."]) for number in range(60)]
    model = cast("Any", SimpleNamespace(tokenizer=SimpleNamespace(encode=str.split)))
    long = lengthened(checks, model)
    assert len(long) == len(checks) // judge_cascade.EVERY
    for place, check in enumerate(long):
        assert check.text.startswith(checks[place * judge_cascade.EVERY].text)
        assert len(check.text.split()) == judge_cascade.CONTEXT_TOKENS // 8 * 8
