"""``ragassay export --to mlflow --tracking-uri``: what a tracking server gets, and what is said where it does not."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

import ragassay

Cli = Callable[..., Any]
MISSING = {"error_code": "RESOURCE_DOES_NOT_EXIST", "message": "No Experiment with name ragassay exists"}


class Stub(BaseHTTPRequestHandler):
    """Answers as MLflow does, and keeps what it was told."""

    told: ClassVar[list[tuple[str, str, Any]]]
    place: str
    refuses: str
    redirects: bool

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        self.told.append((self.command, path, body if "artifacts" in path else json.loads(body or b"null")))
        reply: Any = {}
        code = 200
        if self.redirects:
            code = 302
        elif self.refuses and self.refuses in path:
            code, reply = 400, {"message": "Invalid value\nfor parameter"}
        elif path.endswith("get-by-name"):
            code, reply = 404, MISSING
        elif path.endswith("experiments/create"):
            reply = {"experiment_id": "7"}
        elif path.endswith("runs/create"):
            reply = {"run": {"info": {"run_id": "abc", "artifact_uri": self.place}}}
        content = json.dumps(reply).encode()
        self.send_response(code)
        if self.redirects:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the names that the base class looks for

    def log_message(self, *given: Any) -> None:
        """Says nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, type[Stub]]]:
    class Own(Stub):
        told: ClassVar[list[tuple[str, str, Any]]] = []
        place, refuses, redirects = "mlflow-artifacts:/7/abc/artifacts", "", False

    monkeypatch.setenv("no_proxy", "*")
    made = ThreadingHTTPServer(("127.0.0.1", 0), Own)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}", Own
    made.shutdown()
    made.server_close()
    thread.join(5)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    row = {"user_input": "When?", "response": "1998", "reference": "1998", "retrieved_contexts": ["1998"]}
    (folder / "rows.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    ragassay.evaluate(folder / "rows.jsonl", metrics=["token_f1"], out=folder / "run")
    (folder / "run" / "report.html").write_bytes(b"<p>page</p>")
    return folder / "run"


def test_metrics_tables_and_the_page_are_sent(cli: Cli, run: Path, server: tuple[str, type[Stub]]) -> None:
    uri, stub = server
    outcome = cli("convert", run, "--to", "mlflow", "--tracking-uri", uri)
    assert (outcome.code, outcome.err) == (0, "")
    assert f"{uri}/#/experiments/7/runs/abc" in outcome.out.replace("\n", "")
    api = "/api/2.0/mlflow/"
    by_path: dict[str, list[Any]] = {}
    for _, path, body in stub.told:
        by_path.setdefault(path.removeprefix(api), []).append(body)
    assert by_path["experiments/create"] == [{"name": "ragassay"}]
    batches = by_path["runs/log-batch"]
    assert {each["run_id"] for each in batches} == {"abc"}
    metrics = {each["key"]: each["value"] for batch in batches for each in batch.get("metrics", [])}
    assert (metrics["token_f1"], metrics["token_f1.n"]) == (1, 1)
    assert {"key": "metrics", "value": "token_f1"} in [each for batch in batches for each in batch.get("params", [])]
    (table,) = by_path["/api/2.0/mlflow-artifacts/artifacts/7/abc/artifacts/scores.json"]
    assert json.loads(table)["columns"][:2] == ["example_id", "system"]
    assert by_path["/api/2.0/mlflow-artifacts/artifacts/7/abc/artifacts/report.html"] == [b"<p>page</p>"]
    assert [each["status"] for each in by_path["runs/update"]] == ["FINISHED"]
    assert stub.told[-1][1] == f"{api}runs/update"


def test_a_run_that_is_not_taken_whole_is_marked_as_failed(cli: Cli, run: Path, server: tuple[str, type[Stub]]) -> None:
    uri, stub = server
    for refuses, place, said in (
        ("log-batch", stub.place, f"{uri} refused api/2.0/mlflow/runs/log-batch: HTTP 400 Invalid value for parameter"),
        ("", "s3://bucket/7", f"{uri} keeps artefacts at s3://bucket/7 and does not take them; start the server with"),
    ):
        stub.refuses, stub.place = refuses, place
        outcome = cli("convert", run, "--to", "mlflow", "--tracking-uri", uri)
        assert (outcome.code, outcome.err.startswith(f"ragassay: {said}")) == (4, True), outcome.err
        assert stub.told[-1][2]["status"] == "FAILED"


def test_the_password_goes_to_the_server_alone(
    cli: Cli, run: Path, server: tuple[str, type[Stub]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ragassay.pipeline.data.mlflow import _authorization

    uri, stub = server
    stub.redirects = True
    monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "very-secret")
    outcome = cli("convert", run, "--to", "mlflow", "--tracking-uri", uri)
    assert (outcome.code, "HTTP 302" in outcome.err, "very-secret" in outcome.err) == (4, True, False)
    assert [path for _, path, _ in stub.told] == ["/api/2.0/mlflow/experiments/get-by-name"]
    assert _authorization({"MLFLOW_TRACKING_USERNAME": "a", "MLFLOW_TRACKING_PASSWORD": "b"}) == {
        "Authorization": "Basic YTpi"
    }


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--to", "mlflow"), 2, "--tracking-uri: missing; name a server of MLflow"),
        (
            ("--to", "scores", "--tracking-uri", "http://x"),
            2,
            "--tracking-uri: only works with --to mlflow",
        ),
        (("--to", "mlflow", "--tracking-uri", "mlruns"), 2, "--tracking-uri: must be the address of an MLflow server"),
        (("--to", "mlflow", "--tracking-uri", "http://a:b@x"), 2, "--tracking-uri: must not hold a password; set"),
        (("--to", "mlflow", "--tracking-uri", "http://127.0.0.1:1"), 4, "http://127.0.0.1:1 cannot be reached ("),
    ],
)
def test_what_is_refused(cli: Cli, run: Path, options: tuple[str, ...], code: int, said: str) -> None:
    outcome = cli("convert", run, *options)
    assert (outcome.code, outcome.err.startswith(f"ragassay: {said}")) == (code, True), outcome.err
