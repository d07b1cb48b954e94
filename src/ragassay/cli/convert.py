"""``ragassay convert``: a data set in another format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragassay.datasets.format import Record


def convert(
    data: Annotated[
        Path,
        typer.Argument(help="File or folder with a data set, or a run folder.", metavar="INPUT", show_default=False),
    ],
    output: Annotated[
        Path, typer.Argument(help="File to write, or a new folder.", metavar="OUTPUT", show_default=False)
    ],
    from_format: Annotated[
        str | None, typer.Option("--from", help="Format of INPUT, where it cannot be told.", metavar="FORMAT")
    ] = None,
    to_format: Annotated[
        str | None, typer.Option("--to", help="Format of OUTPUT, where its suffix does not say it.", metavar="FORMAT")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="JSONL file of the documents, where INPUT does not hold them.", metavar="PATH")
    ] = None,
    system: Annotated[
        str | None, typer.Option(help="Take the predictions of this system only.", metavar="NAME")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file OUTPUT.")] = False,
) -> None:
    """Write a data set in another format, and say what that format cannot hold.

    Formats: jsonl, parquet, beir, ragas, dragonball, squad, csv. Examples:

    ragassay convert runs/first set.csv

    ragassay convert runs/first for_beir --to beir

    ragassay convert runs/first rows.jsonl --to ragas --system "512 dense"

    ragassay convert dev-v2.0.json squad_set
    """
    from rich.console import Console

    from ragassay.datasets.format import Notes
    from ragassay.datasets.registry import format_for, read_dataset, write_dataset
    from ragassay.report.data_card import print_conversion

    format_for(output, to_format)  # before INPUT is read
    read, written = Notes(), Notes()
    counts: Counter[str] = Counter()
    records = read_dataset(data, format_name=from_format, documents=documents, notes=read)
    chosen = write_dataset(
        output, _counting(records, counts, system), format_name=to_format, notes=written, overwrite=overwrite
    )
    print_conversion(counts, read.counts + written.counts, f"{output} ({chosen.name})", Console())


def _counting(records: Iterator[Record], counts: Counter[str], system: str | None) -> Iterator[Record]:
    """The records as they pass, counted by kind; of predictions those of one system, if one is named."""
    from ragassay.errors import InputError, UsageError
    from ragassay.records import Prediction

    others: set[str] = set()
    for record in records:
        if isinstance(record, Prediction) and system not in (None, record.system):
            others.add(record.system)
            continue
        counts[type(record).__name__.lower()] += 1
        yield record
    if system is not None and not counts["prediction"]:
        known = ", ".join(map(repr, sorted(others)[:20])) or "none"
        raise UsageError(f"--system: no prediction is of {system!r}; the systems there are: {known}")
    if not counts["example"]:
        raise InputError("INPUT holds no example; nothing was written")
