"""Equal faults have equal exit codes over all commands, and a command that is refused leaves everything as it was."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from ragassay.cli.app import app

Cli = Callable[..., Any]

SYSTEMS = "--system rag:retriever=bm25 --system rag:retriever=dense"
OPTION, READ, WRITTEN = 2, 3, 4
TABLE = {
    ("a path that is not there", READ): """
        run nowhere --out new
        synthesize nowhere --out new
        questions nowhere --log human.jsonl --out new
        questions docs --log nowhere --out new
        synthesize docs --like nowhere --out new
        refresh run nowhere
        refresh nowhere docs
        label nowhere --out new.jsonl
        convert nowhere new.jsonl
        evaluate nowhere --system rag --out new --metrics none
        evaluate nowhere
        compare nowhere run
        compare run nowhere --system-a "256 dense"
        gate nowhere --fail-under recall@5=.5
        run docs --out new --config nowhere.toml
        init nowhere
        sweep nowhere.yaml
        experiment retrievers nowhere.yaml
        experiment retrievers SYSTEMS --synthetic nowhere --human human.jsonl --out new
        report nowhere
        view nowhere
        annotate nowhere --out new --annotators ana
        annotate --out nowhere
        agree nowhere
        agree people.csv --against nowhere
        scenario schema nowhere.toml
        scenario schema nowhere --out new.toml --model ollama:m
        scenario generate --schema nowhere.toml --out new
        scenario check nowhere
        judge check nowhere.jsonl
        judge check --blocks nowhere.jsonl --quality faithfulness
        judge repeat nowhere.jsonl
        list prompts --prompts nowhere
        list prices --prices nowhere.toml
        """,
    ("a file that cannot be read", READ): """
        run broken.jsonl --out new
        synthesize broken.jsonl --out new
        questions docs --log broken.jsonl --out new
        refresh broken.jsonl docs
        label broken.jsonl --out new.jsonl
        convert broken.jsonl new.csv
        evaluate broken.jsonl --system rag --out new --metrics none
        evaluate broken.jsonl
        compare broken run
        gate broken --fail-under recall@5=.5
        sweep broken.yaml
        experiment retrievers broken.yaml
        experiment retrievers SYSTEMS --synthetic run --human broken.jsonl --out new
        report broken --out new.html
        annotate broken.jsonl --out new --annotators ana
        agree broken.csv
        agree broken.jsonl
        scenario schema broken.toml
        scenario schema broken.jsonl --out new.toml --model ollama:m
        scenario generate --schema broken.toml --out new
        scenario check broken
        judge check broken.jsonl
        judge repeat broken.jsonl
        run docs --out new --model ollama:m --prices broken.toml --dry-run
        """,
    ("nothing to work on", READ): """
        run empty --out new
        synthesize empty --out new
        label empty.jsonl --out new.jsonl
        convert empty.jsonl new.csv
        evaluate empty.jsonl --system rag --out new --metrics none
        evaluate empty.jsonl
        compare empty run
        gate empty --fail-under recall@5=.5
        sweep empty.yaml
        experiment retrievers SYSTEMS --synthetic empty.jsonl --human human.jsonl --out new
        report empty
        annotate empty.jsonl --out new --annotators ana
        agree empty
        agree empty.jsonl
        scenario schema empty.toml
        scenario schema empty --out new.toml --model ollama:m
        scenario check empty
        judge check empty.jsonl
        judge repeat empty.jsonl
        """,
    ("an output that is there, or of something else", WRITTEN): """
        run docs --out mine
        run docs --out run --n 7
        synthesize docs --out mine
        questions docs --log human.jsonl --out mine
        refresh run docs --out mine
        synthesize docs --out run
        label run --out human.jsonl
        convert run human.jsonl
        evaluate run --system rag --out mine --metrics none
        evaluate run --system rag --out run --metrics none
        sweep sweep.yaml --out mine
        sweep sweep.yaml --out run
        experiment retrievers SYSTEMS --synthetic run --human human.jsonl --out mine
        report run
        gate run --system "256 dense" --fail-under recall@5=.5 --junit human.jsonl
        agree people.csv --out page.html
        annotate run --out mine --annotators ana
        annotate run --out run --annotators ana
        scenario schema finance --out human.jsonl
        scenario schema docs --out human.jsonl --model ollama:m
        scenario generate --schema finance --out mine
        judge check --quality faithfulness --out mine
        judge repeat --quality faithfulness --out mine
        list prompts --write human.jsonl
        """,
    ("an output that cannot be written", WRITTEN): """
        run docs --out page.html/new
        synthesize docs --out page.html/new
        questions docs --log human.jsonl --out page.html/new
        refresh run docs --out page.html/new
        label run --out page.html/new.jsonl
        convert run page.html/new.jsonl
        evaluate run --system rag --out page.html/new --metrics none
        evaluate run --out page.html/new
        sweep sweep.yaml --out page.html/new
        experiment retrievers SYSTEMS --synthetic run --human human.jsonl --out page.html/new
        gate run --system "256 dense" --fail-under recall@5=.5 --markdown page.html/new.md
        report run --out page.html/new.html
        agree people.csv --out page.html/new.html
        annotate run --out page.html/new --annotators ana
        scenario schema finance --out page.html/new
        scenario schema docs --out page.html/new --model ollama:m
        scenario generate --schema finance --documents 2 --out page.html/new
        judge check --quality faithfulness --out page.html/new
        list prompts --write page.html/new
        """,
    ("a number out of its range", OPTION): """
        convert run new.jsonl --sample 0
        run docs --out new --n 0
        synthesize docs --out new --n 0
        label run --out new.jsonl --max-context-chars 0
        evaluate run --system rag --out new --limit 0 --metrics none
        compare run run --changed -1
        gate run --system "256 dense" --fail-under recall@5=5
        sweep sweep.yaml --out new --coverage 7
        experiment retrievers SYSTEMS --synthetic run --human human.jsonl --out new --limit 0
        view run --port 70000
        annotate run --out new --annotators ana --overlap 3
        agree people.csv --seed -1
        scenario generate --schema finance --documents 0 --out new
        judge check --quality faithfulness --seed -1
        judge repeat --quality faithfulness --seed -1
        """,
    ("a name that is none", OPTION): """
        run docs --out new --mix trivia=1
        synthesize docs --out new --synthesizer clever
        label run --out new.jsonl --model oracle
        convert run new.jsonl --system nobody
        list metrics beauty
        doctor beauty
        list prompts beauty
        evaluate run --system nobody --out new --metrics none
        compare run run --system-a nobody
        gate run --system "256 dense" --fail-under beauty=.5
        sweep sweep.yaml --judge oracle
        experiment retrievers SYSTEMS --synthetic run --human human.jsonl --out new --metrics beauty
        report run --out new.html --against run --system nobody --against-system "256 dense"
        annotate run --out new --annotators ana --task charm
        agree people.csv --task charm
        scenario schema sport --out new.toml
        scenario generate --schema sport --out new
        judge check --quality charm
        """,
}
CASES = [
    pytest.param(line.strip(), code, id=f"{fault}: {line.strip()}")
    for (fault, code), lines in TABLE.items()
    for line in lines.strip().splitlines()
]


@pytest.fixture(scope="module")
def place(documents: Path, finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bit of everything, broken or in order."""
    folder = tmp_path_factory.mktemp("place")
    shutil.copytree(documents, folder / "docs")
    shutil.copytree(finished, folder / "run")
    shutil.copyfile(finished / "examples.jsonl", folder / "human.jsonl")
    (folder / "sweep.yaml").write_text("dataset: run\nout: new\ngrid:\n  chunk_size: [256]\n", "utf-8")
    (folder / "people.csv").write_text("subject_id,annotator,task,value\nq1,ana,label,summary\n", "utf-8")
    (folder / "page.html").write_text("<title>mine</title>", "utf-8")
    for name in ("empty", "mine", "broken"):
        (folder / name).mkdir()
    (folder / "mine" / "thesis.txt").write_text("ten years of work", "utf-8")
    for name in ("empty.jsonl", "empty.yaml", "empty.toml"):
        (folder / name).touch()
    for name in ("broken.jsonl", "broken/examples.jsonl", "broken/scores.jsonl", "broken/documents.jsonl"):
        (folder / name).write_text('{"id": "half of a li\n', "utf-8")
    (folder / "broken/summary.json").write_text("{", "utf-8")
    (folder / "broken.yaml").write_text("dataset: [run", "utf-8")
    (folder / "broken.toml").write_text("dataset = [", "utf-8")
    (folder / "broken.csv").write_text("a,b\n1,2\n", "utf-8")
    return folder


def held(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


@pytest.mark.parametrize(("line", "code"), CASES)
def test_equal_faults_have_equal_codes(
    cli: Cli, place: Path, monkeypatch: pytest.MonkeyPatch, line: str, code: int
) -> None:
    monkeypatch.chdir(place)
    before = held(place)
    outcome = cli(*shlex.split(line.replace("SYSTEMS", SYSTEMS)))
    assert outcome.code == code, outcome.err
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    assert outcome.err.splitlines()[-1].startswith(("ragassay: ", "Error: "))
    assert held(place) == before


def test_every_command_is_in_the_table() -> None:
    commands = set(app.list_commands(click.Context(app)))
    named = {line.values[0].split()[0] for line in CASES}
    assert commands - {"train", "schema", "scenario", "judge"} <= named
