"""What a run of ours is as a run of MLflow: names, metrics, parameters, tags and artefacts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ragassay.evaluation.estimate import Estimate
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
    """A metric has its bounds and n beside it; one without a value is a tag that says so. artefacts: name to content.

    id: the same for the same run and system. The table is as ``mlflow.log_table`` keeps it, the page as we wrote it.
    """

    id: str
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
        id=blake2b(f"{system}\0{json.dumps(about, sort_keys=True)}".encode(), digest_size=16).hexdigest(),
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
