"""Write docs/settings.md from the declarations: every setting once, under the commands that take it.

.venv/bin/python docs/make_settings_page.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ragassay.cli.app import app
from ragassay.options import Setting, settings_of, shown_value

PAGE = Path(__file__).parent / "settings.md"
HEAD = """# Settings

Every setting, under the commands that take it, with its default in brackets; switches are off by default. On the
command line it is an option. In `ragassay.toml` it is a key, with underscores, in the table of the command, or in
`[models]` if it is about models, calls or spending. In Python it is a keyword argument. The help of commands leaves
out rare settings, marked with *; it has the arguments too, which are not repeated here. Made from the code by `python
docs/make_settings_page.py`.
"""
FEWEST_OF_ALL = 9
"""Commands from which on a group is written as all but some."""


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
        for each in (each for each in settings if not each.option.is_argument):
            known.setdefault((each.option.panel, each.said, each.option.help), (each, []))[1].append(name)
    of_models = max((takers for _, takers in known.values()), key=len)
    panels: dict[str, dict[str, list[str]]] = {}
    for (panel, said, meaning), (setting, takers) in known.items():
        place = "Keys of the file of `sweep`" if setting.option.is_in_file else panel
        groups = panels.setdefault(place, {})
        groups.setdefault(_shown_commands(takers, of_models), []).append(f"- {_shown_name(setting, said)}: {meaning}")
    head = HEAD + f"\nThe *model commands* are {', '.join(of_models)}.\n"
    return head + "".join(f"\n## {panel}\n{_listed(groups)}" for panel, groups in panels.items())


def _listed(groups: Mapping[str, Sequence[str]]) -> str:
    return "".join(f"\n**{takers}**\n\n" + "\n".join(lines) + "\n" for takers, lines in groups.items())


def _shown_commands(takers: Sequence[str], of_models: Sequence[str]) -> str:
    """The commands of a group; those that ask models by a common name."""
    others = [name for name in of_models if name not in takers]
    if len(takers) < FEWEST_OF_ALL or len(takers) + len(others) != len(of_models):
        return ", ".join(takers)
    return f"model commands{' except ' if others else ''}{', '.join(others)}"


def _shown_name(setting: Setting, said: str) -> str:
    if setting.option.is_in_file:
        said = setting.key
    mark = "*" if setting.option.is_rare and not setting.option.is_in_file else ""
    is_shown = setting.default is not False and isinstance(setting.default, str | int | float | tuple | Mapping)
    default = shown_value(setting.default) if is_shown else ""
    return f"`{said}`{mark}{f' ({default})' if default else ''}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
