"""A language model behind any server that speaks OpenAI's protocol: OpenAI, vLLM, Ollama, llama.cpp, gateways.

A task becomes a chat and a schema of the reply. What comes back is read tolerantly, since not every server keeps to a
schema; a reply that cannot be read, or does not fit the input, is shown to the model once more together with what is
wrong with it. What fails for good is a Reply without a value, with the reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from types import TracebackType
from typing import Any, Generic, Literal, NamedTuple, Self, get_args, get_origin

from ragassay.models.base import Effort, Reply
from ragassay.models.llm.answers import Answer, NoAnswer
from ragassay.models.llm.batches import MOST_LINES, Batches, Batching
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.chances import expected_number
from ragassay.models.llm.chat_calls import Call, ChatCalls
from ragassay.models.llm.chat_request import Chat, Sampling, strict_schema
from ragassay.models.llm.dialect import Dialect, Format
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.limits import Limits
from ragassay.models.llm.masking import one_line
from ragassay.models.llm.prices import Prices
from ragassay.models.llm.samplings import Samplings
from ragassay.models.llm.sender import Sender
from ragassay.models.reading_replies import UnreadableReply, read_plain_reply, read_reply
from ragassay.tasks.base import In, Material, Out, Task, TaskData
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
"""So much of an unreadable reply is shown to the model again."""


class OpenAICompatible:
    """The model of an endpoint.

    One object serves one event loop after the other; ``close`` it in the last one, or use it as ``async with``. The log
    and the budget may be shared with other models, and belong to whoever made them.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        log: CallLog,
        budget: Budget,
        *,
        prices: Prices | None = None,
        overrides: PromptOverrides = NO_OVERRIDES,
        limits: Limits | None = None,
        samplings: Samplings | None = None,
        seed: int = 0,
        on_reply: Callable[[bool, float | None], None] = lambda failed, cost_usd: None,
        reply_format: Format = "json_schema",
        batching: Batching | None = None,
    ) -> None:
        """prices: None takes the table that comes with the package. seed: of the waits between tries.

        reply_format: what the server is asked to hold replies to; with "text" the prompt alone says it. What the
        prompt says is a matter of ``overrides``.
        batching: calls go in batches, at the price of batches; what they do not bring is sent call by call.
        on_reply: called whenever a task of ``ask_all`` is answered, or given up: whether without a usable answer, and
        what it took now in US dollars, None where a price is not known.
        """
        self._on_reply = on_reply
        self._endpoint = endpoint
        self._overrides = overrides
        self._samplings = samplings or Samplings()
        self._limits = limits or Limits()
        self._prices = prices or Prices.load(None)
        sender = Sender(endpoint, budget, self._prices, self._limits, seed=seed)
        batches = None if batching is None else Batches(endpoint, log, self._limits, batching)
        self._calls = ChatCalls(endpoint, log, sender, reply_format, batches)
        # Whoever waits for a batch keeps nobody else waiting: all of a round have to be asked at once.
        self._at_once = MOST_LINES if batching else WAITING_PER_SLOT * self._limits.max_in_flight
        self._prompts: dict[tuple[str, str], _Prompt] = {}

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def dialect(self) -> Dialect:
        """What the server is known to understand by now."""
        return self._calls.dialect

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Answers one task.

        Raises ModelError where no call to the server can succeed, RunFolderError where the log cannot be written.
        """
        chat = self._chat(task, inputs)
        reading = _Reading(task, inputs, chat.texts, plain=self._overrides.plain)
        problem = ""
        effort: Effort | None = None
        for turn in range(1 + REPAIR_TURNS):
            answer = await self._calls.answer(self._call(task, inputs, chat, reading))
            if isinstance(answer, NoAnswer):
                return Reply(None, _after(turn, problem, answer.reason), effort, unheard=True)
            effort = self._joined(effort, answer)
            if answer.failure:
                return Reply(None, _after(turn, problem, answer.failure), effort)
            value, problem = reading.of(answer)
            if value is not None:
                return Reply(value, None, effort, expected=reading.expected(answer))
            chat = self._repair(task, chat, answer, problem)
        return Reply(None, f"the reply could not be used, even after {REPAIR_TURNS} more tries: {problem}", effort)

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """Answers one task for many inputs, in their order; the same input twice is asked once. Raises as ``ask``.

        Inputs that begin alike, such as questions on one context, go out together: the server may have read it by then.
        """
        replies: list[Reply[Out] | None] = [None] * len(inputs)
        alike: dict[Material | None, list[int]] = {}
        for place, each in enumerate(inputs):
            alike.setdefault(next(iter(task.material(each)), None), []).append(place)
        places = chain.from_iterable(alike.values())
        n_workers = min(len(inputs), self._at_once)
        workers = [asyncio.create_task(self._work(task, inputs, places, replies)) for _ in range(n_workers)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
        return [reply for reply in replies if reply is not None]

    def _joined(self, effort: Effort | None, answer: Answer) -> Effort:
        """What all turns took together; one of them that was made now takes time."""
        before = effort or Effort(0, 0, replayed=True, cost_usd=0.0)
        usage = answer.usage
        cost = self._prices.cost(
            self.name, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, batched=answer.batched
        )
        return Effort(
            before.input_tokens + usage.prompt_tokens,
            before.output_tokens + usage.completion_tokens,
            before.replayed and answer.replayed,
            None if cost is None or before.cost_usd is None else before.cost_usd + cost,
        )

    async def close(self) -> None:
        """Closes the connections."""
        await self._calls.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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

    def _chat(self, task: Task[In, Out], inputs: In) -> Chat:
        prompt = self._prompt(task, inputs)
        user = Message("user", user_text(task.material(inputs)))
        return self._chat_of(task, (prompt.system, user), sampling=self._samplings.of(task.name, task.sample(inputs)))

    def _repair(self, task: Task[Any, Any], chat: Chat, answer: Answer, problem: str) -> Chat:
        """The task again, followed by what the model made of it and what is wrong with that."""
        said = Message("assistant", _shortened(answer.text))
        complaint = Message("user", _complaint(problem, answer.cut_off, plain=self._overrides.plain))
        texts = (*chat.texts[:2], said, complaint)
        turn = chat.turn + 1
        sampling = self._samplings.of(task.name, chat.sampling.sample)
        return self._chat_of(task, texts, turn, sampling=_looser(sampling, turn) if texts == chat.texts else sampling)

    def _chat_of(self, task: Task[Any, Any], texts: Sequence[Message], turn: int = 0, *, sampling: Sampling) -> Chat:
        if sampling.expected_rating and not rated_fields(task.filled_in):
            sampling = replace(sampling, expected_rating=False)
        return Chat(
            texts,
            sampling,
            schema_name=task.name,
            schema=strict_schema(task.filled_in),
            extra_body=self._endpoint.extra_body,
            turn=turn,
        )

    def _call(self, task: Task[In, Out], inputs: In, chat: Chat, reading: _Reading[In, Out]) -> Call:
        return Call(chat, task.name, self._prompt(task, inputs).hash, lambda answer: reading.of(answer).problem or None)

    def _prompt(self, task: Task[In, Any], inputs: In) -> _Prompt:
        """Made once for a task and a language: it is the same for all inputs."""
        key = (task.name, self._overrides.language_for(task, inputs))
        prompt = self._prompts.get(key)
        if prompt is None or prompt.task is not task:
            system = Message("system", system_text(task, self._overrides, key[1]))
            prompt = self._prompts[key] = _Prompt(task, system, prompt_hash(task, self._overrides, key[1]))
        return prompt


class _Prompt(NamedTuple):
    task: Task[Any, Any]
    system: Message
    hash: str


class _Read(NamedTuple, Generic[Out]):
    """What a text holds for a task: a value, or the problem with it."""

    value: Out | None
    problem: str


class _Reading(Generic[In, Out]):
    """Reads replies to one input; the latest is kept, since it is read before it is logged and used after that."""

    def __init__(self, task: Task[In, Out], inputs: In, texts: Sequence[Message], *, plain: bool) -> None:
        self._task = task
        self._plain = plain
        self._inputs = inputs
        self._prompt = "\n".join(each.content for each in texts)
        self._text: str | None = None
        self._read: _Read[Out] = _Read(None, "")

    def expected(self, answer: Answer) -> Mapping[str, float]:
        """The mean of what each rating of the latest reply might have been, where its probabilities are known."""
        if not answer.chances:
            return {}
        filled_in = self._filled_in(answer.text)
        means = {
            name: expected_number(answer.text, name, answer.chances, partial(self._fits, filled_in, name))
            for name in rated_fields(self._task.filled_in)
        }
        return {name: mean for name, mean in means.items() if mean is not None}

    def _fits(self, filled_in: TaskData, name: str, number: int) -> bool:
        """Whether the reply would be as good with another number in this place."""
        try:
            other = type(filled_in).model_validate({**filled_in.model_dump(), name: number})
            self._task.to_output(self._inputs, other)
        except ValueError:
            return False
        return True

    def of(self, answer: Answer) -> _Read[Out]:
        if answer.text != self._text:
            self._text, self._read = answer.text, self._reading(answer.text)
        if answer.reasoning.strip() and not answer.text.strip():
            return _Read(None, ONLY_THOUGHTS)
        if self._plain and answer.cut_off:  # lines do not say where the last one ends
            return _Read(None, "the reply was cut off")
        return self._read

    def _filled_in(self, text: str) -> TaskData:
        if self._plain:
            try:
                return read_plain_reply(text, self._task.filled_in)
            except UnreadableReply:
                if "{" not in text:
                    raise
        return read_reply(text, self._task.filled_in, prompt=self._prompt)

    def _reading(self, text: str) -> _Read[Out]:
        try:
            return _Read(self._task.to_output(self._inputs, self._filled_in(text)), "")
        except UnreadableReply as error:
            return _Read(None, _sentence(error))
        except ValueError as error:  # of to_output: the reply does not fit the input
            return _Read(None, _sentence(error))


@lru_cache(maxsize=256)
def rated_fields(reply_type: type[TaskData]) -> tuple[str, ...]:
    """The whole numbers that a reply holds once, not in a list: ratings and scores."""
    return tuple(name for name, field in reply_type.model_fields.items() if _is_number(field.annotation))


def _is_number(annotation: Any) -> bool:
    return annotation is int or (
        get_origin(annotation) is Literal and all(type(each) is int for each in get_args(annotation))
    )


def _after(turn: int, problem: str, reason: str) -> str:
    return f"the reply could not be used ({problem}), and then: {reason}" if turn else reason


def _sentence(error: ValueError) -> str:
    return one_line(str(error)).rstrip(".") or "it does not fit the task"


def _looser(sampling: Sampling, turn: int) -> Sampling:
    """A sampling that need not give the same reply to the same messages, and gives it again to who asks again."""
    temperature = None if sampling.temperature is None else max(sampling.temperature, LOOSER_TEMPERATURE)
    return replace(sampling, temperature=temperature, seed=(sampling.seed or 0) + turn)


def _shortened(text: str) -> str:
    """What is shown of an unreadable reply; some servers take no empty message."""
    text = shown(text).strip() or "(nothing)"
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]} …"


def _complaint(problem: str, cut_off: bool, *, plain: bool) -> str:
    brief = " It reached the limit of its length: be briefer." if cut_off else ""
    reply = "in plain text" if plain else "with one JSON object and nothing else"
    return (
        f"That reply cannot be used: {shown(problem)}.{brief} Do the task again and reply {reply}, with all of the "
        "fields named at the beginning."
    )
