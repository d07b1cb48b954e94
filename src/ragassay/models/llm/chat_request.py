"""The request for one reply of a chat, in the dialect that the server understands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ragassay.models.llm.answers import Answer, Usage
from ragassay.models.llm.dialect import Dialect, Dialects
from ragassay.models.llm.server_replies import Problem, Refusal, chat_answer
from ragassay.models.llm.token_counts import estimate_chat_tokens, estimate_tokens
from ragassay.models.llm.transport import Received
from ragassay.tasks.base import TaskData
from ragassay.tasks.prompts import Message

PATH = "/chat/completions"
TIMEOUTS_WITH_FORMAT = 2
"""After so many of them a call goes without a format: held to a schema, some models write spaces without end."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How replies are drawn. None leaves a setting to the server.

    sample: which of several replies to the same messages; 0 and up. expected_rating: log-probabilities are asked for,
    for the mean of the ratings that a judge might have given.
    """

    temperature: float | None = 0.0
    seed: int | None = None
    max_completion_tokens: int | None = 4096
    sample: int = 0
    expected_rating: bool = False


class Chat:
    """What is asked of a model, in full.

    messages: JSON, as sent. schema_name, schema: of the reply, the latter as JSON; empty: any text will do.
    parameters: JSON of what is asked for beside these, the same in any dialect. turn: how often the model was told
    that its reply cannot be used; it may be told so twice in the same words.
    """

    __slots__ = ("_extra_body", "messages", "parameters", "sampling", "schema", "schema_name", "texts", "turn")

    def __init__(
        self,
        texts: Sequence[Message],
        sampling: Sampling,
        *,
        schema_name: str = "",
        schema: str = "",
        extra_body: Mapping[str, Any] = NOTHING,
        turn: int = 0,
    ) -> None:
        self.texts = texts
        self.messages = json.dumps([{"role": each.role, "content": each.content} for each in texts], ensure_ascii=False)
        self.schema_name = schema_name
        self.schema = schema
        self.sampling = sampling
        self.turn = turn
        self._extra_body = extra_body
        self.parameters = _json(self._fields(Dialect(length_name="max_completion_tokens")))

    @property
    def longest_reply(self) -> int | None:
        """How many tokens the reply may take; None where nothing limits it. The endpoint's own fields come first."""
        names = ("max_completion_tokens", "max_tokens")
        own = [value for name in names if type(value := self._extra_body.get(name)) is int]
        return max(own) if own else self.sampling.max_completion_tokens

    def body(self, model: str, dialect: Dialect) -> bytes:
        """The request's body."""
        fields = _json({"model": model, **self._fields(dialect)})
        response_format = ""
        if self.schema and dialect.format == "json_schema":
            response_format = (
                ', "response_format": {"type": "json_schema", "json_schema": '
                f'{{"name": "{self.schema_name}", "strict": true, "schema": {self.schema}}}}}'
            )
        elif self.schema and dialect.format != "text":
            beside = f', "schema": {self.schema}' if dialect.format == "json_object_schema" else ""
            response_format = f', "response_format": {{"type": "json_object"{beside}}}'
        # The messages, most of the body, are JSON already: to parse and write them again would cost most of the time.
        return f'{fields[:-1]}, "messages": {self.messages}{response_format}}}'.encode()

    def parameters_sent(self, dialect: Dialect) -> str:
        """JSON of what a dialect leaves of the parameters, with the format of the reply."""
        return _json({**self._fields(dialect), "response_format": dialect.format if self.schema else "text"})

    def _fields(self, dialect: Dialect) -> dict[str, Any]:
        sampling = self.sampling
        fields: dict[str, Any] = {}
        if dialect.temperature and sampling.temperature is not None:
            fields["temperature"] = sampling.temperature
        if dialect.seed and sampling.seed is not None:
            fields["seed"] = sampling.seed
        if dialect.length_name and sampling.max_completion_tokens is not None:
            fields[dialect.length_name] = sampling.max_completion_tokens
        if dialect.top_logprobs and sampling.expected_rating:
            fields |= {"logprobs": True, "top_logprobs": dialect.top_logprobs}
        fields.update(self._extra_body)
        return fields


class ChatRequest:
    """A chat on its way through a ``Sender``, in the dialect that holds when it is sent."""

    path = PATH

    def __init__(self, chat: Chat, model: str, reply_tokens: int, dialects: Dialects) -> None:
        """reply_tokens: that the reply is expected to take."""
        self.seed = chat.messages[-200:]
        self.spoken = dialects.now
        self._chat = chat
        self._model = model
        self._dialects = dialects
        self._reply_tokens = reply_tokens
        self._expected: Usage | None = None

    @property
    def expected(self) -> Usage:
        if self._expected is None:
            self._expected = Usage(estimate_chat_tokens(self._chat.texts), self._reply_tokens, estimated=True)
        return self._expected

    @property
    def at_most(self) -> Usage:
        return Usage(self.expected.prompt_tokens, self._chat.longest_reply or self._reply_tokens, estimated=True)

    def body(self, timeouts: int = 0) -> bytes:
        self.spoken = self._dialects.now
        if timeouts >= TIMEOUTS_WITH_FORMAT:
            self.spoken = replace(self.spoken, format="text")
        return self._chat.body(self._model, self.spoken)

    def read(self, received: Received) -> Answer | Problem:
        outcome = chat_answer(received)
        if isinstance(outcome, Answer):
            outcome = replace(outcome, served_by="" if outcome.served_by == self._model else outcome.served_by)
            return outcome if not outcome.usage.estimated else self._with_estimate(outcome)
        if isinstance(outcome, Refusal) and outcome.otherwise and self.spoken.after(outcome.said) is None:
            return outcome.otherwise
        return outcome

    def usage(self, result: Answer) -> Usage:
        return result.usage

    def adapt(self, refusal: Refusal) -> bool:
        return self._dialects.learn(self.spoken, refusal.said)

    def _with_estimate(self, answer: Answer) -> Answer:
        usage = Usage(self.expected.prompt_tokens, estimate_tokens(answer.text), estimated=True)
        return replace(answer, usage=usage)


def _json(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True)


@lru_cache(maxsize=256)
def strict_schema(reply_type: type[TaskData]) -> str:
    """The JSON schema of a reply in what OpenAI's strict mode allows, without what the prompt says already.

    Titles, descriptions and defaults go; limits of numbers, texts and lists too, which not all servers take and which
    are checked when the reply is read. All fields are required and no others allowed.
    """
    return json.dumps(_strict(reply_type.model_json_schema()), separators=(",", ":"))


_KEPT = {"type", "enum", "const", "properties", "items", "anyOf", "$ref", "$defs"}


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for name, value in schema.items():
        if name in {"properties", "$defs"}:
            kept[name] = {key: _strict(each) for key, each in value.items()}
        elif name in _KEPT:
            kept[name] = value if name in {"enum", "const", "type", "$ref"} else _strict(value)
        elif name == "prefixItems":  # a tuple of fixed length, which strict mode does not know
            kept["items"] = {"anyOf": _strict(value)}
    if kept.get("type") == "object":
        kept["required"] = list(kept.get("properties", {}))
        kept["additionalProperties"] = False
    return kept
