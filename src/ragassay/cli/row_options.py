"""The options about rows of a data set that commands share: each is declared here once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragassay.datasets.selection import Selection

_ROWS = "Rows"


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows of INPUT are taken, and where their fields stand."""

    map: Annotated[
        list[str] | None,
        typer.Option(
            help="Where a field stands in rows of another form, such as question=inputs.query or "
            "'contexts=outputs.docs[*].text'; repeatable.",
            metavar="FIELD=PLACE",
            rich_help_panel=_ROWS,
        ),
    ] = None
    sample: Annotated[
        int | None, typer.Option(help="Take this many examples, drawn at random with --seed.", rich_help_panel=_ROWS)
    ] = None
    unique: Annotated[
        bool,
        typer.Option("--unique", help="Of questions in the same words, take only the first.", rich_help_panel=_ROWS),
    ] = False
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Take the examples with this label, type, language or field of their documents, such as "
            'domain=finance,language=en or title="A, b=c"; repeatable; all must hold.',
            metavar="FIELD=VALUE",
            rich_help_panel=_ROWS,
        ),
    ] = None


ALL_ROWS = Rows()


def selection_of(rows: Rows, seed: int) -> Selection:
    """The options in the form that pipelines take. Raises UsageError."""
    from ragassay.datasets.mapping import parse_mapping  # imported late: --help answers in half a second
    from ragassay.datasets.only import parse_only
    from ragassay.datasets.selection import Selection

    return Selection(
        mapping=parse_mapping(rows.map or ()),
        only=parse_only(rows.only or ()),
        sample=rows.sample,
        seed=seed,
        unique=rows.unique,
    )
