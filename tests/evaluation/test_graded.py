"""nDCG on graded relevance, by hand and against trec_eval."""

from __future__ import annotations

from math import log2

import pytest
import pytrec_eval

from ragassay.evaluation.graded import NOT_JUDGED, graded_scores, is_graded
from ragassay.records import Prediction, RankedChunk


def predicted(name: str, *documents: str, error: str | None = None) -> Prediction:
    chunks = tuple(
        RankedChunk(chunk_id=f"c{place}", document_id=document, start=0, end=1, score=1 / place)
        for place, document in enumerate(documents, start=1)
    )
    return Prediction(example_id=name, system="s", chunks=chunks, error=error)


def values(predictions: list[Prediction], grades: dict[str, dict[str, int]], name: str) -> list[float | None]:
    return [score.value for score in graded_scores(predictions, grades, name)]


def test_by_hand() -> None:
    grades = {"q": {"a": 3, "b": 1, "c": 2}}
    # x at 1, b at 2, a at 3: (1 / log2 3 + 3 / log2 4) / (3 + 2 / log2 3 + 1 / log2 4)
    linear = (1 / log2(3) + 3 / 2) / (3 + 2 / log2(3) + 1 / 2)
    exponential = (1 / log2(3) + 7 / 2) / (7 + 3 / log2(3) + 1 / 2)
    ranking = [predicted("q", "x", "b", "a")]
    assert values(ranking, grades, "ndcg@3") == [pytest.approx(linear)]
    assert values(ranking, grades, "ndcg_linear_at_3") == [pytest.approx(linear)]
    assert values(ranking, grades, "ndcg_exponential@3") == [pytest.approx(exponential)]


def test_a_grade_that_is_no_exponent_of_a_float() -> None:
    grades = {"q": {"a": 5_000, "b": 4_999, "c": 2}}
    # b at 1, a at 2, in units of 2^5000: (1 / 2 + 1 / log2 3) / (1 + 1 / 2 / log2 3), c and every 1 next to nothing
    exponential = (1 / 2 + 1 / log2(3)) / (1 + 1 / 2 / log2(3))
    assert values([predicted("q", "b", "a", "c")], grades, "ndcg_exponential@3") == [pytest.approx(exponential)]


def test_a_document_stands_where_its_first_chunk_does() -> None:
    grades = {"q": {"a": 1, "b": 1}}
    several = [predicted("q", "a", "a", "a", "b")]
    assert values(several, grades, "ndcg@2") == [1]


def test_what_has_no_value() -> None:
    failed, unjudged, nothing = predicted("q", error="time-out: x"), predicted("r", "a"), predicted("q")
    scores = graded_scores([failed, unjudged, nothing], {"q": {"a": 2}}, "ndcg@10")
    assert [(score.value, score.reason) for score in scores] == [
        (None, "the system failed: time-out: x"),
        (None, NOT_JUDGED),
        (0, None),
    ]


def test_as_trec_eval() -> None:
    grades = {"q": {"a": 3, "b": 1, "c": 2, "d": 1}, "r": {"a": 1, "e": 2}}
    rankings = {"q": ["x", "c", "y", "a", "d"], "r": ["e", "x", "y"]}
    run = {name: {document: 1 / place for place, document in enumerate(found, 1)} for name, found in rankings.items()}
    expected = pytrec_eval.RelevanceEvaluator(grades, {"ndcg_cut.3,5"}).evaluate(run)
    predictions = [predicted(name, *found) for name, found in rankings.items()]
    for k in (3, 5):
        found = values(predictions, grades, f"ndcg@{k}")
        assert found == [pytest.approx(expected[name][f"ndcg_cut_{k}"]) for name in rankings]


@pytest.mark.parametrize(("name", "graded"), [("ndcg@10", True), ("ndcg", False), ("document_ndcg@3", False)])
def test_names(name: str, graded: bool) -> None:
    assert is_graded(name) is graded
