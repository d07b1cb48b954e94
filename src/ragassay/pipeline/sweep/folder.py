"""The folder of a sweep: what was worked out of a setting stays there, however the process ends."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ragassay.errors import RecordError, RunFolderError
from ragassay.pipeline.folders.progress import PROGRESS_FILE
from ragassay.pipeline.folders.run_folder import OTHER_FILES, SWEEP_FILE, check_place, lasting_folder
from ragassay.pipeline.folders.versions import VERSIONS, versions_here
from ragassay.plain_files import read_object, write_object
from ragassay.rag.setting import Setting
from ragassay.records import Prediction, read_jsonl, write_jsonl
from ragassay.sweep.values import SettingValues
from ragassay.version import __version__

RESULTS_FILE, COMPARISONS_FILE, SUMMARY_FILE = "results.csv", "comparisons.csv", "summary.json"
PARQUET_FILE = "results.parquet"
VALUES_FOLDER, PREDICTIONS_FOLDER, WORK_FOLDER = "values", "predictions", "work.part"


class SweepFolder:
    """Where values, predictions and results lie. Made by ``sweep_folder``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def work(self) -> Path:
        """For what is needed only while the sweep runs."""
        return self.path / WORK_FOLDER

    def load(self, setting: Setting, fingerprint: str) -> SettingValues | None:
        """The values of a setting; None where they were not worked out."""
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
        """Keep what was worked out, unless some of it has to be asked again. Where values are, predictions are too."""
        if predictions:
            self.keep_predictions(predictions, fingerprint)
        if values.unheard:
            return
        (self.path / VALUES_FOLDER).mkdir(exist_ok=True)
        values.save(self.path / VALUES_FOLDER / f"{fingerprint}.npz")

    def claim(self, fingerprint: str, settings: dict[str, Any], *, overwrite: bool) -> None:
        """Note which sweep this is. Raises RunFolderError where the folder holds another one.

        overwrite: the results of another sweep are replaced; what it worked out of the same settings is used.
        """
        held = read_object(self.path / SWEEP_FILE)
        if held and held.get("fingerprint") != fingerprint and not overwrite:
            raise RunFolderError(
                f"--out: {self.path} holds another sweep; name another folder, or replace it with --overwrite"
            )
        content = {"version": __version__, "fingerprint": fingerprint, "settings": settings, VERSIONS: versions_here()}
        write_object(self.path / SWEEP_FILE, content)


@contextmanager
def sweep_folder(path: Path) -> Iterator[SweepFolder]:
    """The folder, made if missing; locked while the sweep works in it.

    Raises RunFolderError for a folder that holds something else, or in which another process works.
    """
    check = partial(check_place, path, SWEEP_FILE, lambda held: "" if held else OTHER_FILES)
    with lasting_folder(path, check, frozenset({PROGRESS_FILE})):
        folder = SweepFolder(path)
        try:
            folder.work.mkdir(exist_ok=True)
            yield folder
        finally:
            shutil.rmtree(folder.work, ignore_errors=True)
