"""``ragassay init``: a file of settings to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from ragassay.cli.command import PROJECT_FILE, Command, Job
from ragassay.cli.output import print_json
from ragassay.options import Option, settings

TEMPLATE = Path(__file__).with_name("project.toml")
command = Command(
    Job(
        options="ragassay.cli.init:InitOptions",
        run="ragassay.cli.init:write",
        show="ragassay.cli.init:show",
        has_progress=False,
        reads_file=False,
    ),
    """Write a commented ragassay.toml, which commands read.

    What is typed goes over the file.

    Example: ragassay init
    """,
)


@settings
class InitOptions:
    """Where the file goes."""

    folder: Annotated[Path, Option("Folder of the project.", metavar="FOLDER", is_argument=True)] = Path()
    overwrite: Annotated[bool, Option("Replace a file that is there.")] = False


def write(options: InitOptions) -> Path:
    from ragassay.datasets.registry import whole_output
    from ragassay.errors import InputError, RunFolderError

    if not options.folder.is_dir():
        raise InputError(f"{options.folder} is not a folder; name one that exists")
    path = options.folder / PROJECT_FILE
    if path.is_file() and not options.overwrite:
        raise RunFolderError(f"{path} already exists; replace it with --overwrite")
    with whole_output(path, overwrite=options.overwrite) as part:
        part.write_bytes(TEMPLATE.read_bytes())
    return path


def show(path: Path, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(path)})
    else:
        click.echo(f"{path}: uncomment what you need, then run `ragassay run`")
