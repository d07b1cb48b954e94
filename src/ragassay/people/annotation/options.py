"""What ``ragassay annotate`` is asked to do."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ragassay.errors import UsageError
from ragassay.options import Count, Group, Many, Names, Option, Paths, Seed, settings

_PAGE, _OUTPUT = "Page", "Instead of a page"


@settings
class RoundOptions:
    """What is judged, by whom."""

    data: Annotated[
        Path | None,
        Option("Examples, in any format that `ragassay convert` reads.", metavar="DATASET", is_argument=True),
    ] = None
    task: Annotated[
        str,
        Option(
            "What to judge: label, critique, quality, correctness, keypoints, preference, triples, statements or "
            "documents; or mend."
        ),
    ] = "label"
    annotators: Annotated[Names, Option("Names of the people, separated by commas.", metavar="NAMES")] = ()
    overlap: Annotated[int | None, Option("People who judge each item; default: all, or 1 for mend.")] = None
    n_items: Annotated[
        Count | None, Option("Number of items, spread over the labels; default: all.", flags=("--items",))
    ] = None
    seed: Annotated[Seed, Option("Random seed of the order, and of who judges what.")] = 0
    predictions: Annotated[
        Paths, Option("JSONL file of answers, if DATASET holds none; repeatable.", metavar="FILE")
    ] = ()
    systems: Annotated[
        tuple[str, ...],
        Many,
        Option("System whose answers are judged; twice for preference.", flags=("--system",), metavar="NAME"),
    ] = ()


@settings
class AnnotateOptions:
    """A round of annotation, and what is done with it: judged on pages, or written."""

    round: Annotated[RoundOptions, Group()] = field(default_factory=RoundOptions)
    out: Annotated[Path, Option("Folder for the annotations.", metavar="FOLDER")]
    export: Annotated[
        Path | None, Option("Write the annotations as .jsonl or .csv and exit.", metavar="FILE", panel=_OUTPUT)
    ] = None
    export_set: Annotated[
        Path | None,
        Option(
            "mend: write what was kept and mended to a file or, with all documents, a folder, and exit.",
            metavar="PATH",
            panel=_OUTPUT,
        ),
    ] = None
    untouched: Annotated[
        bool, Option("With --export-set: also the examples that nobody has judged.", panel=_OUTPUT, is_rare=True)
    ] = False
    overwrite: Annotated[bool, Option("With --export-set: replace the file.", panel=_OUTPUT)] = False
    host: Annotated[str, Option("Address to listen on; by default only this machine can connect.", panel=_PAGE)] = (
        "127.0.0.1"
    )
    port: Annotated[int, Field(ge=0, le=65_535), Option("Port; 0 picks a free one.", panel=_PAGE)] = 8765

    def check(self) -> None:
        """Raise UsageError for what applies to a set alone."""
        for option, is_set in (("--untouched", self.untouched), ("--overwrite", self.overwrite)):
            if is_set and self.export_set is None:
                raise UsageError(f"{option}: only applies with --export-set; add that, or leave this out")
