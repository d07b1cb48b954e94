"""How fast the embedded pipeline makes examples, and that its memory does not grow with the documents.

    python benchmarks/synthesis.py speed DOCS [DOCS ...] --n 500
    python benchmarks/synthesis.py memory --sizes 1000,5000,20000 --n 200

``speed`` runs ``ragassay synthesize`` twice on the same documents, each time as a process of its own; the second one
finds all vectors in the cache. Goal on two cores: 30 examples a second there. ``memory`` makes that many documents, of
people who never lived, from a seed, and prints the peak memory of the run on each; it grows by what is kept of every
document: its id and place, and the words of its chunks in the lexical index.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ONSETS = "B Br D Dr F Fr G Gr H K Kr L M N P Pr R S St T Tr V W".split()
VOWELS = "a e i o u ai ea ou".split()
CODAS = "n r l s t nd rk lt m ck".split()
MONTHS = "January February March April May June July August September October November December".split()
JOBS = "poet sailor painter engineer surgeon botanist composer baker printer surveyor".split()
NAMES, PLACES = 20_000, 400
"""Names there are, and how many of them are towns: collections grow faster than their vocabularies."""


@dataclass(frozen=True)
class Measured:
    """found: what ``--json`` printed."""

    found: dict[str, Any]
    wall_s: float
    cpu_s: float

    @property
    def peak_mb(self) -> float:
        return float(max(stage["peak_rss_mb"] for stage in self.found["stages"].values()))


def name_of(chance: random.Random, syllables: int) -> str:
    parts = (chance.choice(ONSETS) + chance.choice(VOWELS) + chance.choice(CODAS) for _ in range(syllables))
    return "".join(parts).capitalize()


def date_of(chance: random.Random, first: int, last: int) -> str:
    return f"{chance.randint(1, 28)} {chance.choice(MONTHS)} {chance.randint(first, last)}"


def biography(chance: random.Random, names: list[str]) -> dict[str, str]:
    """A life in some 900 characters, of which most sentences can be asked about."""
    given, family, work, other, society, medal, school_name, ship = (chance.choice(names) for _ in range(8))
    name, job, year = f"{given} {family}", chance.choice(JOBS), chance.randint(1850, 1950)
    born, home, school = (chance.choice(names[:PLACES]) for _ in range(3))
    text = f"""{name} ({date_of(chance, year, year)} - {date_of(chance, year + 60, year + 90)}) was a {job} from {home}.

== Early life ==

{family} was born in {born}. {family} studied law at the University of {school} from {year + 18} to {year + 22}. In
{year + 23}, {family} became secretary of the {society} Society.

== Career ==

{family} was elected as mayor of {home} in {chance.choice(MONTHS)} {year + 31}. {family} won the {medal} Medal in
{year + 40}. {family} published The {work} of {home}, The {other} of {born} and The Walls of {school}. The ship {ship}
was launched by {family} on {date_of(chance, year + 45, year + 50)}. {family} served as director of the {school_name}
School from {year + 51} to {year + 57}.
"""
    return {"title": name, "text": text}


def write_documents(path: Path, count: int) -> None:
    chance = random.Random(7)
    names = list(dict.fromkeys(name_of(chance, chance.choice((2, 2, 3))) for _ in range(NAMES)))
    with path.open("w", encoding="utf-8") as file:
        for _ in range(count):
            file.write(json.dumps(biography(chance, names)) + "\n")


def run(documents: list[Path], n: int, out: Path, cache: Path, processes: int | None = None) -> Measured:
    command = [sys.executable, "-m", "ragassay", "synthesize", *map(str, documents), "--n", str(n), "--out", str(out)]
    command += ["--json", *(["--processes", str(processes)] if processes else [])]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    done = subprocess.run(
        command, env=os.environ | {"RAGASSAY_CACHE": str(cache)}, capture_output=True, text=True, check=False
    )
    wall = time.perf_counter() - begun
    if done.returncode:
        sys.exit(f"synthesize failed with exit code {done.returncode}: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(json.loads(done.stdout), wall, cpu)


def speed(arguments: argparse.Namespace) -> None:
    print(f"load before: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; cores: {os.cpu_count()}")
    print("| | examples | wall s | CPU s | making: wall s | CPU s | examples/s, making | examples/s, all |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("from nothing", "cached vectors"):
            done = run(arguments.documents, arguments.n, Path(folder, name.split()[0]), Path(folder, "cache"))
            made, making = done.found["examples"], done.found["stages"]["make examples"]
            print(
                f"| {name} | {made} | {done.wall_s:.1f} | {done.cpu_s:.1f} | {making['wall_s']:.1f} | "
                f"{making['cpu_s']:.1f} | {made / making['wall_s']:.1f} | {made / done.wall_s:.1f} |",
                flush=True,
            )
        same = [(Path(folder, each) / "examples.jsonl").read_bytes() for each in ("from", "cached")]
    if same[0] != same[1]:
        sys.exit("the second run made other examples than the first")


def memory(arguments: argparse.Namespace) -> None:
    print("| documents | MB of text | read | examples | wall s | CPU s | peak MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for size in (int(size) for size in arguments.sizes.split(",")):
            documents = Path(folder, f"{size}.jsonl")
            write_documents(documents, size)
            out = Path(folder, f"out{size}")
            done = run([documents], arguments.n, out, Path(folder, "cache"), arguments.processes)
            print(
                f"| {size} | {documents.stat().st_size / 1e6:.1f} | {done.found['visited']} | {done.found['examples']} "
                f"| {done.wall_s:.1f} | {done.cpu_s:.1f} | {done.peak_mb:.0f} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    of_speed = commands.add_parser("speed")
    of_speed.add_argument("documents", nargs="+", type=Path)
    of_speed.add_argument("--n", type=int, default=500)
    of_speed.set_defaults(work=speed)
    of_memory = commands.add_parser("memory")
    of_memory.add_argument("--sizes", default="1000,5000,20000")
    of_memory.add_argument("--n", type=int, default=200)
    of_memory.add_argument("--processes", type=int, default=1, help="peaks of several are added up")
    of_memory.set_defaults(work=memory)
    arguments = parser.parse_args()
    arguments.work(arguments)


if __name__ == "__main__":
    main()
