"""The runs below a folder: which there are, how far they are, and what is in them."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Lock

from ragassay.errors import InputError, RunFolderError
from ragassay.pipeline.folder import EXAMPLES_FILE, PART_FOLDER, RUN_FILE, is_locked
from ragassay.pipeline.read_run import read_items
from ragassay.report.items import Items
from ragassay.web.lone_pages import LonePage, lone_pages
from ragassay.web.run_entry import (
    FILES,
    MARKS,
    RunEntry,
    count_predictions,
    is_experiment,
    place_of,
    read_entry,
    signature,
)

DEEPEST = 3
"""How many folders below the one that was named runs are looked for."""
MOST_RUNS = 5_000
MOST_PAGES = 200
_KEPT_RUNS = 3
"""Runs whose items are kept in memory."""
_MOST_FOLDERS = 50_000
"""Of a folder that holds no runs, such as the root of a disk, no more is gone through."""


class NotThereError(InputError):
    """A run, or something of a run, that was asked for and is not there."""


class RunIndex:
    """Reads run folders when asked, and only what has changed since. Names that are not among them lead nowhere."""

    def __init__(self, folder: Path) -> None:
        """Raises RunFolderError where there is no such folder."""
        if not folder.is_dir():
            raise RunFolderError(f"{folder} is no folder; name one that holds runs, or a run")
        self.folder = folder
        self._entries: dict[str, tuple[object, RunEntry]] = {}
        self._items: OrderedDict[tuple[str, object], Items] = OrderedDict()
        self._lock = Lock()

    def entries(self) -> list[RunEntry]:
        """All runs, those that changed last first."""
        found = [self._entry(name, path) for name, path in self._folders().items()]
        return sorted(found, key=lambda entry: (-entry.changed_at, entry.name))

    def path_of(self, name: str) -> Path:
        """The folder of a run. Raises NotThereError for a name that is none of the runs."""
        path = self._folders().get(name)
        if path is None:
            raise NotThereError(f"there is no run {name!r} here")
        return path

    def entry(self, name: str) -> RunEntry:
        """One run, its predictions counted. Raises NotThereError for a name that is none of the runs."""
        path = self.path_of(name)
        return replace(self._entry(name, path), predictions=count_predictions(path))

    def items(self, name: str) -> Items:
        """Examples, predictions and scores of a run, as far as they are written."""
        path = self.path_of(name)
        key = (name, signature(path))
        with self._lock:
            if key not in self._items:
                self._items[key] = read_items(place_of(path))
                while len(self._items) > _KEPT_RUNS:
                    self._items.popitem(last=False)
            self._items.move_to_end(key)
            return self._items[key]

    def pages(self) -> list[LonePage]:
        """The pages that stand beside runs, those that changed last first."""
        found = islice(_candidates(self.folder, DEEPEST), _MOST_FOLDERS)
        pages = [page for path, is_run in found if not is_run for page in lone_pages(path, self.folder)]
        return sorted(pages, key=lambda page: (-page.changed_at, page.name))[:MOST_PAGES]

    def page(self, name: str) -> bytes:
        """One of these pages. Raises NotThereError for a name that is none of them."""
        if not any(each.name == name for each in self.pages()):
            raise NotThereError(f"there is no page {name!r} here")
        return (self.folder / name).read_bytes()

    def comparable(self, name: str) -> list[str]:
        """Names of the other runs with scores that share an example and, as far as it is known, a metric with this one.

        Raises NotThereError as ``entry``.
        """
        found = self._folders()
        one = self.entry(name)
        ids = set(_ids(place_of(found[name])))
        return [
            other.name
            for other in (self._entry(each, path) for each, path in found.items() if each != name)
            if other.has_scores
            and (one.metrics.keys() & other.metrics.keys() or not (one.metrics and other.metrics))
            and any(each in ids for each in _ids(place_of(found[other.name])))
        ]

    def _entry(self, name: str, path: Path) -> RunEntry:
        locked = is_locked(path)
        now = (signature(path), locked)
        known = self._entries.get(name)
        if known is None or known[0] != now:
            self._entries[name] = known = (now, read_entry(name, path, locked=locked))
        return known[1]

    def _folders(self) -> dict[str, Path]:
        """Name to folder of everything that looks like a run. Links are not followed."""
        found: dict[str, Path] = {}
        for path, is_run in islice(_candidates(self.folder, DEEPEST), _MOST_FOLDERS):
            if len(found) == MOST_RUNS:
                break
            if is_run:
                found[path.relative_to(self.folder).as_posix() if path != self.folder else path.name or "run"] = path
        return found


def _candidates(folder: Path, depth: int) -> Iterator[tuple[Path, bool]]:
    """Folders, and whether they are runs; below a run there is none, but for those of an experiment."""
    try:
        with os.scandir(folder) as entries:
            below = sorted((each for each in entries), key=lambda each: each.name)
    except OSError:
        return
    is_run = _is_run(below)
    yield folder, is_run
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


def _ids(place: Path) -> Iterator[str]:
    """Ids of the examples of a run, as far as they can be read."""
    try:
        with (place / EXAMPLES_FILE).open("rb") as file:
            for line in file:
                try:
                    found = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(found, dict) and isinstance(found.get("id"), str):
                    yield found["id"]
    except OSError:
        return
