"""``ragassay prompts``: what language models are told, to read and to change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.output import AsJson, print_json, write_new

if TYPE_CHECKING:
    from ragassay.tasks.base import Task
    from ragassay.tasks.prompts import PromptOverrides


def prompts(
    task: Annotated[str | None, typer.Argument(help="Name of a task; default: all.", metavar="TASK")] = None,
    write: Annotated[
        Path | None, typer.Option(help="Write <task>.md files to edit into this folder; replaces no file.")
    ] = None,
    own: Annotated[Path | None, typer.Option("--prompts", help="Folder with your own <task>.md files.")] = None,
    as_json: AsJson = False,
) -> None:
    """List, show or export the prompts for language models.

    Examples:

    ragassay prompts

    ragassay prompts label

    ragassay prompts label --write my-prompts

    ragassay prompts --prompts my-prompts
    """
    from ragassay.tasks.catalogue import TASKS
    from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, system_text

    overrides = PromptOverrides.from_folder(own) if own else NO_OVERRIDES
    chosen = [_named(task, TASKS)] if task is not None else list(TASKS.values())
    if write is not None:
        _print_written(_written(chosen, overrides, write), as_json)
    elif as_json:
        found = [_described(each, overrides) for each in chosen]
        print_json(found[0] if task is not None else {"tasks": found})
    elif task is not None:
        typer.echo(system_text(chosen[0], overrides))
    else:
        _print_list(chosen, overrides)


def _named(name: str, tasks: dict[str, Task[Any, Any]]) -> Task[Any, Any]:
    from difflib import get_close_matches

    from ragassay.errors import UsageError

    if name in tasks:
        return tasks[name]
    near = get_close_matches(name, tasks, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"unknown task {name!r}{hint or '; `ragassay prompts` lists the tasks'}")


def _described(task: Task[Any, Any], overrides: PromptOverrides) -> dict[str, Any]:
    from ragassay.tasks.prompts import prompt_hash, system_text

    return {
        "name": task.name,
        "version": task.version,
        "source": task.source,
        "prompt_hash": prompt_hash(task, overrides),
        "own_prompt": task.name in overrides.prompts,
        "prompt": overrides.prompt_of(task),
        "system_text": system_text(task, overrides),
        "reply_schema": task.filled_in.model_json_schema(),
    }


def _print_list(tasks: Sequence[Task[Any, Any]], overrides: PromptOverrides) -> None:
    from ragassay.tasks.prompts import prompt_hash

    rows = [("TASK", "VERSION", "PROMPT HASH", "SOURCE")]
    for task in tasks:
        own = task.name in overrides.prompts
        mark = " (your own)" if own else ""
        rows.append((task.name, str(task.version), prompt_hash(task, overrides) + mark, task.source))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        typer.echo("  ".join([*(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)), row[3]]))


def _written(tasks: Iterable[Task[Any, Any]], overrides: PromptOverrides, folder: Path) -> list[Path]:
    """The files made, one for each task; none at all where one is there already."""
    from ragassay.errors import RunFolderError

    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"--write: {folder} is a file; name a folder")
    texts = {folder / f"{task.name}.md": f"{overrides.prompt_of(task).strip()}\n" for task in tasks}
    write_new(texts, "--write")
    return list(texts)


def _print_written(files: Sequence[Path], as_json: bool) -> None:
    if as_json:
        print_json({"written": [str(file) for file in files]})
        return
    for file in files:
        typer.echo(str(file))
