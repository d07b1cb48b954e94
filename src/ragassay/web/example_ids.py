"""Which examples runs hold, to tell those that can be compared."""

from __future__ import annotations

import json
import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Set
from pathlib import Path
from threading import Lock

from ragassay.errors import InputError
from ragassay.pipeline.folders.file_state import FileState, file_state, is_settled
from ragassay.plain_files import lines_of, open_plain

_MOST_KEPT = 1_000_000
"""Ids, of all files together: 120 MB at most."""
_ID = re.compile(rb'\{"id": ?"([^"\\\x00-\x1f]+)"[,}]')
"""How our own lines begin."""


class ExampleIds:
    """Reads ids when asked for, and keeps those of a file until it is another one."""

    def __init__(self) -> None:
        self._known: OrderedDict[Path, tuple[FileState, frozenset[str]]] = OrderedDict()
        self._kept = 0
        self._lock = Lock()

    def of(self, file: Path) -> frozenset[str]:
        """Those of one file, as far as they can be read."""
        at = time.time()
        state = file_state(file)
        known = self._kept_of(file, state)
        return self._keep(file, state, at, frozenset(_ids(file))) if known is None else known

    def shares(self, file: Path, ids: Set[str]) -> bool:
        """Whether a file holds one of these; it is read up to the first."""
        at = time.time()
        state = file_state(file)
        known = self._kept_of(file, state)
        if known is not None:
            return not known.isdisjoint(ids)
        found: set[str] = set()
        for each in _ids(file):
            if each in ids:
                return True
            found.add(each)
        self._keep(file, state, at, frozenset(found))
        return False

    def _kept_of(self, file: Path, state: FileState | None) -> frozenset[str] | None:
        with self._lock:
            known = self._known.get(file)
            if known is None or known[0] != state:
                return None
            self._known.move_to_end(file)
            return known[1]

    def _keep(self, file: Path, state: FileState | None, at: float, ids: frozenset[str]) -> frozenset[str]:
        """at: when the state was taken, before the file was read."""
        with self._lock:
            _, before = self._known.pop(file, (None, frozenset()))
            self._kept -= len(before)
            if state is not None and is_settled([state], at):
                self._known[file] = (state, ids)
                self._kept += len(ids)
            while self._kept > _MOST_KEPT:
                _, (_, gone) = self._known.popitem(last=False)
                self._kept -= len(gone)
        return ids


def _ids(file: Path) -> Iterator[str]:
    try:
        with open_plain(file) as lines:
            for line in lines_of(lines, file.name):
                begins = _ID.match(line)
                found = begins[1].decode("utf-8", "replace") if begins else _id(line)
                if found is not None:
                    yield found
    except (OSError, InputError):
        return


def _id(line: bytes) -> str | None:
    """Of a line that begins otherwise."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found["id"] if isinstance(found, dict) and isinstance(found.get("id"), str) else None
