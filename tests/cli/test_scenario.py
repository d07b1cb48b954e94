"""``ragassay schema`` and ``ragassay scenario`` as a user meets them."""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
FILES = {"documents.jsonl", "examples.jsonl", "configurations.jsonl", "schema.toml", "scenario.json"}


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    folder = tmp_path / "seeds"
    folder.mkdir()
    for name, built, refitted, port in (
        ("Grey Heron", "4 May 1998", "12 June 2010", "Lund"),
        ("Blue Gull", "9 May 2001", "1 July 2009", "Oskay"),
        ("Old Tern", "3 March 1997", "20 August 2006", ""),
    ):
        lines = [f"# {name}", "", f"Ship: {name}", f"Built: {built}", f"Refitted: {refitted}", f"Home port: {port}"]
        text = "\n".join(line for line in lines if not line.endswith(": ")) + "\n\nThe yearly cost was $3.1 million.\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_a_disk_without_room_leaves_no_half_of_a_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The half stood in the way of the next try."""
    mine, write = tmp_path / "mine.toml", Path.write_text

    def full(path: Path, text: str, *given: Any, **more: Any) -> int:
        write(path, text[:20], *given, **more)
        raise OSError(28, "No space left on device", str(path))

    for command in (("scenario", "schema", "law", "--out", mine), ("list", "prompts", "theme", "--write", tmp_path)):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_text", full)
            outcome = cli(*command)
        assert (outcome.code, outcome.err.count("(No space left on device)")) == (4, 1)
        assert list(tmp_path.iterdir()) == []
        assert cli(*command).code == 0
        mine.unlink(missing_ok=True)


def test_a_shipped_schema_is_copied_edited_checked_and_used(cli: Cli, tmp_path: Path) -> None:
    mine, out = tmp_path / "mine.toml", tmp_path / "out"
    assert cli("scenario", "schema", "law", "--language", "zh", "--out", mine).code == 0
    assert cli("scenario", "schema", "law", "--out", mine).err.count("already exists") == 1
    mine.write_text(mine.read_text("utf-8").replace("青浦湾区人民法院", "红叶区人民法院"), encoding="utf-8")
    assert "law (zh) is consistent: 4" in cli("scenario", "schema", mine).out
    made = cli("scenario", "generate", "--schema", mine, "--documents", "6", "--n", "30", "--out", out, "--json").json
    assert (made["examples"], made["language"], made["missing"]) == (30, "zh", [])
    assert {each.name for each in out.iterdir()} == FILES
    checked = cli("scenario", "check", out, "--json")
    assert (checked.code, checked.json["faults"]) == (0, [])
    assert sum(each["examples"] for each in checked.json["types"].values()) == 30


def test_a_folder_is_replaced_only_when_told_and_then_byte_by_byte(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("scenario", "generate", "--schema", "medicine", "--documents", "3", "--n", "12", "--out", out)
    assert "no faults" not in cli(*arguments).out
    first = {name: (out / name).read_bytes() for name in FILES}
    again = cli(*arguments)
    assert (again.code, "replace it with --overwrite" in again.err) == (4, True)
    for name in ("run.json", "scores.jsonl"):
        (out / name).write_text("{}\n")  # of a run of `synthesize`, which may be replaced too
    assert cli(*arguments, "--overwrite").code == 0
    assert {each.name for each in out.iterdir()} == FILES
    assert {name: (out / name).read_bytes() for name in FILES} == first
    assert "no faults" in cli("scenario", "check", out).out


@pytest.fixture
def few_names(cli: Cli, tmp_path: Path) -> Path:
    """The shipped schema finance with names for two companies."""
    schema = tmp_path / "few_names.toml"
    assert cli("scenario", "schema", "finance", "--out", schema).code == 0
    company = r"(\[fields\.company\]\n(?:.+\n)*?parts = )\[[\s\S]*?\](?=\n(?:\w|\n))"
    text, made = re.subn(company, r'\1[["Norvik", "Oskay"], ["plc"]]', schema.read_text("utf-8"))
    assert made == 1
    schema.write_text(text, encoding="utf-8")
    return schema


def test_one_that_cannot_be_made_leaves_what_was_there(cli: Cli, few_names: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    outcome = cli("scenario", "generate", "--schema", few_names, "--documents", "9", "--out", out)
    assert (outcome.code, list(out.iterdir())) == (3, [])
    assert "has no more names after 2 documents; add parts or options to it, or make fewer documents" in outcome.err
    arguments = ("scenario", "generate", "--schema", few_names, "--documents", "2", "--n", "9", "--out", out)
    assert cli(*arguments).code == 0
    before = {name: (out / name).read_bytes() for name in FILES}
    assert cli(*arguments[:4], "--documents", "9", "--out", out, "--overwrite").code == 3
    assert {each.name: each.read_bytes() for each in out.iterdir()} == before


def test_what_was_tampered_with_is_found(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    cli(
        "scenario",
        "generate",
        "--schema",
        "finance",
        "--documents",
        "2",
        "--n",
        "10",
        "--types",
        "factual",
        "--out",
        out,
    )
    rows = [json.loads(line) for line in (out / "examples.jsonl").read_text("utf-8").splitlines()]
    rows[0]["references"][0]["start"] += 1
    rows[1]["keypoints"] = ["It had 987654 visitors."]
    (out / "examples.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    checked = cli("scenario", "check", out)
    assert checked.code == 3
    assert "2 faults" in checked.err
    assert "'987654'" in checked.out


def test_too_few_examples_are_an_error_where_that_was_asked_for(cli: Cli, tmp_path: Path) -> None:
    arguments = ("--documents", "2", "--n", "90", "--types", "summarization", "--strict")
    outcome = cli("scenario", "generate", "--schema", "law", *arguments, "--out", tmp_path / "out")
    assert outcome.code == 5
    assert "12 of 90 summarization" in " ".join(outcome.out.split())


def test_what_a_killed_one_left_is_no_obstacle(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / ".part").mkdir(parents=True)
    (out / ".part" / "documents.jsonl").write_text("half", "utf-8")
    (out / "progress.json").write_text('{"command": "scenario", "stage": "writing", "done": 0}', "utf-8")
    arguments = ("scenario", "generate", "--schema", "law", "--documents", "3", "--n", "12", "--out", out)
    assert cli(*arguments).code == 0
    assert {each.name for each in out.iterdir()} == FILES
    (out / ".lock").touch()
    with (out / ".lock").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        refused = cli(*arguments, "--overwrite")
    assert (refused.code, "another run is using" in refused.err) == (4, True)
    assert cli("scenario", "check", out).code == 0
