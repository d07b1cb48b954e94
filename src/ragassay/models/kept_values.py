"""Values kept between runs, in a SQLite file that several processes may share."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

# SQLite takes 32 766 parameters in a statement; more than a few hundred at once are no faster.
LOOKUP_KEYS = 500
BUSY_TIMEOUT_S = 30.0
UNUSABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
"""Damaged files, files of another kind, and those of a version that had other tables."""


class KeptValues:
    """A table of keys and values in one SQLite file, which several processes may share and which never stops a run.

    A file that is damaged or has other tables is moved aside and a new one begun. One that cannot be opened, read or
    written is done without.
    """

    def __init__(self, path: Path, what: str) -> None:
        """what: the values are, in plural, for messages."""
        self._path = path
        self._what = what
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._can_read = True
        self._can_write = True

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that have one."""
        with self._lock:
            if not self._can_read:
                return {}
            try:
                return self._read(keys)
            except (OSError, sqlite3.Error) as error:
                if not self._begin_again(error):
                    self._can_read = False
                    self._do_without(error)
                return {}

    def write(self, values: Mapping[bytes, bytes]) -> None:
        """Adds the values in one transaction."""
        with self._lock:
            if not self._can_write:
                return
            try:
                self._write(values)
            except (OSError, sqlite3.Error) as error:
                if not self._begin_again(error):
                    self._do_without(error)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        connection = self._connect()
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), LOOKUP_KEYS):
            some = keys[start : start + LOOKUP_KEYS]
            marks = ",".join("?" * len(some))
            found.update(connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some))
        return found

    def _write(self, values: Mapping[bytes, bytes]) -> None:
        connection = self._connect()
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", values.items())

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            if self._path.is_file() and not _is_writable(self._path):
                self._connection = _open_read_only(self._path)
                self._do_without(PermissionError("the file or its folder is read-only"))
            else:
                self._connection = _open(self._path)
        return self._connection

    def _begin_again(self, error: Exception) -> bool:
        """Moves the file aside if the error says that it is none of ours, so that the next access begins a new one."""
        if getattr(error, "sqlite_errorcode", None) not in UNUSABLE:
            return False
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        try:
            aside = _move_aside(self._path)
        except OSError:
            return False
        _warn(
            f"{self._path}, which keeps {self._what}, cannot be used ({error}); it was renamed to {aside}, and a new "
            "one is started"
        )
        return True

    def _do_without(self, error: Exception) -> None:
        self._can_write = False
        _warn(f"{self._what} are not kept in {self._path}: {error}; the next run computes them again")


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        # In WAL mode NORMAL survives a killed process; only a power cut may lose the last commits.
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _open_read_only(path: Path) -> sqlite3.Connection:
    # immutable: SQLite would otherwise want to write its shared-memory file beside this one.
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _move_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.name}.corrupt-{time.time_ns()}")
    path.replace(aside)
    # They belong to the file that was moved; beside a new one they would corrupt it.
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return aside


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=6)
