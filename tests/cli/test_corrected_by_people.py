"""``evaluate --people``: verdicts of people on some answers correct the judge's figures; what does not fit is said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

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
        assert "corrected by people" in text
        printed = [line.split() for line in text.splitlines()]
        assert all(each in printed for each in names)


def test_verdicts_that_do_not_fit_are_refused(cli: Any, rows: Path, tmp_path: Path) -> None:
    people = annotated(tmp_path / "people.csv", ["q-1", "q-2"])
    other = annotated(tmp_path / "other.csv", ["q-1"], "another")
    for path, said in ((people, "none of the answers"), (other, "'recorded'"), (tmp_path / "no.csv", "does not exist")):
        refused = cli("evaluate", rows, "--metrics", "correctness", "--people", path)
        assert refused.code == 3
        assert said in refused.err
        assert path.name in refused.err
