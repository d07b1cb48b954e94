"""Questions for which people judged whole documents: every ranking metric is of documents, and trec_eval's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log2
from typing import get_args

import numpy as np
import pytest
import pytrec_eval

from ragassay.datasets.foreign import example_of
from ragassay.errors import UsageError
from ragassay.jobs.answer.options import EvaluateOptions, RankBy
from ragassay.jobs.score.score import score as run_score
from ragassay.metrics.answered import Answered
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.scoring import scored
from ragassay.records import Example, Prediction, RankedChunk, Score, Span

TREC = {
    "ndcg@10": "ndcg_cut_10",
    "document_ndcg@5": "ndcg_cut_5",
    "recall@10": "recall_10",
    "map@10": "map_cut_10",
    "precision@5": "P_5",
    "mrr@20": "recip_rank",
    "hit_rate@10": "success_10",
    "r_precision@20": "Rprec",
}


def judged(grades: Mapping[str, int]) -> Example:
    spans = [Span(document_id=name, start=0, end=9, text="of a lamp", grade=grade) for name, grade in grades.items()]
    return example_of(origin="beir", question="?", example_id="q", references=spans)


def score(grades: Mapping[str, int], documents: Sequence[str], names: Sequence[str], error: str = "") -> list[Score]:
    chunks = tuple(
        RankedChunk(chunk_id=f"c{place}", document_id=name, start=3, end=5, score=1 / place)
        for place, name in enumerate(documents, start=1)
    )
    prediction = Prediction(example_id="q", system="s", chunks=chunks, error=error or None)
    return list(scored(metrics_named(names), [Answered(judged(grades), prediction, ("",) * len(chunks))]))


def values(grades: Mapping[str, int], documents: Sequence[str], *names: str) -> list[float | None]:
    return [each.value for each in score(grades, documents, names)]


def test_by_hand() -> None:
    # x at 1, b at 2, a at 3: (1 / log2 3 + 3 / log2 4) / (3 + 2 / log2 3 + 1 / log2 4)
    wanted = pytest.approx((1 / log2(3) + 3 / 2) / (3 + 2 / log2(3) + 1 / 2))
    assert values({"a": 3, "b": 1, "c": 2}, ["x", "b", "a"], "ndcg@3", "document_ndcg@3") == [wanted, wanted]


@pytest.mark.parametrize(("made", "names", "warnings"), [(2, "mrr@5", 1), (1, "mrr@5", 0), (2, "token_f1", 0)])
def test_retrieval_on_questions_made_by_rules_is_doubtful(made: int, names: str, warnings: int) -> None:
    example = judged({"a": 1})
    by = [replace(example.provenance, synthesizer="rules")] * made + [example.provenance] * (2 - made)
    examples = [replace(example, id=f"q{n}", answer="a", provenance=each) for n, each in enumerate(by)]
    chunks = (RankedChunk(chunk_id="a", document_id="a", start=3, end=5, score=1),)
    answers = [Prediction(example_id=each.id, system="s", chunks=chunks, answer="a") for each in examples]
    doubts = run_score(EvaluateOptions(metrics=(names,), records=[*examples, *answers])).summary.doubts
    assert sum("2 of 2 questions were made by rules" in each for each in doubts) == warnings


def test_by_rank_or_by_score_as_trec_eval() -> None:
    """trec_eval never looks at ranks: of equal scores the last id is first."""
    scores = {"a": 0.1, "x": 0.4, "b": 0.4, "y": 0.2, "c": 0.9}
    chunks = tuple(RankedChunk(chunk_id=n, document_id=n, start=3, end=5, score=s) for n, s in scores.items())
    records = [judged({"a": 1, "b": 2, "c": 3}), Prediction(example_id="q", system="s", chunks=chunks)]
    names = ("ndcg@3", "mrr@5", "r_precision@2")
    as_they_stand, by_score = (
        run_score(EvaluateOptions(metrics=names, records=records, rank_by=rank_by)).summary
        for rank_by in get_args(RankBy)
    )
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"a": 1, "b": 2, "c": 3}}, {"ndcg_cut.3", "recip_rank"})
    (wanted,) = theirs.evaluate({"q": scores}).values()  # c, x, b
    assert by_score.metrics["ndcg@3"].value == pytest.approx(wanted["ndcg_cut_3"])
    assert by_score.metrics["mrr@5"].value == as_they_stand.metrics["mrr@5"].value == wanted["recip_rank"] == 1
    # a, x, b: (1 + 2 / log2 4) / (3 + 2 / log2 3 + 1 / log2 4)
    assert as_they_stand.metrics["ndcg@3"].value == pytest.approx(2 / (3 + 2 / log2(3) + 1 / 2))
    (order,) = as_they_stand.doubts
    assert order.startswith("In 1 of 1 predictions a chunk has a higher score than one before it.")
    assert by_score.doubts == ()
    with pytest.raises(UsageError, match=r"--rank-by: .*'id'"):
        run_score(EvaluateOptions(metrics=names, records=records, rank_by="id"))  # type: ignore[arg-type]


def test_as_trec_eval() -> None:
    random = np.random.default_rng(5)
    names = [f"d{number}" for number in range(20)]
    for _ in range(200):
        grades = {name: int(random.integers(1, 4)) for name in random.choice(names, random.integers(1, 12), False)}
        ranked = random.permutation(names)[: random.integers(1, 21)].tolist()
        run = {name: 1 / place for place, name in enumerate(ranked, start=1)}
        measures = {"ndcg_cut.5,10", "recall.10", "map_cut.10", "P.5", "recip_rank", "success.10", "Rprec"}
        theirs = pytrec_eval.RelevanceEvaluator({"q": grades}, measures).evaluate({"q": run})["q"]
        for name, value in zip(TREC, values(grades, ranked, *TREC), strict=True):
            assert value == pytest.approx(theirs[TREC[name]], abs=1e-9), name
