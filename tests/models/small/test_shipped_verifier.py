"""The verifier as the package ships it: its switch, and that it does what it was trained for."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from ragassay.errors import UsageError
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check

POLICY = "Employees may spend up to 120 euros a night on a hotel. Breakfast is paid for only if the manager agrees."


@pytest.mark.usefixtures("small_model_on")
def test_the_verifier_tells_claims_that_nobody_trained_on() -> None:
    verifier = roles.verifier()
    assert verifier is not None
    rows = [
        json.loads(line)
        for line in (files("ragassay.people.agreement") / "claims.jsonl").read_text("utf-8").splitlines()
    ]
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


@pytest.mark.parametrize("value", ["", "yes", "0", "on off"])
def test_another_value_is_refused_with_the_choices(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(roles.SWITCH, value)
    for ask in (roles.is_on, roles.verifier, roles.identity):
        with pytest.raises(UsageError, match=f"^RAGASSAY_SMALL_MODEL: must be on or off, not {value!r}$"):
            ask()
