"""``ragassay doctor``: can Ragassay work here?"""

from __future__ import annotations

from ragassay.cli.output import AsJson, print_json


def doctor(as_json: AsJson = False) -> None:
    """Check this installation: packages, weights, cache folder, machine.

    Fetches nothing, and prints no key. Exit code 6 if something stops a run. Examples:

    ragassay doctor

    ragassay doctor --json
    """
    from ragassay.cli.app import check_settings
    from ragassay.errors import ModelError
    from ragassay.pipeline.doctor.installation import check_installation
    from ragassay.report.installation import blocks_of_checks, checks_object, faults
    from ragassay.report.terminal import show

    checks = check_installation({"settings": check_settings})
    if as_json:
        print_json(checks_object(checks), ascii_only=True)
    else:
        show(blocks_of_checks(checks))
    if wrong := faults(checks):
        raise ModelError(f"{len(wrong)} of {len(checks)} checks failed: {', '.join(wrong)}; see what to do above")
