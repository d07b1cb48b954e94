"""What ``ragassay agree`` is asked to do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ragassay.options import Option, Paths, Seed, settings


@settings
class AgreeOptions:
    """Whose judgements are set against each other, and against which judge's."""

    annotations: Annotated[
        Paths, Option("Folders of `ragassay annotate`, .jsonl or .csv files.", metavar="ANNOTATIONS", is_argument=True)
    ]
    against: Annotated[
        Path | None, Option("Output of the judge: a data set, a run folder or a file of scores.", metavar="PATH")
    ] = None
    metric: Annotated[str | None, Option("Score to compare with people's ratings and preferences.", metavar="NAME")] = (
        None
    )
    task: Annotated[
        str | None, Option("Only this task; the part before a colon takes all that begin so.", metavar="NAME")
    ] = None
    seed: Annotated[Seed, Option("Random seed of the intervals.")] = 0
    out: Annotated[
        Path | None,
        Option("HTML page to write, with all tables and figures; only replaces such a page.", metavar="FILE"),
    ] = None
