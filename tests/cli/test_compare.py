"""``ragassay compare``: two scored runs in, differences with tests out; what cannot be compared is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragassay.records import NO_CONTEXT, Example, Prediction, Provenance, Score, write_jsonl

Cli = Callable[..., Any]


def _example(name: str, number: int) -> Example:
    return Example(
        id=name,
        question=f"What is [bold]{name}[/bold]\x1b[31m?",
        answer="",
        context=NO_CONTEXT,
        references=(),
        keypoints=(),
        requested_label="summary" if number % 2 else "fact_single",
        verified_label=None,
        provenance=Provenance(synthesizer="by_hand", model="none"),
    )


def _run(folder: Path, values: Sequence[float | None], *systems: str, metric: str = "rouge_1") -> Path:
    folder.mkdir()
    names = [f"q{number}" for number in range(len(values))]
    write_jsonl(folder / "examples.jsonl", [_example(name, number) for number, name in enumerate(names)])
    write_jsonl(
        folder / "scores.jsonl",
        [
            Score(
                example_id=name, system=system, metric=metric, value=value, reason=None if value is not None else "none"
            )
            for system in systems or ("ours",)
            for name, value in zip(names, values, strict=True)
        ],
    )
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    return _run(tmp_path / "a", [0.5] * 7 + [None]), _run(tmp_path / "b", [0.75] * 6 + [0.5, 0.5, 1.0])


def test_differences_with_tests(cli: Cli, runs: tuple[Path, Path]) -> None:
    outcome = cli("compare", *runs, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = outcome.json
    assert found["examples"] == {"both": 8, "only_a": 0, "only_b": 1}
    test = found["metrics"]["rouge_1"]
    # six pairs rise by 1/4, one stays, one has no value in A
    assert (test["n"], test["total"], test["better"], test["same"]) == (7, 8, 6, 1)
    assert test["difference"] == pytest.approx(6 / 28)
    assert test["p_value"] == test["p_adjusted"] == pytest.approx(0.022731, abs=5e-7)
    assert set(found["labels"]) == {"fact_single", "summary"}
    assert [each["example_id"] for each in found["changed"]] == [f"q{number}" for number in range(5)]
    assert found["changed"][0]["values"] == {"rouge_1": [0.5, 0.75]}
    assert found["a"] == {"run": str(runs[0]), "system": "ours"}
    assert cli("compare", *runs, "--json").out == outcome.out


def test_the_table_says_what_was_left_out_and_is_deaf_to_markup(cli: Cli, runs: tuple[Path, Path]) -> None:
    out = cli("compare", *runs, "--changed", "1").out
    assert "8 examples in both runs; 0 only in A and 1 only in B are left out" in out
    row = next(line.split() for line in out.splitlines() if line.startswith("rouge_1 "))
    assert row == ["rouge_1", "*", "0.500", "0.714", "+0.214", *row[5:6], "0.023", "0.023"]
    assert "rouge_1 6 0 1 7" in [" ".join(line.split()) for line in out.splitlines()]  # better, worse, same, n
    assert "not all have a value in both runs: rouge_1 7" in out
    assert "What is [bold]q0[/bold]" in out
    assert "\x1b" not in out
    assert (out.count("A: rouge_1 0.50"), out.count("B: rouge_1 0.75")) == (1, 1)


def test_what_got_worse_comes_first_and_less_can_be_better(cli: Cli, tmp_path: Path) -> None:
    runs = [_run(tmp_path / "a", [0.0, 0.5, 0.5], metric="hallucination")]
    runs.append(_run(tmp_path / "b", [0.0, 0.0, 0.75], metric="hallucination"))
    found = cli("compare", *runs, "--json").json
    assert [(each["example_id"], each["gain"]) for each in found["changed"]] == [("q1", 0.5), ("q2", -0.25)]
    lines = [" ".join(line.split()) for line in cli("compare", *runs).out.splitlines()]
    assert "hallucination 1 1 1 3" in lines
    worse, better = (next(line for line in lines if line.startswith(each)) for each in ("worse:", "better:"))
    assert "A: hallucination 0.50" in lines[lines.index(worse) + 1]
    assert lines.index(worse) < lines.index(better)


def test_both_answers_stand_beside_the_right_one(cli: Cli, tmp_path: Path) -> None:
    runs = [_run(tmp_path / name, [value, 1.0], metric="correctness") for name, value in (("old", 1.0), ("new", 0.0))]
    texts = (tmp_path / "old", "It opens at nine. " * 20), (tmp_path / "new", None)
    for run, answer in texts:
        write_jsonl(run / "examples.jsonl", [replace(_example(name, 0), answer="Nine") for name in ("q0", "q1")])
        error = None if answer else "broken"
        made = Prediction(example_id="q0", system="ours", chunks=(), answer=answer, error=error)
        write_jsonl(run / "predictions.jsonl", [made])
    out = cli("compare", *runs).out.splitlines()
    assert out[0] == "new against old, by correctness"
    place = next(number for number, line in enumerate(out) if line.startswith("  worse: "))
    assert out[place + 1] == "    expected: Nine"
    assert out[place + 2].startswith("    A, correctness 1.00: It opens at nine. It")
    assert (out[place + 2][-1], len(out[place + 2]) <= 80) == ("…", True)
    assert out[place + 3] == "    B, correctness 0.00: the system failed"
    assert cli("report", runs[1], "--against", runs[0], "--out", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "<h1" in page
    assert "new against old, by correctness" in page
    summary, rest = page.partition("<details><summary>It opens")[2].split("</details>")[0].split(" …</summary>")
    assert f"It opens{summary}{rest}" == texts[0][1]


def test_folders_that_cannot_be_compared(cli: Cli, runs: tuple[Path, Path], tmp_path: Path) -> None:
    def error(other: Path) -> str:
        outcome = cli("compare", runs[0], other)
        assert (outcome.code != 0, outcome.out) == (True, "")
        return str(outcome.err)

    assert "is not a folder" in error(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    assert "); name a finished run with scores" in error(tmp_path / "empty")
    assert "holds no scores; score its predictions first" in error(_run(tmp_path / "unscored", []))
    assert "--metrics rouge_1 --out" in error(_run(tmp_path / "other", [0.5], metric="rouge_2"))
    at_5, at_3 = (_run(tmp_path / f"at{k}", [0.5], metric=f"mrr@{k}") for k in (5, 3))
    assert f"`ragassay evaluate {at_5} --metrics mrr@3 --out" in cli("compare", at_3, at_5).err
    strange = _run(tmp_path / "strange", [0.5])
    write_jsonl(strange / "examples.jsonl", [_example("z", 0)])
    assert "have no examples in common" in error(strange)
    two = _run(tmp_path / "two", [0.5], "ours", "their system")
    assert "--system-b" in error(two)
    assert "has scores of 2 systems; choose one of ours, 'their system'" in error(two)
    assert cli("compare", runs[0], two, "--system-b", "their system").code == 0
    write_jsonl(strange / "examples.jsonl", [replace(_example("q0", 0), question="Why?")])
    assert "example q0 of" in error(strange)
    assert "have different questions" in error(strange)
    (strange / "scores.jsonl").write_text('{"example_id": "z"}\n', "utf-8")
    assert "scores.jsonl line 1: system" in error(strange)


def test_a_value_that_the_metric_cannot_have_is_named(cli: Cli, runs: tuple[Path, Path], tmp_path: Path) -> None:
    strange = _run(tmp_path / "strange", [0.5, 77.0])
    outcome = cli("compare", runs[0], strange)
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err.endswith("rouge_1 of example q1 must be between 0 and 1, not 77; score the predictions again\n")


def test_metrics_that_one_run_lacks_are_named(cli: Cli, runs: tuple[Path, Path]) -> None:
    scores = runs[1] / "scores.jsonl"
    more = scores.read_text("utf-8").replace('"rouge_1"', '"rouge_2"')
    scores.write_text(scores.read_text("utf-8") + more, "utf-8")
    assert cli("compare", *runs, "--json").json["not_in_both"] == ["rouge_2"]
    assert "In one run only, so not compared: rouge_2" in cli("compare", *runs).out
    assert cli("compare", *runs, "--metrics", "rouge_1", "--json").json["not_in_both"] == []


def test_different_judges_are_named(cli: Cli, tmp_path: Path) -> None:
    runs = [_run(tmp_path / name, [0.5, 0.25], metric="faithfulness") for name in "ab"]
    assert cli("compare", *runs, "--json").json["judged_apart"] == []
    for run, settings in zip(runs, ({"model": "embedded"}, {"model": "embedded", "judge": "openai:x"}), strict=True):
        (run / "run.json").write_text(json.dumps({"settings": settings}), "utf-8")
    assert cli("compare", *runs, "--json").json["judged_apart"] == ["faithfulness"]
    assert "Decided by different judges, which may be the difference: faithfulness" in cli("compare", *runs).out
    (runs[0] / "run.json").write_text('{"settings": {"model": "openai:x"}}', "utf-8")
    assert cli("compare", *runs, "--json").json["judged_apart"] == []
    plain = [_run(tmp_path / f"plain-{name}", [0.5, 0.25]) for name in "ab"]
    for run, name in zip(plain, ("embedded", "openai:x"), strict=True):
        (run / "run.json").write_text(json.dumps({"settings": {"model": name}}), "utf-8")
    assert cli("compare", *plain, "--json").json["judged_apart"] == []
