"""Writes build/commands.md, a page of the site: every command with its arguments and options, from the command line.

.venv/bin/python docs/site/commands.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ragassay.cli.app import app
from ragassay.cli.command import help_record

_ROOT = click.Context(app)
PAGE = Path(__file__).resolve().parents[2] / "build" / "commands.md"
HEAD = """# Commands

Every command with all that it takes. Made of the code.
"""


def page() -> str:
    """The whole page."""
    parts = (_command(f"ragassay {name}", app.get_command(_ROOT, name)) for name in app.list_commands(_ROOT))
    return HEAD + "".join(text for part in parts for text in part)


def _command(name: str, command: Any) -> Iterator[str]:
    subcommands = getattr(command, "commands", {})
    yield f"\n## ragassay {name.removeprefix('ragassay ')}\n\n{_prose(command.help or '')}\n"
    if subcommands:
        for each, sub in subcommands.items():
            yield from _command(f"{name} {each}", sub)
        return
    context = click.Context(command, info_name=name)
    rows = [row for each in command.get_params(context) if (row := _row(each, context))]
    if rows:
        yield "\n| Argument or option | Meaning |\n| --- | --- |\n" + "".join(rows)


def _row(parameter: Any, context: Any) -> str | None:
    hidden = getattr(parameter, "hidden", False)
    parameter.hidden = False
    record = help_record(parameter, context)
    if record is None or "--help" in parameter.opts:
        return None
    name, meaning = (" ".join(text.split()) for text in record)
    rare = "" if not hidden else " *(rarely needed)*"
    return f"| `{name}` | {_text(meaning)}{rare} |\n"


def _prose(text: str) -> str:
    """The paragraphs of a help text; an example stands as code."""
    parts = inspect.cleandoc(text).split("\n\n")
    shown = (f"```bash\n{part}\n```" if part.startswith("ragassay ") else _text(part) for part in parts)
    return "\n\n".join(shown).replace("\n```\n\n```bash\n", "\n")


def _text(text: str) -> str:
    """Options as code; nothing is markup that was not meant so."""
    quoted = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"`\1`", _plain(part))
        for part in quoted
    )


def _plain(text: str) -> str:
    return re.sub(r"([*_<\[#|])", r"\\\1", text)


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
