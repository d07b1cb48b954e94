"""Comparisons that stop when they are decided: they go on where they were, within limits, on the other run's set."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.errors import InputError, UsageError
from ragassay.evaluation.sequential import Decision
from ragassay.jobs.answer.beside import BesideOptions
from ragassay.jobs.answer.folder import PredictFolder
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.asking.dry_run import dry_run
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.score.evaluate import evaluate
from ragassay.jobs.score.result import Evaluation
from ragassay.records import Document, Example, Prediction, Provenance, Span, read_jsonl, write_jsonl

N = 130
METRIC = "exact_match"
JUDGED = json.dumps(
    {"claims": [{"claim": "x", "source": "x", "relation": "same", "central": True}], "missing": []},
)


def example(n: int, prefix: str = "q", answer: str | None = None) -> Example:
    text = f"It is number {n}."
    return Example(
        id=f"{prefix}{n}",
        question=f"Which is number {n}?",
        answer=f"number {n}" if answer is None else answer,
        context=(span := Span(document_id="d", start=0, end=len(text), text=text)),
        references=(span,),
        keypoints=(),
        requested_label=None,
        verified_label=None,
        provenance=Provenance(synthesizer="by_hand", model=""),
    )


FIRST, SECOND, ALL = range(5), range(5, 10), range(10)
SET = [example(n) for n in range(N)]


class System:
    """Answers some questions rightly, by the last digit of 7 n, and counts what it is asked."""

    def __init__(self, right: Sequence[int], fails: Callable[[int], bool] = lambda call: False) -> None:
        self.right = right
        self.fails = fails
        self.calls: list[int] = []

    def __call__(self, question: str) -> str:
        n = int(question.rsplit(maxsplit=1)[-1].rstrip("?"))
        self.calls.append(n)
        if self.fails(len(self.calls)):
            raise ValueError("down")
        return f"number {n}" if n * 7 % 10 in self.right else "twelve"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    ragassay.evaluate(SET, System(FIRST), METRIC, out=tmp_path / "old")
    return tmp_path / "old"


def decide(out: Path, against: Path, system: Any, rows: Sequence[Any] = SET, **more: Any) -> Evaluation:
    return ragassay.evaluate(rows, system, more.pop("metrics", METRIC), out=out, decide_against=against, **more)


def decision(found: Evaluation) -> Decision:
    assert found.summary.decision is not None
    return found.summary.decision


def kept(folder: Path) -> list[str]:
    return [each.example_id for each in read_jsonl(folder / "predictions.jsonl", Prediction)]


@pytest.mark.filterwarnings("ignore:.*reused")
def test_the_same_command_again_asks_nothing_and_decides_alike(tmp_path: Path, old: Path) -> None:
    for right, verdict, asked in ((ALL, "better", 20), (SECOND, "undecided", N)):
        system, out = System(right), tmp_path / verdict
        first = decide(out, old, system)
        assert (decision(first).verdict, decision(first).asked, decision(first).total) == (verdict, asked, N)
        assert sorted(system.calls) == sorted(set(system.calls))
        assert (len(kept(out)), first.predicted.asked, first.predicted.notes) == (asked, asked, ())  # type: ignore[union-attr]
        again = decide(out, old, other := System(right))
        assert (other.calls, decision(again), len(kept(out))) == ([], decision(first), asked)


@pytest.mark.filterwarnings("ignore:.*reused")
def test_a_folder_keeps_every_answer_that_it_holds(tmp_path: Path, old: Path) -> None:
    ragassay.evaluate(SET, System(ALL), METRIC, out=tmp_path / "whole")
    assert decision(decide(tmp_path / "whole", old, system := System(ALL))).asked == N
    assert (system.calls, len(kept(tmp_path / "whole"))) == ([], N)

    ragassay.evaluate(SET, System(ALL), METRIC, out=tmp_path / "few", limit=10)  # the first, not drawn by chance
    found = decide(tmp_path / "few", old, system := System(ALL))
    assert (decision(found).asked, decision(found).verdict) == (20, "better")
    assert {f"q{n}" for n in range(10)} < set(kept(tmp_path / "few"))
    assert len(system.calls) <= 20


@pytest.mark.filterwarnings("ignore:.*reused")
def test_after_an_interruption_nothing_is_asked_twice(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Prediction] = []
    take = PredictFolder.take

    def stops(folder: PredictFolder, prediction: Prediction) -> None:
        if len(taken) == 57:
            raise KeyboardInterrupt
        taken.append(prediction)
        take(folder, prediction)

    monkeypatch.setattr(PredictFolder, "take", stops)
    with pytest.raises(KeyboardInterrupt):
        decide(tmp_path / "new", old, System(SECOND))
    monkeypatch.undo()
    found = decide(tmp_path / "new", old, system := System(SECOND))
    assert len(system.calls) == N - 57
    assert decision(found).asked == len(kept(tmp_path / "new")) == N


@pytest.mark.filterwarnings("ignore:.*reused")
def test_starting_over_and_asking_failed_ones_again_happen_once(tmp_path: Path, old: Path) -> None:
    decide(tmp_path / "new", old, System(SECOND))
    decide(tmp_path / "new", old, system := System(SECOND), overwrite=True)
    assert len(system.calls) == N
    decide(tmp_path / "failing", old, System(SECOND, lambda call: call % 2 == 0))
    decide(tmp_path / "failing", old, system := System(SECOND, lambda call: True), retry_failed=True)
    assert len(system.calls) == N // 2


def test_one_limit_holds_for_all_batches_and_costs_are_added_up(tmp_path: Path) -> None:
    def judge(prompt: str) -> str:
        return JUDGED

    ragassay.evaluate(SET, System(FIRST), ["correctness"], model=judge, out=tmp_path / "old")
    calls: list[str] = []

    def counted(prompt: str) -> str:
        calls.append(prompt)
        return JUDGED

    models = ModelOptions(model=counted, max_calls=30)  # type: ignore[arg-type]
    found = decide(
        tmp_path / "new", tmp_path / "old", System(SECOND), metrics=["correctness"], models=models, margin=0.01
    )
    assert found.summary.stopped_by
    assert len(calls) == 30
    assert found.cost is not None
    assert found.cost.sent == 30
    assert (decision(found).asked, decision(found).verdict) == (40, "undecided")


@pytest.mark.parametrize("limit", [None, 20])
@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([example(n, "other") for n in range(N)], "old"),
        ([example(n, answer=f"number {n + (n == 99)}") for n in range(N)], "q99"),
    ],
)
def test_another_set_is_noticed_before_anything_is_asked(
    tmp_path: Path, old: Path, limit: int | None, rows: list[Example], named: str
) -> None:
    with pytest.raises(InputError, match=named):
        decide(tmp_path / "new", old, system := System(ALL), rows, limit=limit)
    assert system.calls == []


def test_questions_that_the_other_run_does_not_hold_are_not_asked(tmp_path: Path, old: Path) -> None:
    found = decide(tmp_path / "new", old, system := System(SECOND), [*SET, example(N)])
    assert (decision(found).total, N in system.calls) == (N, False)
    assert found.predicted is not None
    assert found.predicted.notes == (f"Questions that {old} does not hold: 1.",)


def test_what_a_comparison_lacks_is_said_before_anything_is_asked(tmp_path: Path, old: Path) -> None:
    for out, against, named in ((old, old, "out"), (tmp_path / "new", tmp_path, "examples.jsonl")):
        with pytest.raises((UsageError, InputError), match=named):
            decide(out, against, system := System(SECOND))
        assert system.calls == []
    with pytest.raises(InputError, match="token_f1"):
        decide(tmp_path / "new", old, System(SECOND), metrics=["token_f1"])


def test_a_system_that_always_fails_is_said_to_fail(tmp_path: Path, old: Path) -> None:
    found = decide(tmp_path / "new", old, system := System(SECOND, lambda call: True))
    assert len(system.calls) == 20
    assert "down" in json.dumps(dict(found.summary.reasons[METRIC]))


def test_inputs_that_the_first_batch_lacks_are_no_lack_of_the_set(tmp_path: Path) -> None:
    rows = [example(n, answer="" if n % 40 else None) for n in range(N)]
    ragassay.evaluate(rows, System(FIRST), METRIC, out=tmp_path / "old")
    assert decision(decide(tmp_path / "new", tmp_path / "old", System(ALL), rows)).asked == N


def test_settings_name_the_other_run(tmp_path: Path, old: Path) -> None:
    found = decide(tmp_path / "new", old, System(ALL), margin=0.1)
    assert found.summary.settings["decide against"] == str(old)
    assert found.summary.settings["margin"] == "0.1"


def test_a_dry_run_prices_the_most(tmp_path: Path) -> None:
    rows = [Document(id="d", title="", source="d.md", text=" ".join(each.context.text for each in SET)), *SET]
    (data := tmp_path / "set").mkdir()
    write_jsonl(data / "documents.jsonl", rows[:1])
    write_jsonl(data / "examples.jsonl", SET)
    ragassay.evaluate(rows, System(FIRST), METRIC, out=tmp_path / "old")
    options = EvaluateOptions(
        data=data,
        system="rag:retriever=bm25",
        metrics=(METRIC,),
        out=tmp_path / "new",
        beside=BesideOptions(decide_against=tmp_path / "old"),
        models=ModelOptions(model="http://127.0.0.1:9/v1#m"),
    )
    for limit, n in ((None, N), (50, 50)):
        assert sum(row.calls for row in dry_run(evaluate, replace(options, limit=limit)).rows) == n
