"""``ragassay check``: what a data set is made of, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragassay.cli.output import AsJson, print_json


def check(
    data: Annotated[
        Path,
        typer.Argument(help="File or folder with a data set, or a run folder.", metavar="INPUT", show_default=False),
    ],
    from_format: Annotated[
        str | None, typer.Option("--from", help="Format of INPUT; default: detected.", metavar="FORMAT")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="JSONL file of the documents, if INPUT does not hold them.", metavar="PATH")
    ] = None,
    show: Annotated[int, typer.Option(min=0, help="Print at most N findings.", metavar="N")] = 20,
    as_json: AsJson = False,
) -> None:
    """Describe a data set and list its faults.

    Checks the places of references, ids, duplicates and empty texts. Exits with code 3 if there is an error; warnings
    do not count. Examples:

    ragassay check runs/first

    ragassay check queries.jsonl --documents documents.jsonl
    """
    from ragassay.errors import InputError
    from ragassay.pipeline.data.checking import check_dataset
    from ragassay.report.card import blocks_of_card, blocks_of_findings, card_object
    from ragassay.report.terminal import show as print_blocks

    checked = check_dataset(data, from_format=from_format, documents=documents)
    if as_json:
        found = {**card_object(checked.card, checked.findings, checked.format, show), "notes": checked.notes}
        print_json(found)
    else:
        print_blocks([*blocks_of_card(checked.card), *blocks_of_findings(checked.findings, show)])
    if not checked.card.examples and not checked.findings.errors:
        raise InputError(f"{data} holds no examples")
    if checked.findings.errors:
        raise typer.Exit(InputError.exit_code)
