"""``ragassay report``: ratings beside those of baselines on the page of a run, and sets side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import plausible_server
from selectolax.lexbor import LexborHTMLParser

from ragassay.records import Example, read_jsonl


def test_a_page_of_a_run_is_not_replaced(cli: Any, finished: Path) -> None:
    done = cli("report", finished)
    assert (done.code, "already has a report" in done.err) == (4, True)


def test_what_is_no_folder_of_a_run(cli: Any, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    for arguments in ((tmp_path / "file",), (tmp_path / "gone",), (tmp_path / "gone", "--out", tmp_path / "x.html")):
        done = cli("report", *arguments)
        said = f"ragassay: {arguments[0]} is not a folder; name one that a command of ragassay wrote\n"
        assert (done.code, done.err) == (3, said)
    done = cli("report", finished, "--against", tmp_path / "file", "--out", tmp_path / "x.html")
    assert (done.code, done.err.count("\n")) == (3, 1)


def sums(page: LexborHTMLParser) -> dict[str, list[str]]:
    """Name of a system or baseline to the answers with a sum of 2, 3, ... 10."""
    rows = page.css_first("#truthfulness-and-relevance table").css("tbody tr")
    return {row.css_first("th").text(): [cell.text() for cell in row.css("td")[:9]] for row in rows}


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
    assert list(of_set) == [f"{name}, {model} (baseline)" for name in ("nothing retrieved", "with the block")]
    out = tmp_path / "beside.html"
    baselines = [f"nothing={runs['no_retrieval']}", f"block={runs['ground_truth_context']}"]
    done = cli("report", runs["rag"], "--baseline", baselines[0], "--baseline", baselines[1], "--out", out)
    assert done.code == 0, done.err
    page = LexborHTMLParser(out.read_text("utf-8"))
    found = sums(page)
    assert list(found)[1:] == ["nothing (baseline)", "block (baseline)"]
    nothing, block = list(found.values())[1:]
    n = sum(map(int, block))
    assert n == len(list(read_jsonl(made / "examples.jsonl", Example)))
    assert block[-1] == str(n)
    assert int(nothing[0]) > int(nothing[-1])


def test_several_sets_stand_side_by_side(cli: Any, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "few").mkdir()
    lines = (finished / "examples.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "few" / "examples.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    out = tmp_path / "sets.html"
    done = cli("report", finished, tmp_path / "few", "--out", out)
    assert done.code == 0, done.err
    assert "Examples of each question word" in done.out
    assert done.out.endswith(f"Report: {out}\n")
    page = LexborHTMLParser(out.read_text("utf-8"))
    heads = [head.text() for head in page.css_first("#the-sets table").css("thead th")]
    assert heads == [finished.name, "few"]
    found = cli("report", finished, tmp_path / "few", "--json").json
    assert [each["examples"] for each in found["sets"]] == [len(lines), 2]
    assert "report" not in found


def test_sets_that_cannot_stand_side_by_side(cli: Any, finished: Path, tmp_path: Path) -> None:
    twice = cli("report", finished, finished)
    assert (twice.code, "sets: must not repeat" in twice.err) == (2, True)
    beside = cli("report", finished, tmp_path, "--against", tmp_path)
    assert (beside.code, "can only be combined with --out and --json; leave out other options" in beside.err) == (
        2,
        True,
    )
    missing = cli("report", finished, tmp_path / "nowhere")
    assert (missing.code, "nowhere does not exist" in missing.err) == (3, True)
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    assert cli("report", finished, tmp_path / "empty.jsonl").code == 3
