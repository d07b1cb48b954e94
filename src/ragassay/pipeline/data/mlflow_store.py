"""A run as a run of MLflow, in the files of its file store: no server and no library is needed to write them.

Source: ``mlflow/store/tracking/file_store.py`` in https://github.com/mlflow/mlflow. MLflow moves such a folder into a
data base with ``mlflow migrate-filestore``, which it recommends from 3.7 on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.pipeline.folders.run_folder import REPORT_FILE, RUN_FILE
from ragassay.plain_files import read_plain
from ragassay.version import __version__

EXPERIMENT, EXPERIMENT_ID = "ragassay", "1"
TABLE = "scores.json"
_MOST_PARAM_CHARS = 6_000
"""MLflow refuses longer values."""
_TIME_MS = 0
"""A run does not keep when it was made, and its files have another time wherever they are copied to."""
_NOT_NAMED = re.compile(r"[^\w.\- ]|^\.+", re.ASCII)


def mlflow_name(name: str) -> str:
    """The name as MLflow allows it: letters, digits, ``_ . -`` and spaces; ``recall@5`` becomes ``recall_at_5``."""
    return _NOT_NAMED.sub("_", name.replace("@", "_at_"))[:250] or "_"


def write_mlflow(
    folder: Path,
    final: Path,
    run: Path,
    system: str,
    figures: Mapping[str, Estimate],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Writes the file store into an empty folder, which will be put at ``final``.

    figures: a metric each, with its bounds and n beside it; those without a value are tags that say so. rows: a table,
    as ``mlflow.log_table`` keeps it. The page of the run is an artefact. Times are 0: a run keeps none.
    """
    about = _about(run)
    run_id = blake2b(f"{system}\0{json.dumps(about, sort_keys=True)}".encode(), digest_size=16).hexdigest()
    place = final.resolve() / EXPERIMENT_ID
    home = folder / EXPERIMENT_ID / run_id
    for name in ("metrics", "params", "tags", "artifacts"):
        (home / name).mkdir(parents=True)
    _write_meta(
        folder / EXPERIMENT_ID,
        artifact_location=place.as_uri(),
        creation_time=_TIME_MS,
        experiment_id=EXPERIMENT_ID,
        last_update_time=_TIME_MS,
        lifecycle_stage="active",
        name=EXPERIMENT,
    )
    run_name = f"{run.resolve().name} {system}".strip()
    _write_meta(
        home,
        artifact_uri=f"{(place / run_id).as_uri()}/artifacts",
        end_time=_TIME_MS,
        entry_point_name="",
        experiment_id=EXPERIMENT_ID,
        lifecycle_stage="active",
        run_id=run_id,
        run_name=run_name,
        run_uuid=run_id,
        source_name="",
        source_type=4,
        source_version="",
        start_time=_TIME_MS,
        status=3,
        tags=[],
        user_id="",
    )
    for name, number in _values(figures):
        _write(home / "metrics" / mlflow_name(name), f"{_TIME_MS} {number!r} 0\n")
    settings = about.get("settings")
    for name, value in settings.items() if isinstance(settings, dict) else ():
        _write(home / "params" / mlflow_name(name), str(value)[:_MOST_PARAM_CHARS])
    tags = {
        "mlflow.runName": run_name,
        "mlflow.source.type": "LOCAL",
        "mlflow.loggedArtifacts": json.dumps([{"path": TABLE, "type": "table"}]),
        "ragassay.version": str(about.get("version") or __version__),
        "ragassay.system": system,
        **{f"ragassay.no_value.{name}": f"0 of {each.total}" for name, each in figures.items() if each.value is None},
    }
    for name, value in tags.items():
        _write(home / "tags" / mlflow_name(name), value)
    columns = list(rows[0]) if rows else []
    table = {"columns": columns, "data": [list(row.values()) for row in rows]}
    _write(home / "artifacts" / TABLE, json.dumps(table, ensure_ascii=False, allow_nan=False))
    if (run / REPORT_FILE).is_file():
        (home / "artifacts" / REPORT_FILE).write_bytes(read_plain(run / REPORT_FILE))


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


def _write_meta(folder: Path, **values: Any) -> None:
    import yaml

    _write(folder / "meta.yaml", yaml.safe_dump(values, allow_unicode=True))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
