"""What is expensive to make, kept in the cache folder of the user: files with their hashes, values in SQLite files."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from ragassay.errors import ModelError
from ragassay.plain_files import read_plain

V = TypeVar("V")
Asked: TypeAlias = tuple[str, ...]

CACHE_VARIABLE = "RAGASSAY_CACHE"
HASHES_FILE = "sha256"
"""As ``sha256sum`` writes it: ``sha256sum -c sha256`` checks a folder by hand."""
# SQLite takes 32 766 parameters in a statement; more than a few hundred at once are no faster.
LOOKUP_KEYS = 500
BUSY_TIMEOUT_S = 30.0


def cache_folder() -> Path:
    """Return the folder that RAGASSAY_CACHE names, otherwise the platform's place for caches. It need not exist yet."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("ragassay", appauthor=False))


class KeptFiles(NamedTuple):
    """hashes: file name to sha256."""

    folder: Path
    hashes: dict[str, str]


def kept_files(name: str, make: Callable[[Path], object]) -> KeptFiles:
    """Return a folder of this name in the cache folder with the files that ``make`` writes, each as it was written.

    The files are compared with their hashes each time: one that was cut short would give other results without a word.
    Of two processes the first to rename its folder wins. Raises ModelError where they cannot be written.
    """
    folder = cache_folder() / name
    if (found := _whole(folder)) is not None:
        return found
    if (folder / HASHES_FILE).exists():
        warnings.warn(f"{folder} is damaged and will be made again", RuntimeWarning, stacklevel=2)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{name}.", suffix=".part") as part:
            own = Path(part) / "made"
            own.mkdir()
            make(own)
            hashes = _hashes(own)
            lines = (f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items()))
            (own / HASHES_FILE).write_text("".join(lines), encoding="ascii")
            with suppress(OSError):  # there is none, mostly
                folder.rename(Path(part) / "replaced")
            with suppress(OSError):  # another process was faster
                own.rename(folder)
    except OSError as error:
        raise ModelError(
            f"the graph of a model cannot be written to {folder.parent}: {error.strerror or error}; free "
            f"some space, or set {CACHE_VARIABLE} to another folder"
        ) from error
    if (found := _whole(folder)) is None:
        raise ModelError(f"{folder} was changed while it was written; run the command again")
    return found


def _whole(folder: Path) -> KeptFiles | None:
    try:
        text = read_plain(folder / HASHES_FILE).decode("ascii")
        hashes = {line[66:]: line[:64] for line in text.splitlines()}
        return KeptFiles(folder, hashes) if hashes and hashes == _hashes(folder) else None
    except (OSError, ValueError):
        return None


def _hashes(folder: Path) -> dict[str, str]:
    hashes = {}
    for path in folder.iterdir():
        if path.name != HASHES_FILE and path.is_file():
            with path.open("rb") as file:
                hashes[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes


class KeptValues:
    """Keys and values in an SQLite file that several processes may share; done without, after a warning, if broken."""

    def __init__(self, path: Path, what: str) -> None:
        """what: the values are, in plural, for messages."""
        self._path = path
        self._what = what
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._can_read = True
        self._can_write = True

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values of those keys that have one."""
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
        """Add the values in one transaction."""
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
        columns = [row[1] for row in connection.execute("PRAGMA table_info(vectors)")]
        if columns not in ([], ["key", "vector"]):  # of a version before: what it holds is computed anew
            connection.execute("DROP TABLE vectors")
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def key_of(maker: str, parts: Iterable[str]) -> bytes:
    """Return the key of what a maker computes of these texts."""
    digest = hashlib.blake2b(maker.encode(), digest_size=16)
    for part in parts:
        # surrogatepass: half a surrogate pair, as broken files have it, still needs a key.
        digest.update(b"\0" + part.encode("utf-8", "surrogatepass"))
    return digest.digest()


@dataclass(eq=False)
class Remembered(Generic[V]):
    """Values by the texts that they were computed of: the latest in memory, all of them in a file. Safe for threads.

    store: None keeps nothing between runs. maker: what else a value depends on. from_bytes: may raise.
    """

    store: KeptValues | None
    maker: str
    most: int
    to_bytes: Callable[[V], bytes]
    from_bytes: Callable[[bytes], V | None]
    _latest: OrderedDict[Asked, V] = field(default_factory=OrderedDict, init=False)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def values(self, asked: Sequence[Asked], compute: Callable[[list[Asked]], Iterable[V]]) -> list[V]:
        """Return the value of each; ``compute`` gives those that no run has computed, in their order."""
        with self._lock:
            found = {each: self._latest[each] for each in asked if each in self._latest}
            unknown = {each: key_of(self.maker, each) for each in asked if each not in found}
            if unknown:
                found |= self._computed(unknown, compute)
            for each, value in found.items():
                self._latest[each] = value
                self._latest.move_to_end(each)
            while len(self._latest) > self.most:
                self._latest.popitem(last=False)
            return [found[each] for each in asked]

    def _computed(
        self, unknown: Mapping[Asked, bytes], compute: Callable[[list[Asked]], Iterable[V]]
    ) -> dict[Asked, V]:
        stored = {} if self.store is None else self.store.read(list(unknown.values()))
        found = {}
        for each, key in unknown.items():
            value = self._read(stored[key]) if key in stored else None
            if value is not None:
                found[each] = value
        missing = [each for each in unknown if each not in found]
        fresh = dict(zip(missing, compute(missing) if missing else (), strict=True))
        if fresh and self.store is not None:
            self.store.write({unknown[each]: self.to_bytes(value) for each, value in fresh.items()})
        return found | fresh

    def _read(self, kept: bytes) -> V | None:
        try:
            return self.from_bytes(kept)
        except Exception:  # noqa: BLE001 - libraries that read their own bytes have no common error
            return None
