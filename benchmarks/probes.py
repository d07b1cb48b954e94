"""What the promises on security were tried with: hostile files, servers, programs and requests, as a user meets them.

    python benchmarks/probes.py [CLASS ...] [--source src]

Each probe runs ``python -m ragassay`` or a script by itself, in a home folder of its own, and prints what was wrong, if
anything; at the end, a line for each class. --source: folder of another version's modules, to compare. Linux; needs
strace and Chromium for two of the classes. A probe that cannot be tried here is counted as skipped, never as held.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

import probes_of_commands
import probes_of_files
import probes_of_pages
from probing import CannotTryError, Place

CLASSES = {**probes_of_files.CLASSES, **probes_of_commands.CLASSES, **probes_of_pages.CLASSES}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("classes", nargs="*", metavar="CLASS", help=", ".join(CLASSES))
    parser.add_argument("--source", type=Path)
    options = parser.parse_args()
    if unknown := set(options.classes) - {*CLASSES}:
        parser.error(f"unknown class '{min(unknown)}'; choose from {', '.join(CLASSES)}")
    environment = dict(os.environ)
    if options.source:
        environment["PYTHONPATH"] = str(options.source.resolve())
    where = subprocess.run(
        [sys.executable, "-c", "import ragassay; print(ragassay.__file__)"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    print(f"probing {where.stdout.strip()}", flush=True)
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory(prefix="probes-") as folder:
        cache = Path(folder, "cache")
        for kind in options.classes or CLASSES:
            counts[kind] = Counter()
            for number, (name, probe) in enumerate(CLASSES[kind].items()):
                home = Path(folder, f"{len(counts)}-{number}")
                home.mkdir()
                outcome = _outcome(probe, Place(home, cache, environment))
                counts[kind][outcome.partition(":")[0]] += 1
                print(f"{kind}: {name}: {outcome}", flush=True)
    print(f"\n{'class':<36}{'probes':>8}{'held':>8}{'failed':>8}{'skipped':>8}")
    for kind, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print(f"{kind:<36}{count.total():>8}{count['held']:>8}{count['FAILED']:>8}{count['skipped']:>8}")
    sys.exit(any(count["FAILED"] for count in counts.values()))


def _outcome(probe: object, place: Place) -> str:
    try:
        wrong = probe(place)  # type: ignore[operator]
    except CannotTryError as reason:
        return f"skipped: {reason}"
    except Exception:  # noqa: BLE001 - a probe that falls over has not held, and the others go on
        wrong = traceback.format_exc(limit=-1)
    return f"FAILED: {' '.join(wrong.split())[:300]}" if wrong else "held"


if __name__ == "__main__":
    main()
