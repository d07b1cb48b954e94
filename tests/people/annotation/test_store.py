"""A round keeps every judgement, whoever else writes at the same time and whenever it is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.people.annotation.files import read_annotations, write_annotations
from ragassay.people.annotation.sheets import sheets_of
from ragassay.people.annotation.store import FILE, Round
from ragassay.records import Example


def begun(folder: Path, examples: list[Example], names: tuple[str, ...] = ("ana", "ben")) -> Round:
    return Round.begin(folder, "label", sheets_of("label", examples), names, len(names), seed=0)


def test_a_judgement_is_kept_and_the_latest_counts(tmp_path: Path, examples: list[Example]) -> None:
    round_ = begun(tmp_path, examples)
    assert round_.judge("ana", 0, "label", "summary") == (1, 6)
    assert round_.judge("ana", 0, "label", "reasoning", "on second thoughts") == (1, 6)
    again = Round(tmp_path)
    turn = again.turn("ana", 0)
    assert turn.answers == {"label": "reasoning"}
    assert turn.note == "on second thoughts"
    assert turn.is_done
    assert again.undone("ana") == [1, 2, 3, 4, 5]
    assert again.progress("ben") == (0, 6)
    (kept,) = again.annotations()
    assert (kept.annotator, kept.task, kept.value) == ("ana", "label", "reasoning")
    assert kept.subject_id == turn.sheet.subject_id


@pytest.mark.parametrize(
    ("annotator", "turn", "task", "value"),
    [
        ("cy", 0, "label", "summary"),
        ("ana", 6, "label", "summary"),
        ("ana", 0, "critique", "summary"),
        ("ana", 0, "label", "sumary"),
    ],
)
def test_what_was_not_asked_is_refused(
    tmp_path: Path, examples: list[Example], annotator: str, turn: int, task: str, value: str
) -> None:
    round_ = begun(tmp_path, examples)
    with pytest.raises(UsageError):
        round_.judge(annotator, turn, task, value)
    assert round_.annotations() == []


def test_the_same_round_goes_on_and_another_one_is_refused(tmp_path: Path, examples: list[Example]) -> None:
    begun(tmp_path, examples).judge("ana", 0, "label", "summary")
    assert len(begun(tmp_path, examples).annotations()) == 1
    with pytest.raises(RunFolderError, match="another data set or other options"):
        begun(tmp_path, examples[:3])
    with pytest.raises(InputError, match="holds no annotations"):
        Round(tmp_path / "elsewhere")


def _judge_all(folder: Path, name: str, value: str) -> None:
    round_ = Round(folder)
    for turn in range(round_.progress(name).total):
        round_.judge(name, turn, "label", value)


def test_two_annotators_at_the_same_time_lose_nothing(tmp_path: Path, examples: list[Example]) -> None:
    begun(tmp_path, examples)
    context = multiprocessing.get_context("spawn")
    both = [
        context.Process(target=_judge_all, args=(tmp_path, name, value))
        for name, value in (("ana", "summary"), ("ben", "reasoning"))
    ]
    for each in both:
        each.start()
    for each in both:
        each.join(60)
        assert each.exitcode == 0
    kept = Round(tmp_path).annotations()
    assert len(kept) == 12
    assert {(each.annotator, each.value) for each in kept} == {("ana", "summary"), ("ben", "reasoning")}


def _begin_and_judge(folder: Path, examples: list[Example], name: str) -> None:
    begun(folder, examples).judge(name, 0, "label", "summary")


def _judge_and_die(folder: Path) -> None:
    round_ = Round(folder)
    round_.judge("ana", 0, "label", "summary")
    round_.judge("ana", 1, "label", "summary")
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_loses_nothing_that_was_said_to_be_kept(tmp_path: Path, examples: list[Example]) -> None:
    begun(tmp_path, examples)
    process = multiprocessing.get_context("spawn").Process(target=_judge_and_die, args=(tmp_path,))
    process.start()
    process.join(300)
    assert process.exitcode == -signal.SIGKILL
    assert Round(tmp_path).progress("ana") == (2, 6)


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_what_is_written_is_read_again(tmp_path: Path, examples: list[Example], name: str) -> None:
    round_ = begun(tmp_path / "round", examples)
    round_.judge("ana", 0, "label", "summary", '=HYPERLINK("x"), "quoted"\nsecond line')
    round_.judge("ben", 1, "label", "reasoning")
    assert write_annotations(tmp_path / name, round_.annotations()) == 2
    assert read_annotations(tmp_path / name) == round_.annotations() == read_annotations(tmp_path / "round")


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_a_file_is_replaced_only_by_what_it_holds(tmp_path: Path, examples: list[Example], name: str) -> None:
    (tmp_path / name).touch()
    round_ = begun(tmp_path / "round", examples)
    round_.judge("ana", 0, "label", "summary")
    write_annotations(tmp_path / name, round_.annotations())
    round_.judge("ana", 0, "label", "reasoning")
    round_.judge("ben", 1, "label", "reasoning")
    assert write_annotations(tmp_path / name, round_.annotations()) == 2
    other = begun(tmp_path / "other", examples, ("cy",))
    for mine in ((tmp_path / name).read_bytes(), b"a,b\n1,2\n", b"text"):
        (tmp_path / name).write_bytes(mine)
        with pytest.raises(
            RunFolderError, match=r"already exists with other content; name another file, or remove this one"
        ):
            write_annotations(tmp_path / name, other.annotations())
        assert (tmp_path / name).read_bytes() == mine


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("subject_id,annotator,task,value\nq0,,label,summary\n")
    with pytest.raises(InputError, match=r"a\.csv line 2: annotator is missing"):
        read_annotations(tmp_path / "a.csv")
    with pytest.raises(InputError, match=r"b\.jsonl does not exist"):
        read_annotations(tmp_path / "b.jsonl")
    (tmp_path / "c.txt").write_text("x")
    with pytest.raises(InputError, match=r"neither a folder with annotations\.sqlite nor"):
        read_annotations(tmp_path / "c.txt")
    with pytest.raises(UsageError, match=r"must end in \.jsonl or \.csv"):
        write_annotations(tmp_path / "d.xlsx", [])
    (tmp_path / FILE).write_text("no database at all, but text of some length")
    with pytest.raises(InputError, match="cannot be used"):
        read_annotations(tmp_path)
    with pytest.raises(RunFolderError, match="cannot be used"):
        Round(tmp_path)
