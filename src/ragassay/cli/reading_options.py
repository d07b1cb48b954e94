"""The options about reading documents that commands share: each is declared here once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragassay.corpus.read import ReadOptions

_DOCUMENTS = "Documents"


@dataclass(frozen=True, slots=True)
class Reading:
    """How documents are read, and the limits for one of them."""

    text_field: Annotated[
        str | None, typer.Option(help="Field of JSONL records that holds the text.", rich_help_panel=_DOCUMENTS)
    ] = None
    title_field: Annotated[
        str | None,
        typer.Option(help="Field of JSONL records that holds the title.", rich_help_panel=_DOCUMENTS, hidden=True),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            help="Encoding of text files that are not UTF-8, such as cp1252; else what they declare, or a guess.",
            rich_help_panel=_DOCUMENTS,
            hidden=True,
        ),
    ] = None
    max_document_mb: Annotated[
        float,
        typer.Option(
            help="Skip files, JSONL records and texts larger than this.", rich_help_panel=_DOCUMENTS, hidden=True
        ),
    ] = 20
    max_document_seconds: Annotated[
        float,
        typer.Option(help="Skip documents that take longer to read.", rich_help_panel=_DOCUMENTS, hidden=True),
    ] = 60
    follow_links: Annotated[
        bool,
        typer.Option(
            "--follow-links",
            help="Also follow symbolic links that lead out of DOCS.",
            rich_help_panel=_DOCUMENTS,
            hidden=True,
        ),
    ] = False


DEFAULT_READING = Reading()


def read_options(reading: Reading) -> ReadOptions:
    """The options in the form that pipelines take."""
    from ragassay.corpus.read import ReadOptions  # imported late: --help answers in half a second

    return ReadOptions(**asdict(reading))
