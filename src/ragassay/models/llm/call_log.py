"""The log of calls: every reply of a server, kept in one SQLite file before anything is made of it.

A reply is on disk before it is used, so a run that is killed and started again repeats no call that was answered.
Several processes may share a log. Where two of them log a reply to one call, the first one stands, and both use it.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ragassay.errors import RunFolderError
from ragassay.models.llm.server_replies import Answer, Usage
from ragassay.plain_files import NO_FILE

LOG_FILE = "calls.sqlite"
FORMAT = 2
BUSY_TIMEOUT_S = 60.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    task TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    model TEXT NOT NULL,
    parameters TEXT NOT NULL,
    messages TEXT NOT NULL,
    sample INTEGER NOT NULL,
    reply TEXT NOT NULL,
    finish_reason TEXT NOT NULL,
    failure TEXT,
    unreadable TEXT,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    tokens_estimated INTEGER NOT NULL,
    latency_s REAL NOT NULL,
    tries INTEGER NOT NULL,
    finished_at REAL NOT NULL,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    aside TEXT
);
"""
_INSERT = f"INSERT INTO calls VALUES (NULL{', ?' * 19}) ON CONFLICT (key) DO NOTHING"
_SELECT = """
SELECT reply, prompt_tokens, completion_tokens, tokens_estimated, cached_tokens, finish_reason, failure, aside
FROM calls WHERE key = ?
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCall:
    """A call and the answer to it. key: of whatever decides about the answer. parameters, messages: JSON, as sent.

    sample: which of several answers to the same messages. unreadable: what was wrong with the reply for the task, or
    None. latency_s: of the try that was answered. tries: how many it took.
    """

    key: bytes
    task: str
    prompt_hash: str
    model: str
    parameters: str
    messages: str
    sample: int
    answer: Answer
    unreadable: str | None
    latency_s: float
    tries: int


class CallLog:
    """A log that is open for reading and writing. Safe for several threads and event loops."""

    def __init__(self, path: Path) -> None:
        """Open the log, and make it where there is none. Raises RunFolderError where the file cannot be used."""
        self.path = path
        self._lock = threading.Lock()
        self._waiting: list[tuple[LoggedCall, Future[Answer]]] = []
        self._broken: RunFolderError | None = None
        self._writer = ThreadPoolExecutor(1, "call log")
        self._read_lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():  # SQLite would wait for what a pipe says
                raise OSError(NO_FILE)
            self._writing = _open(path)
            self._reading = _open(path)
        except (OSError, sqlite3.Error) as error:
            raise RunFolderError(
                f"the call log {path} cannot be opened ({error}); keep it, since it may hold paid "
                "replies, and name another folder"
            ) from None

    def find(self, key: bytes) -> Answer | None:
        """Return the answer that is stored under a key."""
        try:
            with self._read_lock:
                row = self._reading.execute(_SELECT, (key,)).fetchone()
        except sqlite3.Error as error:
            raise self._unusable("read", error) from None
        return None if row is None else _to_answer(row)

    async def store(self, call: LoggedCall) -> Answer:
        """Return once the answer is on disk, this or an earlier one. Raises RunFolderError where it takes no more."""
        stored: Future[Answer] = Future()
        stored.set_running_or_notify_cancel()  # whoever is cancelled meanwhile, the answer is written
        with self._lock:
            if self._broken is not None:
                raise RunFolderError(str(self._broken))
            self._waiting.append((call, stored))
            self._writer.submit(self._write)
        return await asyncio.wrap_future(stored)

    def close(self) -> None:
        """Write what is still to be written and close the file."""
        self._writer.shutdown()
        self._reading.close()
        self._writing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write(self) -> None:
        """Write whatever has come in while the last batch was written; runs in the writer's thread."""
        with self._lock:
            batch, self._waiting = self._waiting, []
        if not batch:
            return
        try:
            answers = self._commit([call for call, _ in batch])
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits has to hear of it
            with self._lock:
                self._broken = self._unusable("written to", error)
            for _, stored in batch:
                stored.set_exception(RunFolderError(str(self._broken)))
            return
        for (_, stored), answer in zip(batch, answers, strict=True):
            stored.set_result(answer)

    def _commit(self, calls: Sequence[LoggedCall]) -> list[Answer]:
        """Write all in one transaction; return the answers that stand now."""
        write = self._writing
        answers = []
        now = time.time()
        try:
            write.execute("BEGIN IMMEDIATE")
            for call in calls:
                new = write.execute(_INSERT, _to_row(call, now)).rowcount
                answers.append(call.answer if new else _to_answer(write.execute(_SELECT, (call.key,)).fetchone()))
            write.execute("COMMIT")
        except BaseException:
            if write.in_transaction:
                write.rollback()
            raise
        return answers

    def _unusable(self, what: str, error: Exception) -> RunFolderError:
        return RunFolderError(
            f"the call log {self.path} cannot be {what} ({error}); free some space or repair it, then run "
            "the same command again: calls that are in the log are not repeated"
        )


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        _switch_to_wal(connection)
        # FULL: what was paid for survives a power cut as well as a killed process. One fsync for a batch is cheap.
        connection.execute("PRAGMA synchronous=FULL")
        _prepare(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """SQLite does not wait for its lock here: of two processes that open a new file at once, one is turned away."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the table unless it is there. Raises sqlite3.DatabaseError for a file of another format."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == FORMAT:
        return
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if version or not names <= {"calls", "lost_tries"}:  # of a version before, the latter
        raise sqlite3.DatabaseError(f"it is no call log of format {FORMAT}")
    connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")


def _to_row(call: LoggedCall, now: float) -> tuple[object, ...]:
    answer, usage = call.answer, call.answer.usage
    aside = {name: said for name, said in (("reasoning", answer.reasoning), ("model", answer.served_by)) if said}
    return (
        call.key,
        call.task,
        call.prompt_hash,
        call.model,
        call.parameters,
        call.messages,
        call.sample,
        answer.text,
        answer.finish_reason,
        answer.failure,
        call.unreadable,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.estimated,
        call.latency_s,
        call.tries,
        now,
        usage.cached_tokens,
        json.dumps(aside, ensure_ascii=False) if aside else None,
    )


def _to_answer(row: tuple[str, int, int, int, int, str, str | None, str | None]) -> Answer:
    text, prompt_tokens, completion_tokens, estimated, cached_tokens, finish_reason, failure, aside = row
    beside = json.loads(aside) if aside else {}
    return Answer(
        text,
        Usage(prompt_tokens, completion_tokens, bool(estimated), cached_tokens),
        finish_reason,
        failure,
        beside.get("reasoning", ""),
        beside.get("model", ""),
    )
