"""``evaluate --people``: verdicts of people on some answers correct the judge's figures; what does not fit is said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.errors import InputError
from ragassay.people.annotation.options import RoundOptions
from ragassay.people.annotation.rounds import begin_round

PAGE = Path(__file__).resolve().parents[2] / "docs" / "annotating.md"
"""Its example shows such a table."""


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    made = [
        {
            "user_input": f"When did bridge {n} open?",
            "response": f"Bridge {n} opened in {1900 + n + n % 3 // 2}.",  # every third is wrong
            "reference": f"Bridge {n} opened in {1900 + n}.",
        }
        for n in range(60)
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in made), "utf-8")
    return path


def annotated(path: Path, ids: list[str], system: str = "recorded") -> Path:
    """Every third answer is wrong, say both people."""
    lines = [
        f"{name}@{system},{who},correctness,{'wrong' if n % 3 == 2 else 'right'},"
        for n, name in enumerate(ids)
        for who in ("ana", "ben")
    ]
    path.write_text("\n".join(["subject_id,annotator,task,value,note", *lines]), "utf-8")
    return path


def test_people_correct_the_judge_and_the_line_says_what_they_are_worth(cli: Any, rows: Path, tmp_path: Path) -> None:
    first = cli("evaluate", rows, "--metrics", "correctness", "--out", tmp_path / "run")
    assert first.code == 0, first.err
    scores = [json.loads(line) for line in (tmp_path / "run" / "scores.jsonl").read_text("utf-8").splitlines()]
    people = annotated(tmp_path / "people.csv", [each["example_id"] for each in scores[:24]])
    command = ("evaluate", rows, "--metrics", "correctness", "--people", people, "--out", tmp_path / "run")
    found = cli(*command, "--json").json["corrected"][""]["correctness"]
    kept = json.loads((tmp_path / "run" / "metrics.json").read_text("utf-8"))
    assert kept["settings"]["people"].endswith("people.csv")
    assert found["people"]["n"] == 24
    assert found["people"]["value"] == pytest.approx(2 / 3)
    judge = [each["value"] for each in scores]
    assert found["judge"]["value"] == pytest.approx(sum(judge) / 60)
    assert found["bias"] == pytest.approx(sum(judge[:24]) / 24 - 2 / 3)
    assert found["worth"] > 24
    assert found["estimate"]["low"] < 2 / 3 < found["estimate"]["high"]
    (table,) = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names = [line.split() for line in table.splitlines() if line.startswith("questions")]
    for text in (cli(*command).out, cli("report", tmp_path / "run", "--text").out):
        assert "corrected by people's verdicts on 24 answers" in text.splitlines()[1]
        means = [line.partition("  ")[0] for line in text.splitlines() if line.startswith("correctness, ")]
        assert means == ["correctness, corrected", "correctness, judge alone"]
        printed = [line.split() for line in text.splitlines()]
        assert all(each in printed for each in names)
    assert cli("report", tmp_path / "run").code == 0
    tile = re.findall(r"<dt>correctness</dt>.*", (tmp_path / "run" / "report.html").read_text("utf-8"))[0]
    assert f">{found['estimate']['value']:.3f}<" in tile
    assert "verdicts on 24 answers" in tile


def right(question: str) -> str:
    n = int(question.split()[3])
    return f"Bridge {n} opened in {1900 + n}."


def often_wrong(question: str) -> str:
    n = int(question.split()[3])
    return f"Bridge {n} opened in {1900 + n + n % 3 // 2}."


def test_the_difference_of_two_systems_is_corrected(cli: Any, rows: Path, tmp_path: Path) -> None:
    given = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    for each in given:
        del each["response"]
    lines, names = ["subject_id,annotator,task,value,note"], []
    for system in (often_wrong, right):
        done = ragassay.evaluate(given, system, "correctness", out=tmp_path / system.__name__)
        names.append(done.summary.system)
        for n, example in enumerate(done.examples[:20]):
            value = "wrong" if system is often_wrong and n % 3 == 2 else "right"
            lines.append(f"{example.id}@{names[-1]},ana,correctness,{value},")
    people = tmp_path / "people.csv"
    people.write_text("\n".join(lines), "utf-8")
    folders = (tmp_path / "often_wrong", tmp_path / "right")
    found = cli("compare", *folders, "--people", people, "--json").json["corrected"]["correctness"]
    assert found["people"]["value"] == pytest.approx(6 / 20)
    assert -1 <= found["estimate"]["low"] < 1 / 3 < found["estimate"]["high"] <= 1
    assert found["worth"] >= 20
    out = cli("compare", *folders, "--people", people).out
    assert "Difference B - A corrected by people" in out
    assert next(line for line in out.splitlines() if line.startswith("From A to B")).endswith("(the judge alone)")
    same = cli("compare", folders[0], folders[0], "--people", people)
    assert (same.code, names[0] in same.err) == (3, True)


def test_two_people_agree_on_correctness_and_the_judge_with_them(cli: Any, rows: Path, tmp_path: Path) -> None:
    assert cli("evaluate", rows, "--metrics", "correctness", "--out", tmp_path / "run").code == 0
    scores = [json.loads(line) for line in (tmp_path / "run" / "scores.jsonl").read_text("utf-8").splitlines()]
    people = annotated(tmp_path / "people.csv", [each["example_id"] for each in scores[:24]])
    found = cli("agree", people, "--against", tmp_path / "run", "--json")
    assert found.code == 0, found.err
    of = found.json["tasks"]["correctness"]
    assert of["judge"]["n"] == 24
    people.write_text(
        "".join(line for line in people.read_text("utf-8").splitlines(keepends=True) if ",ben," not in line)
    )
    alone = cli("agree", people, "--against", tmp_path / "run").out
    assert "share as the majority" in alone
    assert "else as partly" in alone
    assert not any(line.count("–") > 1 for line in alone.splitlines())


def test_verdicts_that_do_not_fit_are_refused(cli: Any, rows: Path, tmp_path: Path) -> None:
    people = annotated(tmp_path / "people.csv", ["q-1", "q-2"])
    other = annotated(tmp_path / "other.csv", ["q-1"], "another")
    for path, said in ((people, "none of the answers"), (other, "'recorded'"), (tmp_path / "no.csv", "does not exist")):
        refused = cli("evaluate", rows, "--metrics", "correctness", "--people", path)
        assert refused.code == 3
        assert said in refused.err
        assert path.name in refused.err


def test_verdicts_on_answers_that_have_changed_since_are_left_out_and_said(rows: Path, tmp_path: Path) -> None:
    judged = begin_round(
        tmp_path / "judged", RoundOptions(data=rows, task="correctness", annotators=("ana",), n_items=12, seed=3)
    )
    for turn in range(12):
        judged.judge("ana", turn, "correctness", "right")
    result = ragassay.evaluate(rows, metrics="correctness", people=tmp_path / "judged")
    assert result.summary.corrected[""]["correctness"].people.n == 12
    given = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    for each in given[::2]:
        is_wrong = each["response"] != each["reference"]
        each["response"] = each["reference"] if is_wrong else each["response"] + " So they say."
    rows.write_text("".join(json.dumps(each) + "\n" for each in given), "utf-8")
    later = ragassay.evaluate(rows, metrics="correctness", people=tmp_path / "judged").summary
    n = later.corrected[""]["correctness"].people.n
    assert 0 < n < 12
    assert any(f"{12 - n} answers have changed" in each for each in later.doubts)


def test_runs_of_systems_that_different_judges_scored_are_named(cli: Any, rows: Path, tmp_path: Path) -> None:
    def other(prompt: str) -> str:
        return json.dumps({"claims": [], "missing": ["all"]})

    given = [json.loads(line) for line in rows.read_text("utf-8").splitlines()[:6]]
    for each in given:
        del each["response"]
    ragassay.evaluate(given, right, "correctness", out=tmp_path / "one")
    ragassay.evaluate(given, often_wrong, "correctness", out=tmp_path / "two", model=other)
    assert cli("compare", tmp_path / "one", tmp_path / "two", "--json").json["judged_apart"] == ["correctness"]


def test_a_gate_holds_the_corrected_mean_against_its_bound(rows: Path, tmp_path: Path) -> None:
    ids = [each.id for each in ragassay.evaluate(rows, metrics="correctness", out=tmp_path / "run").examples]
    before = ragassay.gate(tmp_path / "run", fail_under={"correctness": 0.5}).rows[0]
    people = annotated(tmp_path / "people.csv", ids[:24])
    result = ragassay.evaluate(rows, metrics="correctness", people=people, out=tmp_path / "run")
    estimate = result.summary.corrected[""]["correctness"].estimate
    assert before.value != estimate.value
    for run in (tmp_path / "run", result):
        gate = ragassay.gate(run, fail_under={"correctness": 0.5})
        (row,) = gate.rows
        assert (row.value, row.low, row.high, row.n, row.is_corrected) == (
            *(estimate.value, estimate.low, estimate.high),
            *(60, True),
        )
        assert "corrected by people" in str(gate)
    assert not before.is_corrected


def test_verdicts_that_cannot_be_read_are_told_before_a_question_is_asked(tmp_path: Path) -> None:
    asked: list[str] = []

    def system(question: str) -> str:
        asked.append(question)
        return question

    with pytest.raises(InputError, match=r"no\.csv"):
        ragassay.evaluate([{"question": "q", "reference": "a"}], system, "correctness", people=tmp_path / "no.csv")
    assert asked == []


def test_failures_of_the_system_are_none_of_the_judge(rows: Path, tmp_path: Path) -> None:
    given = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]

    def system(question: str) -> str:
        if int(question.split()[3]) < 10:
            raise ValueError("down")
        return often_wrong(question)

    asked = [{name: each[name] for name in ("user_input", "reference")} for each in given]
    done = ragassay.evaluate(asked, system, "correctness", out=tmp_path / "run", coverage=0.5)
    ids = [each.id for each in done.examples if int(each.question.split()[3]) >= 10]
    people = annotated(tmp_path / "people.csv", ids[:20], done.summary.system)
    found = ragassay.evaluate(tmp_path / "run", metrics="correctness", people=people).summary.corrected[""]
    assert (found["correctness"].missing, found["correctness"].judge.total) == (0, 50)
