"""Every example of the documentation and of the help texts fits the command line, and the functions, as they are.

Those of the pages that can be run in a moment are run by tests of their own; here nothing is.
"""

from __future__ import annotations

import ast
import inspect
import re
import shlex
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import ragassay
from ragassay.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "examples" / "gated" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_ROOT = click.Context(app)
COMMAND: Any = click.Group("ragassay", {name: app.get_command(_ROOT, name) for name in app.list_commands(_ROOT)})


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def commands_in(text: str) -> list[list[str]]:
    """The words behind ``ragassay`` of every line that calls a command."""
    called = (shlex.split(line, comments=True) for line in text.replace("\\\n", " ").splitlines())
    calls = [
        words[1:] for words in called if words and Path(words[0]).name == "ragassay" and words[1:] != ["--version"]
    ]
    return [words[: words.index(">")] if ">" in words else words for words in calls]


def leaves(command: Any, name: str = "ragassay") -> Iterator[tuple[str, Any]]:
    for each, sub in getattr(command, "commands", {}).items():
        yield from leaves(sub, f"{name} {each}")
    if not getattr(command, "commands", {}):
        yield name, command


def _whole(block: str) -> str:
    """A line out of a function as a program."""
    return textwrap.dedent(block).replace("return ", "", 1) if block.startswith(" ") else block


def check(words: list[str]) -> None:
    """Raises what the command line says of an unknown command, option or value."""
    command: Any = COMMAND
    while hasattr(command, "commands"):
        assert words, "no command"
        assert words[0] in command.commands, f"no command {words[0]}"
        command, words = command.commands[words[0]], words[1:]
    command.make_context("ragassay", list(words))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_can_be_typed(page: Path) -> None:
    for words in (words for block in blocks(page, "bash") for words in commands_in(block)):
        check(words)


@pytest.mark.parametrize(
    ("name", "command"), [*leaves(COMMAND)], ids=lambda each: each if isinstance(each, str) else ""
)
def test_the_examples_of_a_help_text_can_be_typed(name: str, command: Any) -> None:
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("ragassay "):
            for words in commands_in(re.sub(r"\n(?!ragassay )", " ", paragraph)):
                check(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_calls_of_a_page_fit_the_functions(page: Path) -> None:
    for node in (node for block in blocks(page, "python") for node in ast.walk(ast.parse(_whole(block)))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if not isinstance(node.func.value, ast.Name) or node.func.value.id != "ragassay":
            continue
        function = getattr(ragassay, node.func.attr)
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            continue
        named = {str(each.arg): None for each in node.keywords}
        inspect.signature(function).bind(*([None] * len(node.args)), **named)
