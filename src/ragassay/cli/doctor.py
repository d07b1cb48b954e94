"""``ragassay doctor``: can Ragassay work here?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json
from ragassay.options import settings

if TYPE_CHECKING:
    from ragassay.pipeline.doctor import Check

command = Command(
    Job(
        options="ragassay.cli.doctor:DoctorOptions",
        run="ragassay.cli.doctor:examine",
        show="ragassay.cli.doctor:show",
        check="ragassay.cli.doctor:complain",
        has_progress=False,
        reads_file=False,
    ),
    """Check this installation: weights, cache folder, settings, keys.

    Fetches nothing, and prints no key. Exit code 6 if something stops a run.

    Examples:

    ragassay doctor

    ragassay doctor --json
    """,
)


@settings
class DoctorOptions:
    """None."""


def examine(_: DoctorOptions) -> Sequence[Check]:
    from ragassay.cli.app import COMMANDS
    from ragassay.pipeline.doctor import check_installation

    return check_installation(COMMANDS)


def show(checks: Sequence[Check], as_json: bool) -> None:
    from ragassay.pipeline.doctor import blocks_of_checks, checks_object
    from ragassay.report.terminal import show as print_blocks

    if as_json:
        print_json(checks_object(checks))
    else:
        print_blocks(blocks_of_checks(checks))


def complain(checks: Sequence[Check], _: DoctorOptions) -> None:
    """Raise ModelError for what stops a run."""
    from ragassay.errors import ModelError
    from ragassay.pipeline.doctor import faults

    if wrong := faults(checks):
        raise ModelError(f"{len(wrong)} of {len(checks)} checks failed: {', '.join(wrong)}; see what to do above")
