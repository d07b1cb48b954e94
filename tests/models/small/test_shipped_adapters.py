"""The adapters that the package ships, with the published weights: that they do what they were trained for."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from ragassay.models.small import roles
from ragassay.models.small.verifier import Check

POLICY = "Employees may spend up to 120 euros a night on a hotel. Breakfast is paid for only if the manager agrees."


@pytest.mark.usefixtures("small_model_on")
def test_the_verifier_tells_claims_that_nobody_trained_on() -> None:
    verifier = roles.verifier()
    assert verifier is not None
    rows = [json.loads(line) for line in (files("ragassay.agreement") / "claims.jsonl").read_text("utf-8").splitlines()]
    right, wrong = [], []
    for row in rows[:40:5]:
        claims = [claim["text"] for claim in row["claims"]]
        (found,) = verifier.judge([Check(row["text"], claims, row["title"], row["heading"])])
        for claim, judged in zip(row["claims"], found, strict=True):
            (right if claim["supported"] else wrong).append(judged.supported)
    pairs = [(one > other) + 0.5 * (one == other) for one in right for other in wrong]
    assert len(right) + len(wrong) >= 60
    assert sum(pairs) / len(pairs) > 0.75  # overlap of words has 0.52 on these


@pytest.mark.usefixtures("small_model_on")
def test_the_verifier_ranks_what_a_text_answers_above_what_it_leaves_open() -> None:
    verifier = roles.verifier()
    assert verifier is not None
    asked = ["How much may a hotel cost a night?", "Who founded the hotel?", "How many days of leave do I get?"]
    ((stated, *open_),) = verifier.judge([Check(POLICY, asked, questions=True)])
    assert all(one.supported < stated.supported for one in open_)
