"""Write docs/settings.md from the declarations: every setting once, with the commands that take it.

.venv/bin/python docs/make_settings_page.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from ragassay.cli.app import app
from ragassay.options import Setting, settings_of, shown_value

PAGE = Path(__file__).parent / "settings.md"
HEAD = """# Settings

Every setting once, with its default and the commands that take it. On the command line it is an option; in
`ragassay.toml` a key with underscores in the table of the command, and in `[models]` for those about models, calls and
spending; in Python a keyword argument. Rare ones, marked with *, are left out of the help of commands. Made of the code
by `python docs/make_settings_page.py`.
"""


def commands(group: Any, name: str = "") -> Iterator[tuple[str, tuple[Setting, ...]]]:
    """Yield every command by its whole name, with its settings."""
    context = click.Context(group)
    for each in group.list_commands(context):
        command = group.get_command(context, each)
        if hasattr(command, "list_commands"):
            yield from commands(command, f"{each} ")
        else:
            yield name + each, settings_of(command.kind)


def page() -> str:
    """Return the page."""
    known: dict[tuple[str, str, str], tuple[Setting, list[str]]] = {}
    for name, settings in commands(app):
        for each in settings:
            known.setdefault((each.option.panel, each.said, each.option.help), (each, []))[1].append(name)
    of_models = max((takers for _, takers in known.values()), key=len)
    rows: dict[str, list[str]] = {}
    for (panel, said, words), (each, takers) in known.items():
        is_plain = isinstance(each.default, str | int | float | tuple | Mapping)
        default = shown_value(each.default).replace("|", "\\|") if is_plain else ""
        name = f"`{each.key}`" if each.option.is_in_file else f"`{said}`{'*' if each.option.is_rare else ''}"
        cells = (name, default, words.replace("|", "\\|"), "*models*" if takers == of_models else ", ".join(takers))
        place = "Keys of the file of `sweep`" if each.option.is_in_file else panel
        rows.setdefault("Arguments" if each.option.is_argument else place, []).append(f"| {' | '.join(cells)} |")
    head = "| Setting | Default | Meaning | Commands |\n| --- | --- | --- | --- |"
    head_of_page = HEAD + f"\nCommands called *models* here: {', '.join(of_models)}.\n"
    return head_of_page + "".join(
        f"\n## {panel}\n\n{head}\n" + "\n".join(lines) + "\n" for panel, lines in rows.items()
    )


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
