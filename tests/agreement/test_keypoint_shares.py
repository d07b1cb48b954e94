"""RAGEval's check of metrics over keypoints, worked by hand."""

from __future__ import annotations

import pytest

from ragassay.agreement.machine import keypoint_shares
from ragassay.agreement.raters import Judgements

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
