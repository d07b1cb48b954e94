"""People among themselves and a judge against them, on tables worked by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import example_of

from ragassay.errors import InputError
from ragassay.jobs.data.agree import judge_values
from ragassay.people.agreement.agree import agree
from ragassay.people.agreement.machine import JudgeValues, values_of_examples, values_of_scores
from ragassay.people.annotation.store import annotation
from ragassay.records import Annotation, Critique, Score, write_jsonl
from ragassay.report.agreement import blocks_of_agreement
from ragassay.report.blocks import Table


def judged(task: str, table: dict[str, str]) -> list[Annotation]:
    """table: annotator to their values of items 0, 1, ..., a dot where they gave none."""
    return [
        annotation(name, f"q{number}", task, value)
        for name, values in table.items()
        for number, value in enumerate(values.split())
        if value != "."
    ]


def test_labels_of_two_people_and_a_judge() -> None:
    people = judged("label", {"ana": "summary summary reasoning .", "ben": "summary reasoning reasoning summary"})
    judge = JudgeValues(of={"label": {"q0": "summary", "q2": "summary", "q3": "summary", "other": "summary"}})
    found = agree(people, judge)["label"]
    # Shared: q0 s s, q1 s r, q2 r r. Observed 2/3; shares 1/2; (2/3 - 1/2) / (1/2) = 1/3.
    assert found.people.fleiss.value == pytest.approx(1 / 3)
    assert (found.people.n_shared, found.people.n_items, found.people.n_judgements) == (3, 4, 7)
    assert found.people.ceiling.accuracy.value == pytest.approx(2 / 3)
    assert found.judge is not None
    # Majorities: q0 s, q2 r, q3 s (one person); q1 is tied. The judge is right on q0 and q3.
    assert (found.judge.accuracy.value, found.judge.accuracy.n, found.judge.accuracy.total) == (
        pytest.approx(2 / 3),
        3,
        4,
    )
    assert found.judge.confusion.counts[1] == (0, 2, 0, 0)
    assert found.judge.confusion.counts[2] == (0, 1, 0, 0)


def test_ratings_have_correlations_and_a_difference() -> None:
    people = judged("critique:stand_alone", {"ana": "5 4 2 1 5", "ben": "5 5 1 1 4"})
    judge = JudgeValues(of={"critique:stand_alone": {f"q{number}": value for number, value in enumerate("43224")}})
    found = agree(people, judge)["critique:stand_alone"]
    assert found.judge is not None
    assert found.judge.numeric is not None
    # Means of people 5 4.5 1.5 1 4.5, of the judge 4 3 2 2 4: 3.3 against 3.0.
    assert found.judge.numeric.difference is not None
    assert found.judge.numeric.difference.value == pytest.approx(-0.3)
    # Spearman: ranks 5 3.5 2 1 3.5 against 4.5 3 1.5 1.5 4.5. Deviations 2 .5 -1 -2 .5 and 1.5 0 -1.5 -1.5 1.5:
    # products 3 + 0 + 1.5 + 3 + .75 = 8.25; squares 9.5 and 9; 8.25 / sqrt(85.5).
    assert found.judge.numeric.spearman.value == pytest.approx(8.25 / 85.5**0.5)
    assert found.people.ceiling.rank_correlation is not None


@pytest.mark.parametrize(
    ("ana", "judge", "said"),
    [
        ("5 4 1", "3 3 3", "the judge gave all 3"),
        ("4 4 4", "3 4 5", "people are the same for all 3"),
        ("5", "4", "1 in"),
    ],
)
def test_a_missing_correlation_says_whose_values_are_why(ana: str, judge: str, said: str) -> None:
    values = {f"q{number}": value for number, value in enumerate(judge.split())}
    found = agree(judged("quality", {"ana": ana}), JudgeValues(of={"quality": values}))["quality"].judge
    assert found is not None
    assert found.numeric is not None
    for each in (found.numeric.pearson, found.numeric.spearman, found.numeric.kendall):
        assert said in str(each.reason)


def test_numbers_of_another_scale_are_only_correlated() -> None:
    people = judged("quality", {"ana": "5 0 3", "ben": "4 1 3"})
    judge = JudgeValues(of={"quality": {"q0": "0.9", "q1": "0.1", "q2": "0.5"}}, other_scale=frozenset({"quality"}))
    found = agree(people, judge)["quality"].judge
    assert found is not None
    assert found.numeric is not None
    assert found.numeric.spearman.value == pytest.approx(1)
    assert found.numeric.difference is None
    assert found.accuracy.value is None
    assert found.left_out == ()


def test_a_preference_counts_where_people_have_one() -> None:
    people = judged("preference", {"ana": "first second tie first", "ben": "first second tie second"})
    judge = JudgeValues(of={"preference": {"q0": "first", "q1": "tie", "q2": "first", "q3": "first"}})
    found = agree(people, judge)["preference"].judge
    assert found is not None
    assert found.pairwise is not None
    assert (found.pairwise.value, found.pairwise.n) == (pytest.approx(0.75), 2)  # q0 right, q1 half; q2, q3 no choice


def test_values_come_from_examples() -> None:
    example = example_of(
        "q0",
        requested_label="summary",
        verified_label="reasoning",
        critiques=(
            Critique(name="tautology", value=4, reason=""),
            Critique(name="feasibility", value=None, reason="x"),
        ),
    )
    assert values_of_examples([example]).of == {"label": {"q0": "reasoning"}, "critique:tautology": {"q0": "4"}}


def test_values_come_from_scores() -> None:
    def score(system: str, metric: str, value: float | None, *evidence: str) -> Score:
        return Score(example_id="q0", system=system, metric=metric, value=value, evidence=evidence)

    scores = [
        score("a", "completeness", 0.5, "covered: It is 40. (said)", "neither: It is blue.", "prompt: 12ab"),
        score("a", "faithfulness", 0.9),
        score("b|c", "faithfulness", 0.4),
        score("d", "faithfulness", None),
    ]
    found = values_of_scores(scores, "faithfulness", ["q0@a|b|c", "q0@a|d"])
    assert found.of["keypoint"] == {"q0@a#1": "covered", "q0@a#2": "neither"}
    assert found.of["quality"] == {"q0@a": "0.9", "q0@b|c": "0.4"}
    assert found.of["preference"] == {"q0@a|b|c": "first"}


def test_values_off_the_scale_and_no_annotations_are_said() -> None:
    with pytest.raises(InputError, match="ana gave q0 the unknown value 'sumary' in label; choose one of fact_single"):
        agree(judged("label", {"ana": "sumary"}))
    with pytest.raises(InputError, match="no annotations found; collect some with `ragassay annotate`"):
        agree([])


def of_hallucination() -> list[Score]:
    """Four answers by two systems: the good one invents little, the bad one much."""
    return [
        Score(example_id=f"q{number}", system=system, metric="hallucination", value=value)
        for number in range(4)
        for system, value in (("good", number / 20), ("bad", 0.8 + number / 20))
    ]


def test_of_a_metric_where_less_is_better_the_judge_prefers_less() -> None:
    pairs = [f"q{number}@{systems}" for number in range(4) for systems in ("good|bad", "bad|good")]
    found = values_of_scores(of_hallucination(), "hallucination", pairs)
    assert found.of["preference"] == {pair: "first" if pair.endswith("|bad") else "second" for pair in pairs}
    more = [replace(each, metric="faithfulness") for each in of_hallucination()]
    assert set(values_of_scores(more, "faithfulness", ["q0@good|bad"]).of["preference"].values()) == {"second"}
    theirs = [replace(each, metric="somebody else's") for each in of_hallucination()]
    assert set(values_of_scores(theirs, "somebody else's", ["q0@good|bad"]).of["preference"].values()) == {"second"}


def test_a_correlation_with_a_metric_where_less_is_better_says_so() -> None:
    people = [
        annotation("ana", f"q{number}@{system}", "quality", value)
        for number in range(4)
        for system, value in (("good", "5"), ("bad", "1"))
    ]
    found = agree(people, values_of_scores(of_hallucination(), "hallucination"))["quality"]
    assert (found.metric, found.less_is_better) == ("hallucination", True)
    assert found.judge is not None
    assert found.judge.numeric is not None
    assert found.judge.numeric.pearson.value == pytest.approx(-0.99, abs=0.01)
    rows = [str(row[0]) for each in blocks_of_agreement({"x": found}) if isinstance(each, Table) for row in each.rows]
    assert "judge: Spearman's rho (less hallucination is better: below 0 agrees)" in rows


def test_ids_and_names_may_hold_the_signs_that_stand_between_them() -> None:
    scores = [
        Score(example_id="mail@x.org", system=system, metric="faithfulness", value=value)
        for system, value in (("v@1", 0.9), ("v|2", 0.1))
    ]
    found = values_of_scores(scores, "faithfulness", ["mail@x.org@v@1|v|2", "mail@x.org@v|2|v@1"])
    assert found.of["preference"] == {"mail@x.org@v@1|v|2": "first", "mail@x.org@v|2|v@1": "second"}


def test_the_judges_correctness_is_read_by_halves_and_the_folder_names_recorded_answers(tmp_path: Path) -> None:
    run = tmp_path / "v1"
    run.mkdir()
    values = {"a": 0.75, "b": 0.74, "c": 0.26, "d": 0.25}
    scores = [
        Score(example_id=name, system="recorded", metric="correctness", value=value, reason=None)
        for name, value in values.items()
    ]
    write_jsonl(run / "scores.jsonl", scores)
    write_jsonl(run / "examples.jsonl", [])
    found = judge_values(run, None, [])
    verdicts = {"a": "right", "b": "partly", "c": "partly", "d": "wrong"}
    names = [(name, of) for of in ("recorded", "v1") for name in verdicts]
    assert found.of["correctness"] == {f"{name}@{of}": verdicts[name] for name, of in names}
