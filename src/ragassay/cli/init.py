"""``ragassay init``: a file of settings to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

TEMPLATE = Path(__file__).with_name("project.toml")


def init(
    folder: Annotated[
        Path, typer.Argument(help="Folder of the project.", metavar="FOLDER", show_default=False)
    ] = Path(),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
) -> None:
    """Write a commented ragassay.toml, which run, evaluate and gate read.

    What is typed goes over the file. Example: ragassay init
    """
    from ragassay.datasets.output import whole_output
    from ragassay.errors import InputError, RunFolderError
    from ragassay.pipeline.asking.rubric_file import PROJECT_FILE

    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; name one that exists")
    path = folder / PROJECT_FILE
    if path.is_file() and not overwrite:
        raise RunFolderError(f"{path} already exists; replace it with --overwrite")
    with whole_output(path, overwrite=overwrite) as part:
        part.write_bytes(TEMPLATE.read_bytes())
    typer.echo(f"{path}: uncomment what you need, then run `ragassay run`")
