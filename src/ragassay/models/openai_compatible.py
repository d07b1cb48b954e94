"""A language model behind any server that speaks OpenAI's protocol: OpenAI, vLLM, Ollama, llama.cpp, gateways.

A reply that cannot be read, or does not fit the input, is shown to the model once more together with what is wrong with
it. What fails for good is a Reply without a value, with the reason.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any, Generic, NamedTuple, Self

from ragassay.models.base import Effort, Reply
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog, LoggedCall
from ragassay.models.llm.chat_request import ChatRequest, Dialect, Dialects, Sampling, strict_schema
from ragassay.models.llm.endpoints import Endpoint, public_address
from ragassay.models.llm.masking import one_line
from ragassay.models.llm.pace import Limits
from ragassay.models.llm.prices import Prices
from ragassay.models.llm.sender import Sender, Sent
from ragassay.models.llm.server_replies import Answer, NoAnswer
from ragassay.models.reading_replies import read_reply
from ragassay.parts import together
from ragassay.tasks.base import In, Material, Out, Task
from ragassay.tasks.prompts import NO_OVERRIDES, Message, PromptOverrides, prompt_hash, shown, system_text, user_text

WAITING_PER_SLOT = 4
"""Tasks under way for each call that may be in flight: those that wait before another try take no slot."""

REPAIR_TURNS = 4
"""How often a model is shown its latest reply and what is wrong with it. Where one reply in ten is unreadable by
chance, one turn leaves one input in a hundred without a value, four leave one in a hundred thousand."""

LOOSER_TEMPERATURE = 0.7
"""At least this, where a model repeats what it was told is of no use: at 0, it would say it a third time."""

ONLY_THOUGHTS = "the reply is empty: the server gave only the model's thoughts (reasoning_content), and no answer"

MAX_SHOWN_CHARS = 8_000

FIRST_REPLY_TOKENS = 300
"""What a reply is expected to take before there was one to the same task."""


class OpenAICompatible:
    """The model of an endpoint, for one event loop after the other; ``close`` it in the last one."""

    def __init__(
        self,
        endpoint: Endpoint,
        log: CallLog,
        budget: Budget,
        *,
        prices: Prices | None = None,
        overrides: PromptOverrides = NO_OVERRIDES,
        limits: Limits | None = None,
        temperature: float | None = None,
        seed: int = 0,
        on_reply: Callable[[bool, float | None], None] = lambda failed, cost_usd: None,
    ) -> None:
        """prices: None for the package's. seed: of the waits. temperature: None leaves it to the task.

        on_reply: told of each task of ``ask_all``: without a usable answer or not, and its US dollars if known.
        """
        self._on_reply = on_reply
        self._endpoint = endpoint
        self._overrides = overrides
        self._temperature = temperature
        self._limits = limits or Limits()
        self._prices = prices or Prices.load(None)
        self._address = public_address(endpoint.base_url)
        self._log = log
        self._sender = Sender(endpoint, budget, self._prices, self._limits, seed=seed)
        is_openai = "//api.openai.com" in endpoint.base_url  # which has given up the name that all others know
        self._dialects = Dialects(Dialect(length_name="max_completion_tokens" if is_openai else "max_tokens"))
        self._longest_reply: dict[str, int] = defaultdict(lambda: FIRST_REPLY_TOKENS)
        self._under_way: dict[bytes, asyncio.Future[Answer | NoAnswer | None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._prompts: dict[str, _Prompt] = {}

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def dialect(self) -> Dialect:
        """What the server is known to understand by now."""
        return self._dialects.now

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Answer one task. Raises ModelError where no call can succeed, RunFolderError for an unwritable log."""
        prompt = self._prompt(task)
        texts: tuple[Message, ...] = (prompt.system, Message("user", user_text(task.material(inputs))))
        read = _reader(task, inputs, "\n".join(text.content for text in texts))
        sampling = self._sampling(task, inputs)
        problem = ""
        effort: Effort | None = None
        for turn in range(1 + REPAIR_TURNS):
            request = ChatRequest(
                texts,
                sampling,
                self._endpoint.model,
                self._dialects,
                schema_name=task.name,
                schema=strict_schema(task.filled_in),
                extra_body=self._endpoint.extra_body,
                turn=turn,
            )
            answer = await self._answer(_Call(request, task.name, prompt.hash, read))
            if isinstance(answer, NoAnswer):
                return Reply(None, _after(turn, problem, answer.reason), effort, unheard=True)
            effort = self._joined(effort, answer)
            if answer.failure:
                return Reply(None, _after(turn, problem, answer.failure), effort)
            value, problem = read(answer)
            if value is not None:
                return Reply(value, None, effort)
            complaint = Message("user", _complaint(problem, answer.cut_off))
            repair = (*texts[:2], Message("assistant", _shortened(answer.text)), complaint)
            sampling = self._sampling(task, inputs)
            if repair == texts:  # the same reply twice: what may give another, and gives that again to who asks again
                warmer = max(sampling.temperature or 0.0, LOOSER_TEMPERATURE)
                sampling = replace(sampling, temperature=warmer, seed=turn + 1)
            texts = repair
        return Reply(None, f"the reply could not be used, even after {REPAIR_TURNS} more tries: {problem}", effort)

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Answer one task for many inputs, in their order; the same input twice is asked once. Raises as ``ask``.

        Inputs that begin alike, such as questions on one context, go out together: the server may have read it by then.
        """
        replies: list[Reply[Out] | None] = [None] * len(inputs)
        alike: dict[Material | None, list[int]] = {}
        for place, each in enumerate(inputs):
            alike.setdefault(next(iter(task.material(each)), None), []).append(place)
        places = chain.from_iterable(alike.values())
        n_workers = min(len(inputs), WAITING_PER_SLOT * self._limits.max_in_flight)
        await together(lambda: self._work(task, inputs, places, replies), n_workers)
        return [reply for reply in replies if reply is not None]

    async def close(self) -> None:
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.name!r})"

    async def _work(
        self, task: Task[In, Out], inputs: Sequence[In], places: Iterator[int], replies: list[Reply[Out] | None]
    ) -> None:
        for place in places:
            reply = await self.ask(task, inputs[place])
            replies[place] = reply
            is_new = reply.effort is not None and not reply.effort.replayed
            self._on_reply(reply.value is None, reply.effort.cost_usd if reply.effort and is_new else 0.0)

    async def _answer(self, call: _Call) -> Answer | NoAnswer:
        """Return the answer to a call: of the log, of the same call under way, or of the server."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._under_way = loop, {}
        key = call.request.key(self._address)
        while (under_way := self._under_way.get(key)) is not None:
            answer = await asyncio.shield(under_way)
            if answer is not None:
                return answer
        mine = self._under_way[key] = loop.create_future()
        answer = None
        try:
            stored = self._log.find(key)
            answer = await self._sent(key, call) if stored is None else replace(stored, replayed=True)
        finally:
            # None, after an error or a cancellation: whoever waits makes the call, or meets the error, itself.
            del self._under_way[key]
            if not mine.done():
                mine.set_result(answer)
        return answer

    async def _sent(self, key: bytes, call: _Call) -> Answer | NoAnswer:
        call.request.reply_tokens = self._longest_reply[call.task]

        def store(sent: Sent[Answer]) -> Awaitable[Answer]:
            return self._log.store(
                LoggedCall(
                    key=key,
                    task=call.task,
                    prompt_hash=call.prompt_hash,
                    model=self.name,
                    parameters=call.request.parameters_sent(),
                    messages=call.request.messages,
                    sample=call.request.sampling.sample,
                    answer=sent.result,
                    unreadable=None if sent.result.failure else call.read(sent.result).problem or None,
                    latency_s=round(sent.latency_s, 4),
                    tries=sent.tries,
                )
            )

        sent = await self._sender.send(call.request, store)
        if isinstance(sent, NoAnswer):
            return sent
        if not sent.result.usage.estimated:
            tokens = sent.result.usage.completion_tokens
            self._longest_reply[call.task] = max(self._longest_reply[call.task], tokens)
        return sent.result

    def _joined(self, effort: Effort | None, answer: Answer) -> Effort:
        """Return what all turns took together."""
        usage = answer.usage
        cost = self._prices.cost(self.name, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
        turn = Effort(usage.prompt_tokens, usage.completion_tokens, answer.replayed, cost)
        return turn if effort is None else effort.plus(turn)

    def _sampling(self, task: Task[In, Any], inputs: In) -> Sampling:
        """Return how replies are drawn; those after the first at temperature 1 where 0 would give the first again."""
        temperature = next((each for each in (self._temperature, task.temperature) if each is not None), 0.0)
        sample = task.sample(inputs)
        return Sampling(temperature=temperature or (1.0 if sample else temperature), sample=sample)

    def _prompt(self, task: Task[Any, Any]) -> _Prompt:
        """Return what is made once for a task: it is the same for all inputs."""
        prompt = self._prompts.get(task.name)
        if prompt is None or prompt.task is not task:
            system = Message("system", system_text(task, self._overrides))
            prompt = self._prompts[task.name] = _Prompt(task, system, prompt_hash(task, self._overrides))
        return prompt


class _Call(NamedTuple):
    """A request with what the log says about it, and what reads its replies."""

    request: ChatRequest
    task: str
    prompt_hash: str
    read: Callable[[Answer], _Read[Any]]


class _Prompt(NamedTuple):
    task: Task[Any, Any]
    system: Message
    hash: str


class _Read(NamedTuple, Generic[Out]):
    """What a text holds for a task: a value, or the problem with it."""

    value: Out | None
    problem: str


def _reader(task: Task[In, Out], inputs: In, prompt: str) -> Callable[[Answer], _Read[Out]]:
    """Return what reads replies to one input; the latest is kept, since it is read before it is logged and after."""

    @lru_cache(maxsize=1)
    def read(answer: Answer) -> _Read[Out]:
        if answer.reasoning.strip() and not answer.text.strip():
            return _Read(None, ONLY_THOUGHTS)
        try:
            return _Read(task.to_output(inputs, read_reply(answer.text, task.filled_in, prompt=prompt)), "")
        except ValueError as error:  # it cannot be read, or does not fit the input
            return _Read(None, one_line(str(error)).rstrip(".") or "it does not fit the task")

    return read


def _after(turn: int, problem: str, reason: str) -> str:
    return f"the reply could not be used ({problem}), and then: {reason}" if turn else reason


def _shortened(text: str) -> str:
    """Return what is shown of an unreadable reply; some servers take no empty message."""
    text = shown(text).strip() or "(nothing)"
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]} …"


def _complaint(problem: str, cut_off: bool) -> str:
    brief = " It reached the limit of its length: be briefer." if cut_off else ""
    return (
        f"That reply cannot be used: {shown(problem)}.{brief} Do the task again and reply with one JSON object and "
        "nothing else, with all of the fields named at the beginning."
    )
