"""A run sent to a tracking server of MLflow.

Source: https://mlflow.org/docs/latest/rest-api.html, and ``mlflow/server/handlers.py`` for the artefacts, which a
server takes itself unless it was started with ``--no-serve-artifacts``.
"""

from __future__ import annotations

import base64
import json
import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ragassay.errors import RunFolderError, UsageError
from ragassay.evaluation.estimate import Estimate
from ragassay.models.llm.masking import one_line
from ragassay.pipeline.folders.run_folder import REPORT_FILE, RUN_FILE
from ragassay.plain_files import read_plain
from ragassay.version import __version__

EXPERIMENT = "ragassay"
TABLE = "scores.json"
_MOST_PARAM_CHARS = 6_000
"""MLflow refuses longer values."""
_NOT_NAMED = re.compile(r"[^\w.\- ]|^\.+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class MlflowRun:
    """A metric has its bounds and n beside it; one without a value is a tag. artefacts: name to content."""

    name: str
    metrics: Mapping[str, float]
    params: Mapping[str, str]
    tags: Mapping[str, str]
    artefacts: Mapping[str, bytes]


def mlflow_name(name: str) -> str:
    """The name as MLflow allows it: letters, digits, ``_ . -`` and spaces; ``recall@5`` becomes ``recall_at_5``."""
    return _NOT_NAMED.sub("_", name.replace("@", "_at_"))[:250] or "_"


def mlflow_run(run: Path, system: str, figures: Mapping[str, Estimate], rows: Sequence[Mapping[str, Any]]) -> MlflowRun:
    """figures: the means of the system. rows: of the table."""
    about = _about(run)
    name = f"{run.resolve().name} {system}".strip()
    settings = about.get("settings")
    tags = {
        "mlflow.runName": name,
        "mlflow.source.type": "LOCAL",
        "mlflow.loggedArtifacts": json.dumps([{"path": TABLE, "type": "table"}]),
        "ragassay.version": str(about.get("version") or __version__),
        "ragassay.system": system,
        **{f"ragassay.no_value.{name}": f"0 of {each.total}" for name, each in figures.items() if each.value is None},
    }
    table = {"columns": list(rows[0]) if rows else [], "data": [list(row.values()) for row in rows]}
    artefacts = {TABLE: json.dumps(table, ensure_ascii=False, allow_nan=False).encode("utf-8")}
    if (run / REPORT_FILE).is_file():
        artefacts[REPORT_FILE] = read_plain(run / REPORT_FILE)
    return MlflowRun(
        name=name,
        metrics={mlflow_name(name): number for name, number in _values(figures)},
        params={
            mlflow_name(name): str(value)[:_MOST_PARAM_CHARS]
            for name, value in (settings.items() if isinstance(settings, dict) else ())
        },
        tags={mlflow_name(name): value for name, value in tags.items()},
        artefacts=artefacts,
    )


def _values(figures: Mapping[str, Estimate]) -> Iterable[tuple[str, float]]:
    for name, each in figures.items():
        parts = ((name, each.value), (f"{name}.low", each.low), (f"{name}.high", each.high), (f"{name}.n", each.n))
        for part, value in parts:
            if value is not None and each.value is not None:
                yield part, float(value)


def _about(run: Path) -> dict[str, Any]:
    try:
        about = json.loads(read_plain(run / RUN_FILE))
    except (OSError, ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) else {}


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
    """Send a run and return the address of its page. A run that could not be sent whole is marked as failed there.

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
            for begin in range(0, len(values), _MOST_AT_ONCE):
                some = values[begin : begin + _MOST_AT_ONCE]
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
        """Return the id of ours, which is made where it is missing."""
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
