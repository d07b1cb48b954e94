"""The folder of a sweep: what was worked out of a setting stays there, however the process ends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragassay.errors import RecordError, RunFolderError
from ragassay.models.llm.call_log import LOG_FILE
from ragassay.pipeline.folders.progress import PROGRESS_FILE
from ragassay.pipeline.folders.run_folder import LOCK_FILE, SWEEP_FILE, lasting_folder
from ragassay.pipeline.folders.versions import VERSIONS, versions_here
from ragassay.plain_files import read_plain
from ragassay.rag.setting import Setting
from ragassay.records import Prediction, read_jsonl, write_jsonl
from ragassay.sweep.values import SettingValues
from ragassay.version import __version__

RESULTS_FILE, COMPARISONS_FILE, SUMMARY_FILE = "results.csv", "comparisons.csv", "summary.json"
PARQUET_FILE = "results.parquet"
VALUES_FOLDER, PREDICTIONS_FOLDER, WORK_FOLDER = "values", "predictions", "work"


class SweepFolder:
    """Where values, predictions and results lie. Made by ``sweep_folder``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def work(self) -> Path:
        """For what is needed only while the sweep runs."""
        return self.path / WORK_FOLDER

    def load(self, setting: Setting, fingerprint: str) -> SettingValues | None:
        """The values of a setting; None where they were not worked out, or for fewer questions than there are files."""
        return SettingValues.load(self.path / VALUES_FOLDER / f"{fingerprint}.npz", setting)

    def predictions(self, fingerprint: str, example_ids: Sequence[str]) -> list[Prediction] | None:
        """What is kept for these questions, in their order; None where that is not all of them."""
        try:
            kept = read_jsonl(self.path / PREDICTIONS_FOLDER / f"{fingerprint}.jsonl", Prediction)
            by_id = {each.example_id: each for each in kept}
        except (OSError, RecordError):
            return None
        return [by_id[name] for name in example_ids] if by_id.keys() >= set(example_ids) else None

    def keep_predictions(self, predictions: Sequence[Prediction], fingerprint: str) -> None:
        (self.path / PREDICTIONS_FOLDER).mkdir(exist_ok=True)
        write_jsonl(self.path / PREDICTIONS_FOLDER / f"{fingerprint}.jsonl", predictions)

    def keep(self, values: SettingValues, predictions: Sequence[Prediction], fingerprint: str) -> None:
        """Keeps what was worked out. Predictions first: where values are, the rest is there too."""
        if predictions:
            self.keep_predictions(predictions, fingerprint)
        (self.path / VALUES_FOLDER).mkdir(exist_ok=True)
        values.save(self.path / VALUES_FOLDER / f"{fingerprint}.npz")

    def write_text(self, name: str, content: str) -> None:
        """Writes one file, whole or not at all."""
        part = self.path / f"{name}.part"
        part.write_text(content, encoding="utf-8")
        part.replace(self.path / name)

    def write_json(self, name: str, content: Any) -> None:
        """Writes one file, whole or not at all."""
        self.write_text(name, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def claim(self, fingerprint: str, settings: dict[str, Any], *, overwrite: bool) -> None:
        """Notes which sweep this is. Raises RunFolderError where the folder holds another one.

        overwrite: the results of another sweep are replaced; what it worked out of the same settings is used.
        """
        held = self._held()
        if held not in (None, fingerprint) and not overwrite:
            raise RunFolderError(
                f"--out: {self.path} holds another sweep; name another folder, or replace it with --overwrite"
            )
        content = {"version": __version__, "fingerprint": fingerprint, "settings": settings, VERSIONS: versions_here()}
        self.write_json(SWEEP_FILE, content)

    def _held(self) -> str | None:
        try:
            held = json.loads(read_plain(self.path / SWEEP_FILE).decode())
        except (OSError, ValueError):
            return None
        return str(held.get("fingerprint")) if isinstance(held, dict) else "another"


@contextmanager
def sweep_folder(path: Path) -> Iterator[SweepFolder]:
    """The folder, made if missing; locked while the sweep works in it.

    Raises RunFolderError for a folder that holds something else, or in which another process works.
    """
    with lasting_folder(path, lambda: _check(path), frozenset({PROGRESS_FILE})):
        folder = SweepFolder(path)
        try:
            folder.work.mkdir(exist_ok=True)
            yield folder
        finally:
            for leftover in folder.work.iterdir() if folder.work.is_dir() else ():
                leftover.unlink()
            folder.work.rmdir()


def _check(path: Path) -> None:
    names = {each.name for each in path.iterdir()}
    known = {LOCK_FILE, WORK_FOLDER, PROGRESS_FILE}
    if SWEEP_FILE not in names and not all(name in known or name.startswith(LOG_FILE) for name in names):
        raise RunFolderError(f"--out: {path} holds other files; name an empty or new folder")
