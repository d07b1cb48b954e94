"""``ragassay annotate`` and ``ragassay agree`` on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.people.annotation.options import RoundOptions
from ragassay.people.annotation.rounds import begin_round
from ragassay.records import LABELS, Example, Prediction, Provenance, Score, Span, write_jsonl


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder with examples, the answers of two systems and their scores."""
    folder = tmp_path / "run"
    folder.mkdir()
    text = "The Argo carries 40 cars."
    examples = [
        Example(
            id=f"q{number}",
            question=f"How many cars, case {number}?",
            answer="40",
            context=Span(document_id="d", start=0, end=len(text), text=text),
            references=(),
            keypoints=("It is 40.",),
            requested_label="summary",
            verified_label=LABELS[number % 4],
            provenance=Provenance(synthesizer="", model=""),
        )
        for number in range(8)
    ]
    write_jsonl(folder / "examples.jsonl", examples)
    systems = ("plain", "other")
    predictions = [
        Prediction(example_id=each.id, system=system, chunks=(), answer=f"{system} answer")
        for each in examples
        for system in systems
    ]
    write_jsonl(folder / "predictions.jsonl", predictions)
    scores = [
        Score(example_id=each.id, system=system, metric="faithfulness", value=value)
        for each in examples
        for system, value in zip(systems, (0.9, 0.2), strict=True)
    ]
    write_jsonl(folder / "scores.jsonl", scores)
    return folder


def judged(folder: Path, run: Path, task: str, value: str, **options: Any) -> None:
    """A round in which everybody gives every question the same value."""
    round_ = begin_round(folder, RoundOptions(data=run, task=task, annotators=("ana", "ben"), **options))
    for name in round_.annotators:
        for turn in range(round_.progress(name).total):
            for asked in round_.turn(name, turn).sheet.asked:
                round_.judge(name, turn, asked.name, value)


def test_labels_go_out_and_are_compared(cli: Any, run: Path, tmp_path: Path) -> None:
    judged(tmp_path / "round", run, "label", "summary")
    done = cli("annotate", "--out", tmp_path / "round", "--export", tmp_path / "out.csv", "--json")
    assert done.json == {"written": 16, "file": str(tmp_path / "out.csv")}
    done = cli("agree", tmp_path / "out.csv", "--against", run, "--json")
    label = done.json["tasks"]["label"]
    assert label["judge"]["accuracy"]["value"] == 0.25  # two of eight verified labels are summary
    same = "all who judged the 8 items gave the same value: kappa is 0 / 0"
    assert (label["people"]["fleiss"]["value"], label["people"]["fleiss"]["reason"]) == (None, same)
    assert label["people"]["alpha"]["reason"] == "the values of all judged items (8) are equal: alpha is 0 / 0"
    drop = label["judge"]["left_out"][0]["relative_drop"]
    assert (drop["value"], drop["reason"]) == (
        None,
        "this side and the majority gave every item the same one value: kappa is 0 / 0",
    )
    lines = cli("agree", tmp_path / "out.csv", "--against", run).out.splitlines()
    assert f"people: Fleiss' kappa: {same}" in lines
    undefined = "; ".join(f"{row}, {column}" for row in ("ana", "ben", "mean") for column in ("this person", "drop"))
    assert f"{undefined}: {drop['reason']}" in lines


def test_agreement_is_put_on_a_page(cli: Any, run: Path, tmp_path: Path) -> None:
    judged(tmp_path / "round", run, "label", "summary")
    done = cli("agree", tmp_path / "round", "--against", run, "--out", tmp_path / "agreement.html")
    assert done.out.splitlines()[-1] == f"Report: {tmp_path / 'agreement.html'}"
    page = (tmp_path / "agreement.html").read_text("utf-8")
    assert "What the judge says where most people say the same" in page
    done = cli("agree", tmp_path / "round", "--out", tmp_path / "no" / "page.html", "--json")
    assert (done.code, done.out) == (4, "")
    assert f"--out: {tmp_path / 'no' / 'page.html'} cannot be written (No such file or directory)" in done.err


def test_preferences_are_set_against_a_metric(cli: Any, run: Path, tmp_path: Path) -> None:
    judged(tmp_path / "round", run, "preference", "first", systems=("plain", "other"))
    done = cli("agree", tmp_path / "round", "--against", run, "--metric", "faithfulness", "--json")
    pairwise = done.json["tasks"]["preference"]["judge"]["pairwise"]
    assert (pairwise["value"], pairwise["n"]) == (1.0, 8)
    table = cli("agree", tmp_path / "round", "--against", run / "scores.jsonl", "--metric", "faithfulness").out
    assert "judge: prefers what people prefer" in table


def test_judgements_as_data_frames(run: Path, tmp_path: Path) -> None:
    judged(tmp_path / "round", run, "label", "summary")
    frame = ragassay.read_annotations(tmp_path / "round")
    assert list(frame.columns) == ["subject_id", "annotator", "task", "value", "note"]
    assert set(frame["value"]) == {"summary"}
    assert frame.groupby("annotator").size().nunique() == 1
    table = "subject_id,annotator,task,value\nq0,ana,critique:feasibility,5\nq1,ana,critique:feasibility,1\n"
    (tmp_path / "judged.csv").write_text(table)
    assert len(ragassay.read_annotations([tmp_path / "round", tmp_path / "judged.csv"])) == len(frame) + 2


def test_verdicts_on_keypoints_have_the_check_of_rageval(cli: Any, run: Path, tmp_path: Path) -> None:
    scores = [
        Score(
            example_id=f"q{number}",
            system="plain",
            metric="completeness",
            value=float(number < 6),
            evidence=(f"{'covered' if number < 6 else 'neither'}: It is 40. (said)",),
        )
        for number in range(8)
    ]
    write_jsonl(run / "scores.jsonl", scores)
    judged(tmp_path / "round", run, "keypoints", "covered", systems=("plain",))
    found = cli("agree", tmp_path / "round", "--against", run, "--json").json["tasks"]["keypoint"]["judge"]
    completeness = found["keypoint_shares"][0]
    assert (completeness["people"]["value"], completeness["judge"]["value"]) == (1.0, 0.75)
    assert (completeness["difference"]["value"], completeness["absolute_difference"]["value"]) == (-0.25, 0.25)
    shown = " ".join(cli("agree", tmp_path / "round", "--against", run).out.partition("RAGEval's check")[2].split())
    for figure in ("completeness 1.00", "0.75 (0.33–0.95)", "\u22120.25", "8 of 8"):
        assert figure in shown
    result = ragassay.agree(tmp_path / "round", against=run)
    page = result.write_report(tmp_path / "page.html").read_text("utf-8")
    assert "RAGEval&#39;s check: metrics by people&#39;s verdicts on keypoints" in page
