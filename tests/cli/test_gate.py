"""``ragassay gate``: verdicts, files for CI, the table in ``ragassay.toml``, and what cannot be judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from by_hand import example_of

import ragassay
from ragassay.errors import UsageError
from ragassay.metrics.catalogue import _REGISTERED
from ragassay.records import Example, Label, Prediction, Score, write_jsonl
from ragassay.report.gate import of_what

Cli = Callable[..., Any]
EVIL = "<b>|`x`\x1b[31m\x00 all"


def _example(number: int) -> Example:
    label: Label = "summary" if number % 2 else "fact_single"
    return example_of(f"q{number}", answer="yes", requested_label=label, question_type=EVIL)


def _run(folder: Path, values: Mapping[str, Sequence[float | None]], system: str = "ours", judge: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    n = max(map(len, values.values()))
    write_jsonl(folder / "examples.jsonl", [_example(number) for number in range(n)])
    scores = [
        Score(example_id=f"q{number}", system=system, metric=metric, value=value, reason=None if value else "zero")
        for metric, column in values.items()
        for number, value in enumerate(column)
    ]
    write_jsonl(folder / "scores.jsonl", scores)
    if judge:
        (folder / "run.json").write_text(json.dumps({"settings": {"judge": judge}}), "utf-8")
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Every fact is found, every other summary."""
    return _run(tmp_path / "now", {"recall@5": [1.0, 1.0, 1.0, 0.0] * 10, "token_f1": [0.5] * 40})


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    return _run(tmp_path / "main", {"recall@5": [1.0] * 40, "token_f1": [0.5] * 40})


def test_an_answer_that_failed_has_the_worst_value_whatever_the_coverage(cli: Cli, run: Path, baseline: Path) -> None:
    _run(run, {"recall@5": [1.0] * 30 + [None] * 10})
    gate = ("gate", run, "--baseline", baseline, "--max-drop", "recall@5=.05", "--fail-under", "recall@5=.8")
    given = (*gate, "--coverage", ".5", "--use", "mean", "--json")
    assert [row["value"] for row in cli(*given).json["rows"]] == [1, 0]
    errors = [Prediction(example_id=f"q{n}", system="ours", chunks=(), error="HTTP 500") for n in range(30, 40)]
    write_jsonl(run / "predictions.jsonl", errors)
    found = cli(*given)
    assert found.code == 9
    assert [row["value"] for row in found.json["rows"]] == [0.75, 0.25]
    assert [row["verdict"] for row in found.json["rows"]] == ["failed", "failed"]
    assert found.json["rows"][1]["worst"][0] | {"question": ""} == {
        "id": "q30", "question": "", "before": 1.0, "value": None,
    }  # fmt: skip


def test_a_run_that_is_good_enough_passes(cli: Cli, run: Path) -> None:
    outcome = cli("gate", run, "--fail-under", "recall@5=.5", "--fail-under", "recall@5=.8@fact_single")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Gate passed: 2 conditions met" in outcome.out
    assert [line.split().count("passed") for line in outcome.out.splitlines() if line.startswith("recall")] == [1, 1]


def test_a_run_that_is_not_fails_with_a_code_of_its_own(cli: Cli, run: Path) -> None:
    outcome = cli("gate", run, "--fail-under", "recall@5=.95", "--fail-under", "token_f1=.2")
    assert outcome.code == 9
    assert outcome.err == "ragassay: the gate failed: recall@5 >= 0.95\n"
    assert "Gate failed: 1 of 2 conditions failed" in outcome.out
    assert "the whole interval is below 0.95" in " ".join(outcome.out.split())


def test_what_cannot_be_told_passes_unless_the_gate_is_strict(cli: Cli, run: Path) -> None:
    asked = ("gate", run, "--fail-under", "recall@5=.75")
    outcome = cli(*asked)
    assert outcome.code == 0
    assert "Gate undecided: 1 of 1 condition undecided" in outcome.out
    assert "cannot be told from these 40" in " ".join(outcome.out.split())
    assert cli(*asked, "--strict").code == 9
    assert cli(*asked, "--strict", "--use", "mean").code == 0


def test_a_drop_is_found_question_by_question(cli: Cli, run: Path, baseline: Path) -> None:
    outcome = cli(
        "gate", run, "--baseline", baseline, "--max-drop", "recall@5=.02", "--max-drop", "token_f1=.1", "--json"
    )
    assert outcome.code == 9
    found = outcome.json
    assert (found["passed"], found["verdict"], found["baseline"]) == (False, "failed", str(baseline))
    recall, f1 = found["rows"]
    assert (recall["verdict"], recall["value"], recall["baseline"], recall["mean"]) == ("failed", 0.25, 1.0, 0.75)
    assert (f1["verdict"], f1["value"], f1["metric"], f1["kind"], f1["bound"]) == (
        "passed",
        0,
        "token_f1",
        "max_drop",
        0.1,
    )
    test = ragassay.compare_runs(baseline, run, metrics=["recall@5"]).metrics["recall@5"]
    assert (recall["low"], recall["high"]) == (-test.high, -test.low)


def test_junit_and_markdown(cli: Cli, run: Path, tmp_path: Path) -> None:
    files = ("--junit", tmp_path / "gate.xml", "--markdown", tmp_path / "gate.md")
    bounds = ("recall@5=.95", "recall@5=.5@summary", f"token_f1=.2@{EVIL.replace(chr(0), '')}")
    _run(run, {"recall@5": [1.0, 1.0, 1.0, 0.0] * 10, "token_f1": [0.5] * 40}, system=EVIL)
    write_jsonl(run / "examples.jsonl", [replace(_example(n), question_type=EVIL.replace("\0", "")) for n in range(40)])
    asked = ("gate", run, *(part for each in bounds for part in ("--fail-under", each)), *files)
    assert cli(*asked).code == 9
    root = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("3", "1", "1")
    failed, skipped, passed = root.iter("testcase")
    assert failed.get("name") == "recall@5 >= 0.95"
    failure, skip = failed.find("failure"), skipped.find("skipped")
    assert failure is not None
    assert failure.get("message") == "the whole interval is below 0.95"
    assert (failure.text or "").startswith("0.750 (95 % interval ")
    assert skip is not None
    assert [each.tag for each in passed] == ["system-out"]
    text = (tmp_path / "gate.md").read_text("utf-8")
    assert "### ❌ Gate failed: 1 of 3 conditions failed, 1 undecided" in text
    assert "<b>" not in text
    assert "\x1b" not in text
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 5
    assert "\\<b\\>\\|\\`x\\`" in table[-1]
    assert cli(*asked, "--strict").code == 9  # an earlier one's files are replaced
    assert 'failures="2"' in (tmp_path / "gate.xml").read_text("utf-8")


def test_names_of_a_run_cannot_break_junit(cli: Cli, tmp_path: Path) -> None:
    """Systems, metrics and judges have any name; control characters are no XML."""
    metric = "faithfulness"
    before = _run(tmp_path / "a", {metric: [1.0] * 30}, system=EVIL, judge="one\x07\x1b]")
    now = _run(tmp_path / "b", {metric: [0.5] * 30}, system=EVIL, judge="other\x00\ufffe")
    asked = ("gate", now, "--baseline", before, "--max-drop", f"{metric}=.1", "--junit", tmp_path / "gate.xml")
    for strict, tag in ((), "skipped"), (("--strict",), "failure"):
        assert cli(*asked, *strict).code == (9 if strict else 0)
        (case,) = ElementTree.parse(tmp_path / "gate.xml").getroot().iter("testcase")
        found = case.find(tag)
        assert found is not None
        assert (found.get("message") or "").startswith("judged by other")


def test_the_job_summary_grows(cli: Cli, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    (tmp_path / "summary.md").write_text("before\n", "utf-8")
    for _ in range(2):
        assert cli("gate", run, "--fail-under", "recall@5=.5", "--github-summary").code == 0
    text = (tmp_path / "summary.md").read_text("utf-8")
    assert text.startswith("before\n<!-- ragassay gate -->\n### ✅ Gate passed")
    assert text.count("Gate passed") == 2


def test_the_table_in_the_project_file(
    cli: Cli, run: Path, baseline: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
    [gate]
    fail_under = {"recall@5" = 0.5, "recall@5@fact_single" = 0.8}
    max_drop = ["recall@5=.02@summary"]
    baseline = "main"
    strict = true
    use = "mean"
    """
    (tmp_path / "ragassay.toml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    outcome = cli("gate", "now", "--json")
    assert outcome.code == 9
    found = outcome.json
    assert [(row["kind"], row["group"], row["verdict"]) for row in found["rows"]] == [
        ("fail_under", "", "passed"),
        ("fail_under", "fact_single", "passed"),
        ("max_drop", "summary", "failed"),
    ]
    assert (found["strict"], found["use"], found["baseline"]) == (True, "mean", "main")
    # what the command line says goes over it
    assert cli("gate", "now", "--max-drop", "recall@5=1", "--fail-under", "recall@5=.5").code == 0
    # paths count from the file
    monkeypatch.chdir("/")
    assert cli("gate", run, "--config", tmp_path / "ragassay.toml").code == 9
    # from Python the file does not count
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="the gate has no condition"):
        ragassay.gate(run)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ("", 2, "the gate has no condition; give --fail-under METRIC=NUMBER"),
        ("--fail-under faithfulness=.8", 2, "now has no scores of faithfulness; it has recall@5, token_f1"),
        ("--fail-under recall@5=.8@reasoning", 2, "has the label or type 'reasoning'; choose one of"),
        ("--fail-under recall@5", 2, "--fail-under: must be METRIC=NUMBER"),
        ("--fail-under recall@5=80", 2, "the bound of recall@5 must be between 0 and 1, not 80"),
        ("--fail-over recall@5=.8", 2, "--fail-over: high values of recall@5 are the good ones; use --fail-under"),
        ("--fail-under irrelevancy=.8", 2, "low values of irrelevancy are the good ones; use --fail-over"),
        ("--fail-under recall@5=.8 --fail-under recall@5=.7", 2, "--fail-under: recall@5 is given twice"),
        ("--fail-under recall@5=.8 --system theirs", 2, "has no scores of 'theirs'; choose one of ours"),
        ("--max-drop recall@5=.1", 2, "--max-drop: needs a run to compare with; name it with --baseline"),
        ("--max-drop recall@5=-.1 --baseline main", 2, "must be between 0 and 1, not -0.1"),
        ("--fail-under recall@5=.8 --baseline main", 2, "--baseline: nothing is compared with it"),
        ("--max-drop recall@5=.1 --baseline nowhere", 3, "--baseline: nowhere is not a folder"),
        ("--max-drop recall@5=.1 --baseline others", 3, "have no examples in common"),
        ("--max-drop token_f1=.1 --baseline others", 2, "others has no scores of token_f1; it has recall@5"),
        ("--fail-under recall@5=.8 --config other.toml", 3, "other.toml has no table [gate]"),
        ("--fail-under recall@5=.8 --github-summary", 2, "GITHUB_STEP_SUMMARY is not set"),
    ],
)
def test_what_cannot_be_judged(
    cli: Cli, run: Path, baseline: Path, monkeypatch: pytest.MonkeyPatch, options: str, code: int, said: str
) -> None:
    monkeypatch.chdir(run.parent)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    others = _run(run.parent / "others", {"recall@5": [1.0]})
    write_jsonl(others / "examples.jsonl", [replace(_example(0), id="strange")])
    Path("other.toml").write_text("[run]\nn = 3\n", "utf-8")
    outcome = cli("gate", "now", *options.split())
    assert said in outcome.err
    assert (outcome.code, outcome.out) == (code, "")


def test_a_drop_between_two_judges_cannot_be_told(tmp_path: Path) -> None:
    values = {"faithfulness": [0.5] * 30}
    now = _run(tmp_path / "a", values, judge="one")
    before = _run(tmp_path / "b", {"faithfulness": [1.0] * 30}, judge="another")
    found = ragassay.gate(now, max_drop=["faithfulness=.1"], baseline=before)
    assert [row.verdict for row in found.rows] == ["undecided"]
    assert found.rows[0].reason.startswith("judged by one here and by another in the baseline")
    _run(before, {"faithfulness": [*([1.0] * 20), *([None] * 10)]}, judge="another")
    found = ragassay.gate(now, max_drop=["faithfulness=.1"], baseline=before)
    assert found.rows[0].reason.startswith("only 20 of 30 questions have a value in both runs")


def test_questions_that_the_baseline_lacks_are_left_out_of_drops_and_counted(tmp_path: Path) -> None:
    now = _run(tmp_path / "a", {"faithfulness": [0.5] * 30})
    before = _run(tmp_path / "b", {"faithfulness": [1.0] * 20})
    found = ragassay.gate(now, max_drop=["faithfulness=.1"], baseline=before)
    assert (found.new, found.rows[0].n, found.rows[0].total, found.passed) == (10, 20, 20, False)
    assert "without 10 questions that it lacks" in of_what(found)
    back = ragassay.gate(before, max_drop=["faithfulness=.1"], baseline=now)
    assert (back.missing, "10 of its questions not in this run" in of_what(back)) == (10, True)


BADNESS = """
import ragassay

@ragassay.metric(range=(0, {high}), higher_is_better=False)
def badness(answer):
    return float("bad" in answer)
"""


@pytest.fixture
def scored_by_a_file(cli: Cli, tmp_path: Path) -> Callable[..., Path]:
    """A run whose answers are all good or all bad, scored by a file of functions that this process forgets."""

    def scored(name: str, answer: str, n: int = 30, high: int = 1) -> Path:
        (tmp_path / name).mkdir()
        checks = tmp_path / name / "checks.py"
        checks.write_text(BADNESS.format(high=high), "utf-8")
        rows = tmp_path / name / "rows.jsonl"
        lines = [json.dumps({"user_input": f"Question {number}?", "response": answer}) for number in range(n)]
        rows.write_text("\n".join(lines), "utf-8")
        out = tmp_path / name / "run"
        assert cli("evaluate", rows, "--metrics", f"{checks}:badness", "--out", out).code == 0
        _REGISTERED.clear()
        return out

    return scored


def test_range_and_direction_of_a_metric_of_ones_own_stand_in_the_run(
    cli: Cli, scored_by_a_file: Callable[..., Path]
) -> None:
    good, bad, few = (scored_by_a_file(*each) for each in (("g", "fine"), ("b", "bad"), ("f", "bad", 2)))
    drop = ("--max-drop", "badness=.1", "--json")
    worse = cli("gate", bad, "--baseline", good, *drop)
    assert (worse.code, worse.json["rows"][0]["value"], worse.json["rows"][0]["high"]) == (9, 1, 1)
    assert cli("gate", good, "--baseline", bad, *drop).code == 0
    # two of two: t with one degree of freedom is 12.706, so the interval is from 2 / (2 + 161.45) = 0.0122 to 1
    row = cli("gate", few, "--fail-over", "badness=.5", "--json").json["rows"][0]
    assert (row["verdict"], row["low"], row["high"]) == ("undecided", pytest.approx(0.01224, abs=5e-6), 1)
    refused = cli("gate", few, "--fail-under", "badness=.5")
    assert (refused.code, refused.out) == (2, "")
    assert "low values of badness are the good ones" in refused.err
    assert "0.01" in (few / "report.html").read_text("utf-8")
    assert cli("report", few).code == 0
    assert "0.01" in (few / "report.html").read_text("utf-8")
