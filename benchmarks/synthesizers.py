"""Every synthesizer on two collections with a stub server, rules beside it: calls and prompt tokens a pair.

    python benchmarks/synthesizers.py [--n 100] [--only simple] [--model stub] [--judging separate]

The collections are RAGVAL's 1 101 articles and the 216 documents of DragonBall, English and Chinese; a scenario makes
its own documents, from the shipped schema. The stub is benchmarks/plausible_server.py: it replies at once with what its
own labeller accepts, so its counts say what a synthesizer costs at the least, and nothing about quality. A run is a
process with an empty cache, so that no figure hangs on the one before. Calls of the embedded model are inputs of its
rules and cost nothing. Seconds are those of making the examples, wall and processor time, on this machine as busy as
it is.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import plausible_server

from ragassay.pipeline.make.synthesis_options import SYNTHESIZERS

COLLECTIONS = {"RAGVAL": "ragval/knowledge_blocks.jsonl", "DragonBall": "dragonball/documents.jsonl"}
RAGAS = (4, 12_300)
"""Calls and prompt tokens of a question as measured for ragas 0.2 (its judge, which it does not have, not counted)."""
HEADS = (
    "collection | synthesizer | model | accepted | calls, writer + others | prompt tokens, writer + others | "
    "calls a pair, writer (all) | prompt tokens a pair, writer (all) | seconds, wall (CPU)"
)
"""Others are the judge and, for baselines, whoever answers."""


class Job(NamedTuple):
    """One line of the table. url: of the stub; empty for the embedded model."""

    collection: str
    synthesizer: str
    url: str


def jobs(url: str, only: str | None) -> Iterator[Job]:
    """Scenarios once for each model, the others on each collection; without a model there are ``statements`` alone."""
    for collection in COLLECTIONS:
        if only in {None, "statements"}:
            yield Job(collection, "statements", "")
        for synthesizer in SYNTHESIZERS:
            if only in {None, synthesizer} and synthesizer != "scenario":
                yield Job(collection, synthesizer, url)
    if only in {None, "scenario"}:
        yield from (Job("", "scenario", model) for model in ("", url))


def figures(job: Job, shared: Path, n: int, folder: Path, judging: str = "joint") -> dict[str, Any]:
    """What ``ragassay synthesize --json`` says of the job."""
    what = [str(shared / COLLECTIONS[job.collection])] if job.collection else ["--schema", "finance"]
    model = ["--model", f"{job.url}#stub", "--judging", judging] if job.url else []
    command = [sys.executable, "-m", "ragassay", "synthesize", *what, "--synthesizer", job.synthesizer]
    command += ["--n", str(n), "--json", "--out", str(folder), *model]
    place = {**os.environ, "RAGASSAY_CACHE": str(folder.with_name(f"{folder.name}-cache"))}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=place, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def row(job: Job, found: dict[str, Any]) -> str:
    """One line of the table."""
    accepted = found["examples"]
    calls, tokens = _both(found, "asked"), _both(found, "prompt_tokens")
    stage = found["stages"].get("make examples")
    cells = [
        job.collection or "its own",
        job.synthesizer,
        "stub" if job.url else "embedded",
        f"{accepted} of {found['asked']}",
        f"{calls.writer:,} + {calls.others:,}",
        f"{tokens.writer:,} + {tokens.others:,}" if job.url else "-",
        f"{calls.writer / accepted:.1f} ({sum(calls) / accepted:.1f})",
        f"{tokens.writer / accepted:,.0f} ({sum(tokens) / accepted:,.0f})" if job.url else "-",
        f"{stage['wall_s']:.1f} ({stage['cpu_s']:.1f})" if stage else "-",
    ]
    return f"| {' | '.join(cells)} |"


class _Both(NamedTuple):
    writer: int
    others: int


def _both(found: dict[str, Any], what: str) -> _Both:
    """What the writer took, and the others."""
    counts = [(each["role"] == "writer", each[what] or 0) for each in found["effort"]]
    return _Both(sum(count for is_writer, count in counts if is_writer), sum(count for own, count in counts if not own))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--only", choices=SYNTHESIZERS)
    parser.add_argument("--model", choices=("embedded", "stub"), help="of both, this one alone")
    parser.add_argument("--judging", choices=("joint", "separate"), default="joint", help="of the stub")
    options = parser.parse_args()
    print(f"| {HEADS} |\n|{' --- |' * (HEADS.count('|') + 1)}", flush=True)
    with plausible_server.running() as stub, tempfile.TemporaryDirectory() as name:
        for number, job in enumerate(jobs(stub.url, options.only)):
            if options.model not in {None, "stub" if job.url else "embedded"}:
                continue
            found = figures(job, options.shared, options.n, Path(name) / str(number), options.judging)
            print(row(job, found), flush=True)
    print(f"\nragas, for comparison: {RAGAS[0]} calls and {RAGAS[1]:,} prompt tokens a question, without a judge.")


if __name__ == "__main__":
    main()
