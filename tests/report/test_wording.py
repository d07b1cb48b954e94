from __future__ import annotations

from dataclasses import replace

import pytest

from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.tally import Unanswerable
from ragassay.rag.setting import WHOLE_DOCUMENTS, Setting
from ragassay.records import Prediction, RankedChunk
from ragassay.report.compared import compared_in_run
from ragassay.report.predictions import doubts_of
from ragassay.report.summary import RunSummary
from ragassay.report.wording import (
    count,
    decimal,
    duration,
    estimate_words,
    few_chunks_words,
    interval,
    label_order,
    places_beside,
    refusals_words,
    setting_words,
)


def test_estimates_are_written_with_interval_and_n() -> None:
    whole = Estimate(value=0.8778, low=0.83, high=0.92, n=186, total=186)
    assert estimate_words(whole) == "0.878 (95\u202f% interval 0.83–0.92, n\u00a0=\u00a0186)"
    assert estimate_words(replace(whole, n=180)).endswith("n\u00a0=\u00a0180 of 186)")
    assert estimate_words(replace(whole, low=None, high=None)) == "0.878 (n\u00a0=\u00a0186)"


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (None, "no value (not measured)"),
        (Estimate(value=None, low=None, high=None, n=0, total=0), "no value (no questions)"),
        (Estimate(value=None, low=None, high=None, n=0, total=12), "no value (none of 12 scored)"),
        (Estimate(value=0.0, low=0.0, high=0.0, n=3, total=3), "0.000 (95\u202f% interval 0.00–0.00, n\u00a0=\u00a03)"),
    ],
)
def test_no_value_is_never_zero_and_zero_is_a_value(estimate: Estimate | None, words: str) -> None:
    assert estimate_words(estimate) == words


def test_numbers() -> None:
    assert decimal(-0.0301) == "\u22120.030"
    assert decimal(-0.0001) == "0.000"
    assert interval(-0.2, 0.05) == "\u22120.20 to 0.05"
    assert interval(None, 0.05) == ""
    assert count(12840, "word") == "12\u202f840 words"
    assert count(1, "document") == "1 document"
    assert [duration(value) for value in (0.4171, 9.999, 59.96, 74.2, 3725)] == [
        "0.42 s",
        "10.0 s",
        "1 min 00 s",
        "1 min 14 s",
        "1 h 02 min",
    ]


@pytest.mark.parametrize(
    ("bound", "values", "places"),
    [
        (0.8, [0.7, 0.9, None], 2),  # 0.70 and 0.90
        (0.8, [0.79996], 5),  # with four it is 0.8000
        (0.8, [0.8004], 4),
        (0.8, [0.8 + 1e-12], 2),  # taken for equal
        (0.8123, [0.8125], 4),  # 0.81 and 0.812 are below
        (0.02, [-0.0004, 0.0199], 4),
        (0.8, [0.8 - 2e-9], 9),
    ],
)
def test_no_value_is_written_as_a_bound_that_it_is_not_at(
    bound: float, values: list[float | None], places: int
) -> None:
    assert places_beside(bound, values, 2) == places


def test_the_spread_is_between_labels_in_shares_of_the_lowest(summary: RunSummary) -> None:
    compared = compared_in_run(summary)
    spread = compared.spread
    assert spread is not None
    assert (spread.highest, spread.lowest) == ("fact_single", "reasoning")
    # best recall@5 of the invented run: 0.960 and 0.720
    assert spread.difference == pytest.approx(0.24, abs=0.001)
    assert spread.relative == pytest.approx(0.24 / 0.72, abs=0.001)
    assert replace(compared, winners=compared.winners[2:]).spread is None
    same = tuple(replace(each, estimate=compared.winners[0].estimate) for each in compared.winners)
    assert replace(compared, winners=same).spread is None  # then no label is the worst


@pytest.mark.parametrize(
    ("metric", "chunks", "said"),
    [("recall@5", 50, ()), ("faithfulness", 3, ()), ("recall@5", 49, ("49 chunks", "recall@4")), ("mrr@1", 9, ("9",))],
)
def test_a_rank_that_takes_a_tenth_of_all_chunks_says_little(metric: str, chunks: int, said: tuple[str, ...]) -> None:
    words = few_chunks_words(metric, chunks)
    assert bool(words) is bool(said)
    assert all(each in words for each in said)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (Setting(chunk_size=1024, text_weight=0.05), ("1 024 characters", "raw linear", "0.05", "0.95")),
        (Setting(chunk_size=3, chunker="sentences", overlap=0, text_weight=0), ("3 sentences", "vectors alone")),
        (Setting(chunk_size=WHOLE_DOCUMENTS, text_weight=1), ("whole documents", "words (BM25) alone")),
    ],
)
def test_the_name_of_a_setting_is_explained(setting: Setting, said: tuple[str, ...]) -> None:
    assert all(each in setting_words(setting) for each in (setting.name, *said))


def test_labels_come_in_their_usual_order() -> None:
    assert label_order(["all questions", "answerable", "other", "reasoning", "fact_single"]) == [
        "fact_single",
        "reasoning",
        "other",
        "answerable",
        "all questions",
    ]


def test_refusals_are_counted_and_what_nobody_can_say_is_said() -> None:
    right = Estimate(value=0.75, low=0.3, high=0.95, n=4, total=4)
    words = refusals_words(Unanswerable(right=right, wrong=1, undecided=0))
    assert words.endswith("n\u00a0=\u00a04), 1 wrong answer.")
    words = refusals_words(Unanswerable(right=right, wrong=2, undecided=1))
    assert "2 wrong answers. 1 other is not counted: only the passage" in words
    assert refusals_words(None) == ""


@pytest.mark.parametrize(("placed", "lost", "first"), [(9, 1, None), (3, 1, "1 of 4 retrieved"), (1, 1, "Do not rely")])
def test_chunks_in_no_document_are_a_warning_where_they_are_most(placed: int, lost: int, first: str | None) -> None:
    def chunk(end: int) -> RankedChunk:
        return RankedChunk(chunk_id="c", document_id="d", start=0, end=end, score=1, text="Pier seven")

    chunks = tuple(chunk(10) for _ in range(placed)) + tuple(chunk(0) for _ in range(lost))
    notes = doubts_of([], [Prediction(example_id="q", system="s", chunks=chunks)])
    assert [note[: len(first or "")] for note in notes] == ([first] if first else [])
    assert ["document_id" in note for note in notes] == ([first == "Do not rely"] if first else [])
