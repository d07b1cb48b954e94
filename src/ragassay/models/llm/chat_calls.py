"""Calls that are made once: looked up in the log, claimed among processes, sent, and logged before they are used."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.llm.answers import Answer, NoAnswer
from ragassay.models.llm.call_keys import call_key, public_address
from ragassay.models.llm.call_log import CallLog, LoggedCall, LostTry
from ragassay.models.llm.chat_request import ChatRequest, Dialect, Dialects
from ragassay.models.llm.sender import Sender, Sent

if TYPE_CHECKING:
    from ragassay.models.llm.endpoints import Endpoint

FIRST_WAIT_S = 0.02
LONGEST_WAIT_S = 0.5
"""Between two looks at a call that another process makes."""

FIRST_REPLY_TOKENS = 300
"""What a reply is expected to take before there was one to the same task."""


class Call(NamedTuple):
    """A request with what the log says about it. unreadable: what is wrong with a reply that is no failure, or None."""

    request: ChatRequest
    task: str
    prompt_hash: str
    unreadable: Callable[[Answer], str | None]


class ChatCalls:
    """Answers to chats of one endpoint."""

    def __init__(self, endpoint: Endpoint, log: CallLog, sender: Sender) -> None:
        self._endpoint = endpoint
        self._address = public_address(endpoint.base_url)
        self._log = log
        self._sender = sender
        self.dialects = Dialects(Dialect.of_server(endpoint.base_url))
        self._longest_reply: dict[str, int] = defaultdict(lambda: FIRST_REPLY_TOKENS)
        self._under_way: dict[bytes, asyncio.Future[Answer | NoAnswer | None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    async def answer(self, call: Call) -> Answer | NoAnswer:
        """The answer to a call: of the log, of the same call under way, or of the server.

        Raises ModelError where no call can succeed, RunFolderError where the log cannot be written.
        """
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._under_way = loop, {}
        key = self._key(call.request)
        while (under_way := self._under_way.get(key)) is not None:
            answer = await asyncio.shield(under_way)
            if answer is not None:
                return answer
        mine: asyncio.Future[Answer | NoAnswer | None] = loop.create_future()
        self._under_way[key] = mine
        answer = None
        try:
            answer = await self._claimed(key, call)
        finally:
            # None, after an error or a cancellation: whoever waits makes the call, or meets the error, itself.
            del self._under_way[key]
            if not mine.done():
                mine.set_result(answer)
        return answer

    async def close(self) -> None:
        await self._sender.close()

    def _key(self, asked: ChatRequest) -> bytes:
        return call_key(
            address=self._address,
            model=self._endpoint.model,
            parameters=asked.parameters,
            schema=asked.schema,
            messages=asked.messages,
            sample=asked.sampling.sample,
            turn=asked.turn,
        )

    async def _claimed(self, key: bytes, call: Call) -> Answer | NoAnswer:
        """The answer of the log, for which another process that makes the same call is waited for; else a call."""
        wait_s = FIRST_WAIT_S
        while not self._log.claims.take(key):
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        try:
            stored = self._log.find(key)
            return await self._made(key, call) if stored is None else replace(stored, replayed=True)
        finally:
            self._log.claims.give_back(key)

    async def _made(self, key: bytes, call: Call) -> Answer | NoAnswer:
        call.request.reply_tokens = self._longest_reply[call.task]

        def count_lost(kind: str, last: bool) -> None:
            self._log.count(LostTry(call.task, kind, last))

        def stored(sent: Sent[Answer]) -> Awaitable[Answer]:
            return self._stored(key, call, sent)

        sent = await self._sender.send(call.request, count_lost, stored)
        return sent if isinstance(sent, NoAnswer) else sent.result

    async def _stored(self, key: bytes, call: Call, sent: Sent[Answer]) -> Answer:
        answer = sent.result
        if not answer.usage.estimated:
            tokens = answer.usage.completion_tokens
            self._longest_reply[call.task] = max(self._longest_reply[call.task], tokens)
        return await self._log.store(
            LoggedCall(
                key=key,
                task=call.task,
                prompt_hash=call.prompt_hash,
                model=self._endpoint.name,
                parameters=call.request.parameters_sent(),
                messages=call.request.messages,
                sample=call.request.sampling.sample,
                answer=answer,
                unreadable=None if answer.failure else call.unreadable(answer),
                latency_s=round(sent.latency_s, 4),
                tries=sent.tries,
            )
        )
