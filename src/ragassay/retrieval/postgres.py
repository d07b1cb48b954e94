"""Keep the vectors of chunks in PostgreSQL with pgvector (extra ``pgvector``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from ragassay.errors import InputError, UsageError
from ragassay.models.llm.masking import one_line
from ragassay.retrieval.index import check_unit_rows

if TYPE_CHECKING:
    import psycopg

Vectors = npt.NDArray[np.float32]
HNSW = ":hnsw"
_DECIMALS = 6
_SEARCH_BREADTH = 128
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,40}")


class ChunkBatch(NamedTuple):
    """Chunks that are put into a store together.

    ids: one for each, no id twice in a store. vectors: (n, dimension) float32, rows of unit length.
    """

    ids: Sequence[str]
    vectors: Vectors


class Hit(NamedTuple):
    id: str
    score: float


class PostgresStore:
    """Rows of tables whose names begin with ``name``; they stay when the process ends.

    fingerprint: what ``fill`` was told; empty where nothing was filled in. Filling is one transaction: the tables hold
    the old chunks or the new ones, never a part.
    """

    def __init__(self, url: str, *, name: str = "ragassay") -> None:
        """url: postgresql://USER@HOST/DATABASE, the password in PGPASSWORD; ``:hnsw`` behind it for approximate search.

        Raises UsageError where the extra is not installed or the name is no name, InputError where the server cannot be
        used.
        """
        if not _NAME.fullmatch(name):
            raise UsageError(f"store: invalid table name {name!r}; use lower-case letters, digits and underscores")
        self._name = name
        self._approximate = url.endswith(HNSW)
        self._connection = _connected(url.removesuffix(HNSW))
        self._dimension = self._size = 0
        self.fingerprint = ""
        with ExitStack() as opening:
            opening.callback(self._connection.close)
            self._open()
            opening.pop_all()

    def __len__(self) -> int:
        return self._size

    def fill(self, batches: Iterable[ChunkBatch], fingerprint: str = "") -> None:
        """Take all chunks, in the place of what was there. Raises InputError for an id that comes twice."""
        ids: set[str] = set()
        dimension = 0
        with self._connection.transaction():
            self.drop()
            for batch in batches:
                twice = next((chunk_id for chunk_id in batch.ids if chunk_id in ids), None)
                if twice is not None or len(set(batch.ids)) < len(batch.ids):
                    raise InputError(f"two chunks have the id {twice or batch.ids[0]}; give every chunk its own id")
                check_unit_rows(batch.vectors, "chunk")
                if not dimension:
                    dimension = batch.vectors.shape[1]
                    self._make_chunks(dimension)
                self._send(batch, len(ids))
                ids.update(batch.ids)
            self._make_chunks(dimension or 1)
            self._run("ALTER TABLE {name}_chunks ADD PRIMARY KEY (place)")
            if self._approximate:
                self._run("CREATE INDEX ON {name}_chunks USING hnsw (vector vector_ip_ops)")
            self._run("CREATE TABLE {name}_about (dimension int, chunks int, fingerprint text)")
            about = (dimension, len(ids), fingerprint)
            self._run("INSERT INTO {name}_about VALUES (%s, %s, %s)", about)
        self._run("ANALYZE {name}_chunks")
        self._open()

    def dense(self, questions: Vectors, k: int) -> list[list[Hit]]:
        """Return the k chunks with the highest cosine for each question, best first; nearly those with ``:hnsw``.

        questions: (n_questions, dimension), rows of unit length. Cosines are rounded to 1e-6; equal ones stand in the
        order of the ids.
        """
        check_unit_rows(questions, "question")
        return [self._nearest(_as_text(question), k) if self._size else [] for question in questions]

    def close(self) -> None:
        """Close the connection; the tables stay."""
        self._connection.close()

    def drop(self) -> None:
        """Remove the tables."""
        for table in ("chunks", "about"):
            self._run("DROP TABLE IF EXISTS {name}_" + table)

    def _open(self) -> None:
        import psycopg

        self._size = 0
        try:
            self._run("CREATE EXTENSION IF NOT EXISTS vector")
            if self._run("SELECT to_regclass(%s)", (f"{self._name}_about",))[0][0] is None:
                return
            rows = self._run("SELECT dimension, chunks, fingerprint FROM {name}_about")
        except psycopg.Error as error:
            raise InputError(
                f"store: the server cannot be used ({_said(error)}); it needs the extension vector (pgvector)"
            ) from None
        self._dimension, self._size, self.fingerprint = rows[0]

    def _make_chunks(self, dimension: int) -> None:
        columns = f"place int NOT NULL, id text NOT NULL, vector vector({dimension})"
        self._run("CREATE TABLE IF NOT EXISTS {name}_chunks (" + columns + ")")

    def _send(self, batch: ChunkBatch, first: int) -> None:
        with self._connection.cursor() as cursor, cursor.copy(self._sql("COPY {name}_chunks FROM STDIN")) as copy:
            for place, (chunk_id, vector) in enumerate(zip(batch.ids, batch.vectors, strict=True), start=first):
                if "\0" in chunk_id:
                    raise InputError(f"the chunk id {chunk_id!r} contains a NUL, which PostgreSQL rejects; rename it")
                copy.write_row((place, chunk_id, _as_text(vector)))

    def _nearest(self, question: str, k: int) -> list[Hit]:
        rows = "{name}_chunks"
        if self._approximate:  # an order that the index knows; that of ties and of rounded scores it does not
            rows = "(SELECT * FROM {name}_chunks ORDER BY vector <#> %s::vector LIMIT %s) AS nearest"
        score = f"round((-(vector <#> %s::vector))::numeric, {_DECIMALS})::float8"
        query = f'SELECT id, {score} AS score FROM {rows} ORDER BY score DESC, id COLLATE "C" LIMIT %s'
        with self._connection.transaction():
            if self._approximate:
                self._run(f"SET LOCAL hnsw.ef_search = {min(1000, max(_SEARCH_BREADTH, k))}")
            found = self._run(query, (question, *((question, k) if self._approximate else ()), k))
        return [Hit(*row) for row in found]

    def _sql(self, text: str) -> Any:
        from psycopg import sql

        # the name was checked to be one; values always travel apart from the text
        return sql.SQL(text.replace("{name}", self._name))

    def _run(self, text: str, values: Sequence[object] = ()) -> list[Any]:
        with self._connection.cursor() as cursor:
            cursor.execute(self._sql(text), values or None)
            return cursor.fetchall() if cursor.description else []


def _connected(url: str) -> psycopg.Connection[Any]:
    try:
        import psycopg
    except ImportError:
        raise UsageError("store postgresql needs psycopg; install it with: pip install 'ragassay[pgvector]'") from None
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=10)
    except psycopg.Error as error:
        place = "the server"
        with suppress(ValueError):
            parts = urlsplit(url)
            place = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"  # without user and password
        raise InputError(f"store: no connection to {place} ({_said(error)}); check the URL and the server") from None


def _said(error: Exception) -> str:
    return one_line(str(error))[:200] or type(error).__name__


def _as_text(vector: Vectors) -> str:
    """Write a vector as pgvector reads it; nine digits give every float32 back to the last bit."""
    return "[" + ",".join(f"{number:.9g}" for number in vector.tolist()) + "]"
