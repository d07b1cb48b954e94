"""Sets side by side: what ``ragassay report SET SET`` and ``ragassay.compare_sets`` do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, UsageError
from ragassay.pipeline.folders.page_file import check_place, write_page
from ragassay.pipeline.folders.run_folder import SWEEP_FILE
from ragassay.records import Example
from ragassay.report.comparison import SetFigures, render_sets, set_figures_of


def compare_sets(paths: Sequence[Path], out: Path | None = None) -> tuple[SetFigures, ...]:
    """Return the figures of each set, and a page about them where ``out`` names its file.

    paths: folders that a command wrote, or sets in any format; two or more.
    Raises UsageError for fewer than two, InputError for one that is no set or holds no example, RunFolderError as
    ``write_page``.
    """
    if len(paths) < 2:
        raise UsageError("sets: name at least two")
    if out is not None:
        check_place(out)
    found = tuple(_figures(path, name) for path, name in zip(paths, _names(paths), strict=True))
    if out is not None:
        write_page(out, render_sets(found))
    return found


def _names(paths: Sequence[Path]) -> list[str]:
    """The last part of each path; the whole path where that is another one's, too. Raises UsageError for one twice."""
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("sets: must not repeat; name each set once")
    last = [path.resolve().name for path in paths]
    return [name if last.count(name) == 1 else str(path) for name, path in zip(last, paths, strict=True)]


def _figures(path: Path, name: str) -> SetFigures:
    if not path.exists():
        raise InputError(f"{path} does not exist; name a set or the folder of a run")
    if (path / SWEEP_FILE).is_file():
        raise InputError(f"{path} holds a sweep, not a set; name its data set instead")
    examples = [record for record in read_dataset(path) if isinstance(record, Example)]
    if not examples:
        raise InputError(f"{path} holds no examples; name a set, or a folder that a command of ragassay wrote")
    return set_figures_of(name, examples)
