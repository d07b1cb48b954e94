"""A system that has changed is asked again, one that has not is not, and what was answered is never lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import example_of

import ragassay
from ragassay.jobs.answer.folder import SystemState, predict_folder
from ragassay.records import Document, Prediction, Span, read_jsonl, write_jsonl

TEXTS = {
    "bridge.md": "Gannet Bridge opened in 1998. It is a suspension bridge.",
    "ship.md": "Bluefin is a ferry. She was built in Oskay.",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    write_jsonl(
        folder / "documents.jsonl",
        [Document(id=f"d-{name}", title=name, source=name, text=text) for name, text in TEXTS.items()],
    )
    examples = []
    for number in range(6):
        name = list(TEXTS)[number % 2]
        span = Span(document_id=f"d-{name}", start=0, end=len(TEXTS[name]), text=TEXTS[name])
        question = f"Which one is number {number}?"
        examples.append(example_of(f"q{number}", question=question, context=span, references=(span,)))
    write_jsonl(folder / "examples.jsonl", examples)
    return folder


def answers(*ids: str) -> list[Prediction]:
    return [Prediction(example_id=each, system="s", chunks=(), answer=each) for each in ids]


def test_answers_of_a_state_that_comes_back_outlive_every_stop(tmp_path: Path) -> None:
    old, new = SystemState("old", None), SystemState("new", None)
    out = tmp_path / "run"

    def recorded(state: SystemState, taken: list[Prediction]) -> list[str]:
        """Goes as far as the first answers, and ends as a process that is killed does: nothing is put in order."""
        with predict_folder(out, {"system": "s"}, {}, state=state) as held:
            found = [name for name in ("q1", "q2", "q3") if held.recorded(name) is not None]
            held.begin()
            for each in taken:
                held.take(each)
        return found

    assert recorded(old, answers("q1", "q2")) == []
    assert recorded(new, []) == []  # stopped before the first answer
    assert recorded(new, answers("q3")) == []
    assert recorded(old, []) == ["q1", "q2"]
    assert recorded(old, []) == ["q1", "q2"]
    assert recorded(new, []) == ["q3"]
    assert recorded(old, answers("q3")) == ["q1", "q2"]
    assert recorded(old, []) == ["q1", "q2", "q3"]


def test_a_system_whose_code_has_changed_is_asked_again(data: Path, tmp_path: Path) -> None:
    asked: list[str] = []

    def made(prompt: str) -> Callable[[str], str]:
        def answer(question: str) -> str:
            asked.append(question)
            return f"{prompt}: {question}"

        return answer

    out = tmp_path / "run"
    reused = "4 earlier answers reused; --overwrite asks again."
    assert ragassay.evaluate(data, made("old"), "none", out=out, limit=4).predicted.notes == ()
    with pytest.warns(UserWarning, match=reused):
        assert ragassay.evaluate(data, made("old"), "none", out=out, limit=4).predicted.notes == (reused,)
    assert len(asked) == 4
    done = ragassay.evaluate(data, made("new"), "none", out=out, limit=4).predicted
    assert len(asked) == 8
    assert all(
        each.answer == f"new: {example.question}" for each, example in zip(done.predictions, done.examples, strict=True)
    )
    (aside,) = out.glob("predictions.before-*.jsonl")
    assert done.notes == (
        "The system has changed since the last run, so all questions were asked again. The earlier answers are in "
        f"{aside.name}.",
    )
    earlier = list(read_jsonl(aside, Prediction))
    assert [each.answer for each in earlier] == [f"old: {example.question}" for example in done.examples]
    asked.clear()
    back = ragassay.evaluate(
        data, made("old"), "none", out=out, limit=4
    ).predicted  # a change that is taken back costs nothing
    assert [each.answer for each in back.predictions] == [each.answer for each in earlier]
    assert [note.partition(".")[0] for note in back.notes] == [
        "The system has changed since the last run",
        "4 earlier answers reused; --overwrite asks again",
    ]
    for name in ("old", "newest"):  # only the label is new; then, what its user says counts
        assert ragassay.evaluate(data, made(name), "none", out=out, limit=4, version="1").predicted.notes == (reused,)
    assert not asked
    assert ragassay.evaluate(data, made("newest"), "none", out=out, limit=4, version="2").predicted.notes
    assert len(asked) == 4


def test_code_that_cannot_be_seen_is_said(data: Path, tmp_path: Path) -> None:
    assert ragassay.evaluate(data, str.upper, "none", out=tmp_path / "run", limit=2).predicted.notes == ()
    with pytest.warns(UserWarning, match="2 earlier answers reused"):
        (note,) = ragassay.evaluate(data, str.upper, "none", out=tmp_path / "run", limit=4).predicted.notes
    assert note.startswith("2 earlier answers reused; --overwrite asks again. The system may have changed since")
