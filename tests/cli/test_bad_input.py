"""Every bad input: a right exit code, one clear sentence that names it, and nothing half-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.registry import FORMATS

Cli = Callable[..., Any]


def one_sentence(err: str) -> str:
    """The one line on standard error, without the program's name."""
    lines = err.splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("ragassay: ")
    return lines[0].removeprefix("ragassay: ")


def refused(outcome: Any, code: int, *said: str) -> None:
    assert outcome.code == code, outcome.err
    assert outcome.out == ""
    sentence = one_sentence(outcome.err)
    for each in said:
        assert each in sentence


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--n", "0"), "--n: must be at least 1, not 0"),
        (("--n", "-5"), "--n: must be at least 1, not -5"),
        (("--mix", "fact_single=.5,summary=.2"), "--mix: shares must add up to 1, not 0.7"),
        (("--mix", "trivia=1"), "--mix: unknown label 'trivia'; choose from fact_single, summary, reasoning"),
        (("--mix", "fact_single=all"), "--mix: the share of fact_single must be a number, not 'all'"),
        (("--model", "oracle"), "--model: unknown kind of model 'oracle';"),
        (("--chunk-sizes", "a,b"), "--chunk-sizes: 'a,b' must be whole numbers, such as 256,512,"),
        (("--chunk-sizes", ""), "--chunk-sizes: '' must be whole numbers, such as 256,512,"),
        (("--chunk-sizes", "0"), "--chunk-sizes: must be at least 1, not 0"),
    ],
)
def test_options_that_cannot_be_meant(
    cli: Cli, documents: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    refused(cli("run", documents, "--out", tmp_path / "run", *arguments), 2, said)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to(
    cli: Cli, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "run").mkdir()
    with monkeypatch.context() as patch:  # not chmod: the tests may run as root, who may write anywhere
        patch.setattr(Path, "write_text", denied)
        outcome = cli("run", documents, "--out", tmp_path / "run")
    refused(outcome, 4, "--out: ", "run cannot be written (Permission denied); free some space, or name another folder")
    assert list((tmp_path / "run").iterdir()) == []


def test_more_examples_than_the_documents_give(cli: Cli, documents: Path, tmp_path: Path) -> None:
    arguments = ("run", documents, "--out", tmp_path / "run", "--n", "500", "--chunk-sizes", "512", "--json")
    outcome = cli(*arguments)
    assert outcome.code == 0
    found = outcome.json
    assert found["requested"] == {"fact_single": 200, "summary": 100, "reasoning": 100, "unanswerable": 100}
    assert found["examples"] + sum(found["missing"].values()) == 500
    summary = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))
    for each in summary["composition"]["missing"]:
        assert each["reason"].startswith("these documents yield no more questions without")
    strict = cli(*arguments, "--strict")
    assert strict.code == 5
    assert strict.json["examples"] == found["examples"]
    sentence = one_sentence(strict.err)
    assert sentence.startswith("--strict: missing")
    for label, count in found["missing"].items():
        assert f"{count} {label}" in sentence


def test_documents_without_a_question(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "short.md").write_text("# Hello\n\nNothing to see.\n", "utf-8")
    outcome = cli("run", tmp_path / "short.md", "--out", tmp_path / "run", "--json")
    assert outcome.code == 5
    assert one_sentence(outcome.err).startswith(f"no examples could be made from {tmp_path / 'short.md'}; see")
    assert "A language model (--model) finds questions" in outcome.err
    assert cli("synthesize", tmp_path / "short.md", "--out", tmp_path / "set").code == 5
    assert outcome.json["examples"] == 0
    assert outcome.json["missing"] == outcome.json["requested"]
    assert outcome.json["best"] == {}
    assert Path(outcome.json["report"]).is_file()
    tables = cli("report", tmp_path / "run", "--text")
    assert "0 of the 100 questions asked for were made" in tables.out
    assert "No setting was scored." in tables.out
    assert "these documents yield no more questions without a language model" in " ".join(tables.out.split())
    strict = cli("run", tmp_path / "short.md", "--out", tmp_path / "run", "--strict")
    assert strict.code == 5


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes there only")
def test_a_folder_whose_name_is_no_text(cli: Cli, documents: Path, tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/docs-\xff"
    os.mkdir(odd)
    for path in documents.iterdir():
        with open(odd + b"/\xfe" + os.fsencode(path.name), "wb") as file:
            file.write(path.read_bytes())
    done = cli("run", os.fsdecode(odd), "--out", tmp_path / "run", "--n", "3", "--chunk-sizes", "512", "--json")
    assert done.code == 0, done.err
    assert done.json["examples"] == 3
    (tmp_path / "run" / "report.html").read_text("utf-8")


def test_an_empty_argument_is_not_the_folder_that_one_is_in(process: Cli, tmp_path: Path) -> None:
    outcome = process("run", "", "--out", tmp_path / "run")
    assert outcome.code == 2
    assert one_sentence(outcome.err).startswith("an argument is empty")
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_an_output_without_room() -> None:
    command = [sys.executable, "-m", "ragassay", "list", "metrics", "--json"]
    with open("/dev/full", "w") as full:
        outcome = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert outcome.returncode == 4
    assert one_sentence(outcome.stderr).startswith("the output cannot be written")


USES = [
    (3, "convert", "{place}"),
    (3, "report", "{place}", "--text"),
    (3, "convert", "{place}", "set.csv"),
    (3, "evaluate", "--metrics", "none", "{place}", "--system", "no-retrieval", "--out", "run"),
    (3, "evaluate", "{place}", "--metrics", "exact_match"),
    (3, "run", "{place}", "--out", "run"),
    (3, "compare", "{place}", "{place}"),
    (3, "judge", "check", "{place}"),
    (3, "scenario", "schema", "{place}", "--model", "ollama:m", "--out", "made.toml"),
    (3, "evaluate", "--metrics", "none", "{documents}", "--system", "recorded:{place}", "--out", "run"),
    (4, "run", "{documents}", "--out={place}"),
    (4, "label", "{documents}", "--out", "{place}.jsonl"),
    (4, "scenario", "schema", "law", "--out", "{place}"),
    (4, "list", "prompts", "--write", "{place}"),
]


@pytest.mark.parametrize("kind", ["Permission denied", "File name too long", "symbolic link"])
@pytest.mark.parametrize("use", USES, ids=lambda use: " ".join(use[1:3]))
def test_places_that_cannot_be_looked_at(
    cli: Cli, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, use: tuple[Any, ...]
) -> None:
    """One sentence, whichever of all the lines that open files meets them first."""
    place = tmp_path / ("n" * 300 if kind == "File name too long" else "locked") / "x"
    if kind == "symbolic link":
        place.parent.symlink_to(tmp_path / "locked")
    code, *arguments = use

    def denying(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *given: Any, **more: Any) -> Any:
            if not isinstance(path, int) and os.fspath(path).startswith(str(place.parent) + os.sep):
                raise PermissionError(13, "Permission denied", path)
            return real(path, *given, **more)

        return call

    monkeypatch.chdir(tmp_path)
    if kind == "Permission denied":  # not chmod: the tests may run as root, who may look anywhere
        for name in ("stat", "lstat", "open", "mkdir", "scandir", "listdir"):
            monkeypatch.setattr(os, name, denying(getattr(os, name)))
        monkeypatch.setattr("io.open", denying(open))
    outcome = cli(*(each.format(place=place, documents=documents) for each in arguments))
    assert outcome.code in ((2, code) if kind == "symbolic link" else (code,)), outcome.err
    assert len(one_sentence(outcome.err)) < 500


@pytest.mark.parametrize("stream", [1, 2])
def test_a_stream_that_was_closed_before(documents: Path, stream: int) -> None:
    command = f"exec {sys.executable} -m ragassay convert {documents / 'bridge.md'} {stream}>&-"
    outcome = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert outcome.returncode == 3
    assert outcome.stderr.count("\n") == (1 if stream == 1 else 0)


@pytest.mark.parametrize("module", ["ragassay.cli.app", "ragassay.cli.sets", "ragassay.documents.read"])
def test_a_stop_while_something_is_imported(module: str) -> None:
    program = (
        f"import sys\nclass Stop:\n    def find_spec(name, *_):\n        if name == {module!r}:\n"
        "            raise KeyboardInterrupt\nsys.meta_path.insert(0, Stop)\nfrom ragassay.cli import main\n"
        "sys.argv = ['ragassay', 'run', '.']\nmain()\n"
    )
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert outcome.returncode == 130
    assert outcome.stderr.startswith("ragassay: stopped")


def test_a_full_disk_is_no_matter_of_redirection(
    cli: Cli, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ragassay.jobs.label.label.to_json", full)
    outcome = cli("label", finished, "--out", tmp_path / "labelled.jsonl")
    assert outcome.code == 4
    said = "a file could not be written (No space left on device); free some space and run the same command again"
    assert outcome.err.splitlines()[-1] == f"ragassay: {said}"


def test_a_reader_that_wants_no_more() -> None:
    """As ``ragassay metrics | head -1``: code 141, and not a word."""
    for arguments in (("list", "metrics"), ("list", "metrics", "--json"), ("list", "metrics", "recall@5")):
        read, write = os.pipe()
        os.close(read)
        try:
            outcome = subprocess.run(
                [sys.executable, "-m", "ragassay", *arguments],
                stdout=write,
                stderr=subprocess.PIPE,
                timeout=60,
                check=False,
            )
        finally:
            os.close(write)
        assert (outcome.returncode, outcome.stderr) == (141, b""), arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "no\x1b]0;such\x07run", "--text"),
        ("run", "no\x1b[2Jsuch", "--out", "x"),
        ("report", "no\x9b31m"),
        ("report", "--\x1b[31m"),
    ],
)
def test_names_cannot_steer_the_terminal(cli: Cli, arguments: tuple[str, ...]) -> None:
    outcome = cli(*arguments)
    assert outcome.code in {2, 3}
    assert not any(sign in outcome.err for sign in "\x1b\x07\x9b")
    assert "⟨U+00" in outcome.err or "\\x" in outcome.err


def test_messages_name_what_the_user_can_write(cli: Any, tmp_path: Path) -> None:
    """Rows of another form than ``--from`` says, rows with nothing to score, a missing CONFIG, keys of CONFIG."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"question": "Who signs?", "contexts": ["The manager."], "ground_truth": "the manager"}\n')
    config = tmp_path / "sweep.toml"
    config.write_text("grdi = 1\n")
    for arguments, code, named in (
        (("convert", str(rows), str(tmp_path / "set"), "--from", "squad"), 3, "rows.jsonl line 1: squad"),
        (("evaluate", str(rows)), 3, "(response)"),
        (("sweep",), 2, "in the file CONFIG"),
        (("sweep", str(config)), 2, "grdi: unknown key; choose one of dataset, out, grid"),
    ):
        outcome = cli(*arguments)
        assert outcome.code == code
        assert named in outcome.err
        assert "format_name" not in outcome.err


def test_help_lists_the_formats_and_says_where_rare_options_are(cli: Any) -> None:
    words = " ".join(cli("convert", "--help").out.split())
    formats = words[words.index("Format of DATA:") :].partition("; default")[0]
    assert {*FORMATS} - {"rows"} <= {*formats.replace(",", "").split()}
    assert "docs/settings.md" in words
