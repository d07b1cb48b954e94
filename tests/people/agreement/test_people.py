"""People among themselves, and a judge as good a rater as one of them: the paper's schemes worked by hand."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from ragassay.people.agreement.machine import confusion, keypoint_shares
from ragassay.people.agreement.people import leave_one_out
from ragassay.people.agreement.raters import Judgements, by_task, majority
from ragassay.records import Annotation

PEOPLE = Judgements(
    {
        "1": {"ana": "f", "ben": "f", "cy": "f"},
        "2": {"ana": "f", "ben": "s", "cy": "s"},
        "3": {"ana": "s", "ben": "s", "cy": "s"},
        "4": {"ana": "s", "ben": "f", "cy": "s"},
    }
)
MODEL = {"1": "f", "2": "f", "3": "s", "4": "s"}


def test_a_person_and_the_model_against_the_majority_of_the_others() -> None:
    # Without ana: 1 f, 2 s, 3 s, 4 f against s: no majority. Of 1, 2, 3 ana says f f s, the others f s s.
    # Agreed 2/3; both f 3 of 6 and s 3 of 6, chance 1/2: (2/3 - 1/2) / (1/2) = 1/3. The model says f f s too: 1/3.
    ana = leave_one_out(PEOPLE, MODEL).rows[0]
    assert ana.rater == "ana"
    assert ana.without_majority == 1
    assert (ana.person.n, ana.person.total) == (3, 4)
    assert ana.person.value == pytest.approx(1 / 3, abs=1e-12)
    assert ana.model.value == pytest.approx(1 / 3, abs=1e-12)
    assert ana.relative_drop.value == pytest.approx(0, abs=1e-12)


def test_the_drop_is_relative_to_the_person() -> None:
    # Without cy: 1 f, 2 none, 3 s, 4 none. cy agrees on both: kappa 1. A model with f on 3: agreed 1/2, f 3 of 4,
    # chance 10/16; (1/2 - 10/16) / (6/16) = -1/3; it drops by 1 + 1/3.
    cy = leave_one_out(PEOPLE, {**MODEL, "3": "f"}).rows[2]
    assert cy.person.value == 1
    assert cy.model.value == pytest.approx(-1 / 3, abs=1e-12)
    assert cy.relative_drop.value == pytest.approx(4 / 3, abs=1e-12)


def test_means_are_over_those_that_are_defined() -> None:
    found = leave_one_out(PEOPLE, MODEL)
    values = [(row.person.value, row.model.value) for row in found.rows if row.person.value is not None]
    person, model = (sum(side) / len(values) for side in zip(*values, strict=True))
    assert found.means.person.value == pytest.approx(person)
    assert found.means.model.value == pytest.approx(model)
    assert found.means.relative_drop.value == pytest.approx(1 - model / person)
    assert found.means.person.n == 4  # each item counts in some row
    alone = leave_one_out(PEOPLE).means
    assert alone.person.value is not None
    assert (alone.model.value, alone.model.reason) == (None, "no judge to compare with these people")


def test_one_person_alone_has_nobody_to_agree_with() -> None:
    found = leave_one_out(Judgements({"1": {"ana": "f"}}), MODEL)
    assert found.rows[0].person.value is None
    assert found.rows[0].relative_drop.value is None
    assert found.means.person.reason == ("no items judged by this side on which the other people have a majority")


def drawn_by_hand(people: Judgements, model: dict[str, str], seed: int) -> list[list[float]]:
    """Of each resample of the items: kappas of the first person and of the model with the majority of the others."""
    items = list(people.of)
    generator = np.random.default_rng(seed)
    rows = []
    for _ in range(1000):
        drawn = [items[place] for place in generator.integers(0, len(items), len(items))]
        triples = []
        for item in drawn:
            (own, *others) = people.of[item].values()
            if majority(others) is not None:
                triples.append((own, majority(others), model[item]))
        row = []
        for side in (0, 2):
            agreed = np.mean([each[side] == each[1] for each in triples])
            said = Counter(value for each in triples for value in (each[side], each[1]))
            by_chance = sum((number / (2 * len(triples))) ** 2 for number in said.values())
            row.append((agreed - by_chance) / (1 - by_chance))
        rows.append(row)
    return rows


def test_intervals_are_those_of_the_same_resamples_drawn_by_hand() -> None:
    chance = random.Random(3)
    people = Judgements({str(n): {who: chance.choice("ffs") for who in ("ana", "ben", "cy")} for n in range(30)})
    model = {item: chance.choice("fs") for item in people.of}
    row = leave_one_out(people, model, seed=5).rows[0]
    by_hand = np.percentile(drawn_by_hand(people, model, 5), [2.5, 97.5], axis=0)
    for measured, (low, high) in zip((row.person, row.model), by_hand.T, strict=True):
        assert (measured.low, measured.high) == (pytest.approx(low), pytest.approx(high))
        assert measured.low is not None
        assert measured.value is not None
        assert measured.low < measured.value
    assert row.person.reason is None


def test_confusion_by_the_majority_of_people() -> None:
    matrix = confusion(PEOPLE.majorities(), MODEL, ("f", "s", "r"))
    assert matrix.values == ("f", "s", "r")
    assert matrix.counts == ((1, 0, 0), (1, 2, 0), (0, 0, 0))
    assert confusion({}, {}).counts == ()


def test_the_later_judgement_of_a_rater_counts_and_keypoints_are_one_task() -> None:
    def judged(task: str, value: str) -> Annotation:
        return Annotation(id=task + value, subject_id="x", annotator="ana", task=task, value=value)

    found = by_task([judged("label", "a"), judged("label", "b"), judged("keypoint:2", "covered")])
    assert {task: each.of for task, each in found.items()} == {
        "keypoint": {"x#2": {"ana": "covered"}},
        "label": {"x": {"ana": "b"}},
    }


VERDICTS = {"c": "covered", "x": "contradicted", "n": "neither"}


def of_answers(**letters: str) -> dict[str, str]:
    """Verdicts by item: of each answer one letter for each keypoint, a dot where there is none."""
    return {
        f"{answer}#{number}": VERDICTS[letter]
        for answer, said in letters.items()
        for number, letter in enumerate(said, 1)
        if letter != "."
    }


def people_say(*each: dict[str, str]) -> Judgements:
    items = dict.fromkeys(item for said in each for item in said)
    return Judgements({item: {str(who): said[item] for who, said in enumerate(each) if item in said} for item in items})


def test_metrics_by_people_and_by_the_judge() -> None:
    people = people_say(of_answers(a="ccn", b="xn"), of_answers(a="ccc", b="xn"), of_answers(a="cnn", b="nc"))
    found = {each.metric: each for each in keypoint_shares(people, of_answers(a="ccc", b="xx"))}
    # Majorities: a c c n, b x n. Completeness 2/3 and 0, mean 1/3; by the judge 1 and 0, mean 1/2.
    assert found["completeness"].people.value == pytest.approx(1 / 3)
    assert found["completeness"].judge.value == pytest.approx(1 / 2)
    assert found["completeness"].difference.value == pytest.approx(1 / 6)
    assert found["completeness"].absolute_difference.value == pytest.approx(1 / 6)
    # Hallucination 0 and 1/2 against 0 and 1; irrelevancy 1/3 and 1/2 against 0 and 0.
    assert found["hallucination"].difference.value == pytest.approx(1 / 4)
    assert found["irrelevancy"].difference.value == pytest.approx(-5 / 12)
    assert found["irrelevancy"].absolute_difference.value == pytest.approx(5 / 12)
    assert all((each.difference.n, each.difference.total) == (2, 2) for each in found.values())


def test_differences_cancel_in_the_mean_and_the_interval_of_the_size_begins_at_0() -> None:
    answers = {f"a{number}": "cc" if number % 2 else "nn" for number in range(40)}
    other = {name: "nn" if said == "cc" else "cc" for name, said in answers.items()}
    found = keypoint_shares(people_say(of_answers(**answers)), of_answers(**other))[0]
    assert (found.difference.value, found.absolute_difference.value) == (0, 0)
    assert found.difference.low is not None
    assert found.difference.high is not None
    assert found.difference.low < -0.2
    assert found.absolute_difference.low == 0
    assert found.absolute_difference.high == max(-found.difference.low, found.difference.high)


def test_answers_with_a_tie_or_without_a_verdict_are_counted_and_left_out() -> None:
    people = people_say(of_answers(a="cc", b="cc", c="c.", d="c"), of_answers(a="cc", b="cn", c="c.", d="c"))
    judge = of_answers(a="cn", b="cc", c="cc")  # b: people are tied; c: nobody judged its second; d: no judge
    found = keypoint_shares(people, judge)[0]
    assert (found.people.value, found.judge.value) == (1, 0.5)
    assert (found.people.n, found.people.total) == (1, 4)
    none = keypoint_shares(people, {})[0]
    assert (none.difference.value, none.absolute_difference.value, none.people.total) == (None, None, 4)
    assert (none.absolute_difference.reason or "").startswith(
        "no answer has a majority of people and a verdict of the judge on each of its keypoints"
    )
