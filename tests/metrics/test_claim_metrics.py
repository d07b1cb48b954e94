"""Metrics that count claims, by hand: faithfulness, context recall and factual correctness."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from by_hand import example_of

from ragassay.metrics.answered import Answered, Judge
from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.judged.judged_metric import judged_scores
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Prediction, Score
from ragassay.tasks.verdicts import (
    AnswerStatements,
    AnswerToQuestion,
    StatementsOnContext,
    StatementVerdict,
    StatementVerdicts,
)

ANSWER, REFERENCE = "red and old and high", "red and round"


def answered(
    answer: str | None = ANSWER, reference: str = REFERENCE, chunks: tuple[str, ...] = (), **more: Any
) -> Answered:
    example = example_of("e", answer=reference)
    return Answered(example, Prediction(example_id="e", system="ours", chunks=(), answer=answer, **more), chunks)


def by_words() -> ScriptedModel:
    """A judge to whom each word but "and" is a claim, which a text supports if it has the word."""

    def split(inputs: AnswerToQuestion) -> AnswerStatements:
        return AnswerStatements(items=tuple(word for word in inputs.answer.split() if word not in {"and", "hm"}))

    def held(inputs: StatementsOnContext) -> StatementVerdicts:
        texts = inputs.context.split()
        return StatementVerdicts(
            items=tuple(
                StatementVerdict(supported=claim in texts, support=1.0, reason="", evidence="")
                for claim in inputs.statements
            )
        )

    return ScriptedModel({"answer_statements": split, "statement_verdicts": held})


def score(name: str, each: Answered, model: Any = None) -> Score:
    judge = Judge(model=model or by_words())
    (found,) = asyncio.run(judged_scores(judge, [METRICS[name]], [each]))
    assert found.metric == name
    return found


def test_context_recall_counts_the_claims_of_the_reference() -> None:
    # "red" stands in the second chunk, "round" in none: 1 / 2; the answer is no matter
    found = score("context_recall", answered(answer=None, abstained=True, chunks=("blue and old", "red")))
    assert found.value == 1 / 2
    assert found.evidence[:2] == ("found: red", "not found: round")
    nothing = score("context_recall", answered())
    assert (nothing.value, nothing.evidence) == (0, ("no chunk was retrieved",))
    assert score("context_recall", answered(reference="")).reason == "the example has no reference answer"
    silent = score("context_recall", answered(reference="hm", chunks=("red",)))
    assert silent.reason == "the reference answer makes no statement"


def test_faithfulness_counts_the_claims_of_the_answer() -> None:
    # of red, old and high the chunks have the first two
    assert score("faithfulness", answered(chunks=("blue and old", "red"))).value == 2 / 3
    assert score("faithfulness", answered()).reason == "no chunk was retrieved"
    assert score("faithfulness", answered("hm", chunks=("red",))).reason == "the answer makes no statement"


def test_factual_correctness_holds_each_text_against_the_other() -> None:
    # answer: red, old, high, of which the reference has red: P = 1/3; reference: red, round: R = 1/2
    # F1 = 2 * 1/3 * 1/2 / (1/3 + 1/2) = 2/5
    values = {name: score(f"factual_{name}", answered()).value for name in ("precision", "recall", "correctness")}
    assert values == pytest.approx({"precision": 1 / 3, "recall": 1 / 2, "correctness": 2 / 5})
    found = score("factual_correctness", answered())
    assert found.evidence[:5] == (
        "confirmed: red",
        "not confirmed: old",
        "not confirmed: high",
        "said: red",
        "left out: round",
    )
    assert score("factual_correctness", answered("blue")).value == 0
    assert score("factual_correctness", answered("round and red")).value == 1


@pytest.mark.parametrize(
    ("each", "precision", "recall", "f1"),
    [
        (answered(None, abstained=True), "the system abstained", 0.0, 0.0),
        (answered(None, "The document does not say.", abstained=True), "the system abstained", 1.0, 1.0),
        (answered("hm"), "the answer makes no statement", 0.0, "the answer makes no statement"),
        (
            answered(ANSWER, "hm"),
            0.0,
            "the reference answer makes no statement",
            "the reference answer makes no statem",
        ),
        (answered(ANSWER, ""), *["the example has no reference answer"] * 3),
        (answered(None, error="time-out"), *["the system failed: time-out"] * 3),
    ],
)
def test_factual_correctness_at_its_edges(each: Answered, precision: Any, recall: Any, f1: Any) -> None:
    for name, wanted in (("precision", precision), ("recall", recall), ("correctness", f1)):
        found = score(f"factual_{name}", each)
        if isinstance(wanted, str):
            assert found.value is None
            assert (found.reason or "").startswith(wanted)
        else:
            assert found.value == wanted


@pytest.mark.parametrize(
    "name", ["faithfulness", "context_recall", "factual_precision", "factual_recall", "factual_correctness"]
)
def test_a_judge_that_fails_or_cannot_count_leaves_no_value(name: str) -> None:
    each = answered(chunks=("red",))
    lost = ScriptedModel({"answer_statements": Reply(None, "timed out")})
    assert score(name, each, lost).reason == "timed out"
    claims = AnswerStatements(items=("red", "old"))
    one = StatementVerdicts(items=(StatementVerdict(supported=True, support=1, reason=""),))
    short = ScriptedModel({"answer_statements": claims, "statement_verdicts": one})
    assert score(name, each, short).reason == "1 verdict for 2 statements"


def test_metrics_that_ask_the_same_ask_it_once() -> None:
    model = by_words()
    names = ("faithfulness", "factual_precision", "factual_correctness", "context_recall")
    each = answered(chunks=("red", "old"))
    asyncio.run(judged_scores(Judge(model=model), [METRICS[name] for name in names], [each]))
    split = [asked.answer for asked in model.asked("answer_statements")]
    assert sorted(split) == sorted([ANSWER, REFERENCE])
