from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from math import log2

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from ragassay.metrics.retrieval.rankings import (
    FAMILIES,
    counting_ranks,
    graded_ndcg_at_k,
    hit_rate_at_k,
    map_at_k,
    mrr_at_k,
    ndcg_at_k,
    r_precision_at_k,
    recall_at_k,
)

Metric = Callable[[Sequence[str], Sequence[Set[str]], int], float | None]
PLAIN: list[Metric] = [family.at for family in FAMILIES.values()]

RANKED = ["a", "b", "c", "d", "e"]


def test_recall_counts_ground_spans_not_chunks() -> None:
    # spans: b or c holds the first, e the second, nothing the third; among the first 3 the first span only
    ground: list[set[str]] = [{"b", "c"}, {"e"}, set()]
    assert recall_at_k(RANKED, ground, 1) == 0
    assert recall_at_k(RANKED, ground, 3) == pytest.approx(1 / 3)
    assert recall_at_k(RANKED, ground, 5) == pytest.approx(2 / 3)


def test_ndcg_by_hand() -> None:
    # spans found at ranks 2 (d holds it again, for nothing) and 4, one never; the ideal finds them at 1 to 3
    ground: list[set[str]] = [{"b", "d"}, {"x"}, {"d"}]
    expected = (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / log2(4))
    assert ndcg_at_k(RANKED, ground, 5) == pytest.approx(expected)
    # cut at 2: DCG = 1/log2(3), the ideal has two
    assert ndcg_at_k(RANKED, ground, 2) == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert ndcg_at_k(RANKED, [set()], 5) == 0


def test_spans_that_one_chunk_brings_count_one_a_rank() -> None:
    # a holds two of three spans and d the third: they count from ranks 1, 2 and 4
    ground: list[set[str]] = [{"a"}, {"a", "c"}, {"d"}]
    assert counting_ranks(RANKED, ground, 5) == [1, 2, 4]
    assert counting_ranks(RANKED, ground, 3) == [1, 2]
    assert counting_ranks(RANKED, ground, 1) == [1]
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    assert ndcg_at_k(RANKED, ground, 5) == pytest.approx((1 + 1 / log2(3) + 1 / log2(5)) / ideal)
    assert map_at_k(RANKED, ground, 5) == pytest.approx((1 / 1 + 2 / 2 + 3 / 4) / 3)
    assert [r_precision_at_k(RANKED, ground, k) for k in (1, 5)] == pytest.approx([1 / 3, 2 / 3])
    # all of them at once is as good as it gets; at rank 3 they count from there
    assert [metric(RANKED, [{"a"}] * 3, 5) for metric in (ndcg_at_k, map_at_k, r_precision_at_k)] == [1, 1, 1]
    assert counting_ranks(RANKED, [{"c"}] * 3, 5) == [3, 3, 3]
    assert map_at_k(RANKED, [{"c"}] * 3, 5) == pytest.approx((1 / 3 + 2 / 3 + 3 / 3) / 3)


@pytest.mark.parametrize("metric", PLAIN)
def test_edges_of_all_metrics(metric: Metric) -> None:
    assert metric(RANKED, [], 5) is None
    assert metric([], [{"a"}], 5) == 0
    with pytest.raises(ValueError, match="k is 0"):
        metric(RANKED, [{"a"}], 0)


TREC_NAMES = {
    "recall@5": "recall_5",
    "recall@10": "recall_10",
    "precision@5": "P_5",
    "hit_rate@5": "success_5",
    "mrr@40": "recip_rank",
    "map@10": "map_cut_10",
    "map@40": "map",
    "r_precision@40": "Rprec",
}


def at(name: str, ranked: Sequence[str], ground: Sequence[Set[str]]) -> float | None:
    family, _, depth = name.partition("@")
    return FAMILIES[family].at(ranked, ground, int(depth))


def test_agrees_with_trec_eval_on_a_thousand_rankings_with_ties() -> None:
    random = np.random.default_rng(11)
    qrels, run = {}, {}
    for number in range(1000):
        chunks = [f"c{chunk}" for chunk in random.permutation(60)]
        retrieved = chunks[: random.integers(1, 41)]
        judged = random.choice(chunks, size=random.integers(1, 16), replace=False).tolist()
        qrels[f"q{number}"] = {chunk: int(random.integers(1, 4)) for chunk in judged}
        run[f"q{number}"] = {chunk: float(random.integers(0, 12)) for chunk in retrieved}  # 12 scores for 40: ties
    measures = {"recall.5,10", "success.5", "recip_rank", "ndcg_cut.10", "P.5", "map", "map_cut.10", "Rprec"}
    reference = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    binary = {query: dict.fromkeys(grades, 1) for query, grades in qrels.items()}
    of_binary = pytrec_eval.RelevanceEvaluator(binary, {"ndcg_cut.10"}).evaluate(run)
    for query, expected in reference.items():
        # of equal scores trec_eval puts the greater id first
        ranked = sorted(sorted(run[query], reverse=True), key=run[query].__getitem__, reverse=True)
        singles = [{chunk} for chunk in sorted(qrels[query])]
        ours = {name: at(name, ranked, singles) for name in TREC_NAMES}
        assert ours == pytest.approx({name: expected[theirs] for name, theirs in TREC_NAMES.items()}, abs=1e-9)
        assert ndcg_at_k(ranked, singles, 10) == pytest.approx(of_binary[query]["ndcg_cut_10"], abs=1e-9)
        assert graded_ndcg_at_k(ranked, qrels[query], 10) == pytest.approx(expected["ndcg_cut_10"], abs=1e-9)


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
