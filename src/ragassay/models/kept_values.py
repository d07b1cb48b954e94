"""Values kept between runs, in a SQLite file that several processes may share."""

from __future__ import annotations

import sqlite3
import threading
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

# SQLite takes 32 766 parameters in a statement; more than a few hundred at once are no faster.
LOOKUP_KEYS = 500
BUSY_TIMEOUT_S = 30.0


class KeptValues:
    """A table of keys and values in one SQLite file, which several processes may share and which never stops a run.

    One that cannot be opened, read or written is done without, with one warning.
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
        found: dict[bytes, bytes] = {}
        with self._lock:
            if not self._can_read:
                return {}
            try:
                connection = self._connect()
                for start in range(0, len(keys), LOOKUP_KEYS):
                    some = keys[start : start + LOOKUP_KEYS]
                    marks = ",".join("?" * len(some))
                    found.update(connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some))
            except (OSError, sqlite3.Error) as error:
                self._can_read = False
                self._do_without(error)
        return found

    def write(self, values: Mapping[bytes, bytes]) -> None:
        """Adds the values in one transaction."""
        with self._lock:
            if not self._can_write:
                return
            try:
                with self._connect() as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", values.items())
            except (OSError, sqlite3.Error) as error:
                self._do_without(error)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = _open(self._path)
        return self._connection

    def _do_without(self, error: Exception) -> None:
        if self._can_write:
            self._can_write = False
            warnings.warn(
                f"{self._what} are not kept in {self._path}: {error}; the next run computes them again, unless the "
                "file can be written or is removed",
                RuntimeWarning,
                stacklevel=4,
            )


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
