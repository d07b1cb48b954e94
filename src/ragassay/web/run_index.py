"""The runs below a folder: which there are, how far they are, and what is in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from ragassay.errors import InputError
from ragassay.jobs.folders.read_run import read_items
from ragassay.jobs.folders.run_folder import LOCK_FILE, PART_FOLDER, REPORT_FILE, RUN_FILE
from ragassay.jobs.report.set_report import rendered
from ragassay.plain_files import read_plain
from ragassay.report.items import Items
from ragassay.web.run_entry import FILES, MARKS, RunEntry, Seen, count_predictions, is_experiment, look, read_entry

DEEPEST = 3
"""How many folders below the one that was named runs are looked for."""
MOST_RUNS = 5_000
_KEPT_RUNS = 8
"""Runs whose items are kept in memory: those that stand side by side."""
_MOST_FOLDERS = 50_000
"""Of a folder that holds no runs, such as the root of a disk, no more is gone through."""


_OF_USE = FILES | {LOCK_FILE, PART_FOLDER}


class NotThereError(InputError):
    """A run, or something of a run, that was asked for and is not there."""


class _Candidate(NamedTuple):
    """A folder that may be a run, and what is in it, as far as anybody reads it."""

    path: Path
    is_run: bool
    entries: Sequence[os.DirEntry[str]]


class RunIndex:
    """Reads run folders when asked, and those that have changed since. Names that are not among them lead nowhere."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError where there is no such folder."""
        if not folder.is_dir():
            raise InputError(f"{folder} is not a folder; name a run, or a folder of runs")
        self.folder = folder
        self._entries: dict[str, tuple[Seen, RunEntry]] = {}
        self._items: dict[str, tuple[Seen, Items]] = {}
        self._reading = Lock()

    def entries(self) -> list[RunEntry]:
        """Return all runs, those that changed last first."""
        folders = self._runs()
        for gone in self._entries.keys() - folders.keys():
            self._entries.pop(gone, None)
        found = [self._entry(name, each.path, each.entries) for name, each in folders.items()]
        return sorted(found, key=lambda entry: (-entry.changed_at, entry.name))

    def path_of(self, name: str) -> Path:
        """Return the folder of a run. Raises NotThereError for a name that is none of the runs."""
        found = self._runs().get(name)
        if found is None:
            raise NotThereError(f"no run {name!r} here")
        return found.path

    def entry(self, name: str) -> RunEntry:
        """Return one run, its predictions counted. Raises NotThereError for a name that is none of the runs."""
        path = self.path_of(name)
        entry = self._entry(name, path)
        return replace(entry, predictions=count_predictions(path)) if entry.state == "finished" else entry

    def items(self, name: str) -> Items:
        """Examples, predictions and scores of a run, as far as they are written."""
        path = self.path_of(name)
        with self._reading:
            seen, kept = look(path), self._items.pop(name, None)
            if kept is None or kept[0] != seen or not kept[0].is_settled:
                kept = seen, read_items(seen.place)
            self._items[name] = kept
            while len(self._items) > _KEPT_RUNS:
                self._items.pop(next(iter(self._items)))
            return kept[1]

    def report(self, name: str) -> bytes:
        """Return the page that a command wrote, or one of the examples of a command that writes none.

        Raises NotThereError for a name that is none of the runs, and for a run without either.
        """
        path = self.path_of(name)
        if not self._entry(name, path).has_report:
            raise NotThereError(f"the run {name!r} has no report")
        if REPORT_FILE in look(path).files:
            return read_plain(path / REPORT_FILE)
        return rendered(path).encode()

    def _entry(self, name: str, path: Path, entries: Iterable[os.DirEntry[str]] | None = None) -> RunEntry:
        """entries: of the folder, where they are known."""
        seen = look(path, entries)
        known = self._entries.get(name)
        if known is None or known[0] != seen or not known[0].is_settled:
            self._entries[name] = known = (seen, read_entry(name, path, seen))
        return known[1]

    def _runs(self) -> dict[str, _Candidate]:
        """Name to folder of everything that looks like a run."""
        candidates = islice(_candidates(self.folder, DEEPEST), _MOST_FOLDERS)
        found: dict[str, _Candidate] = {}
        for each in islice((each for each in candidates if each.is_run), MOST_RUNS):
            below = each.path.relative_to(self.folder).as_posix()
            found[(self.folder.name or "run") if below == "." else below] = each
        return found


def _candidates(folder: Path, depth: int) -> Iterator[_Candidate]:
    """Folders, and whether they are runs; below a run there is none, but for those of an experiment.

    Links are not followed.
    """
    try:
        with os.scandir(folder) as entries:
            below = sorted((each for each in entries), key=lambda each: each.name)
    except OSError:
        return
    of_use = [each for each in below if each.name in _OF_USE]
    is_run = _is_run(of_use)
    yield _Candidate(folder, is_run, of_use)
    if is_run and is_experiment(folder):
        depth = DEEPEST
    elif depth == 0 or is_run:
        return
    for each in below:
        if not each.name.startswith(".") and each.is_dir(follow_symlinks=False):
            yield from _candidates(folder / each.name, depth - 1)


def _is_run(entries: Iterable[os.DirEntry[str]]) -> bool:
    """Whether a folder is a run of which no file leads out of it, as a link to /etc/passwd would."""
    read = {each.name: each for each in entries if each.name in FILES or each.name == PART_FOLDER}
    if any(each.is_symlink() for each in read.values()):
        return False
    if PART_FOLDER not in read:
        return not MARKS.isdisjoint(read)
    try:
        with os.scandir(read[PART_FOLDER].path) as parts:
            within = [each for each in parts if each.name in FILES]
    except OSError:
        within = []
    has_file = not MARKS.isdisjoint(read) or any(each.name == RUN_FILE for each in within)
    return has_file and not any(each.is_symlink() for each in within)
