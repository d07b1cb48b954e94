"""Files of a project in PostgreSQL: ``pg://PROJECT/NAME``, on the server that libpq's variables name (PGHOST, ...).

Only what ``storage`` calls of fsspec's file systems is here. A file is replaced in one transaction. The tables lie in
the schema ``ragassay``; its view ``records`` has the lines of all JSON Lines files of uploaded folders as rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ragassay.errors import InputError
from ragassay.remote.places import MANIFEST_FILE

if TYPE_CHECKING:
    import psycopg

SCHEME = "pg"
_PART_BYTES = 8 << 20
_LOCK_OF_SCHEMA = 0x7A6A5539
_MIGRATIONS = (
    """
    CREATE TABLE ragassay.files (
        project text, path text, size bigint NOT NULL, generation bigint NOT NULL, PRIMARY KEY (project, path)
    );
    CREATE TABLE ragassay.parts (
        project text, path text, number int, content bytea NOT NULL, PRIMARY KEY (project, path, number),
        FOREIGN KEY (project, path) REFERENCES ragassay.files ON DELETE CASCADE
    );
    CREATE SEQUENCE ragassay.generations;
    """,
    f"""
    ALTER TABLE ragassay.files ADD uploaded timestamptz NOT NULL DEFAULT now();
    CREATE VIEW ragassay.texts AS
        SELECT project, path, convert_from(string_agg(content, '' ORDER BY number), 'UTF8') AS text
        FROM ragassay.parts GROUP BY project, path;
    CREATE VIEW ragassay.records AS
        SELECT folder.project, folder.name, file.key AS file, line.number, line.text::json AS record
        FROM (
            SELECT project, left(path, -{len(MANIFEST_FILE) + 1}) AS name, text::json -> 'files' AS files
            FROM ragassay.texts WHERE path LIKE '%/{MANIFEST_FILE}'
        ) folder,
        LATERAL json_each_text(folder.files) file,
        LATERAL (
            SELECT text FROM ragassay.texts
            WHERE project = folder.project AND file.key LIKE '%.jsonl'
            AND path = folder.name || '/.ragassay/' || left(file.value, 16) || '/' || file.key
        ) content,
        LATERAL string_to_table(content.text, E'\\n') WITH ORDINALITY AS line(text, number)
        WHERE line.text <> '';
    """,
)
"""What takes the tables from each version to the next. Never change one: add another."""


class RefusedError(Exception):
    """The server is there, and does not let this user into this database."""


class ProjectFiles:
    """All projects of one database. What is written first makes the tables; what is read makes none.

    Raises what ``storage`` knows how to say: PermissionError, ConnectionError, RefusedError.
    """

    def __init__(self) -> None:
        """Brings the tables up to date, if there are any. Raises InputError for those of a later version."""
        self.connection = _connected()
        self._is_made = False
        self._has_tables()

    def find(self, path: str, *, detail: bool = True) -> dict[str, dict[str, Any]]:
        """Path to size and generation, of the file or all below the folder."""
        if not self._has_tables():
            return {}
        project, name = _split(path)
        rows = self._run(
            "SELECT path, size, generation FROM ragassay.files"
            " WHERE project = %s AND (path = %s OR starts_with(path, %s))",
            (project, name, f"{name}/" if name else ""),
        )
        return {
            f"{project}/{found}": {"type": "file", "size": size, "generation": generation}
            for found, size, generation in rows
        }

    def exists(self, path: str) -> bool:
        """Whether there is the project, or may be."""
        return True

    def info(self, path: str) -> dict[str, Any]:
        """Raises FileNotFoundError."""
        try:
            return self.find(path)[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    @contextmanager
    def open(self, path: str, mode: str = "rb", block_size: int = 0) -> Iterator[_Parts]:
        """What gives the file part by part."""
        yield _Parts(self, *_split(path))

    def put_file(self, local: str, path: str) -> None:
        """The file whole or not at all."""
        project, name = _split(path)
        size = Path(local).stat().st_size
        self._make_tables()
        with _faults(), self.connection.transaction(), Path(local).open("rb") as source:
            place = {"project": project, "path": name}
            self.connection.execute(
                "INSERT INTO ragassay.files VALUES (%(project)s, %(path)s, %(size)s, nextval('ragassay.generations'))"
                " ON CONFLICT (project, path) DO UPDATE SET size = excluded.size, generation = excluded.generation,"
                " uploaded = now()",
                {**place, "size": size},
            )
            self.connection.execute("DELETE FROM ragassay.parts WHERE project = %(project)s AND path = %(path)s", place)
            for number, content in enumerate(iter(lambda: source.read(_PART_BYTES), b"")):
                self.connection.execute(
                    "INSERT INTO ragassay.parts VALUES (%s, %s, %s, %s)", (project, name, number, content)
                )

    def pipe_file(self, path: str, content: bytes) -> None:
        """An empty file, to see whether one may be written."""
        self._make_tables()
        project, name = _split(path)
        self._run(
            "INSERT INTO ragassay.files VALUES (%s, %s, 0, nextval('ragassay.generations'))"
            " ON CONFLICT (project, path) DO NOTHING RETURNING 0",
            (project, name),
        )

    def rm_file(self, path: str) -> None:
        self._run("DELETE FROM ragassay.files WHERE project = %s AND path = %s RETURNING 0", _split(path))

    def _strip_protocol(self, path: str) -> str:
        return path

    def part(self, project: str, path: str, number: int) -> bytes:
        """A part of a file; empty behind the last."""
        rows = self._run(
            "SELECT content FROM ragassay.parts WHERE project = %s AND path = %s AND number = %s",
            (project, path, number),
        )
        return bytes(rows[0][0]) if rows else b""

    def _has_tables(self) -> bool:
        if not self._is_made:
            with _faults():
                has_some = _version(self.connection) > 0
            if has_some:
                self._make_tables()
        return self._is_made

    def _make_tables(self) -> None:
        if not self._is_made:
            with _faults():
                _migrate(self.connection)
            self._is_made = True

    def _run(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        with _faults():
            return self.connection.execute(query, values).fetchall()


class Claim:
    """Keeps everybody else, on any machine, from writing to one place; it goes with its connection."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    @classmethod
    def of(cls, path: str) -> Self | None:
        """None where somebody else has it."""
        connection = _connected()
        with _faults():
            found = connection.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", (path,)).fetchone()
        if found is not None and found[0]:
            return cls(connection)
        connection.close()
        return None

    def is_held(self) -> bool:
        """Whether it still is: a server that began anew knows nothing of it."""
        return is_open(self._connection)

    def close(self) -> None:
        """Lets others have it."""
        self._connection.close()


class _Parts:
    """A file that is read part by part, however much is asked for."""

    def __init__(self, files: ProjectFiles, project: str, path: str) -> None:
        self._files, self._place, self._number = files, (project, path), -1

    def read(self, size: int) -> bytes:
        self._number += 1
        return self._files.part(*self._place, self._number)


def _split(path: str) -> tuple[str, str]:
    project, _, name = path.partition("/")
    return project, name.rstrip("/")


def is_open(connection: psycopg.Connection[Any]) -> bool:
    """Whether the server still answers on a connection."""
    try:
        with _faults():
            connection.execute("SELECT 1")
    except ConnectionError:
        return False
    return True


def _connected() -> psycopg.Connection[Any]:
    import psycopg  # imported late: an extra

    try:
        return psycopg.connect("", autocommit=True, connect_timeout=10)
    except psycopg.OperationalError as error:
        if "FATAL" in str(error) or (error.pgconn and error.pgconn.needs_password):
            raise RefusedError from None
        raise ConnectionError("no connection") from None


@contextmanager
def _faults() -> Iterator[None]:
    import psycopg

    try:
        yield
    except psycopg.errors.InsufficientPrivilege:
        raise PermissionError("no rights") from None
    except psycopg.OperationalError:
        raise ConnectionError("no connection") from None


def _migrate(connection: psycopg.Connection[Any]) -> None:
    if _version(connection) == len(_MIGRATIONS):
        return
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK_OF_SCHEMA,))  # of several that begin at once
        connection.execute("CREATE SCHEMA IF NOT EXISTS ragassay")
        connection.execute("CREATE TABLE IF NOT EXISTS ragassay.version (number int NOT NULL)")
        for each in _MIGRATIONS[_version(connection) :]:
            connection.execute(each)
        connection.execute("DELETE FROM ragassay.version")
        connection.execute("INSERT INTO ragassay.version VALUES (%s)", (len(_MIGRATIONS),))


def _version(connection: psycopg.Connection[Any]) -> int:
    """Of the tables; 0 where there are none. Raises InputError for a later one."""
    there = connection.execute("SELECT to_regclass('ragassay.version') IS NOT NULL").fetchone()
    if there is None or not there[0]:
        return 0
    found = connection.execute("SELECT max(number) FROM ragassay.version").fetchone()
    version = int(found[0] or 0) if found else 0
    if version > len(_MIGRATIONS):
        raise InputError(
            f"the database holds projects of a later Ragassay (tables of version {version}, this one knows "
            f"{len(_MIGRATIONS)}); install that version here"
        )
    return version
