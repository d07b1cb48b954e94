"""``ragassay report``: what people judged, and ratings beside those of baselines, on the page of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import plausible_server
import pytest
from selectolax.lexbor import LexborHTMLParser

from ragassay.records import Example, read_jsonl


@pytest.fixture
def judged(finished: Path, tmp_path: Path) -> Path:
    """Two people on the labels of the run; the second takes every other one for a summary."""
    rows = ["subject_id,annotator,task,value"]
    for number, each in enumerate(read_jsonl(finished / "examples.jsonl", Example)):
        rows.append(f"{each.id},ana,label,{each.verified_label}")
        rows.append(f"{each.id},ben,label,{'summary' if number % 2 else each.verified_label}")
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_what_people_judged_stands_on_the_page_of_the_run(
    cli: Any, finished: Path, judged: Path, tmp_path: Path
) -> None:
    out = tmp_path / "labelled.html"
    assert cli("report", finished, "--annotations", judged, "--out", out).out == f"Report: {out}\n"
    page = LexborHTMLParser(out.read_text("utf-8"))
    assert page.css_first('nav a[href="#agreement"]').text() == "Agreement with people"
    assert page.css_first("#agreement h3").text().startswith("label 10 judgements of 5 items by 2 people")
    assert page.css_first("#agreement figure desc").text().startswith("people fact_single: fact_single")
    assert "Versions" in [node.text() for node in page.css("#settings h3")]
    assert "numpy" in page.css_first("#settings").text()


def test_options_that_cannot_be_meant(cli: Any, finished: Path, judged: Path, tmp_path: Path) -> None:
    done = cli("report", finished, "--metric", "faithfulness", "--out", tmp_path / "x.html")
    assert (done.code, "--metric: needs --annotations" in done.err) == (2, True)
    done = cli("report", finished, "--annotations", tmp_path / "nowhere.csv", "--out", tmp_path / "x.html")
    assert (done.code, "nowhere.csv" in done.err) == (3, True)
    done = cli("report", finished, "--annotations", judged)
    assert (done.code, "already has a report" in done.err) == (4, True)
    assert not (tmp_path / "x.html").exists()


def test_what_is_no_folder_of_a_run(cli: Any, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    for arguments in ((tmp_path / "file",), (tmp_path / "gone",), (tmp_path / "gone", "--out", tmp_path / "x.html")):
        done = cli("report", *arguments)
        said = f"ragassay: {arguments[0]} is not a folder; name one that a command of ragassay wrote\n"
        assert (done.code, done.err) == (3, said)
    done = cli("report", finished, "--against", tmp_path / "file", "--out", tmp_path / "x.html")
    assert (done.code, done.err.count("\n")) == (3, 1)


def sums(page: LexborHTMLParser) -> dict[str, list[str]]:
    """Name of a histogram to the answers with a sum of 2, 3, ... 10."""
    table = page.css_first("#ratings details table")
    names = [head.text() for head in table.css("thead th")[1:]]
    rows = [[cell.text() for cell in row.css("td")] for row in table.css("tbody tr")]
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def test_ratings_beside_the_baselines_without_retrieval_and_with_the_block(
    cli: Any, documents: Path, tmp_path: Path
) -> None:
    """The stub's judge says 5 of what repeats the block, and 1 of what does not."""
    with plausible_server.running() as stub:
        model = f"{stub.url}#plausible"
        made = tmp_path / "set"
        done = cli("synthesize", documents, "--n", "5", "--model", model, "--baselines", "--out", made)
        assert done.code == 0, done.err
        runs = {name: tmp_path / name for name in ("rag", "no_retrieval", "ground_truth_context")}
        for system, folder in runs.items():
            done = cli(
                *("evaluate", made, "--system", system, "--documents", documents, "--out", folder),
                *("--model", model, "--judge", model, "--metrics", "truthfulness_and_relevance"),
            )
            assert done.code == 0, done.err
    done = cli("report", made)
    assert done.code == 0, done.err
    of_set = sums(LexborHTMLParser((made / "report.html").read_text("utf-8")))
    assert list(of_set) == [f"nothing retrieved, {model}", f"with the block, {model}"]
    out = tmp_path / "beside.html"
    baselines = [f"nothing={runs['no_retrieval']}", f"block={runs['ground_truth_context']}"]
    done = cli("report", runs["rag"], "--baseline", baselines[0], "--baseline", baselines[1], "--out", out)
    assert done.code == 0, done.err
    page = LexborHTMLParser(out.read_text("utf-8"))
    found = sums(page)
    assert list(found)[1:] == ["nothing", "block"]
    n = sum(map(int, found["block"]))
    assert n == len(list(read_jsonl(made / "examples.jsonl", Example)))
    assert found["block"][-1] == str(n)
    assert int(found["nothing"][0]) > int(found["nothing"][-1])
    heights = [
        max(float(bar.attributes["height"] or 0) for bar in drawing.css("rect.bar"))
        for drawing in page.css("#ratings svg")
    ]
    most = max(map(int, found["nothing"]))
    assert heights[1] / heights[2] == pytest.approx(most / n, abs=0.01)  # all to one scale
    assert [drawing.css_first("rect").attributes["class"] for drawing in page.css("#ratings svg")] == [
        "bar s4",
        "bar s0",
        "bar s0",
    ]


def test_several_sets_stand_side_by_side(cli: Any, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "few").mkdir()
    lines = (finished / "examples.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "few" / "examples.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    out = tmp_path / "sets.html"
    done = cli("report", finished, tmp_path / "few", "--out", out)
    assert done.code == 0, done.err
    assert "Question words" in done.out
    assert done.out.endswith(f"Report: {out}\n")
    page = LexborHTMLParser(out.read_text("utf-8"))
    heads = [head.text() for head in page.css_first("#made table").css("thead th")]
    assert heads == ["", finished.name, "few"]
    assert page.css_first("#cost tbody td").text() != "-"  # the run says what its making took
    found = cli("report", finished, tmp_path / "few", "--json").json
    assert [each["examples"] for each in found["sets"]] == [len(lines), 2]
    assert "report" not in found
    assert found["sets"][1]["cost"] is None


def test_sets_that_cannot_stand_side_by_side(cli: Any, finished: Path, tmp_path: Path) -> None:
    twice = cli("report", finished, finished)
    assert (twice.code, "sets: must not repeat" in twice.err) == (2, True)
    beside = cli("report", finished, tmp_path, "--metric", "faithfulness")
    assert (beside.code, "can only be combined with --out and --json; leave out other options" in beside.err) == (
        2,
        True,
    )
    missing = cli("report", finished, tmp_path / "nowhere")
    assert (missing.code, "nowhere does not exist" in missing.err) == (3, True)
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    assert cli("report", finished, tmp_path / "empty.jsonl").code == 3
