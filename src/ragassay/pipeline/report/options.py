"""What ``ragassay report`` is asked to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any

from ragassay.errors import UsageError
from ragassay.options import Many, Option, settings, typed_as
from ragassay.pipeline.report.set_report import NOTHING, Beside

_BESIDE, _CALLS = "Beside the run", "Calls to models"


def _baselines(given: Any) -> Any:
    if isinstance(given, Mapping):
        return dict(given)
    found = {}
    for each in given or ():
        name, equals, folder = str(each).partition("=")
        if not (name and equals and folder):
            raise UsageError(f"--baseline: must be NAME=RUN, such as none=runs/none, not {each!r}")
        found[name] = folder
    return found


@settings
class ReportOptions:
    """Which runs are shown, on a page or as text, and what beside them."""

    runs: Annotated[
        tuple[Path, ...],
        Many,
        Option("Folder of a run, or several folders or sets to compare.", metavar="RUN", is_argument=True),
    ]
    out: Annotated[
        Path | None,
        Option(
            "File to write; default: report.html in RUN, if it is a single one. Only replaces a page of Ragassay.",
            metavar="FILE",
            panel="Output",
        ),
    ] = None
    text: Annotated[bool, Option("Print the summary of a finished run; write and compute nothing.")] = False
    calls: Annotated[bool, Option("Count the calls to models: tokens, cost, time, failures.", panel=_CALLS)] = False
    task: Annotated[str | None, Option("Only the calls of this task.", metavar="NAME", panel=_CALLS)] = None
    failed: Annotated[bool, Option("List the calls without a usable answer.", panel=_CALLS)] = False
    example: Annotated[
        str | None, Option("List the calls about the example with this id.", metavar="ID", panel=_CALLS)
    ] = None
    call: Annotated[int | None, Option("Print this call in full.", metavar="ID", panel=_CALLS)] = None
    prices: Annotated[
        Path | None, Option("TOML file with prices of models.", metavar="FILE", panel=_CALLS, is_rare=True)
    ] = None
    against: Annotated[
        Path | None, Option("Another run to compare with, on the same examples.", metavar="RUN_B", panel=_BESIDE)
    ] = None
    system: Annotated[str | None, Option("System of RUN to compare.", metavar="NAME", panel=_BESIDE, is_rare=True)] = (
        None
    )
    against_system: Annotated[
        str | None, Option("System of RUN_B to compare.", metavar="NAME", panel=_BESIDE, is_rare=True)
    ] = None
    baselines: Annotated[
        Mapping[str, Path],
        typed_as(_baselines),
        Option(
            "Run whose ratings are shown for comparison; repeatable.",
            flags=("--baseline",),
            metavar="NAME=RUN",
            panel=_BESIDE,
        ),
    ] = field(default_factory=dict)

    @property
    def beside(self) -> Beside:
        """What is set beside the run."""
        return Beside(
            baselines=self.baselines,
            against=self.against,
            system=self.system,
            against_system=self.against_system,
        )

    def check(self) -> None:
        """Raise UsageError for what does not go together."""
        of_calls = [f"--{name}" for name in ("failed", "example", "call") if getattr(self, name) not in (None, False)]
        if len(of_calls) > 1:
            raise UsageError(f"{' and '.join(of_calls)} cannot be combined; give one of them")
        if not self.calls and (of_calls or self.task or self.prices):
            raise UsageError(f"{(of_calls or ['--task' if self.task else '--prices'])[0]}: needs --calls")
        if self.text and self.calls:
            raise UsageError("--text and --calls cannot be combined; give one of them")
        if (self.text or self.calls) and (self.beside != NOTHING or self.out):
            raise UsageError(f"--{'text' if self.text else 'calls'}: only prints; leave out --out and what is beside")
        if len(self.runs) > 1 and (self.text or self.calls or self.beside != NOTHING):
            raise UsageError("RUN: several sets can only be combined with --out and --json; leave out other options")
