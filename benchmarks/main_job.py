"""The whole of ``ragassay run`` from nothing and again: wall, processor time and peak memory of each stage.

    python benchmarks/main_job.py DOCS [DOCS ...] --n 200

Each run is a process of its own. The first one starts with an empty cache folder, the second one finds the vectors of
the first; its files have to be the same byte for byte, and it must not embed anything. Measure on an idle machine:
embedding uses every core. Goals on two cores for the PostgreSQL manual (Debian's package postgresql-doc-15) and
n = 200: under 3 minutes from nothing, under 15 s with cached vectors, peak memory under 1.5 GB.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEATED = ("documents.jsonl", "examples.jsonl", "predictions.jsonl", "scores.jsonl", "summary.json")


def measured_run(documents: list[Path], n: int, out: Path, cache: Path) -> float:
    """Wall seconds of one run, start of the process included."""
    command = [
        sys.executable,
        "-m",
        "ragassay",
        "run",
        *map(str, documents),
        "--out",
        str(out),
        "--n",
        str(n),
        "--json",
    ]
    start = time.perf_counter()
    done = subprocess.run(
        command, env=os.environ | {"RAGASSAY_CACHE": str(cache)}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"the run failed with exit code {done.returncode}: {done.stderr.strip()}")
    return time.perf_counter() - start


def print_stages(title: str, wall_s: float, out: Path) -> None:
    stages = json.loads((out / "stages.json").read_text())["stages"]
    print(f"\n{title}: {wall_s:.1f} s, peak {max(stage['peak_rss_mb'] for stage in stages):.0f} MiB")
    print(f"{'stage':<22}{'wall s':>9}{'cpu s':>9}{'MiB':>7}{'calls':>8}{'embedded':>10}{'reused':>9}")
    for stage in stages:
        print(
            f"{stage['name']:<22}{stage['wall_s']:>9.2f}{stage['cpu_s']:>9.2f}{stage['peak_rss_mb']:>7.0f}"
            f"{stage['model_calls']:>8}{stage['embedded']:>10}{stage['reused']:>9}"
        )


def digests(out: Path) -> dict[str, str]:
    return {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in REPEATED}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", type=Path)
    parser.add_argument("--n", type=int, default=200)
    arguments = parser.parse_args()
    print(f"load before: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; cores: {os.cpu_count()}")
    with tempfile.TemporaryDirectory() as folder:
        first, second, cache = Path(folder, "first"), Path(folder, "second"), Path(folder, "cache")
        print_stages("from nothing", measured_run(arguments.documents, arguments.n, first, cache), first)
        print_stages("cached vectors", measured_run(arguments.documents, arguments.n, second, cache), second)
        summary = json.loads((first / "summary.json").read_text())
        print(f"\ndelivered: {summary['composition']['delivered']} of {summary['composition']['requested']}")
        same = {name: digests(first)[name] == digests(second)[name] for name in REPEATED}
        print("byte-identical:", ", ".join(f"{name} {'yes' if is_same else 'NO'}" for name, is_same in same.items()))
        embedded = sum(stage["embedded"] for stage in json.loads((second / "stages.json").read_text())["stages"])
        print(f"embedded in the second run: {embedded}")
        if embedded or not all(same.values()):
            sys.exit("the second run differs from the first, or embedded something")


if __name__ == "__main__":
    main()
