"""The main job on this machine, and on Ray: seconds, the same bytes or not, and what was done again.

    python benchmarks/engines.py --n 100
    python benchmarks/engines.py --n 30 --workers 1 8

Every run has a cache of its own. ``ray:2`` is a cluster of two machines, each a process here with one core. In the
last three a worker, a machine, or the command itself is killed (SIGKILL) once documents are read; the command is then
run again. With --workers it is one machine with so many workers, whatever it has of cores. again: pieces of work that
were lost and done once more; reused: vectors that the second command found.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

ROOT = Path(__file__).parents[1]
COMPARED = ("documents.jsonl", "examples.jsonl", "predictions.jsonl", "scores.jsonl", "summary.json", "run.json")
RUN = (
    "import sys; from ragassay import workers; from ragassay.cli import main\n"
    "made, begin = [], workers.Workers.__init__\n"
    "def noted(self, *given, **named):\n    begin(self, *given, **named); made.append(self)\n"
    "workers.Workers.__init__ = noted\n"
    "try:\n    main()\nfinally:\n    print('again', sum(each.repeated for each in made), file=sys.stderr)\n"
)


def begun(out: Path, cache: Path, n: int, engine: str) -> subprocess.Popen[str]:
    documents = str(out.parent / "documents")
    command = [sys.executable, "-c", RUN, "run", documents, "--out", str(out), "--n", str(n), "--engine", engine]
    environ = {**os.environ, "RAGASSAY_CACHE": str(cache)}
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environ)


def ended(process: subprocess.Popen[str]) -> str:
    _, said = process.communicate()
    if process.returncode:
        raise SystemExit(said)
    return next((line.split()[1] for line in said.splitlines() if line.startswith("again")), "?")


def when_read(out: Path, process: subprocess.Popen[str], kill: Callable[[], Any]) -> None:
    while process.poll() is None and not (out / "examples.jsonl").exists() and not reading_is_over(out):
        time.sleep(0.05)
    time.sleep(3.0)
    kill()


def reading_is_over(out: Path) -> bool:
    return any(
        each.stat().st_size > 1_000_000 for each in [*out.glob("documents.jsonl"), *out.glob("*/documents.jsonl")]
    )


def kill_a_worker() -> None:
    found = subprocess.run(
        ["pgrep", "-f", "ray::_Keeper"], stdout=subprocess.PIPE, text=True, check=False
    ).stdout.split()
    with suppress(ProcessLookupError):
        os.kill(int(found[0]), signal.SIGKILL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=[])
    options = parser.parse_args()
    n = options.n
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in ("demo/knowledge_base", "docs"):
            shutil.copytree(ROOT / each, folder / "documents" / each)
        start = time.perf_counter()
        ended(begun(folder / "local", folder / "c0", n, "local"))
        first = {each: (folder / "local" / each).read_bytes() for each in COMPARED}
        print(f"{'run':<26}{'seconds':>8}{'same bytes':>12}{'again':>7}{'reused':>8}")
        print(f"{'local':<26}{time.perf_counter() - start:>8.1f}", flush=True)
        for workers in options.workers:
            cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": workers, "include_dashboard": False})
            start = time.perf_counter()
            out = folder / f"workers{workers}"
            again = ended(begun(out, folder / f"cache of {workers}", n, f"ray:{cluster.address}"))
            same = all((out / each).read_bytes() == first[each] for each in COMPARED)
            print(
                f"{f'ray, {workers} workers':<26}{time.perf_counter() - start:>8.1f}{same!s:>12}{again:>7}", flush=True
            )
            cluster.shutdown()
        if options.workers:
            return
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        second = cluster.add_node(num_cpus=1)
        try:
            for number, what in enumerate(("", "a worker killed", "the command killed", "a machine killed")):
                out, cache = folder / f"out{number}", folder / f"cache{number}"
                start = time.perf_counter()
                process = begun(out, cache, n, f"ray:{cluster.address}")
                if what == "a worker killed":
                    when_read(out, process, kill_a_worker)
                elif what == "a machine killed":
                    when_read(out, process, lambda: cluster.remove_node(second, allow_graceful=False))
                elif what:
                    when_read(out, process, process.kill)
                    process.communicate()
                    process = begun(out, cache, n, f"ray:{cluster.address}")
                again = ended(process)
                same = all((out / each).read_bytes() == first[each] for each in COMPARED)
                stages = json.loads((out / "stages.json").read_text())
                rows = stages["stages"] if isinstance(stages, dict) else stages
                reused = sum(row.get("vectors_reused", row.get("reused", 0)) or 0 for row in rows)
                print(
                    f"{'ray:2 ' + what:<26}{time.perf_counter() - start:>8.1f}{same!s:>12}{again:>7}{reused:>8}",
                    flush=True,
                )
        finally:
            ray.shutdown()
            cluster.shutdown()


if __name__ == "__main__":
    main()
