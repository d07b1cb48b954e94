"""``ragassay convert``: a data set in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.commands import with_late_help
from ragassay.cli.model_arguments import expanded
from ragassay.cli.row_options import ALL_ROWS, Rows, selection_of


def _formats(*, written: bool) -> str:
    from ragassay.datasets.registry import FORMATS

    return ", ".join(each.name for each in FORMATS.values() if (each.write is not None) == written)


@with_late_help(written=lambda: _formats(written=True), read=lambda: _formats(written=False))
@expanded
def convert(
    data: Annotated[
        Path,
        typer.Argument(help="File or folder with a data set, or a run folder.", metavar="INPUT", show_default=False),
    ],
    output: Annotated[
        Path, typer.Argument(help="File to write, or a new folder.", metavar="OUTPUT", show_default=False)
    ],
    from_format: Annotated[
        str | None, typer.Option("--from", help="Format of INPUT; default: detected.", metavar="FORMAT")
    ] = None,
    to_format: Annotated[
        str | None, typer.Option("--to", help="Format of OUTPUT; default: from its suffix.", metavar="FORMAT")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="JSONL file of the documents, if INPUT does not hold them.", metavar="PATH")
    ] = None,
    system: Annotated[
        str | None, typer.Option(help="Only take the predictions of this system.", metavar="NAME")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides what --sample draws.")] = 0,
    rows: Rows = ALL_ROWS,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file OUTPUT.")] = False,
) -> None:
    """Write a data set in another format.

    Also prints what that format cannot hold. Formats: {written}; only read: {read}. Examples:

    ragassay convert runs/first set.csv

    ragassay convert runs/first for_beir --to beir

    ragassay convert runs/first rows.jsonl --to ragas --system "512 dense"

    ragassay convert dev-v2.0.json squad_set

    ragassay convert runs/first training_rows.jsonl --to flan

    ragassay convert traces.jsonl traces_set --from otel --sample 200 --unique

    ragassay convert log.jsonl log_set --map question=inputs.query --map 'contexts=outputs.docs[*].text'
    """
    from ragassay.pipeline.data.converting import convert_dataset
    from ragassay.report.card import blocks_of_conversion
    from ragassay.report.terminal import show

    done = convert_dataset(
        data,
        output,
        from_format=from_format,
        to_format=to_format,
        documents=documents,
        selection=selection_of(rows, seed),
        system=system,
        overwrite=overwrite,
    )
    show(blocks_of_conversion(done.records, done.notes, f"{output} ({done.format})"))
