"""A scripted judge on claims: figures worked by hand, and intervals that know which claims hang together."""

from __future__ import annotations

import asyncio

import pytest

from ragassay.agreement.claims import NO_SCORES, Claim, ClaimJudgement, Passage, checked_claims, judged_claims
from ragassay.evaluation.aggregate import estimate
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.tasks.verdicts import StatementsOnContext, StatementVerdict, StatementVerdicts


def claim(said: float, supported: bool, type_: str = "") -> Claim:
    """A claim that the scripted judge gives this score."""
    return Claim(where=f"line {said}", text=f"{said}", supported=supported, type=type_)


def passage(key: str, *claims: Claim, source: str = "") -> Passage:
    return Passage(key=key, text=f"Text of {key}.", claims=claims, source=source, title="Title")


def verdicts(inputs: StatementsOnContext) -> StatementVerdicts:
    scores = [float(each) for each in inputs.statements]
    return StatementVerdicts(
        items=tuple(
            StatementVerdict(supported=score > 0.5, support=score, reason="as told", evidence=inputs.context[:5])
            for score in scores
        )
    )


def judged(*passages: Passage) -> list[ClaimJudgement]:
    return asyncio.run(judged_claims(ScriptedModel({"statement_verdicts": verdicts}), passages))


FIVE = (
    passage("p1", claim(0.9, True, "paraphrase"), claim(0.6, False, "number"), source="guides"),
    passage(
        "p2", claim(0.4, True, "paraphrase"), claim(0.1, False, "number"), claim(0.8, True, "joined"), source="news"
    ),
)


def test_a_judge_is_asked_as_for_faithfulness_ten_claims_at_a_time() -> None:
    model = ScriptedModel({"statement_verdicts": verdicts})
    found = asyncio.run(judged_claims(model, [passage("p", *[claim(0.9, True)] * 12), passage("q", claim(0.2, True))]))
    asked = model.asked("statement_verdicts")
    assert [(len(each.statements), each.question) for each in asked] == [(10, ""), (2, ""), (1, "")]
    assert asked[0].context == "Title\n\nText of p."
    assert [(each.passage, each.verdict, each.score, each.evidence) for each in found[11:]] == [
        ("p", True, 0.9, "Title"),
        ("q", False, 0.2, "Title"),
    ]


def test_figures_of_five_claims() -> None:
    found = checked_claims(judged(*FIVE))
    # Right: 0.9, 0.1 and 0.8, three of five. Of three supported ones two, of the two others one: (2/3 + 1/2) / 2.
    assert found.figures.accuracy.value == pytest.approx(3 / 5)
    assert found.figures.balanced_accuracy.value == pytest.approx(7 / 12)
    # Of 3 x 2 pairs, only 0.4 against 0.6 is in the wrong order.
    assert found.figures.auroc.value == pytest.approx(5 / 6)
    assert (found.figures.passages, found.figures.supported, found.commonest) == (2, 3, 0.6)
    types = [(each.type, each.supported, each.accuracy.value, each.accuracy.n) for each in found.by_type]
    assert types == [("paraphrase", True, 0.5, 2), ("joined", True, 1.0, 1), ("number", False, 0.5, 2)]
    assert found.figures.auroc.reason == "no interval: the 5 items are from 2 passages, too few to resample"


def test_a_judge_without_scores_has_no_auroc() -> None:
    found = checked_claims(judged(passage("p", claim(1.0, True), claim(0.0, False), claim(1.0, False))))
    assert found.figures.accuracy.value == pytest.approx(2 / 3)
    assert (found.figures.auroc.value, found.figures.auroc.reason, found.figures.auroc.n) == (None, NO_SCORES, 3)


def test_claims_without_a_verdict_are_counted_with_the_reason() -> None:
    def short(inputs: StatementsOnContext) -> StatementVerdicts | Reply[StatementVerdicts]:
        if "p3" in inputs.context:
            return Reply(None, "the server was busy")
        found = verdicts(inputs)
        return StatementVerdicts(items=found.items[:1]) if "p2" in inputs.context else found

    model = ScriptedModel({"statement_verdicts": short})
    passages = [*FIVE, passage("p3", claim(0.7, True))]
    judgements = asyncio.run(judged_claims(model, passages))
    found = checked_claims(judgements)
    assert (found.figures.accuracy.n, found.figures.accuracy.total, found.figures.accuracy.value) == (2, 6, 0.5)
    assert found.reasons == {"1 verdict for 3 claims": 3, "the server was busy": 1}
    nothing = checked_claims([each for each in judgements if each.verdict is None])
    assert (nothing.figures.auroc.value, nothing.figures.accuracy.value) == (None, None)


def test_claims_of_one_passage_count_as_little_as_they_know() -> None:
    def width(*passages: Passage) -> float:
        found = checked_claims(judged(*passages)).figures.accuracy
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    one = [(claim(0.9, number % 2 == 0),) for number in range(30)]
    single = width(*(passage(f"p{n}", *claims) for n, claims in enumerate(one)))
    assert width(*(passage(f"p{n}", *claims * 8) for n, claims in enumerate(one))) == pytest.approx(single, rel=0.05)
    apart = width(*(passage(f"p{n}-{m}", *claims) for n, claims in enumerate(one) for m in range(8)))
    assert single / apart == pytest.approx(8**0.5, rel=0.15)


def test_all_right_is_no_certainty() -> None:
    right = judged(*(passage(f"p{n}", claim(0.9, True), claim(0.1, False)) for n in range(12)))
    found = checked_claims(right).figures
    assert (found.accuracy.value, found.accuracy.low, found.accuracy.high) == (1.0, pytest.approx(0.832, abs=1e-3), 1.0)
    # The two classes have twelve claims each, and so has the rarer one of AUROC.
    of_class = estimate([1.0] * 12)
    assert found.balanced_accuracy.low == of_class.low
    assert found.auroc.low == of_class.low
