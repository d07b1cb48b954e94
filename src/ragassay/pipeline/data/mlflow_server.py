"""A run sent to a tracking server of MLflow.

Source: https://mlflow.org/docs/latest/rest-api.html, and ``mlflow/server/handlers.py`` for the artefacts, which a
server takes itself unless it was started with ``--no-serve-artifacts``.
"""

from __future__ import annotations

import base64
import json
import os
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ragassay.errors import RunFolderError, UsageError
from ragassay.models.llm.masking import one_line
from ragassay.pipeline.data.mlflow_run import EXPERIMENT, MlflowRun

TIMEOUT_S = 60
_MOST_AT_ONCE = 100
"""Parameters, and tags, that one request may have."""
_PROXIED = "mlflow-artifacts:"
_SHOWN = 200


def check_tracking_uri(uri: str) -> None:
    """Raises UsageError for what is no address of a server."""
    address = urlsplit(uri)
    if address.scheme not in ("http", "https") or not address.hostname or address.query or address.fragment:
        raise UsageError("--tracking-uri: must be the address of an MLflow server, such as http://localhost:5000")
    if address.username or address.password:
        raise UsageError(
            "--tracking-uri: must not hold a password; set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD"
        )


def send_mlflow(uri: str, run: MlflowRun) -> str:
    """Sends a run and gives the address of its page. A run that could not be sent whole is marked as failed there.

    Raises RunFolderError for a server that cannot be reached, or refuses something.
    """
    server = _Server(uri.rstrip("/"))
    experiment = server.experiment()
    now = round(time.time() * 1000)
    tags = [{"key": name, "value": value} for name, value in run.tags.items()]
    info = server.call("runs/create", experiment_id=experiment, run_name=run.name, start_time=now)["run"]["info"]
    try:
        place = str(info["artifact_uri"])
        if not place.startswith(_PROXIED):
            raise RunFolderError(
                f"{uri} keeps artefacts at {place[:_SHOWN]} and does not take them; start the server with "
                "--serve-artifacts, or write a folder with --out"
            )
        metrics = [{"key": name, "value": each, "timestamp": now, "step": 0} for name, each in run.metrics.items()]
        params = [{"key": name, "value": value} for name, value in run.params.items()]
        for kind, values in (("metrics", metrics), ("params", params), ("tags", tags)):
            for some in _parts(values):
                server.call("runs/log-batch", run_id=info["run_id"], **{kind: some})
        for name, content in run.artefacts.items():
            server.put(f"{urlsplit(place).path.strip('/')}/{name}", content)
    except RunFolderError:
        server.call("runs/update", run_id=info["run_id"], status="FAILED", end_time=now)
        raise
    server.call("runs/update", run_id=info["run_id"], status="FINISHED", end_time=now)
    return f"{server.uri}/#/experiments/{experiment}/runs/{info['run_id']}"


class _NoRedirect(HTTPRedirectHandler):
    """What is sent, a password with it, goes to the address that was given."""

    def redirect_request(self, *given: Any) -> None:
        return None


class _Server:
    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._opener = build_opener(_NoRedirect)

    def experiment(self) -> str:
        """The id of ours, which is made where it is missing."""
        path = f"experiments/get-by-name?{urlencode({'experiment_name': EXPERIMENT})}"
        found = self._json("GET", path, None, missing_is_fine=True)
        if found:
            return str(found["experiment"]["experiment_id"])
        return str(self.call("experiments/create", name=EXPERIMENT)["experiment_id"])

    def call(self, path: str, **body: Any) -> dict[str, Any]:
        return self._json("POST", path, json.dumps(body).encode())

    def put(self, path: str, content: bytes) -> None:
        self._send("PUT", f"api/2.0/mlflow-artifacts/artifacts/{quote(path)}", content)

    def _json(self, method: str, path: str, body: bytes | None, *, missing_is_fine: bool = False) -> dict[str, Any]:
        said = self._send(method, f"api/2.0/mlflow/{path}", body, missing_is_fine=missing_is_fine)
        try:
            found = json.loads(said or b"{}")
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise RunFolderError(f"{self.uri} does not answer as an MLflow server does; check --tracking-uri")
        return found

    def _send(self, method: str, path: str, body: bytes | None, *, missing_is_fine: bool = False) -> bytes:
        kind = "application/json" if "/mlflow/" in path else "application/octet-stream"
        headers = {"Content-Type": kind, **_authorization(os.environ)}
        request = Request(f"{self.uri}/{path}", data=body, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as reply:
                content: bytes = reply.read()
                return content
        except HTTPError as error:
            said = error.read(2_000)
            if missing_is_fine and error.code == 404 and b"RESOURCE_DOES_NOT_EXIST" in said:
                return b""
            raise RunFolderError(f"{self.uri} refused {path.partition('?')[0]}: {_reason(error, said)}") from None
        except (OSError, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise RunFolderError(f"{self.uri} cannot be reached ({reason}); check --tracking-uri") from None


def _authorization(environ: Mapping[str, str]) -> dict[str, str]:
    """By the variables that MLflow's own client reads."""
    if token := environ.get("MLFLOW_TRACKING_TOKEN"):
        return {"Authorization": f"Bearer {token}"}
    user, password = environ.get("MLFLOW_TRACKING_USERNAME"), environ.get("MLFLOW_TRACKING_PASSWORD")
    if not user or not password:
        return {}
    return {"Authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"}


def _reason(error: HTTPError, said: bytes) -> str:
    try:
        message = json.loads(said)["message"]
    except (ValueError, RecursionError, KeyError, TypeError):
        message = ""
    return one_line(f"HTTP {error.code} {message}")[:_SHOWN]


def _parts(values: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    left = iter(values)
    while some := list(islice(left, _MOST_AT_ONCE)):
        yield some
