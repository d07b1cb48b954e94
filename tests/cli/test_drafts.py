"""``--drafts``: what is missing is filled with drafts, which are marked, counted apart and said beside figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.records import Example, read_jsonl

TEXT = """# The boiler house

The boiler house stands behind the weaving shed and was built by Anders Holm in 1931. Two boilers supply steam to the
dye works. The stokers check the water level every hour because a dry boiler may burst. In winter the reserve boiler is
fired when the temperature outside falls below minus eight degrees. The inspector visits the boiler house in May.
The reserve boiler costs £4,200 a year.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one page of prose, of which the rules ask one question of three."""
    place = tmp_path_factory.mktemp("drafts")
    (place / "docs").mkdir()
    (place / "docs" / "boiler.md").write_text(TEXT, encoding="utf-8")
    run = ragassay.run(place / "docs", place / "run", n=3, mix={"fact_single": 1}, drafts=True, processes=1)
    assert run.summary.composition.drafts == {"fact_single": 2}
    return run.folder


def test_each_draft_is_marked(folder: Path) -> None:
    examples = list(read_jsonl(folder / "examples.jsonl", Example))
    assert sorted(each.provenance.mending or "" for each in examples) == ["", "open", "open"]
    assert all(TEXT.replace("\n", " ").find(each.references[0].text) > 0 for each in examples)
    assert json.loads((folder / "run.json").read_text("utf-8"))["settings"]["drafts"] == "yes"


def test_terminal_and_page_count_them_apart(cli: Any, folder: Path) -> None:
    said = " ".join(cli("inspect", folder).out.split())
    assert "2 of 3 examples are drafts, to be mended by a person (ragassay annotate --task mend)" in said
    assert "of them drafts" in said
    command = f"ragassay annotate {folder} --task mend --annotators me --out {folder}-mended"
    assert f"3 examples, 2 of them drafts to be mended: {command}" in said
    assert "95 % interval; 2 of 3 examples are drafts)" in said
    assert cli("inspect", folder, "--json").json["drafts"] == {"fact_single": 2}
    page = (folder / "report.html").read_text("utf-8")
    assert 'class="alarm"' in page
    assert "(ragassay annotate --task mend): figures rest on them." in page
    assert "Drafts among them, by label: fact_single 2." in page


def test_figures_of_other_commands_say_what_they_rest_on(cli: Any, folder: Path, tmp_path: Path) -> None:
    examples = list(read_jsonl(folder / "examples.jsonl", Example))
    among = f"{sum(each.is_draft for each in examples)} of {len(examples)} examples are drafts"
    doubt = f"{among}, to be mended by a person (ragassay annotate --task mend): figures rest on them."
    out = tmp_path / "evaluated"
    done = cli("evaluate", folder, "--retriever", "bm25", "--metrics", "recall@5", "--out", out, "--json")
    assert done.json["warnings"] == [doubt]
    assert (out / "report.html").read_text("utf-8").count(doubt) == 1
    assert doubt in " ".join(cli("inspect", out).out.split())
    space = f"dataset: {folder}\nout: swept\ngrid: {{chunk_size: [128, 512], text_weight: [1]}}\n"
    (tmp_path / "space.yaml").write_text(space, "utf-8")
    done = cli("sweep", tmp_path / "space.yaml")
    assert doubt in " ".join(done.out.split()), done.err
    assert doubt in (tmp_path / "swept" / "report.html").read_text("utf-8")
    assert json.loads((tmp_path / "swept" / "summary.json").read_text("utf-8"))["warnings"] == [doubt]


def test_without_the_option_nothing_says_drafts(cli: Any, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Alba\n\nBuilt: 1998\n\nLength: 40 metres\n\nHome port: Molde\n", encoding="utf-8")
    cli("synthesize", tmp_path / "a.md", "--n", "2", "--out", tmp_path / "set", "--processes", "1")
    for name in ("examples.jsonl", "synthesis.json", "run.json"):
        text = (tmp_path / "set" / name).read_text("utf-8")
        assert '"drafts"' not in text
        assert '"mending"' not in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-s", "simple"], "--drafts: only applies to --synthesizer statements, not to simple"),
        (["--model", "openai:gpt-4o-mini"], "--drafts: only the embedded model makes drafts, not openai:gpt-4o-mini"),
    ],
)
def test_options_that_cannot_be_meant(cli: Any, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    done = cli("synthesize", tmp_path / "a.md", "--drafts", "--out", tmp_path / "set", *arguments)
    assert (done.code, said in done.err) == (2, True), done.err
    assert not (tmp_path / "set").exists()
