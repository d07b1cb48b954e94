"""What an accepted pair and a scored sample cost by five price lists, beside ragas and deepeval on the same work.

    python benchmarks/costs.py --shared FOLDER --ragas-python PYTHON --deepeval-python PYTHON [--pairs 50]

FOLDER has the stub server, documents and scripts of peers that benchmarks/llm_metrics.py takes. Scored: its 100
samples, for faithfulness, answer relevance and context precision, all on its stub. Pairs: made from its six documents,
ours on benchmarks/plausible_server.py, which accepts what its own labeller does, those of peers on the stub, whatever
it says. Tokens are characters by four, of messages, schemas and replies alike. A stub says how many calls there are and
how long prompts are; the length of replies is its own, and real models differ. Requests for vectors are left out.
Prices are those that ``ragassay prices`` lists.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import plausible_server
from llm_calls import stats
from llm_metrics import PEERS_ENVIRONMENT, N, client_command, run_client
from metric_servers import Server, shared_server

from ragassay.models.llm.chat_request import strict_schema
from ragassay.models.llm.prices import Prices
from ragassay.tasks.catalogue import TASKS

MODELS = ("gpt-4o-mini", "gpt-4.1-mini", "gpt-5-mini", "claude-haiku-4-5", "gpt-4o")
DEEPEVAL_PAIRS = """
import json, sys
from deepeval.synthesizer import Synthesizer
from deepeval.synthesizer.config import EvolutionConfig, FiltrationConfig, StylingConfig
texts = [json.loads(line)["text"] for line in open("data/passages.jsonl")][: int(sys.argv[1])]
made = Synthesizer(model="gpt-4o-mini", cost_tracking=False).generate_goldens_from_contexts(
    contexts=[[text] for text in texts], max_goldens_per_context=1)
print("RESULT " + json.dumps({"n": len(made), "err": None}))
"""
"""A passage, a golden, with the synthesizer's defaults."""


class Took(NamedTuple):
    """For one pair or sample. prompt, completion: tokens."""

    calls: float
    prompt: float
    completion: float


def of_log(folder: Path, n: int) -> Took:
    """What the call log of a run of ours says, for each of n."""
    connection = sqlite3.connect(folder / "calls.sqlite")
    rows = connection.execute("SELECT task, messages, reply FROM calls").fetchall()
    connection.close()
    sent = sum(
        sum(len(each["content"]) for each in json.loads(text)) + len(strict_schema(TASKS[task].filled_in))
        for task, text, _ in rows
    )
    return Took(len(rows) / n, sent / 4 / n, sum(len(reply) for *_, reply in rows) / 4 / n)


def scored(server: Server, judging: str) -> Took:
    """Ours, of one sample."""
    with tempfile.TemporaryDirectory() as folder, server.start(latency_ms=0) as url:
        found = run_client(client_command(server, folder, url, 30, judging=judging))
        if found["scored"] != 3 * N:
            sys.exit(f"only {found['scored']} of {3 * N} scored: {found['error']}")
        return of_log(Path(folder), N)


def made(documents: Path, n: int, judging: str) -> Took:
    """Ours, of one accepted pair."""
    with plausible_server.running() as stub, tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ragassay", "synthesize", str(documents), "--n", str(n), "--json"]
        command += ["--out", folder, "--model", f"{stub.url}#stub", "--judging", judging]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        return of_log(Path(folder), json.loads(done.stdout)["examples"])


def peers(server: Server, command: list[str], n: int = 0) -> Took:
    """A peer's, of one sample, or of one pair where it says how many it made."""
    with server.start(latency_ms=0) as url, tempfile.TemporaryFile("w+") as output:
        environment = os.environ | PEERS_ENVIRONMENT | {"OPENAI_BASE_URL": url}
        folder = server.samples.parents[1]
        subprocess.run(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False)
        output.seek(0)
        said = next((line for line in output.read().splitlines() if line.startswith("RESULT ")), None)
        found = stats(url)
    if said is None:
        sys.exit(f"{' '.join(command)[:200]} printed no result")
    n = n or json.loads(said.removeprefix("RESULT ")).get("n", 0)
    if not n:
        sys.exit(f"{' '.join(command)[:200]}: {said}")
    return Took(
        found["total_calls"] / n - found.get("embedding_calls", 0) / n,
        found["approx_prompt_tokens"] / n,
        found["completion_chars"] / 4 / n,
    )


def print_row(name: str, took: Took, prices: Prices) -> None:
    """A line of the table: US dollars for a thousand."""
    costs = [prices.cost(model, round(1e6 * took.prompt), round(1e6 * took.completion)) for model in MODELS]
    cells = [f"{cost / 1000:.2f}" if cost is not None else "?" for cost in costs]
    print(
        f"| {name} | {took.calls:.1f} | {took.prompt:,.0f} | {took.completion:,.0f} | {' | '.join(cells)} |", flush=True
    )


def print_head(title: str, prices: Prices) -> None:
    """Names and days of the price lists."""
    named = [f"{model} ({price.as_of})" for model in MODELS if (price := prices.of(model)) is not None]
    print(f"\n| {title}; US dollars for 1 000 | calls | prompt tokens | reply tokens | {' | '.join(named)} |")
    print(f"|{' --- |' * (4 + len(MODELS))}", flush=True)


def main() -> None:
    """Prints two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--ragas-python", required=True, metavar="PATH")
    parser.add_argument("--deepeval-python", required=True, metavar="PATH")
    parser.add_argument("--pairs", type=int, default=50)
    given = parser.parse_args()
    prices = Prices.load()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = shared_server(folder, given.shared.resolve())
        print_head("one scored sample", prices)
        for judging in ("joint", "separate"):
            print_row(f"ragassay, {judging}", scored(server, judging), prices)
        ragas = [given.ragas_python, "bench_ragas.py", "--llm", "instructor", "--n", str(N)]
        print_row("ragas", peers(server, ragas, N), prices)
        print_row("deepeval", peers(server, [given.deepeval_python, "bench_deepeval.py", "--n", str(N)], N), prices)
        print_head("one pair", prices)
        for judging in ("joint", "separate"):
            print_row(f"ragassay, {judging}, accepted", made(folder / "data" / "docs", given.pairs, judging), prices)
        testset = [given.ragas_python, "bench_ragas_testset.py", "--size", str(given.pairs)]
        print_row("ragas, not judged", peers(server, testset), prices)
        goldens = [given.deepeval_python, "-c", DEEPEVAL_PAIRS, str(given.pairs)]
        print_row("deepeval", peers(server, goldens), prices)


if __name__ == "__main__":
    main()
