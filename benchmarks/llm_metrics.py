"""Three judged metrics of 100 samples by way of a server: wall, calls, tokens, processor time and memory, beside peers.

    python benchmarks/llm_metrics.py
    python benchmarks/llm_metrics.py --kill
    python benchmarks/llm_metrics.py --shared FOLDER --ragas-python PYTHON --deepeval-python PYTHON

Faithfulness (statements, then verdicts), answer relevance (three questions written from the answer, compared by vectors
of the same server) and context precision over three chunks, through the metrics, the call log and the vector store that
``ragassay run`` uses: 400 chats and a few requests for vectors. The server answers after 200 ms, 64 are in flight.

Without options the server is benchmarks/stub_server.py and the samples are made up here. --shared FOLDER: another stub
server, samples, and scripts that score the same samples with ragas and deepeval; each runs in the virtual environment
that it is given, at its defaults and as fast as we could make it. Servers and clients are processes of their own.
Nobody's imports are counted. Tokens are those of chats, four characters each, of messages and of the schemas that are
sent with them, on the server of --shared as it counts them. Processor time is our process's own while it scores; a
peer's is that of its whole process, less that of one that scores a single sample, for each of the calls that the one
made more than the other.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import platform
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from llm_calls import stats, stub
from metric_servers import N, Server, own_server, shared_server

IN_FLIGHT = 64
LATENCY_MS = 200.0
KILLED_AT = (0.25, 0.5, 0.75)
SCORED = ("faithfulness", "answer_relevance", "context_precision")
ALL = len(SCORED) * N
NOTHING: Mapping[str, Any] = {}

PEERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "ragas": {"defaults": ("--llm", "instructor"), "64 workers": ("--llm", "instructor", "--workers", "64")},
    "deepeval": {"defaults": (), "one client, 64": ("--model", "custom", "--conc", "64")},
}
"""Options of bench_ragas.py and bench_deepeval.py in --shared; the last ones are also measured in trouble."""

PEERS_IN_TROUBLE = {"ragas": (), "deepeval": ("--ignore", "1")}
"""Further options then: deepeval ends at the first error unless it is told to go on."""

PEERS_ENVIRONMENT = {"OPENAI_API_KEY": "none", "RAGAS_DO_NOT_TRACK": "true", "DEEPEVAL_TELEMETRY_OPT_OUT": "1"}


class Bench(NamedTuple):
    """A peer's script in --shared and the Python that it runs in."""

    name: str
    python: str
    script: str


# The client: a process of its own.


def client(
    samples: Path, folder: Path, url: str, embeddings_url: str, timeout_s: float, judging: str
) -> dict[str, Any]:
    """Scores the samples with what the folder holds already; in this process."""
    import aiohttp  # noqa: F401 - its import is part of no call

    from ragassay.metrics.catalogue import METRICS
    from ragassay.metrics.judged.judge import Judge
    from ragassay.metrics.judged.scoring import judged_scores
    from ragassay.models.endpoint_encoder import EndpointEncoder
    from ragassay.models.joint import JointModel
    from ragassay.models.llm.budget import Budget
    from ragassay.models.llm.call_log import LOG_FILE, CallLog
    from ragassay.models.llm.endpoints import Endpoint
    from ragassay.models.llm.limits import Limits
    from ragassay.models.openai_compatible import OpenAICompatible
    from ragassay.models.vector_cache import CachedEncoder
    from ragassay.records import Score

    answered = [_answered(json.loads(line)) for line in samples.read_text("utf-8").splitlines()[:N]]
    limits = Limits(max_in_flight=IN_FLIGHT, call_timeout_s=timeout_s)

    async def work() -> list[Score]:
        vectors = EndpointEncoder(
            Endpoint("vectors", embeddings_url, "e"), Budget(), limits=Limits(call_timeout_s=timeout_s), folder=folder
        )
        with CallLog(folder / LOG_FILE) as log:
            async with OpenAICompatible(Endpoint("chat", url, "m"), log, Budget(), limits=limits) as model:
                encoder = CachedEncoder(vectors, folder)
                judge = Judge(model=JointModel(model) if judging == "joint" else model, encoder=encoder)
                scores = await judged_scores(judge, [METRICS[name] for name in SCORED], answered)
        encoder.close()
        vectors.close()
        return scores

    wall, cpu = time.perf_counter(), time.process_time()
    scores = asyncio.run(work())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "wall_s": wall,
        "cpu_s": cpu,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "scored": sum(score.value is not None for score in scores),
        "error": next((score.reason for score in scores if score.reason), ""),
        "digest": hashlib.sha256("\n".join(map(repr, scores)).encode()).hexdigest(),
    }


def _answered(sample: Mapping[str, Any]) -> Any:
    from ragassay.metrics.judged.answered import Answered
    from ragassay.records import Example, Prediction, Provenance, Span

    contexts = tuple(sample["contexts"])
    example = Example(
        id=f"q{sample['id']}",
        question=sample["question"],
        answer=sample["reference"],
        context=Span(document_id=f"d{sample['id']}", start=0, end=len(contexts[0]), text=contexts[0]),
        references=(),
        keypoints=(),
        requested_label="fact_single",
        verified_label=None,
        provenance=Provenance(synthesizer="none", model="none"),
    )
    return Answered(
        example, Prediction(example_id=example.id, system="s", chunks=(), answer=sample["answer"]), contexts
    )


def client_command(
    server: Server, folder: str, url: str, timeout_s: float, embeddings_url: str = "", judging: str = "joint"
) -> list[str]:
    return [
        *(sys.executable, __file__, "--client", str(server.samples), folder, url, embeddings_url or url),
        *("--timeout-s", str(timeout_s), "--judging", judging),
    ]


def run_client(command: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return found


# What is measured.


def measured(server: Server, timeout_s: float, settings: Mapping[str, Any], judging: str = "joint") -> dict[str, Any]:
    """One run from nothing."""
    with tempfile.TemporaryDirectory() as folder, server.start(latency_ms=LATENCY_MS, **settings) as url:
        found = run_client(client_command(server, folder, url, timeout_s, judging=judging))
        tokens = _tokens(Path(folder))
        prompt_tokens = stats(url).get("approx_prompt_tokens", sum(tokens.values()))
        return found | {"prompt_tokens": prompt_tokens} | tokens | server.counts(url)._asdict()


def _tokens(folder: Path) -> dict[str, float]:
    """Of all logged calls, characters by four: of the messages, and of the schemas that were sent with them."""
    from ragassay.models.llm.chat_request import strict_schema
    from ragassay.tasks.catalogue import TASKS

    connection = sqlite3.connect(folder / "calls.sqlite")
    rows = connection.execute("SELECT task, messages FROM calls").fetchall()
    connection.close()
    messages = sum(len(each["content"]) for _, text in rows for each in json.loads(text))
    schemas = sum(len(strict_schema(TASKS[task].filled_in)) for task, _ in rows)
    return {"message_tokens": messages / 4, "schema_tokens": schemas / 4}


def peer(server: Server, bench: Bench, options: Sequence[str], repeats: int) -> dict[str, Any]:
    """The medians of a peer's runs of all samples; its processor time by way of another run of one sample."""
    command = [bench.python, bench.script, *options]
    found = medians([peer_run(server, command, N) for _ in range(repeats)])
    one = peer_run(server, command, 1)
    return found | {"cpu_ms": 1000 * (found["cpu_s"] - one["cpu_s"]) / (found["requests"] - one["requests"])}


def peer_run(server: Server, command: Sequence[str], n: int, settings: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """One run of a script of --shared, which prints what came of it in a line that begins with RESULT."""
    with server.start(latency_ms=LATENCY_MS, **settings) as url, tempfile.TemporaryFile("w+") as output:
        environment = os.environ | PEERS_ENVIRONMENT | {"OPENAI_BASE_URL": url}
        process = subprocess.Popen(
            [*command, "--n", str(n)],
            cwd=server.samples.parents[1],
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        lines = output.read().splitlines()
        counts, tokens = server.counts(url), stats(url)["approx_prompt_tokens"]
    said = next((line.removeprefix("RESULT ") for line in lines if line.startswith("RESULT ")), None)
    if said is None:
        sys.exit(f"{' '.join(command)} printed no result; its last line: {lines[-1] if lines else 'none'}")
    result = json.loads(said)
    return counts._asdict() | {
        "prompt_tokens": tokens,
        "version": result["ver"],
        "wall_s": result["wall"],
        "scored": ALL - sum(result["nan"].values()) if len(result["nan"]) == len(SCORED) else 0,
        "error": result.get("err") or "",
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / 1024,
    }


def killed(server: Server, share: float, n_chats: int, timeout_s: float) -> dict[str, Any]:
    """A run that is killed once a share of its chats has been sent, and one that goes on from there."""
    with tempfile.TemporaryDirectory() as folder, server.start(latency_ms=LATENCY_MS) as url, stub() as vectors_url:
        command = client_command(server, folder, url, timeout_s, vectors_url)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while server.counts(url).requests < share * n_chats and process.poll() is None:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(2 * LATENCY_MS / 1000)  # what the server still has in hand is not to be counted with the next run
        logged = _logged(Path(folder))
        first = server.counts(url).requests
        found = run_client(command)
        return {
            "logged": logged,
            "first": first,
            "second": server.counts(url).requests - first,
            "vectors_again": stats(vectors_url)["answered_again"],
            **found,
        }


def _logged(folder: Path) -> int:
    connection = sqlite3.connect(folder / "calls.sqlite")
    (logged,) = connection.execute("SELECT count(*) FROM calls").fetchone()
    connection.close()
    return int(logged)


# What is printed.


def print_head() -> None:
    print(f"\n{N} samples, {LATENCY_MS:g} ms, {IN_FLIGHT} in flight")
    print(f"{'':<32}{'wall s':>9}{'calls':>7}{'tokens/sample':>15}{'cpu ms/call':>13}{'peak MB':>9}{'scored':>12}")
    print(f"{'goal':<32}{'< 3':>9}{'':>7}{'< 2500':>15}{'< 1':>13}{'< 200':>9}{_of_all(ALL):>12}")


def _of_all(scored: float) -> str:
    return f"{scored:.0f} of {ALL}"


def print_row(name: str, found: Mapping[str, Any]) -> None:
    print(
        f"{name:<32}{found['wall_s']:>9.2f}{found['requests']:>7.0f}{found['prompt_tokens'] / N:>15.0f}"
        f"{found['cpu_ms']:>13.2f}{found['peak_mb']:>9.0f}{_of_all(found['scored']):>12}",
        flush=True,
    )


def medians(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of the numbers of some runs; the rest as in the first one."""
    numbers = [key for key, value in runs[0].items() if isinstance(value, int | float)]
    return dict(runs[0]) | {key: statistics.median(run[key] for run in runs) for key in numbers}


def print_ours(server: Server, repeats: int, timeout_s: float, judging: str = "joint") -> int:
    """The medians of some runs; how many requests one takes."""
    runs = [measured(server, timeout_s, {}, judging) for _ in range(repeats)]
    found = medians(runs)
    print_row(f"ragassay, {judging}, {server.name}", found | {"cpu_ms": 1000 * found["cpu_s"] / found["requests"]})
    walls = ", ".join(f"{run['wall_s']:.2f}" for run in sorted(runs, key=lambda run: run["wall_s"]))
    same = len({run["digest"] for run in runs}) == 1
    print(
        f"    walls {walls}; scores {'the same each time' if same else 'DIFFER'}; tokens: "
        f"{found['message_tokens'] / N:.0f} of messages, {found['schema_tokens'] / N:.0f} of the schemas of replies",
        flush=True,
    )
    return int(found["requests"])


def print_peers(server: Server, benches: Sequence[Bench], repeats: int) -> dict[str, float]:
    """Returns how many requests each needs, as fast as it can be made."""
    needed = {}
    for bench in benches:
        for variant, options in PEERS[bench.name].items():
            found = peer(server, bench, options, repeats)
            print_row(f"{bench.name} {found['version']}, {variant}", found)
            needed[bench.name] = found["requests"]
    return needed


def print_troubles(server: Server, needed: Mapping[str, float], benches: Sequence[Bench], timeout_s: float) -> None:
    print(
        f"\n{server.name} in trouble; time-out of ragassay: {timeout_s:g} s; goal: under 1.4 requests for each needed"
    )
    print(f"{'':<28}{'scored':>12}{'wall s':>8}{'requests':>10}{'over need':>11}{'floor':>7}{'replies':>9}")
    for name, (settings, lost) in server.troubles.items():
        print_trouble(f"{name}: ragassay", measured(server, timeout_s, settings), needed["ragassay"], lost)
        for bench in benches:
            options = [*list(PEERS[bench.name].values())[-1], *PEERS_IN_TROUBLE[bench.name]]
            found = peer_run(server, [bench.python, bench.script, *options], N, settings)
            print_trouble(f"{name}: {bench.name}", found, needed[bench.name], lost)


def print_trouble(name: str, found: Mapping[str, Any], needed: float, lost: float) -> None:
    print(
        f"{name:<28}{_of_all(found['scored']):>12}{found['wall_s']:>8.2f}{found['requests']:>10}"
        f"{found['requests'] / needed:>11.2f}{found['replies'] / needed / (1 - lost):>7.2f}{found['replies']:>9}",
        flush=True,
    )
    if found["error"]:
        print(f"    {found['error'][:110]}")


def print_kills(server: Server, timeout_s: float) -> None:
    with tempfile.TemporaryDirectory() as folder, server.start(latency_ms=LATENCY_MS) as url, stub() as vectors_url:
        undisturbed = run_client(client_command(server, folder, url, timeout_s, vectors_url))
        n_chats = server.counts(url).requests
    print(f"\nkill -9, then the same again; {n_chats} chats undisturbed")
    print(f"{'killed at':<10}{'sent':>6}{'logged':>8}{'sent then':>11}{'logged ones repeated':>22}{'scores':>12}")
    for share in KILLED_AT:
        found = killed(server, share, n_chats, timeout_s)
        repeated = found["second"] - (n_chats - found["logged"])
        scores = "identical" if found["digest"] == undisturbed["digest"] else "DIFFERENT"
        print(
            f"{f'{100 * share:g} %':<10}{found['first']:>6}{found['logged']:>8}{found['second']:>11}{repeated:>22}"
            f"{scores:>12}   vectors asked for again: {found['vectors_again']}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, metavar="FOLDER", help="with stub_llm.py, make_data.py, bench_*.py")
    parser.add_argument("--ragas-python", metavar="PATH")
    parser.add_argument("--deepeval-python", metavar="PATH")
    parser.add_argument("--kill", action="store_true", help="nothing but runs that are killed")
    parser.add_argument("--repeats", type=int, default=3, help="of runs without trouble")
    parser.add_argument("--timeout-s", type=float, default=2.0, help="of a call")
    parser.add_argument("--judging", choices=("joint", "separate"), default="joint", help=argparse.SUPPRESS)
    parser.add_argument("--client", nargs=4, metavar=("SAMPLES", "FOLDER", "URL", "URL"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        samples, folder, url, vectors_url = given.client
        print(json.dumps(client(Path(samples), Path(folder), url, vectors_url, given.timeout_s, given.judging)))
        return
    print(
        f"load before: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; cores: {os.cpu_count()}; "
        f"Python {platform.python_version()}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = own_server(folder)
        if given.kill:
            print_kills(own, given.timeout_s)
            return
        shared = shared_server(folder, given.shared.resolve()) if given.shared else None
        pythons = {"ragas": given.ragas_python, "deepeval": given.deepeval_python}
        benches = [Bench(name, python, f"bench_{name}.py") for name, python in pythons.items() if shared and python]
        print_head()
        for server in (own, shared):
            if server:
                print_ours(server, given.repeats, given.timeout_s, "separate")
        needed = {
            server.name: {"ragassay": print_ours(server, given.repeats, given.timeout_s)}
            for server in (own, shared)
            if server
        }
        if shared:
            needed[shared.name] |= print_peers(shared, benches, given.repeats)
        for name in (each for each in pythons if each not in {bench.name for bench in benches}):
            print(f"{name}: not measured; give --shared FOLDER and --{name}-python PYTHON")
        print_troubles(own, needed[own.name], [], given.timeout_s)
        if shared:
            print_troubles(shared, needed[shared.name], benches, given.timeout_s)


if __name__ == "__main__":
    main()
