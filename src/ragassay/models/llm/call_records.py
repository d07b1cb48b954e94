"""What a log of calls holds, read while others may write: counts of each task, and single calls in full."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from ragassay.errors import InputError, UsageError
from ragassay.models.llm.call_log import BUSY_TIMEOUT_S, FORMAT, LOG_FILE
from ragassay.models.llm.prices import Prices

PERCENTILES = (50, 90, 99)

# total, not sum: a sum that is too large for SQLite is an error.
_COUNTS = """
SELECT task, model, count(*), sum(failure IS NOT NULL), sum(unreadable IS NOT NULL), sum(tries),
       CAST(total(prompt_tokens) AS INTEGER), CAST(total(completion_tokens) AS INTEGER), sum(tokens_estimated),
       sum(cached_tokens)
FROM calls WHERE :task IS NULL OR task = :task GROUP BY task, model ORDER BY min(id)
"""
_LATENCIES = "SELECT latency_s FROM calls WHERE :task IS NULL OR task = :task ORDER BY latency_s"
_PROBLEMS = """
SELECT id, task, coalesce(failure, unreadable) FROM calls
WHERE (failure IS NOT NULL OR unreadable IS NOT NULL) AND (:task IS NULL OR task = :task) ORDER BY id
"""
_ABOUT = """
SELECT id, task, coalesce(failure, unreadable, '') FROM calls
WHERE (instr(messages, :quoted) OR instr(reply, :quoted) OR instr(reply, :escaped)) AND (:task IS NULL OR task = :task)
ORDER BY id
"""
_COLUMNS = (
    "id task model prompt_hash parameters messages sample reply finish_reason failure unreadable "
    "prompt_tokens completion_tokens tokens_estimated latency_s tries finished_at cached_tokens aside"
).split()
_CALL = f"SELECT {', '.join(_COLUMNS)} FROM calls WHERE id = ?"
_SERVED = """
SELECT model, json_extract(aside, '$.model') AS served, count(*) FROM calls
WHERE served IS NOT NULL AND (:task IS NULL OR task = :task) GROUP BY model, served ORDER BY min(id)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCalls:
    """Calls of one task, or of all. failed: answered by a refusal, a filter or a text that is too long.

    unreadable: answered by what cannot be used. estimated: calls whose tokens the server did not say. cost_usd: None
    where a price is not known. latencies_s: percentiles of ``PERCENTILES`` by nearest rank, of the tries that were
    answered.
    """

    task: str
    calls: int
    failed: int
    unreadable: int
    tries: int
    prompt_tokens: int
    completion_tokens: int
    estimated: int
    cached_tokens: int
    cost_usd: float | None
    latencies_s: tuple[float, ...]


class ServedBy(NamedTuple):
    """Calls to a model whose replies say that they are of another, or of another name or version of it."""

    model: str
    served_by: str
    calls: int


class Problem(NamedTuple):
    """A call, and why its answer is of no use."""

    id: int
    task: str
    reason: str


class CallRecords:
    """An open log. Reads only: a run may go on writing."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def tasks(self) -> list[str]:
        """Return the names of all tasks that were answered."""
        return [task for (task,) in self._rows("SELECT DISTINCT task FROM calls ORDER BY task")]

    def by_task(self, prices: Prices, task: str | None = None) -> list[TaskCalls]:
        """Return the counts of each task, or of one; in the order in which they were first answered."""
        names = dict.fromkeys(row[0] for row in self._rows(_COUNTS, {"task": task}))
        return [self.overall(prices, name) for name in names]

    def overall(self, prices: Prices, task: str | None = None) -> TaskCalls:
        """Return the counts of all tasks together, or of one."""
        latencies_s = [latency_s for (latency_s,) in self._rows(_LATENCIES, {"task": task})]
        models, calls, failed, unreadable, tries, prompt, completion, estimated, cached = (
            [row[column] for row in self._rows(_COUNTS, {"task": task})] for column in range(1, 10)
        )
        costs = [prices.cost(*row) for row in zip(models, prompt, completion, cached, strict=True)]
        known = [cost for cost in costs if cost is not None]
        return TaskCalls(
            task=task or "all",
            calls=sum(calls),
            failed=sum(failed),
            unreadable=sum(unreadable),
            tries=sum(tries),
            prompt_tokens=sum(prompt),
            completion_tokens=sum(completion),
            estimated=sum(estimated),
            cached_tokens=sum(cached),
            cost_usd=sum(known) if len(known) == len(costs) else None,
            latencies_s=tuple(percentile(latencies_s, percent) for percent in PERCENTILES) if latencies_s else (),
        )

    def problems(self, task: str | None = None) -> Iterator[Problem]:
        """Return the calls whose answer is of no use, in the order of the log."""
        for row in self._rows(_PROBLEMS, {"task": task}):
            yield Problem(*row)

    def about(self, text: str, task: str | None = None) -> list[Problem]:
        """Return the calls that were sent a text, or whose reply has it; reason: "" for good ones."""
        quoted, escaped = json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]
        return [Problem(*row) for row in self._rows(_ABOUT, {"task": task, "quoted": quoted, "escaped": escaped})]

    def served_by(self, task: str | None = None) -> list[ServedBy]:
        """Return the replies that name another model than the one asked for, by model, in the order of the log."""
        return [ServedBy(*row) for row in self._rows(_SERVED, {"task": task})]

    def call(self, number: int) -> dict[str, Any]:
        """Return one call in full, by its id, JSON as objects. Raises UsageError if there is none."""
        row = None
        if 0 < number < 2**63:  # as far as SQLite counts
            row = next(iter(self._rows(_CALL, (number,))), None)
        if row is None:
            ((n,),) = self._rows("SELECT count(*) FROM calls")
            raise UsageError(f"--call: {self._path} has no call {number}; it holds {n} calls, and --failed lists some")
        found = dict(zip(_COLUMNS, row, strict=True))
        for name in ("parameters", "messages"):
            found[name] = json.loads(found[name])
        found["tokens_estimated"] = bool(found["tokens_estimated"])
        found["aside"] = json.loads(found["aside"] or "{}")
        return found

    def _rows(self, query: str, values: dict[str, str | None] | tuple[int, ...] = ()) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(self._path, error) from None


@contextmanager
def open_records(folder: Path) -> Iterator[CallRecords]:
    """Open the log of a run folder. Raises InputError where there is none or it cannot be read."""
    path = folder / LOG_FILE
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; name one that `ragassay run --out` wrote")
    if not path.is_file():
        raise InputError(f"{folder} holds no {LOG_FILE}: no calls to servers were made there")
    # Without a write-ahead log nobody is writing; read as it is then, SQLite leaves no files of its own behind.
    mode = "mode=ro" if path.with_name(f"{LOG_FILE}-wal").exists() else "immutable=1"
    try:
        connection = sqlite3.connect(f"file:{quote(str(path.resolve()))}?{mode}", uri=True, timeout=BUSY_TIMEOUT_S)
    except sqlite3.Error as error:
        raise _unreadable(path, error) from None
    try:
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            connection.execute("BEGIN")  # all figures of one moment
        except sqlite3.Error as error:
            raise _unreadable(path, error) from None
        if version != FORMAT:
            raise InputError(f"{path} has format {version}; this version reads format {FORMAT}")
        yield CallRecords(connection, path)
    finally:
        connection.close()


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return the smallest value that so many per cent do not exceed (nearest rank). ordered: ascending, not empty."""
    return ordered[max(1, math.ceil(percent / 100 * len(ordered))) - 1]


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(
        f"the call log {path} cannot be read ({error}); keep it, since it may hold paid replies, and check the file"
    )
