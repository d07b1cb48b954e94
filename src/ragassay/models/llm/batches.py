"""Calls of one endpoint in batches, at the price of batches: gathered, sent as a file, waited for, handed out.

Whoever asks waits. Once nobody new has come for a moment, all that wait are one round, and go out together. A batch is
on disk before the server hears of it, and its id before it is waited for; so a run that was killed at any point goes
on with the batches that it had sent, and pays for none of them twice.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ragassay.errors import ModelError, RagassayError
from ragassay.models.llm.batch_folder import BatchFolder, BatchRecord
from ragassay.models.llm.batch_server import ENDPOINT, BatchServer, UncertainError
from ragassay.models.llm.call_keys import public_address
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.limits import Limits
from ragassay.models.llm.server_replies import parsed
from ragassay.models.llm.transport import Received

MOST_LINES = 10_000
MOST_BYTES = 90_000_000
"""Of one batch. OpenAI takes 50 000 lines and 200 MB; replies are longer than prompts, and are read at once."""
SURFACING_TRIES = 3
"""Looks at the list of batches, after a reply that never came: a batch may take a moment to be listed."""
ENDED = frozenset(("completed", "failed", "expired", "cancelled"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """How batches are made and waited for.

    fewest: calls that are worth a batch; a round of fewer goes out call by call, as a batch may take a day.
    quiet_s: without a new call before a round goes out. first_look_s, longest_look_s: between two looks at a batch,
    doubling. give_up_s: after which a batch that neither ends nor expires is not waited for any more: a day, which is
    the promise, and two hours. on_news: told how far each batch is, in a few words.
    """

    fewest: int = 5
    quiet_s: float = 1.0
    first_look_s: float = 5.0
    longest_look_s: float = 60.0
    give_up_s: float = 26 * 3600.0
    on_news: Callable[[str], None] = field(default=lambda news: None, compare=False)


class _Asked(NamedTuple):
    body: bytes
    answer: asyncio.Future[Received | None]


class _Batch:
    """One under way. results: key to reply, once they are known; left: keys that are not in the log yet."""

    def __init__(self, record: BatchRecord, left: set[str], *, is_ours: bool) -> None:
        """is_ours: made by this process."""
        self.record = record
        self.left = left
        self.is_ours = is_ours
        self.results: Mapping[str, Received] | None = None
        self.waiting: dict[str, list[asyncio.Future[Received | None]]] = {}
        self.task: asyncio.Task[None] | None = None


class Batches:
    """The batches of one endpoint and one call log. Belongs to one event loop after the other."""

    def __init__(self, endpoint: Endpoint, log: CallLog, limits: Limits, batching: Batching) -> None:
        self._name = endpoint.name
        self._address = public_address(endpoint.base_url)
        self._model = endpoint.model
        self._log = log
        self._batching = batching
        self._folder = BatchFolder(log.path)
        self._server = BatchServer(endpoint, limits)
        self._batches: dict[str, _Batch] = {}
        self._waiting: dict[str, _Asked] = {}
        self._refused: set[tuple[str, str]] = set()
        self._newest_at = 0.0
        self._gathering: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def received(self, key: bytes, body: bytes) -> Received | None:
        """The reply to a call, however long that takes; None where no batch will bring one.

        Raises ModelError where batches cannot be had, RunFolderError where they cannot be kept.
        """
        self._follow_loop()
        loop = asyncio.get_running_loop()
        asked = _Asked(body, loop.create_future())
        self._waiting[key.hex()] = asked
        self._newest_at = loop.time()
        if self._gathering is None or self._gathering.done():
            self._gathering = loop.create_task(self._gather())
        return await asked.answer

    def ask_again(self, key: bytes) -> None:
        """What the batches have brought for a call is of no use; the next one may bring more."""
        self._refused.update((name, key.hex()) for name, batch in self._batches.items() if key.hex() in batch.left)

    def is_logged(self, key: bytes) -> None:
        """The call is in the log: its batch has nothing more to say about it."""
        for name, batch in list(self._batches.items()):
            batch.left.discard(key.hex())
            if not batch.left and batch.results is not None:
                self._folder.remove(batch.record)
                del self._batches[name]

    async def close(self) -> None:
        """Stops waiting; batches under way go on, and are found by the next run."""
        tasks = [each for each in (self._gathering, *(batch.task for batch in self._batches.values())) if each]
        for task in tasks:
            if task.get_loop() is asyncio.get_running_loop():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self._server.close()

    def _follow_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._waiting, self._gathering = loop, {}, None
            for batch in self._batches.values():
                batch.waiting, batch.task = {}, None

    async def _gather(self) -> None:
        """Sends a round out whenever nobody new has come for a moment."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            # A loop that was kept busy has not let anybody ask: the time counts from when it is free again.
            late = loop.time() + self._batching.quiet_s
            await asyncio.sleep(self._batching.quiet_s)
            if (
                loop.time() - late > self._batching.quiet_s / 2
                or loop.time() - self._newest_at < self._batching.quiet_s
            ):
                continue
            asked, self._waiting = self._waiting, {}
            try:
                self._send_out(asked)
            except RagassayError as error:
                _fail([each.answer for each in asked.values()], error)

    def _send_out(self, asked: dict[str, _Asked]) -> None:
        self._adopt()
        new = {}
        for key, each in asked.items():
            batch = self._of(key)
            if batch is None:
                new[key] = each
            elif batch.results is not None:
                _tell([each.answer], batch.results.get(key))
            else:
                batch.waiting.setdefault(key, []).append(each.answer)
                self._start(batch)
        if len(new) < self._batching.fewest:
            _tell([each.answer for each in new.values()], None)
            return
        for lines in _parts({key: _line(key, each.body) for key, each in new.items()}):
            record = self._folder.add(self._address, self._model, lines)
            made = self._batches[record.name] = _Batch(record, set(lines), is_ours=True)
            made.waiting = {key: [new[key].answer] for key in lines}
            self._start(made)

    def _adopt(self) -> None:
        """Takes over what earlier processes have left, unless all of it is in the log."""
        for record in self._folder.records(self._batches, self._address, self._model):
            left = {key for key in record.keys if self._log.find(bytes.fromhex(key)) is None}
            if left:
                self._batches[record.name] = _Batch(record, left, is_ours=False)
            elif record.batch_id:  # else another process may be about to send it
                self._folder.remove(record)

    def _of(self, key: str) -> _Batch | None:
        """The newest batch that a call is in, unless what it brought was of no use."""
        for name in sorted(self._batches, reverse=True):
            if key in self._batches[name].left:
                return None if (name, key) in self._refused else self._batches[name]
        return None

    def _start(self, batch: _Batch) -> None:
        if batch.task is None or batch.task.done():
            batch.task = asyncio.get_running_loop().create_task(self._follow(batch))

    async def _follow(self, batch: _Batch) -> None:
        """Sends a batch unless it was sent, waits for its end and hands out what it brought."""
        try:
            if not batch.record.batch_id:
                await self._submit(batch)
            batch.results = await self._results(batch)
        except RagassayError as error:
            _fail([each for waiting in batch.waiting.values() for each in waiting], error)
        else:
            for key, waiting in batch.waiting.items():
                _tell(waiting, batch.results.get(key))
        batch.waiting = {}

    async def _submit(self, batch: _Batch) -> None:
        record = batch.record
        if record.file_id:  # an earlier process may have come further than it could write down
            batch_id = await self._server.find(record.name, record.file_id)
        else:
            record = replace(record, file_id=await self._server.upload(record.name, self._folder.lines(record)))
            batch.record = record
            self._folder.keep(record)
            batch_id = None
        for look in range(SURFACING_TRIES):
            if batch_id is not None:
                break
            try:
                batch_id = await self._server.create(record.name, record.file_id)
            except UncertainError as trouble:
                await asyncio.sleep(self._batching.first_look_s)
                batch_id = await self._server.find(record.name, record.file_id)
                if batch_id is None and look == SURFACING_TRIES - 1:
                    raise ModelError(f"{self._name}: {trouble}; run the same command again") from None
        assert batch_id is not None
        batch.record = replace(record, batch_id=batch_id)
        self._folder.keep(batch.record)

    async def _results(self, batch: _Batch) -> dict[str, Received]:
        record, wait_s = batch.record, self._batching.first_look_s
        while True:
            state = await self._server.state(record.batch_id)
            self._batching.on_news(f"batch {record.batch_id}: {state.status}, {state.done} of {len(record.keys)}")
            if state.status in ENDED:
                break
            if time.time() - record.made_at > self._batching.give_up_s:
                raise ModelError(
                    f"{self._name}: batch {record.batch_id} has not ended in {self._batching.give_up_s / 3600:.0f} "
                    f"hours; wait and run the same command again, or move {self._folder.path} "
                    "elsewhere to send its calls, and pay for them, anew"
                )
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, self._batching.longest_look_s)
        if state.status == "failed" and not state.output:
            # Nothing was done and nothing is billed; to send all of it call by call would cost twice as expected.
            self._folder.remove(record)
            del self._batches[record.name]
            raise ModelError(
                f"{self._name} did not accept batch {record.batch_id} ({state.said or 'no reason given'}); mend that, "
                "or leave out --batch, and run the same command again"
            )
        found: dict[str, Received] = {}
        for file_id in (state.output, state.errors):
            if file_id:
                for key, received in _replies(await self._server.content(file_id)):
                    found.setdefault(key, received)  # whatever comes twice stands as it came first
        return {key: found[key] for key in record.keys if key in found}


def _line(key: str, body: bytes) -> bytes:
    """A line of the file; the body is JSON on one line already."""
    head = json.dumps({"custom_id": key, "method": "POST", "url": ENDPOINT})
    return head[:-1].encode() + b', "body": ' + body + b"}\n"


def _parts(lines: dict[str, bytes]) -> Iterator[dict[str, bytes]]:
    """The lines in files that a server takes."""
    part: dict[str, bytes] = {}
    n_bytes = 0
    for key, line in lines.items():
        if part and (len(part) == MOST_LINES or n_bytes + len(line) > MOST_BYTES):
            yield part
            part, n_bytes = {}, 0
        part[key] = line
        n_bytes += len(line)
    if part:
        yield part


def _replies(file: Received) -> Iterator[tuple[str, Received]]:
    """Key to reply of each line that has one; in any order, as lines are. Lines that are no replies are left out."""
    for line in file.body.splitlines():
        data: Any = parsed(line)
        key = data.get("custom_id") if isinstance(data, dict) else None
        response = data.get("response") if isinstance(data, dict) else None
        if isinstance(key, str) and isinstance(response, dict) and isinstance(response.get("body"), dict):
            status = response.get("status_code")
            body = json.dumps(response["body"]).encode()
            yield key, Received(status if type(status) is int else 200, {}, body, file.mask)


def _tell(answers: list[asyncio.Future[Received | None]], received: Received | None) -> None:
    for each in answers:
        if not each.done():
            each.set_result(received)


def _fail(answers: list[asyncio.Future[Received | None]], error: RagassayError) -> None:
    for each in answers:
        if not each.done():
            each.set_exception(type(error)(str(error)))
