"""Keep the vectors of chunks in PostgreSQL with pgvector (extra ``pgvector``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
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


class PostgresStore:
    """The vectors of chunks by their ordinals, in tables that stay when the process ends.

    fingerprint: what ``fill`` was told, or empty. Filling is one transaction: the tables hold the old chunks or the new
    ones.
    """

    def __init__(self, url: str) -> None:
        """url: postgresql://USER@HOST/DATABASE, the password in PGPASSWORD; ``:hnsw`` behind it for approximate search.

        Raises UsageError where the extra is not installed, InputError where the server cannot be used.
        """
        self._approximate = url.endswith(HNSW)
        self._connection = _connected(url.removesuffix(HNSW))
        try:
            self.fingerprint = self._opened()
        except BaseException:
            self._connection.close()
            raise

    def fill(self, batches: Iterable[Vectors], fingerprint: str) -> None:
        """Take all chunks in their order, in place of what was there: (n, dimension) float32, of unit length."""
        with self._connection.transaction():
            self.drop()
            n_chunks = 0
            for vectors in batches:
                check_unit_rows(vectors, "chunk")
                if not n_chunks:
                    columns = f"place int PRIMARY KEY, vector vector({vectors.shape[1]})"
                    self._run(f"CREATE TABLE ragassay_chunks ({columns})")
                with self._connection.cursor() as cursor, cursor.copy("COPY ragassay_chunks FROM STDIN") as copy:
                    for place, vector in enumerate(vectors, start=n_chunks):
                        copy.write_row((place, _as_text(vector)))
                n_chunks += len(vectors)
            if self._approximate:
                self._run("CREATE INDEX ON ragassay_chunks USING hnsw (vector vector_ip_ops)")
            self._run("CREATE TABLE ragassay_about (fingerprint text)")
            self._run("INSERT INTO ragassay_about VALUES (%s)", (fingerprint,))
        self._run("ANALYZE ragassay_chunks")
        self.fingerprint = fingerprint

    def nearest(self, question: Vectors, k: int) -> list[tuple[int, float]]:
        """Return ordinal and cosine, to 1e-6, of the k nearest chunks, best first; nearly those with ``:hnsw``."""
        check_unit_rows(question[None], "question")
        asked, rows = _as_text(question), "ragassay_chunks"
        if self._approximate:  # an order that the index knows; that of ties and of rounded scores it does not
            rows = "(SELECT * FROM ragassay_chunks ORDER BY vector <#> %s::vector LIMIT %s) AS nearest"
        score = f"round((-(vector <#> %s::vector))::numeric, {_DECIMALS})::float8"
        query = f"SELECT place, {score} AS score FROM {rows} ORDER BY score DESC, place LIMIT %s"
        with self._connection.transaction():
            if self._approximate:
                self._run(f"SET LOCAL hnsw.ef_search = {min(1000, max(_SEARCH_BREADTH, k))}")
            return self._run(query, (asked, *((asked, k) if self._approximate else ()), k))

    def close(self) -> None:
        """Close the connection; the tables stay."""
        self._connection.close()

    def drop(self) -> None:
        """Remove the tables."""
        self._run("DROP TABLE IF EXISTS ragassay_chunks, ragassay_about")

    def _opened(self) -> str:
        """Return the fingerprint of what is there."""
        import psycopg

        try:
            self._run("CREATE EXTENSION IF NOT EXISTS vector")
            if self._run("SELECT to_regclass('ragassay_about')")[0][0] is None:
                return ""
            return str(self._run("SELECT fingerprint FROM ragassay_about")[0][0])
        except psycopg.Error as error:
            raise InputError(
                f"store: the server cannot be used ({_said(error)}); it needs the extension vector (pgvector)"
            ) from None

    def _run(self, text: str, values: Sequence[object] = ()) -> list[Any]:
        with self._connection.cursor() as cursor:
            cursor.execute(text.encode(), values or None)
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
