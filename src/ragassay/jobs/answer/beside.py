"""What a run is held against while it is scored: people's verdicts, and another run until it is decided."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from ragassay.options import Option, settings

_PANEL = "People and other runs"


@settings
class BesideOptions:
    """People's verdicts that correct the judge; and when to stop asking in a comparison with another run."""

    people: Annotated[
        Path | None,
        Option(
            "People's verdicts on some of the answers, which correct the judge: a folder of `ragassay annotate --task "
            "correctness` or keypoints, .jsonl or .csv.",
            metavar="ANNOTATIONS",
            panel=_PANEL,
            is_about_work=True,
        ),
    ] = None
    decide_against: Annotated[
        Path | None,
        Option(
            "Run folder of another system: ask in batches, and stop when the first metric is better, worse or within "
            "--margin.",
            metavar="RUN",
            panel=_PANEL,
            is_about_work=True,
        ),
    ] = None
    margin: Annotated[
        float,
        Field(gt=0, lt=1),
        Option("Difference that does not matter, as a share of the metric's range.", panel=_PANEL, is_about_work=True),
    ] = 0.05

    def settings(self) -> dict[str, str]:
        """Return option name to value as text, as reports show them."""
        against = self.decide_against
        return {} if against is None else {"decide against": str(against), "margin": f"{self.margin:g}"}
