from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.metrics.catalogue import metric_named
from ragassay.metrics.retrieval.catalogue import RANKING_METRICS
from ragassay.rag.setting import Setting
from ragassay.retrieval.hybrid import Fusion, Rankings
from ragassay.sweep.best import best_configurations, label_results
from ragassay.sweep.configuration import Configuration
from ragassay.sweep.grid import grid
from ragassay.sweep.outcome import outcome
from ragassay.sweep.retrieval_sweep import ConfigurationResult
from ragassay.sweep.values import TOKENS_IN, TOKENS_OUT, SettingValues

NAN = float("nan")


def result(configuration: Configuration, recall: Sequence[float]) -> ConfigurationResult:
    values = np.array(recall, dtype=np.float64)
    nothing = Rankings(np.empty((0, 0), np.int32), np.empty((0, 0), np.float32))
    return ConfigurationResult(configuration, nothing, {metric.name: values for metric in RANKING_METRICS})


def setting(chars: int, fusion: Fusion, weight: float) -> Configuration:
    return Configuration(chunk_size=chars, fusion=fusion, text_weight=weight)


def sweep(default: Sequence[float], special: Mapping[Configuration, Sequence[float]]) -> list[ConfigurationResult]:
    return [result(configuration, special.get(configuration, default)) for configuration in grid()]


def test_the_highest_recall_wins_with_its_neighbours_and_ends() -> None:
    winner = setting(512, "min_max", 0.05)
    results = sweep([1, 0, 0, 0], {winner: [1, 1, 1, 0], setting(512, "raw_linear", 1.0): [0, 0, 0, 0]})
    (label, together) = best_configurations(results, ["fact_single"] * 4)
    assert (label.label, together.label) == ("fact_single", ANSWERABLE)
    assert label.configuration == winner
    assert (label.recall_at_5.value, label.recall_at_5.n) == (0.75, 4)
    assert label.dense is not None
    assert label.lexical is not None
    assert (label.dense.value, label.lexical.value) == (0.25, 0.0)
    # below w = 0.05 lies the dense end, which all fusions share
    assert [other.other for other in label.neighbours] == [
        "512 dense",
        "512 min_max w=0.1",
        "256 min_max w=0.05",
        "1024 min_max w=0.05",
    ]
    # two of four pairs differ, both one way: p = 0.224, times 4 by Holm
    found = {
        (other.difference, round(other.p_value, 4), round(other.p_adjusted, 4), other.n) for other in label.neighbours
    }
    assert found == {(-0.5, 0.224, 0.8959, 4)}


def test_ties_go_to_the_smallest_weight_then_chunk_then_fusion() -> None:
    tied = {
        setting(256, "min_max", 0.1): [1.0],
        setting(512, "raw_linear", 0.1): [1.0],
        setting(256, "rrf", 0.1): [1.0],
        setting(256, "raw_linear", 0.2): [1.0],
    }
    assert best_configurations(sweep([0], tied), ["summary"])[0].configuration == setting(256, "min_max", 0.1)
    everything = best_configurations(sweep([1], {}), ["summary"])[0]
    assert everything.configuration.name == "256 dense"
    assert [other.other for other in everything.neighbours] == ["256 raw_linear w=0.05", "512 dense"]


def test_means_that_differ_in_their_last_bits_are_ties() -> None:
    results = sweep([0, 0, 0], {setting(256, "rrf", 0.5): [0.1, 0.2, 0.3], setting(512, "rrf", 0.1): [0.3, 0.2, 0.1]})
    assert best_configurations(results, ["reasoning"] * 3)[0].configuration == setting(512, "rrf", 0.1)


def test_rounds_are_the_answerable_labels_that_occur_and_all_together() -> None:
    labels = ["unanswerable", "summary", "unanswerable"]
    results = sweep([1, 0, 1], {setting(256, "rrf", 0.1): [0, 1, 1]})
    best = best_configurations(results, labels)
    assert [(b.label, b.recall_at_5.value) for b in best] == [("summary", 1.0), (ANSWERABLE, 1.0)]
    assert best[1].configuration.name == "256 rrf w=0.1"
    rows = label_results(results, labels)
    assert [row.label for row in rows[:: 42 * len(RANKING_METRICS)]] == ["summary", "unanswerable", ANSWERABLE]
    assert {row.metric for row in rows} == {metric.name for metric in RANKING_METRICS}
    assert {row.estimate.total for row in rows if row.label == "unanswerable"} == {2}


def test_what_could_not_be_scored_stays_out_and_is_counted() -> None:
    best = best_configurations(sweep([1, NAN, 0], {}), ["summary", "summary", "reasoning"])
    assert (best[0].recall_at_5.value, best[0].recall_at_5.n, best[0].recall_at_5.total) == (1.0, 1, 2)
    assert [b.label for b in best_configurations(sweep([NAN], {}), ["summary"])] == []
    assert best_configurations([], []) == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_run_and_a_sweep_choose_the_same_setting(seed: int) -> None:
    """Many are tied: 42 configurations, recalls that are shares of six questions."""
    labels = ["summary"] * 6 + ["reasoning"] * 6
    random = np.random.default_rng(seed)
    results = [result(each, random.integers(0, 2, 12).tolist()) for each in grid()]
    recall, _ = metric_named("recall@5")
    values = []
    for each in results:
        of = each.configuration
        made = Setting(chunk_size=of.chunk_size, fusion=of.fusion, text_weight=of.text_weight)
        columns = {"recall@5": each.metrics["recall@5"], TOKENS_IN: np.ones(12), TOKENS_OUT: np.zeros(12)}
        values.append(SettingValues(made, np.arange(12), columns, {}))
    of_sweep = outcome(values, labels, [recall], recall).best
    of_run = best_configurations(results, labels)
    found = [(best.label, best.setting) for best in of_sweep]
    assert [(label, s.chunk_size, s.fusion, s.text_weight) for label, s in found] == [
        (best.label, c.chunk_size, c.fusion, c.text_weight) for best in of_run for c in [best.configuration]
    ]


def test_a_grid_without_ends_has_none() -> None:
    only = result(setting(256, "rrf", 0.5), [1.0])
    best = best_configurations([only], ["summary"])[0]
    assert (best.dense, best.lexical, best.neighbours) == (None, None, ())
