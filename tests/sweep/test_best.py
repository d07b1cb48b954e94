from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.metrics.catalogue import metric_named
from ragassay.rag.setting import FUSIONS, Setting
from ragassay.rag.space import Space
from ragassay.retrieval.hybrid import Fusion
from ragassay.sweep.best import BestSetting
from ragassay.sweep.outcome import outcome
from ragassay.sweep.values import ALL, TOKENS_IN, TOKENS_OUT, SettingValues

RECALL, _ = metric_named("recall@5")
SPACE = Space(fusion=FUSIONS).settings()


def setting(chars: int, fusion: Fusion, weight: float) -> Setting:
    return next(s for s in SPACE if (s.chunk_size, s.fusion, s.text_weight) == (chars, fusion, weight))


def best_of(
    labels: Sequence[str],
    default: Sequence[float],
    special: Mapping[Setting, Sequence[float]],
    settings: Sequence[Setting] = SPACE,
) -> tuple[BestSetting, ...]:
    n = len(labels)
    values = []
    for each in settings:
        recall = np.array(special.get(each, default), dtype=np.float64)
        columns = {"recall@5": recall, TOKENS_IN: np.ones(n), TOKENS_OUT: np.zeros(n)}
        values.append(SettingValues(each, np.arange(n), columns, {}))
    return outcome(values, labels, [RECALL], RECALL).best


def test_the_highest_recall_wins_with_its_neighbours_and_ends() -> None:
    winner = setting(512, "min_max", 0.05)
    special = {winner: [1, 1, 1, 0], setting(512, "raw_linear", 1.0): [0, 0, 0, 0]}
    (label, together) = best_of(["fact_single"] * 4, [1, 0, 0, 0], special)
    assert (label.label, together.label) == ("fact_single", ANSWERABLE)
    assert label.setting == winner
    assert (label.estimate.value, label.estimate.n) == (0.75, 4)
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
    assert (len(label.comparisons), label.ties.others, label.ties.tied) == (41, 41, len(label.not_worse))


def test_ties_go_to_the_smallest_weight_then_chunk_then_fusion() -> None:
    tied = {
        setting(256, "min_max", 0.1): [1.0],
        setting(512, "raw_linear", 0.1): [1.0],
        setting(256, "rrf", 0.1): [1.0],
        setting(256, "raw_linear", 0.2): [1.0],
    }
    assert best_of(["summary"], [0], tied)[0].setting == setting(256, "min_max", 0.1)
    everything = best_of(["summary"], [1], {})[0]
    assert everything.setting.name == "256 dense"
    assert [other.other for other in everything.neighbours] == ["256 raw_linear w=0.05", "512 dense"]


def test_rounds_are_the_answerable_labels_that_occur_and_all_together() -> None:
    labels = ["unanswerable", "summary", "unanswerable"]
    best = best_of(labels, [1, 0, 1], {setting(256, "rrf", 0.1): [0, 1, 1]})
    # over all three the best is the same setting: 2 of 3, as the hits for every other one are at most 2
    assert [(b.label, b.estimate.value) for b in best] == [("summary", 1.0), (ANSWERABLE, 1.0), (ALL, 2 / 3)]
    assert best[1].setting.name == "256 rrf w=0.1"
