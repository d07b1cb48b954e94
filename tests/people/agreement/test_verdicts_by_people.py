"""People's verdicts as values of metrics: whose they are, and which count."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_examples import plain_example

from ragassay.errors import InputError
from ragassay.people.agreement.verdicts_by_people import read_verdicts, values_by_people
from ragassay.people.annotation.files import write_annotations
from ragassay.people.annotation.store import annotation

CASES = [("q1", "a@b"), ("q1", "x#1"), ("q#1", "s"), ("q@1", "s")]


@pytest.mark.parametrize(("example", "system"), CASES)
def test_names_may_hold_the_signs_between_them(example: str, system: str) -> None:
    said = [
        annotation("ana", f"{example}@{system}", "correctness", "partly"),
        annotation("ana", f"{example}@{system}", "keypoint:1", "covered"),
        annotation("ana", f"{example}@other", "correctness", "wrong"),
    ]
    found = values_by_people(said, [system], "file", []).of
    assert (found["correctness"], found["completeness"]) == ({example: 0.5}, {example: 1.0})


def test_answers_with_verdicts_on_some_keypoints_are_left_out_and_counted() -> None:
    examples = [plain_example(id=name, keypoints=("One.", "Two.")) for name in ("whole", "part")]
    said = [
        annotation("ana", "whole@s", "keypoint:1", "covered"),
        annotation("ben", "whole@s", "keypoint:2", "neither"),
        annotation("ana", "part@s", "keypoint:2", "covered"),
    ]
    found = values_by_people(said, ["s"], "file", examples)
    assert (found.of["completeness"], found.partly) == ({"whole": 0.5}, 1)
    with pytest.raises(InputError, match=r"file.*'s'"):
        values_by_people(said[2:], ["s"], "file", examples)


@pytest.mark.parametrize("task", ["correctness", "keypoint:1"])
def test_a_verdict_that_nobody_can_choose_is_refused(tmp_path: Path, task: str) -> None:
    write_annotations(tmp_path / "said.csv", [annotation("ana", "q1@s", task, "Right")])
    with pytest.raises(InputError, match=r"ana.*q1@s.*'Right'"):
        read_verdicts(tmp_path / "said.csv")


def test_a_system_goes_by_the_name_of_its_folder_too_and_another_name_is_told() -> None:
    said = [annotation("ana", "17@v1", "correctness", "right")]
    assert values_by_people(said, ["recorded", "v1"], "file", []).of == {"correctness": {"17": 1.0}}
    with pytest.raises(InputError, match="must end with @recorded, not @v1"):
        values_by_people(said, ["recorded"], "file", [])
