"""The store in PostgreSQL with pgvector (extra ``pgvector``): chunks, vectors and postings are rows of three tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import numpy as np

from ragassay.errors import InputError, UsageError
from ragassay.models.llm.masking import one_line
from ragassay.retrieval.dense import check_unit_rows
from ragassay.retrieval.stores.base import MARGIN, ChunkBatch, Hit, Vectors, best_first, check_new, cosines
from ragassay.retrieval.stores.words import WordsBuilder
from ragassay.retrieval.tokens import Analyzer, question_terms

if TYPE_CHECKING:
    import psycopg

_NAME = re.compile(r"[a-z_][a-z0-9_]{0,40}")
_MORE = 32
"""Looked at beyond the k-th, since float32 and ties may have put a better one there."""
_SEARCH_BREADTH = 128
_HEAD_BYTES = 4
"""Before the numbers of a vector that pgvector sends: their count, and two bytes that it keeps for later use."""


class PostgresStore:
    """Rows of tables whose names begin with ``name``; they stay when the process ends.

    Filling is one transaction: the tables hold the old chunks or the new ones, never a part.
    """

    def __init__(self, url: str, *, name: str = "ragassay", approximate: bool = False, language: str = "en") -> None:
        """url: as psycopg takes it, postgresql://USER@HOST/DATABASE; the password may stand in PGPASSWORD.

        approximate: search by an HNSW index. Raises UsageError where the extra is not installed or the name is no
        name, InputError where the server cannot be used.
        """
        if not _NAME.fullmatch(name):
            raise UsageError(f"store: invalid table name {name!r}; use lower-case letters, digits and underscores")
        self._name = name
        self._approximate = approximate
        self._language = language
        self._connection = _connected(url)
        self._dimension = 0
        self._size = 0
        self.fingerprint = ""
        with ExitStack() as opening:
            opening.callback(self._connection.close)
            self._open()
            opening.pop_all()

    @property
    def is_exact(self) -> bool:
        return not self._approximate

    def __len__(self) -> int:
        return self._size

    def fill(self, batches: Iterable[ChunkBatch], fingerprint: str = "") -> None:
        """Takes all chunks, sent as they come."""
        ids: set[str] = set()
        words = WordsBuilder(self._language)
        dimension = 0
        with self._connection.transaction():
            for table in ("chunks", "postings", "about"):
                self._run("DROP TABLE IF EXISTS {name}_" + table)
            for batch in batches:
                check_new(batch.ids, ids)
                check_unit_rows(batch.vectors, "chunk")
                if not dimension:
                    dimension = batch.vectors.shape[1]
                    self._make_chunks(dimension)
                self._send(batch, len(ids) - len(batch.ids))
                words.add(batch.texts)
            self._make_chunks(dimension or 1)
            self._send_words(words)
            self._run("ALTER TABLE {name}_chunks ADD PRIMARY KEY (place)")
            if self._approximate:
                self._run("CREATE INDEX ON {name}_chunks USING hnsw (vector vector_ip_ops)")
            self._run("CREATE TABLE {name}_about (dimension int, chunks int, language text, fingerprint text)")
            self._run(
                "INSERT INTO {name}_about VALUES (%s, %s, %s, %s)", (dimension, len(ids), self._language, fingerprint)
            )
        self._run("ANALYZE {name}_chunks")
        self._run("ANALYZE {name}_postings")
        self._open()

    def dense(self, questions: Vectors, k: int) -> list[list[Hit]]:
        """As ``Store.dense``; approximate where that was asked for."""
        check_unit_rows(questions, "question")
        return [self._nearest(question, k) if self._size else [] for question in questions]

    def lexical(self, questions: Sequence[str], k: int) -> list[list[Hit]]:
        """As ``Store.lexical``: the server adds the same float32 numbers in the same order."""
        if not self._size:
            return [[] for _ in questions]
        found = []
        for question in questions:
            rows = self._run(
                "SELECT c.id, s.score FROM (SELECT p.chunk, sum(p.gain ORDER BY q.place) AS score"
                " FROM unnest(%s::text[]) WITH ORDINALITY AS q(term, place) JOIN {name}_postings p ON p.term = q.term"
                ' GROUP BY p.chunk) s JOIN {name}_chunks c ON c.place = s.chunk ORDER BY s.score DESC, c.id COLLATE "C"'
                " LIMIT %s",
                ([_sendable(term) for term in question_terms(self._analyzer, question)], k),
            )
            found.append([Hit(chunk_id, float(np.float32(score))) for chunk_id, score in rows])
        return found

    def close(self) -> None:
        """Closes the connection; the tables stay."""
        self._connection.close()

    def drop(self) -> None:
        """Removes the tables."""
        for table in ("chunks", "postings", "about"):
            self._run("DROP TABLE IF EXISTS {name}_" + table)
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _open(self) -> None:
        import psycopg

        self._analyzer = Analyzer(self._language)
        self._size = 0
        try:
            self._run("CREATE EXTENSION IF NOT EXISTS vector")
            exists = self._run("SELECT to_regclass(%s)", (f"{self._name}_about",))[0][0]
            if exists is None:
                return
            rows = self._run("SELECT dimension, chunks, language, fingerprint FROM {name}_about")
        except psycopg.Error as error:
            raise InputError(
                f"store: the server cannot be used ({_said(error)}); it needs the extension vector (pgvector)"
            ) from None
        self._dimension, self._size, language, self.fingerprint = rows[0]
        self._analyzer = Analyzer(language)

    def _make_chunks(self, dimension: int) -> None:
        columns = f"place int NOT NULL, id text NOT NULL, vector vector({dimension})"
        self._run("CREATE TABLE IF NOT EXISTS {name}_chunks (" + columns + ")")

    def _send(self, batch: ChunkBatch, first: int) -> None:
        with self._connection.cursor() as cursor, cursor.copy(self._sql("COPY {name}_chunks FROM STDIN")) as copy:
            for place, (chunk_id, vector) in enumerate(zip(batch.ids, batch.vectors, strict=True), start=first):
                if "\0" in chunk_id:
                    raise InputError(f"the chunk id {chunk_id!r} contains a NUL, which PostgreSQL rejects; rename it")
                copy.write_row((place, chunk_id, _as_text(vector)))

    def _send_words(self, words: WordsBuilder) -> None:
        tokens, lexical = words.result()
        self._run("CREATE TABLE {name}_postings (term text NOT NULL, chunk int NOT NULL, gain real NOT NULL)")
        with self._connection.cursor() as cursor, cursor.copy(self._sql("COPY {name}_postings FROM STDIN")) as copy:
            for term, number in tokens.vocabulary.items():
                low, high = lexical.first[number], lexical.first[number + 1]
                for chunk, gain in zip(lexical.chunks[low:high].tolist(), lexical.gains[low:high], strict=True):
                    copy.write_row((_sendable(term), chunk, str(gain)))
        self._run("CREATE INDEX ON {name}_postings (term)")

    def _nearest(self, question: Vectors, k: int) -> list[Hit]:
        wanted = min(k + _MORE, self._size)
        while True:
            rows = self._candidates(question, wanted)
            vectors = np.frombuffer(b"".join(sent[_HEAD_BYTES:] for _, sent in rows), ">f4").astype(np.float32)
            scores = cosines(vectors.reshape(len(rows), self._dimension), question)
            ranked = np.sort(scores)[::-1]
            is_sure = wanted == self._size or ranked[-1] < ranked[min(k, len(rows)) - 1] - MARGIN
            if is_sure or self._approximate:
                return best_first([chunk_id for chunk_id, _ in rows], scores, k)
            wanted = min(2 * wanted, self._size)  # more of them tie with the k-th than were looked at

    def _candidates(self, question: Vectors, n: int) -> list[Any]:
        with self._connection.transaction():
            if self._approximate:
                self._run(f"SET LOCAL hnsw.ef_search = {min(1000, max(_SEARCH_BREADTH, n))}")
            return self._run(
                "SELECT id, vector FROM {name}_chunks ORDER BY vector <#> %s::vector LIMIT %s",
                (_as_text(question), n),
                binary=True,
            )

    def _sql(self, text: str) -> Any:
        from psycopg import sql

        # the name was checked to be one; values always travel apart from the text
        return sql.SQL(text.replace("{name}", self._name))

    def _run(self, text: str, values: Sequence[object] = (), *, binary: bool = False) -> list[Any]:
        """binary: what is found comes as the server holds it: as text, vectors would take long."""
        with self._connection.cursor(binary=binary) as cursor:
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
        raise InputError(
            f"store: no connection to {_place(url)} ({_said(error)}); check the URL and the server"
        ) from None


def _place(url: str) -> str:
    """The URL without user and password, for messages."""
    with suppress(ValueError):
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
    return "the server"


def _said(error: Exception) -> str:
    return one_line(str(error))[:200] or type(error).__name__


def _as_text(vector: Vectors) -> str:
    """As pgvector reads it; nine digits give every float32 back to the last bit."""
    return "[" + ",".join(f"{number:.9g}" for number in vector.tolist()) + "]"


def _sendable(text: str) -> str:
    """PostgreSQL takes neither NUL nor half a surrogate pair."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
