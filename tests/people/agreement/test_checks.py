"""What a judge is checked on, and how far it agrees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ragassay
from ragassay.errors import InputError, RecordError, UsageError
from ragassay.people.agreement.check_items import QUALITIES, Compared, Pair, Rated, read_judge_set
from ragassay.people.agreement.check_statistics import checked, classes
from ragassay.people.agreement.check_values import Values, control_values, repeatability

PAIR = {"question": "When?", "context": "It opened in 1998.", "better": "In 1998.", "worse": "In 1970."}
COMPARED = {
    "query": "When?",
    "gt_answer": "In 1998.",
    "model1": {"response": "In 1970."},
    "model2": {"response": "In 1998."},
    "overall_label": 2,
}
RATED = {"question": "When?", "answer": "In 1998.", "url": "a", "truthfulness": 5, "relevance": 4.5}


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_three_shapes_are_recognised(tmp_path: Path) -> None:
    (pair,) = read_judge_set(write(tmp_path / "p.jsonl", PAIR), "faithfulness").items["faithfulness"]
    assert pair == Pair(
        where="p.jsonl line 1", question="When?", better="In 1998.", worse="In 1970.", context="It opened in 1998."
    )
    (compared,) = read_judge_set(write(tmp_path / "c.jsonl", COMPARED)).items["preference"]
    assert isinstance(compared, Compared)
    assert (compared.first, compared.second, compared.labels) == ("In 1970.", "In 1998.", {"overall": 2.0})
    write(tmp_path / "knowledge_blocks.jsonl", {"url": "a", "content": "It opened in 1998."})
    file = write(tmp_path / "r.jsonl", RATED | {"n_input_tokens": 44, "completion_tokens": 67})
    (rated,) = read_judge_set(file, "truthfulness").items["truthfulness"]
    assert isinstance(rated, Rated)
    assert (rated.rating, rated.block, rated.tokens) == (5.0, "It opened in 1998.", (44, 67))
    (rated,) = read_judge_set(file, "answer_relevance").items["answer_relevance"]
    assert isinstance(rated, Rated)
    assert rated.rating == 4.5
    assert [*read_judge_set(file).items] == ["answer_relevance", "truthfulness"]  # every rating that it has


def test_judgements_of_two_people_on_the_same_answers_have_one_key(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", COMPARED, COMPARED | {"overall_label": 1}, COMPARED | {"query": "Where?"})
    one, other, third = read_judge_set(file).items["preference"]
    assert one.key == other.key != third.key  # type: ignore[union-attr]


ODD_LINES: list[tuple[list[Any], Any, str]] = [
    ([PAIR, "{broken\n"], "faithfulness", "f.jsonl line 2: not valid JSON"),
    ([PAIR, {"question": "When?"}], "faithfulness", "f.jsonl line 2: fields must have one of three shapes"),
    ([PAIR | {"worse": ["b"]}], "faithfulness", "the field 'worse' must be text"),
    ([{"question": "q", "better": "a", "worse": "b"}], "faithfulness", "line 1: the field 'context' is missing"),
    ([PAIR], "truthfulness", "line 1: a pair cannot check truthfulness"),
    (
        [COMPARED],
        "faithfulness",
        "line 1: a comparison by a reference cannot check faithfulness",
    ),
    ([RATED], "preference", "line 1: one answer cannot check preference"),
    ([RATED], "faithfulness", "line 1: the rating is missing"),
    ([RATED | {"truthfulness": "good"}], "truthfulness", "the field 'truthfulness' must be a number, not 'good'"),
    ([json.dumps(RATED | {"truthfulness": float("nan")})], "truthfulness", "must be a number, not 'nan'"),
    ([RATED | {"truthfulness": 10**400}], "truthfulness", "the field 'truthfulness' must be a number, not '"),
    ([RATED], "truthfulness", "line 1: unknown knowledge block"),
    ([COMPARED | {"overall_label": None}], "preference", "line 1: the label is missing"),
    ([COMPARED | {"model1": {"text": "x"}}], "preference", "'model1' has no text in its field response"),
    ([PAIR, RATED | {"relevance": 3}], "answer_relevance", "line 2: shape differs from"),
    ([PAIR | {"quality": "beauty"}], None, "line 1: unknown quality 'beauty'; choose one of faithfulness"),
]


@pytest.mark.parametrize(("rows", "quality", "message"), ODD_LINES)
def test_an_odd_line_is_named(tmp_path: Path, rows: list[Any], quality: Any, message: str) -> None:
    with pytest.raises(RecordError) as raised:
        read_judge_set(write(tmp_path / "f.jsonl", *rows), quality)
    assert message in str(raised.value)


def test_nothing_to_check_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--quality: f\.jsonl line 1 has no quality; choose one of"):
        read_judge_set(write(tmp_path / "f.jsonl", PAIR))
    with pytest.raises(InputError, match="holds no item for preference"):
        read_judge_set(write(tmp_path / "f.jsonl", PAIR | {"quality": "faithfulness"}), "preference")
    with pytest.raises(InputError, match=r"gone\.jsonl cannot be read"):
        read_judge_set(tmp_path / "gone.jsonl", "faithfulness")
    with pytest.raises(InputError, match=r"--blocks: .*gone\.jsonl cannot be read"):
        read_judge_set(write(tmp_path / "f.jsonl", RATED), "truthfulness", tmp_path / "gone.jsonl")


def test_blocks_that_share_a_title_stand_for_neither(tmp_path: Path) -> None:
    blocks = write(
        tmp_path / "b.jsonl",
        {"url": "a", "title": "Mercury", "content": "A planet."},
        {"url": "b", "title": "Mercury", "content": "A metal."},
    )
    rated = {"question": "q", "answer": "a", "truthfulness": 5}
    (found,) = read_judge_set(write(tmp_path / "f.jsonl", rated | {"url": "b"}), "truthfulness", blocks).items.values()
    assert found[0].block == "A metal."  # type: ignore[union-attr]
    with pytest.raises(
        RecordError, match="give its text in the field block, or its url, id or title in the --blocks file"
    ):
        read_judge_set(write(tmp_path / "f.jsonl", rated | {"title": "Mercury"}), "truthfulness", blocks)


def test_the_shipped_set_has_every_quality_in_two_languages() -> None:
    found = read_judge_set(None)
    assert tuple(found.items) == QUALITIES
    assert 30 <= sum(map(len, found.items.values())) <= 60
    for items in found.items.values():
        assert any("\u4e00" <= item.question[0] <= "\u9fff" for item in items)


def pair(number: int, better: str = "a", worse: str = "bb") -> Pair:
    return Pair(where=f"line {number}", question="q", better=better, worse=worse)


def rated(rating: float, answer: str = "a") -> Rated:
    return Rated(where="line", question="q", answer=answer, rating=rating)


def compared(key: str, **labels: float) -> Compared:
    return Compared(
        where="line",
        key=key,
        question="q",
        reference="r",
        first="a",
        second="b",
        labels=labels,  # type: ignore[arg-type]
    )


def values(*sides: list[float | None], aspect: str = "") -> Values:
    return Values("mine", "judge", aspect, tuple(map(tuple, sides)), {})  # type: ignore[arg-type]


def test_accuracy_on_pairs_counts_ties_half_and_leaves_gaps_out() -> None:
    found = checked("faithfulness", tuple(map(pair, range(4))), [values([0.9, 0.5, 0.1, None], [0.1, 0.5, 0.9, 0.5])])
    accuracy = found.rows[0].measures["accuracy"]
    # One right, one tie, one wrong: 1.5 of 3; the fourth has no value.
    assert (accuracy.value, accuracy.n, accuracy.total) == (0.5, 3, 4)


def test_one_column_of_pairs_is_how_often_both_orders_agree() -> None:
    found = checked("faithfulness", tuple(map(pair, range(4))), [values([1.0, 1.0, 0.0, 1.0])])
    assert found.rows[0].measures["order_agreement"].value == 0.75


def test_ratings_are_good_or_bad_by_their_scale() -> None:
    good, bad = classes(np.array([1, 2, 3, 4, 4.5, 5]))
    assert (good.tolist(), bad.tolist()) == ([False] * 3 + [True] * 3, [True] * 2 + [False] * 4)
    good, bad = classes(np.array([0.2, 0.5, 0.8]))
    assert (good.tolist(), bad.tolist()) == ([False, False, True], [True, False, False])
    good, bad = classes(np.array([7.0, 7.0]))
    assert not good.any()
    assert not bad.any()


def test_ratings_against_values() -> None:
    found = checked(
        "truthfulness",
        tuple(map(rated, [5, 4, 3, 2, 1, 5])),
        [values([0.9, 0.6, 0.7, 0.6, 0.1, None])],
    )
    measures = found.rows[0].measures
    # Good 0.9 and 0.6, bad 0.6 and 0.1: 3.5 of 4; the rating of 3 is neither, the last has no value.
    assert (measures["auroc"].value, measures["auroc"].n, measures["auroc"].total) == (0.875, 4, 5)
    assert (found.good, found.bad) == (3, 2)
    assert (measures["pearson"].n, measures["pearson"].total) == (5, 6)


@pytest.mark.parametrize(("good", "bad", "low"), [(29, 1, 0.0), (6, 6, 0.476), (200, 200, 0.98)])
def test_classes_told_apart_without_fault_are_no_certainty(good: int, bad: int, low: float) -> None:
    ratings, said = [5] * good + [1] * bad, [0.6 + 0.001 * place for place in range(good)] + [0.1] * bad
    (row,) = checked("truthfulness", tuple(map(rated, ratings)), [values(said)]).rows
    found = row.measures["auroc"]
    assert (found.value, found.high, found.n) == (1.0, 1.0, good + bad)
    assert found.low is not None
    assert found.low == pytest.approx(low, abs=0.005)  # Wilson with t: all of 1, 6, 200


def test_a_measure_that_is_undefined_says_why() -> None:
    (row,) = checked("truthfulness", tuple(map(rated, [5, 1, 3])), [values([0.5, 0.5, 0.5])]).rows
    assert row.measures["auroc"].value == 0.5
    assert row.undefined == dict.fromkeys(
        ("pearson", "spearman", "kendall"), "all values, or all judgements of people, are the same"
    )
    (row,) = checked("truthfulness", tuple(map(rated, [5, 5])), [values([0.5, 0.6])]).rows
    assert row.undefined["auroc"] == "good or bad items are missing"
    (row,) = checked("faithfulness", (pair(1),), [values([None], [0.5])]).rows
    assert row.undefined == {"accuracy": "there is nothing to compare"}


def test_comparisons_with_people_beside() -> None:
    items = (
        compared("x", overall=2),
        compared("x", overall=1),
        compared("y", overall=-1),
        compared("y", overall=-2),
        compared("z", overall=0),
    )
    found = checked(
        "preference", items, [values([0.1, 0.1, 0.9, 0.9, 0.4], [0.8, 0.8, 0.2, 0.2, 0.5], aspect="overall")]
    )
    judge, people = found.rows
    assert (judge.aspect, people.role) == ("overall", "people")
    # The decided ones are right; the last is decided by nobody.
    assert (judge.measures["accuracy"].value, judge.measures["accuracy"].n) == (1.0, 4)
    assert judge.measures["pearson"].n == 5
    # Two people on x and y: 2 and 1, -1 and -2.
    assert people.measures["pearson"].value == pytest.approx(1.0)
    assert people.measures["accuracy"].n == 2


def test_controls_know_lengths_and_chance_alone() -> None:
    items = (pair(1, "longer", "short"), pair(2, "s", "longer"))
    longer, chance = control_values("answer_relevance", items, seed=3)
    assert (longer.scorer, longer.sides) == ("longer wins", ((6.0, 1.0), (5.0, 6.0)))
    assert chance == control_values("answer_relevance", items, seed=3)[1]
    assert chance != control_values("answer_relevance", items, seed=4)[1]
    assert control_values("context_relevance", items)[0].scorer == "shorter wins"


def test_two_runs_that_differ() -> None:
    (found,) = repeatability("faithfulness", [values([1.0, 0.5, None])], [values([0.8, 0.5, 0.1])])
    # |1 - 0.8| and |0.5 - 0.5|; the third has no value in one run.
    assert found.difference.value == pytest.approx(0.1)
    assert (found.same.value, found.same.n, found.same.total) == (0.5, 2, 3)
    assert found.pearson.value == pytest.approx(1.0)


def test_all_right_is_no_proof_of_perfection() -> None:
    found = checked("faithfulness", tuple(map(pair, range(20))), [values([1.0] * 20, [0.0] * 20)])
    accuracy = found.rows[0].measures["accuracy"]
    # Wilson with t: 20 of 20 gives a lower end of 0.82.
    assert (accuracy.value, accuracy.high) == (1.0, 1.0)
    assert accuracy.low == pytest.approx(0.82, abs=0.01)


@pytest.mark.shared_data
def test_faithful_answers_are_told_from_others(shared_data: Path) -> None:
    found = ragassay.check_judge(shared_data / "wikieval/faithfulness.jsonl", quality="faithfulness", model="lexical")
    judge, longer, _ = found.checks[0].rows
    assert judge.measures["accuracy"].value >= 0.98
    assert longer.measures["accuracy"].value < 0.6


@pytest.mark.shared_data
def test_true_answers_are_told_from_others(shared_data: Path) -> None:
    file = shared_data / "ragval/scored_random_no_rag.jsonl"
    (check,) = ragassay.check_judge(file, quality="truthfulness", model="lexical").checks
    judge, longer, _ = check.rows
    assert (check.items, check.good, check.bad) == (300, 199, 90)
    assert judge.measures["auroc"].value > 0.85 > longer.measures["auroc"].value
    assert judge.measures["auroc"].n == judge.measures["auroc"].total == 289


@pytest.mark.shared_data
def test_two_people_and_the_judge_prefer_alike(shared_data: Path) -> None:
    file = shared_data / "ragchecker_human/preferences.jsonl"
    items = read_judge_set(file).items["preference"]
    assert len({item.key for item in items if isinstance(item, Compared)}) == 129
    (check,) = ragassay.check_judge(file, model="lexical").checks
    pearson = {(row.role, row.aspect): row.measures["pearson"].value for row in check.rows}
    people = [pearson["people", aspect] for aspect in ("correctness", "completeness", "overall")]
    assert people == pytest.approx([0.666, 0.767, 0.741], abs=5e-4)
    for aspect, least in (("correctness", 0.55), ("completeness", 0.62), ("overall", 0.59)):
        assert pearson["judge", aspect] > least
        assert pearson["control", aspect] < 0.35
