"""The run folder: made for one run, never mixed with another, never left half-written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragassay import __version__
from ragassay.errors import RunFolderError
from ragassay.pipeline.options import RunOptions

RUN_FILE = "run.json"
DOCUMENTS_FILE = "documents.jsonl"
EXAMPLES_FILE = "examples.jsonl"
PREDICTIONS_FILE = "predictions.jsonl"
SCORES_FILE = "scores.jsonl"
REPORT_FILE = "report.html"


@contextmanager
def run_folder(options: RunOptions) -> Iterator[Path]:
    """The folder of a run, from its first file to its last.

    An empty or missing folder is taken; one with the same run is written anew, file by file; anything else is left
    alone with a RunFolderError. A folder that was made here goes again if the run fails.
    """
    folder = options.out
    try:
        made = _claim(folder, options)
        _write_run_file(folder, options, "running")
    except OSError as error:
        raise RunFolderError(f"--out: {folder} cannot be written to ({error.strerror}); name another folder") from None
    try:
        yield folder
        _write_run_file(folder, options, "finished")
    except BaseException:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _claim(folder: Path, options: RunOptions) -> bool:
    """Makes sure that the folder may be written to; True if it was made now."""
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"--out: {folder} is a file; name a folder")
    if not folder.exists():
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise RunFolderError(f"--out: {folder} cannot be made ({error.strerror}); name another folder") from None
        return True
    if all(path.name == f"{RUN_FILE}.part" for path in folder.iterdir()):  # empty, or stopped before its first file
        return False
    try:
        held = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunFolderError(f"--out: {folder} holds files that are no run; name an empty or new folder") from None
    except (OSError, ValueError):
        held = None
    if not isinstance(held, dict) or held.get("fingerprint") != options.fingerprint():
        if not options.overwrite:
            raise RunFolderError(
                f"--out: {folder} holds another run; name another folder, or add --overwrite to replace it"
            )
        for name in (
            DOCUMENTS_FILE,
            EXAMPLES_FILE,
            PREDICTIONS_FILE,
            SCORES_FILE,
            REPORT_FILE,
            "summary.json",
            "stages.json",
        ):
            (folder / name).unlink(missing_ok=True)
    return False


def _write_run_file(folder: Path, options: RunOptions, state: str) -> None:
    content = {
        "version": __version__,
        "state": state,
        "fingerprint": options.fingerprint(),
        "settings": options.settings(),
    }
    part = folder / f"{RUN_FILE}.part"
    part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(folder / RUN_FILE)
