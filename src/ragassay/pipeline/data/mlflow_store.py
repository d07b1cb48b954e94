"""A run of MLflow in the files of its file store: no server and no library is needed to write them.

Source: ``mlflow/store/tracking/file_store.py`` in https://github.com/mlflow/mlflow. MLflow moves such a folder into a
data base with ``mlflow migrate-filestore``, which it recommends from 3.7 on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragassay.pipeline.data.mlflow_run import EXPERIMENT, MlflowRun

EXPERIMENT_ID = "1"
_TIME_MS = 0
"""A run does not keep when it was made, and its files have another time wherever they are copied to."""


def write_mlflow(folder: Path, final: Path, run: MlflowRun) -> None:
    """Writes the file store into an empty folder, which will be put at ``final``. Times are 0: a run keeps none."""
    place = final.resolve() / EXPERIMENT_ID
    home = folder / EXPERIMENT_ID / run.id
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
    _write_meta(
        home,
        artifact_uri=f"{(place / run.id).as_uri()}/artifacts",
        end_time=_TIME_MS,
        entry_point_name="",
        experiment_id=EXPERIMENT_ID,
        lifecycle_stage="active",
        run_id=run.id,
        run_name=run.name,
        run_uuid=run.id,
        source_name="",
        source_type=4,
        source_version="",
        start_time=_TIME_MS,
        status=3,
        tags=[],
        user_id="",
    )
    for name, number in run.metrics.items():
        _write(home / "metrics" / name, f"{_TIME_MS} {number!r} 0\n")
    for kind, values in (("params", run.params), ("tags", run.tags)):
        for name, value in values.items():
            _write(home / kind / name, value)
    for name, content in run.artefacts.items():
        (home / "artifacts" / name).write_bytes(content)


def _write_meta(folder: Path, **values: Any) -> None:
    import yaml

    _write(folder / "meta.yaml", yaml.safe_dump(values, allow_unicode=True))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
