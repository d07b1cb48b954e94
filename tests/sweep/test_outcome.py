"""The best setting, the tables, the front and the curve, from values worked by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.metrics.catalogue import metric_named
from ragassay.rag.setting import Setting
from ragassay.sweep.outcome import Outcome, outcome
from ragassay.sweep.results import comparison_rows, result_rows, write_csv
from ragassay.sweep.values import ALL, TOKENS_IN, TOKENS_OUT, SettingValues

LABELS = ["fact_single"] * 4 + ["summary"] * 4 + ["unanswerable"] * 2
RECALL, _ = metric_named("recall@5")


def values(setting: Setting, found: list[float], tokens: float, rows: list[int] | None = None) -> SettingValues:
    n = len(found)
    columns = {"recall@5": np.array(found), TOKENS_IN: np.full(n, tokens), TOKENS_OUT: np.zeros(n)}
    asked = np.arange(len(LABELS)) if rows is None else np.array(rows)
    return SettingValues(setting, asked, columns, {"recall@5": {"no ground span": [0]}})


DENSE = Setting(text_weight=0.0)
HALF = Setting(text_weight=0.5)
LEXICAL = Setting(text_weight=1.0)
SMALL = Setting(chunk_size=256, text_weight=0.5)
GIVEN = [
    values(DENSE, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0], 100),  # fact_single 0.5, summary 0
    values(HALF, [1, 1, 1, 0, 1, 1, 0, 0, 0, 0], 100),  # 0.75, 0.5
    values(LEXICAL, [1, 1, 1, 0, 0, 0, 0, 0, 0, 1], 80),  # 0.75, 0
    values(SMALL, [1, 0, 0, 0, 1, 0, 0, 0, 0, 0], 50),  # 0.25, 0.25
]


@pytest.fixture(scope="module")
def found() -> Outcome:
    return outcome(GIVEN, LABELS, [RECALL], RECALL)


def test_the_best_of_each_label_ties_to_the_smallest_weight(found: Outcome) -> None:
    best = {each.label: each for each in found.best}
    assert list(best) == ["fact_single", "summary", "answerable", ALL]  # an unanswerable question has no answer to find
    assert best["fact_single"].setting == HALF  # as good as lexical, whose weight is larger
    assert best["summary"].setting == HALF
    assert best["answerable"].estimate.value == 0.625  # 5 of the 8 that have an answer
    comparisons = best["fact_single"].comparisons
    assert [each.other for each in comparisons] == [LEXICAL.name, DENSE.name, SMALL.name]  # the best first
    assert [each.difference for each in comparisons] == [0.0, -0.25, -0.5]
    # of four questions two differ: p = 0.22, times 3 by Holm
    assert comparisons[-1].p_adjusted == pytest.approx(3 * comparisons[-1].p_value, abs=0.02)
    assert len(best["fact_single"].not_worse) == 3


def test_the_table_by_text_weight(found: Outcome) -> None:
    (table,) = found.tables
    assert (table.encoder, table.reranker) == ("embedded", "none")
    rows = {row.label: row for row in table.rows}
    assert (rows["summary"].dense.value, rows["summary"].lexical.value, rows["summary"].best.value) == (0, 0, 0.5)
    assert table.spread == pytest.approx((0.75 - 0.5) / 0.5)
    assert rows[ALL].best.value == 0.5  # 5 of all 10: Know Your RAG's inclusive row


def test_the_spread_between_labels_includes_all_questions() -> None:
    # 23 of 32 facts and 12 of 19 contexts of unanswerable questions: 0.719 of the facts, 35 of 51 = 0.686 of all
    hits = [1.0] * 23 + [0.0] * 9 + [1.0] * 12 + [0.0] * 7
    columns = {"recall@5": np.array(hits), TOKENS_IN: np.ones(51), TOKENS_OUT: np.zeros(51)}
    one = SettingValues(DENSE, np.arange(51), columns, {})
    (table,) = outcome([one], ["fact_single"] * 32 + ["unanswerable"] * 19, [RECALL], RECALL).tables
    assert table.spread == pytest.approx((23 / 32 - 35 / 51) / (35 / 51))
    (bare,) = outcome([one], ["fact_single"] * 32 + ["summary"] * 19, [RECALL], RECALL).tables
    assert [row.label for row in bare.rows] == ["fact_single", "summary", "answerable"]  # which is all of them
    assert bare.spread == pytest.approx((23 / 32 - 12 / 19) / (12 / 19))


def test_the_front_holds_what_nothing_surpasses(found: Outcome) -> None:
    # of 8 questions: 50 tokens for 2, 80 for 3, 100 for 5; dense takes 100 for 2
    assert [(point.setting, point.quality.value, point.tokens.value) for point in found.front] == [
        (SMALL, 0.25, 50),
        (LEXICAL, 0.375, 80),
        (HALF, 0.625, 100),
    ]


@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from([0, 0.5, 1]), min_size=40, max_size=40), st.integers(50, 54)),
        min_size=1,
        max_size=6,
    )
)
def test_no_setting_beats_the_recommended_one_in_both_tokens_and_mean(made: list[tuple[list[float], int]]) -> None:
    tried = [
        values(Setting(text_weight=place / 10), of, tokens, [*range(40)]) for place, (of, tokens) in enumerate(made)
    ]
    found = outcome(tried, ["fact_single"] * 40, [RECALL], RECALL)
    assert found.top is not None
    assert found.top.ties.cheapest in {each.setting for each in found.front}


def column(known: float, of: int, value: float = 1.0) -> np.ndarray:
    """The first share of the questions with a value, the others without."""
    return np.where(np.arange(of) < known * of, value, np.nan)


def wide(setting: Setting, found: np.ndarray, reason: str = "no reply, 4 tries") -> SettingValues:
    n = len(found)
    columns = {"recall@5": found, TOKENS_IN: np.full(n, float(setting.top_k)), TOKENS_OUT: np.zeros(n)}
    missing = np.flatnonzero(np.isnan(found)).tolist()
    return SettingValues(setting, np.arange(n), columns, {"recall@5": {reason: missing}} if missing else {})


@pytest.mark.parametrize("metric", ["recall@5", "hallucination"])
def test_a_setting_that_failed_nearly_everywhere_wins_nothing(metric: str) -> None:
    """1.0 on one of 100 questions against 0.88 on all: the one is the easiest question, not the better setting."""
    deciding, _ = metric_named(metric)
    good, bad = Setting(top_k=5), Setting(top_k=3)  # the one that failed is cheaper, too
    wins = 1.0 if deciding.higher_is_better else 0.0
    given = []
    for setting, share, value in ((good, 1.0, 0.88), (bad, 0.01, wins)):
        each = wide(setting, column(share, 100, value))
        renamed = {**each.metrics, metric: each.metrics["recall@5"]}
        given.append(SettingValues(setting, each.rows, renamed, {metric: each.missing.get("recall@5", {})}))
    found = outcome(given, ["fact_single"] * 100, [deciding], deciding)
    assert {(each.label, each.setting) for each in found.best} == {("fact_single", good), ("answerable", good)}
    assert all(each.comparisons == () for each in found.best)  # nor is it among those that are not told apart
    assert [point.setting for point in (*found.front, *found.points)] == [good, good]
    assert {row.setting for table in found.tables for row in table.rows} == {good}
    assert [(each.label, each.setting, each.n, each.total) for each in found.uncovered] == [
        ("fact_single", bad, 1, 100),
        ("answerable", bad, 1, 100),
    ]
    assert found.uncovered[0].why == "no reply, 4 tries (99)"
    rows = {(row["group"], row["top_k"]): row["is_covered"] for row in result_rows(found, given)}
    assert rows == {("fact_single", 5): True, ("answerable", 5): True,
                    ("fact_single", 3): False, ("answerable", 3): False}  # fmt: skip


def test_each_label_by_its_own_coverage() -> None:
    """Enough over all, too little of one kind: chosen over all, and not for that kind."""
    bad = np.ones(100)
    bad[:4] = np.nan
    given = [wide(DENSE, np.full(100, 0.5)), wide(HALF, bad)]
    found = outcome(given, ["summary"] * 10 + ["reasoning"] * 90, [RECALL], RECALL)
    best = {each.label: each.setting for each in found.best}
    assert best == {"summary": DENSE, "reasoning": HALF, "answerable": HALF}
    assert [(each.label, each.n, each.total) for each in found.uncovered] == [("summary", 6, 10)]


def test_the_tables_of_the_files(found: Outcome, tmp_path: Path) -> None:
    rows = result_rows(found, GIVEN)
    assert len(rows) == 4 * 5 * 4  # settings, labels with answerable and all, recall and three counts of tokens
    write_csv(tmp_path / "results.csv", rows)
    with (tmp_path / "results.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["setting"] for row in read] == [row["setting"] for row in rows]
    best = [row for row in read if row["is_best"] == "True" and row["metric"] == "recall@5"]
    assert {(row["group"], row["text_weight"]) for row in best} == {
        ("fact_single", "0.5"),
        ("summary", "0.5"),
        ("answerable", "0.5"),
        (ALL, "0.5"),
    }
    assert len(comparison_rows(found)) == 4 * 3
    hostile = Setting(encoder="=HYPERLINK(1)", text_weight=0.0)
    write_csv(tmp_path / "hostile.csv", [hostile.row()])
    assert ",'=HYPERLINK(1)," in (tmp_path / "hostile.csv").read_text()


def test_refusals_decide_over_all_questions_and_the_unanswerable_have_a_line() -> None:
    refusals, _ = metric_named("abstention_accuracy")

    def of(setting: Setting, right: list[float]) -> SettingValues:
        columns = {"abstention_accuracy": np.array(right), TOKENS_IN: np.ones(10), TOKENS_OUT: np.zeros(10)}
        return SettingValues(setting, np.arange(10), columns, {})

    bold, shy = of(DENSE, [1] * 8 + [0, 0]), of(HALF, [1] * 7 + [0, 1, 1])
    found = outcome([bold, shy], LABELS, [refusals], refusals)
    best = {each.label: (each.setting, each.estimate.value) for each in found.best}
    assert best["all questions"] == (HALF, 0.9)  # 0.8 for the one that never refuses
    assert best["answerable"] == (DENSE, 1.0)
    assert found.unanswerable is not None
    assert (found.unanswerable.value, found.unanswerable.total) == (1.0, 2)
    assert {point.quality.total for point in found.points} == {10}
