from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from math import log2

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from ragassay.metrics.retrieval.catalogue import NO_GROUND_SPAN, RANKING_METRICS, score_ranking
from ragassay.metrics.retrieval.hit_rate import hit_rate_at_k
from ragassay.metrics.retrieval.mrr import mrr_at_k
from ragassay.metrics.retrieval.ndcg import ndcg_at_k
from ragassay.metrics.retrieval.precision import precision_at_k
from ragassay.metrics.retrieval.ranks import RightChunks, ranks
from ragassay.metrics.retrieval.recall import recall_at_k

Metric = Callable[[Sequence[str], Sequence[Set[str]], int], float | None]
PLAIN: list[Metric] = [recall_at_k, hit_rate_at_k, mrr_at_k, ndcg_at_k, precision_at_k]

RANKED = ["a", "b", "c", "d", "e"]


def test_recall_counts_ground_spans_not_chunks() -> None:
    # spans: b or c holds the first, e the second, nothing the third; among the first 3 the first span only
    ground: list[set[str]] = [{"b", "c"}, {"e"}, set()]
    assert recall_at_k(RANKED, ground, 1) == 0
    assert recall_at_k(RANKED, ground, 3) == pytest.approx(1 / 3)
    assert recall_at_k(RANKED, ground, 5) == pytest.approx(2 / 3)


def test_know_your_rag_recall_is_the_case_of_one_span() -> None:
    assert [recall_at_k(RANKED, [{"c"}], k) for k in (1, 2, 3, 4)] == [0, 0, 1, 1]


def test_hit_rate_by_hand() -> None:
    assert [hit_rate_at_k(RANKED, [{"x"}, {"c"}], k) for k in (2, 3)] == [0, 1]


def test_mrr_by_hand() -> None:
    assert mrr_at_k(RANKED, [{"d"}, {"c"}], 10) == pytest.approx(1 / 3)
    assert mrr_at_k(RANKED, [{"d"}, {"c"}], 2) == 0


def test_ndcg_by_hand() -> None:
    # right: b, d, x. DCG@5 = 1/log2(3) + 1/log2(5); the ideal has three right chunks on ranks 1 to 3
    expected = (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / log2(4))
    assert ndcg_at_k(RANKED, [{"b", "d"}, {"x"}], 5) == pytest.approx(expected)
    # cut at 2: DCG = 1/log2(3), the ideal has two
    assert ndcg_at_k(RANKED, [{"b", "d"}, {"x"}], 2) == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert ndcg_at_k(RANKED, [set()], 5) == 0


def test_precision_divides_by_k() -> None:
    assert precision_at_k(RANKED, [{"a", "b"}, {"b", "e"}], 4) == pytest.approx(2 / 4)
    assert precision_at_k(["a"], [{"a"}], 5) == pytest.approx(1 / 5)


@pytest.mark.parametrize("metric", PLAIN)
def test_edges_of_all_metrics(metric: Metric) -> None:
    assert metric(RANKED, [], 5) is None
    assert metric([], [{"a"}], 5) == 0
    with pytest.raises(ValueError, match="k is 0"):
        metric(RANKED, [{"a"}], 0)


def test_scores_carry_a_reason_where_they_have_no_value() -> None:
    scored = score_ranking("q1", "ours", RANKED, [{"b"}])
    assert {score.metric: score.value for score in scored}["recall@1"] == 0
    assert {score.metric: score.value for score in scored}["mrr@10"] == 0.5
    assert all(score.reason is None for score in scored)
    undefined = score_ranking("q1", "ours", RANKED, [])
    assert all(score.value is None and score.reason == NO_GROUND_SPAN for score in undefined)
    with pytest.raises(ValueError, match="q1: ours returned a chunk twice"):
        score_ranking("q1", "ours", ["a", "a"], [{"a"}])


def test_agrees_with_trec_eval_on_a_thousand_rankings() -> None:
    random = np.random.default_rng(11)
    qrels, run, ground = {}, {}, {}
    for number in range(1000):
        chunks = [f"c{chunk}" for chunk in random.permutation(60)]
        ranked = chunks[: random.integers(1, 40)]
        right = set(random.choice(chunks, size=random.integers(1, 15), replace=False).tolist())
        qrels[f"q{number}"] = dict.fromkeys(right, 1)
        run[f"q{number}"] = {chunk: 100.0 - place for place, chunk in enumerate(ranked)}
        ground[f"q{number}"] = (ranked, [{chunk} for chunk in sorted(right)])
    measures = {"recall.5,10", "success.5", "recip_rank", "ndcg_cut.10", "P.5"}
    reference = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    for question, expected in reference.items():
        ranked, spans = ground[question]
        ours = [
            recall_at_k(ranked, spans, 5),
            recall_at_k(ranked, spans, 10),
            hit_rate_at_k(ranked, spans, 5),
            mrr_at_k(ranked, spans, 40),
            ndcg_at_k(ranked, spans, 10),
            precision_at_k(ranked, spans, 5),
        ]
        names = ["recall_5", "recall_10", "success_5", "recip_rank", "ndcg_cut_10", "P_5"]
        assert ours == pytest.approx([expected[name] for name in names], abs=1e-9)


questions = st.lists(
    st.tuples(
        st.lists(st.integers(0, 25), unique=True, max_size=10),
        st.lists(st.sets(st.integers(0, 25), max_size=4), max_size=4),
    ),
    max_size=6,
)


@given(questions)
def test_the_vectorised_metrics_are_the_plain_ones(drawn: list[tuple[list[int], list[set[int]]]]) -> None:
    ranked = np.full((len(drawn), 10), -1, dtype=np.int32)
    for row, (chunks, _) in zip(ranked, drawn, strict=True):
        row[: len(chunks)] = chunks
    right = RightChunks.of([ground for _, ground in drawn])
    assert right.sets() == [ground for _, ground in drawn]
    places = ranks(ranked, right)
    for metric in RANKING_METRICS:
        plain = [metric.one([*map(str, chunks)], [{*map(str, span)} for span in ground]) for chunks, ground in drawn]
        expected = [np.nan if value is None else value for value in plain]
        assert metric.all(places) == pytest.approx(expected, abs=1e-12, nan_ok=True)


ids = st.integers(0, 12).map(str)


@given(st.lists(ids, unique=True), st.lists(st.sets(ids, max_size=4), min_size=1, max_size=5), st.integers(1, 12))
def test_laws(ranked: list[str], ground: list[set[str]], k: int) -> None:
    for metric in PLAIN:
        value = metric(ranked, ground, k)
        assert value is not None
        assert 0 <= value <= 1
        assert metric(ranked, ground[::-1], k) == value  # the order of the spans plays no part
    for growing in (recall_at_k, hit_rate_at_k, mrr_at_k):
        shallow, deep = growing(ranked, ground, k), growing(ranked, ground, k + 1)
        assert shallow is not None
        assert deep is not None
        assert deep >= shallow
    first = ranked[:k]
    assert recall_at_k(first[::-1], ground, k) == recall_at_k(first, ground, k)


def test_rankings_must_be_as_deep_as_k_and_as_many_as_the_questions() -> None:
    right = RightChunks.of([[{1}]])
    with pytest.raises(ValueError, match="only the first 3 chunks"):
        RANKING_METRICS[2].all(ranks(np.zeros((1, 3), dtype=np.int32), right))
    with pytest.raises(ValueError, match="2 rankings for 1 questions"):
        ranks(np.zeros((2, 3), dtype=np.int32), right)
