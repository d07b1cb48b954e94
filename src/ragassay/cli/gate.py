"""``ragassay gate``: is a run good enough for CI to pass?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragassay.cli.command import PROJECT_FILE, Command, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.gate.options import GateOptions
    from ragassay.report.gate import GateResult

command = Command(
    Job(
        options="ragassay.pipeline.gate.options:GateOptions",
        run="ragassay.cli.gate:hold",
        show="ragassay.cli.gate:show",
        check="ragassay.cli.gate:complain",
        has_progress=False,
    ),
    """Check a run against bounds, for CI: exit code 0 if it passes, 9 if it fails.

    A condition passes where the whole 95 % interval is good enough, and fails where none of it is. In between it cannot
    be told from so few questions: that passes with a note, or fails with --strict. --use mean looks at the mean alone.
    --max-drop compares question by question, as `ragassay compare` does.

    Examples:

    ragassay gate runs/new --fail-under faithfulness=.8 --fail-under recall@5=.7@fact_single

    ragassay gate runs/new --baseline runs/main --max-drop recall@5=.02 --junit gate.xml
    """,
)


def hold(options: GateOptions) -> GateResult:
    """Hold the run against the bounds and write what was asked for."""
    from pathlib import Path

    from ragassay.errors import UsageError
    from ragassay.pipeline.asking.asked_metrics import register_rubrics
    from ragassay.pipeline.gate.gate import gate

    if options.run is None:
        raise UsageError("RUN: missing; give it")
    register_rubrics(Path(PROJECT_FILE))  # their ranges and directions
    options.files.check()
    found = gate(options, options.run)
    options.files.write(found)
    return found


def show(done: GateResult, as_json: bool) -> None:
    from ragassay.report.gate import blocks_of_gate, gate_object
    from ragassay.report.terminal import show as print_blocks

    if as_json:
        print_json(gate_object(done))
    else:
        print_blocks(blocks_of_gate(done))


def complain(done: GateResult, _: GateOptions) -> None:
    """Raise GateError where the run is not good enough."""
    from ragassay.errors import GateError
    from ragassay.report.gate import condition_words

    if not done:
        raise GateError(f"the gate failed: {'; '.join(condition_words(each.condition) for each in done.failing)}")
