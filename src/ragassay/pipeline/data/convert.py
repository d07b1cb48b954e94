"""What ``ragassay convert`` does: a set in another format, what it is made of, or the results of a run for a tool."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ragassay.datasets.selection import Selection
from ragassay.errors import UsageError
from ragassay.options import Group, Option, settings
from ragassay.pipeline.data.checking import CheckedSet, check_dataset
from ragassay.pipeline.data.converting import Converted, convert_dataset
from ragassay.pipeline.data.exporting import TARGETS, export_run, system_for

_OUTPUT = "Output"


@settings
class ConvertOptions:
    """Which set or run is written where, and as what."""

    data: Annotated[Path, Option("File or folder with a data set, or a run folder.", metavar="DATA", is_argument=True)]
    output: Annotated[
        Path | None,
        Option(
            "File to write, or a new folder. Without it, DATA is described and its faults are listed.",
            metavar="OUTPUT",
            is_argument=True,
            is_about_work=True,
        ),
    ] = None
    to_format: Annotated[
        str | None,
        Option(
            "Format of OUTPUT, or scores (a table, .csv or .parquet), datasets or mlflow for the results of a run; "
            "default: from its suffix.",
            flags=("--to",),
            metavar="FORMAT",
        ),
    ] = None
    from_format: Annotated[
        str | None, Option("Format of DATA; default: detected.", flags=("--from",), metavar="FORMAT")
    ] = None
    documents: Annotated[
        Path | None, Option("JSONL file of the documents, if DATA does not hold them.", metavar="PATH")
    ] = None
    system: Annotated[str | None, Option("Only take the predictions of this system.", metavar="NAME")] = None
    rows: Annotated[Selection, Group(frozenset({"only"}))] = field(default_factory=Selection)
    overwrite: Annotated[bool, Option("Replace the file OUTPUT.", panel=_OUTPUT, is_about_work=True)] = False
    tracking_uri: Annotated[
        str | None,
        Option("MLflow server to send the run to, with --to mlflow.", metavar="URL", panel=_OUTPUT, is_rare=True),
    ] = None
    show: Annotated[int, Field(ge=0), Option("Print at most N findings.", metavar="N", panel=_OUTPUT, is_rare=True)] = (
        20
    )


def convert(options: ConvertOptions) -> Converted | CheckedSet:
    """Write a set or the results of a run, or check a set where no output is named. Raises as its parts do."""
    to = options.to_format
    if to == "mlflow" or options.tracking_uri is not None or (to in TARGETS and options.output is not None):
        if options.rows != Selection() or options.from_format or options.documents:
            raise UsageError(f"--to {to}: a run is written as it is; leave out options of rows")
        return export_run(
            options.data,
            options.output,
            to=to or "",
            system=options.system,
            overwrite=options.overwrite,
            tracking_uri=options.tracking_uri,
        )
    if options.output is None:
        if to is not None or options.system is not None or options.overwrite or options.rows != Selection():
            raise UsageError("OUTPUT: missing; name a file or folder to write, or leave out options of writing")
        return check_dataset(options.data, from_format=options.from_format, documents=options.documents)
    return convert_dataset(
        options.data,
        options.output,
        from_format=options.from_format,
        to_format=to,
        documents=options.documents,
        selection=options.rows,
        system=system_for(options.data, to, options.system),
        overwrite=options.overwrite,
    )
