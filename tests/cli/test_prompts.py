"""``ragassay prompts``: reading the prompts, writing them out to edit, and looking at what one's own make of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.critique import LABEL
from ragassay.tasks.prompts import prompt_hash, system_text

Cli = Callable[..., Any]


def test_one_task_is_shown_as_a_model_is_told(cli: Cli) -> None:
    assert cli("list", "prompts", "label").out == system_text(LABEL) + "\n"
    shown = cli("list", "prompts", "label", "--json").json
    assert (shown["prompt"], shown["prompt_hash"], shown["own_prompt"]) == (LABEL.prompt, prompt_hash(LABEL), False)
    assert list(shown["reply_schema"]["properties"]) == ["reason", "label"]
    assert [each["name"] for each in cli("list", "prompts", "--json").json["tasks"]] == list(TASKS)


def test_prompts_are_written_changed_and_read_back(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "prompts"
    written = cli("list", "prompts", "--write", folder)
    assert written.out.splitlines() == [str(folder / f"{name}.md") for name in TASKS]
    assert [each["prompt_hash"] for each in cli("list", "prompts", "--prompts", folder, "--json").json["tasks"]] == [
        prompt_hash(task) for task in TASKS.values()
    ]
    (folder / "label.md").write_text("Say which label holds.", "utf-8")
    changed = cli("list", "prompts", "label", "--prompts", folder, "--json").json
    assert (changed["prompt"], changed["own_prompt"]) == ("Say which label holds.", True)
    assert changed["prompt_hash"] != prompt_hash(LABEL)
    assert cli("list", "prompts", "label", "--prompts", folder).out.startswith(
        "Say which label holds.\n\nReply with one JSON"
    )
    assert "(your own)" in cli("list", "prompts", "--prompts", folder).out


def test_nothing_is_replaced(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "label.md").write_text("mine", "utf-8")
    for arguments in (("label",), ()):
        outcome = cli("list", "prompts", *arguments, "--write", tmp_path)
        assert outcome.code == 4
        assert f"{tmp_path / 'label.md'} already exists; nothing was written" in outcome.err
    assert [each.name for each in tmp_path.iterdir()] == ["label.md"]
    assert (tmp_path / "label.md").read_text("utf-8") == "mine"
    written = cli("list", "prompts", "theme", "--write", tmp_path, "--json")
    assert written.json == {"written": [str(tmp_path / "theme.md")]}
