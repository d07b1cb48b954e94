"""The request for one reply of a chat, in the dialect that the server understands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Literal, get_args

from ragassay.models.llm.server_replies import Answer, Problem, Refusal, Usage, chat_answer
from ragassay.models.llm.token_counts import estimate_chat_tokens, estimate_tokens
from ragassay.models.llm.transport import Received
from ragassay.tasks.base import TaskData
from ragassay.tasks.prompts import Message

NOTHING: Mapping[str, Any] = MappingProxyType({})

Format = Literal["json_schema", "json_object_schema", "json_object", "text"]
"""json_object_schema: a JSON object with the schema beside it, in the words of llama.cpp and llama-cpp-python."""
KEY_FORMAT = "1"
"""Raised when keys change their meaning, so that no old reply is found under a new key."""
KEY_BYTES = 16
FORMATS: tuple[Format, ...] = get_args(Format)
_LENGTHS = ("max_completion_tokens", "max_tokens")
_NAMES_FORMAT = re.compile(
    r"(?i)response_?\s?format|json_?\s?schema|json_object|json mode|grammar|guided|structured output|\bschema\b"
)
_NAMES_LENGTH = re.compile(r"(?i)max_(?:completion_)?tokens|in the completion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How replies are drawn. None leaves a setting to the server. sample: which of several replies to the same."""

    temperature: float | None = 0.0
    seed: int | None = None
    max_completion_tokens: int | None = 4096
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server understands of a request: it grows smaller with each refusal that names a part.

    length_name: what the limit of a reply is called; None: it is not sent. What is asked for, and its key, do not
    change.
    """

    format: Format = "json_schema"
    length_name: Literal["max_completion_tokens", "max_tokens", None] = "max_tokens"
    seed: bool = True
    temperature: bool = True

    def after(self, said: str) -> Dialect | None:
        """Return the smaller dialect to go on with after a refusal in these words; None where they name nothing."""
        if self.temperature and re.search(r"(?i)\btemperature\b", said):
            return replace(self, temperature=False)
        if self.seed and re.search(r"(?i)\bseed\b", said):
            return replace(self, seed=False)
        if self.length_name and _NAMES_LENGTH.search(said):
            renamed = self.length_name == "max_tokens" and "max_completion_tokens" in said and "too large" not in said
            return replace(self, length_name="max_completion_tokens" if renamed else None)
        if self.format != "text" and _NAMES_FORMAT.search(said):
            return replace(self, format=FORMATS[FORMATS.index(self.format) + 1])
        return None


class Dialects:
    """The dialect of one server, as far as it is known by now."""

    def __init__(self, first: Dialect) -> None:
        self.now = first

    def learn(self, spoken: Dialect, said: str) -> bool:
        """Take in a refusal of a request in ``spoken``; return whether there is another way to put it."""
        instead = spoken.after(said)
        if instead is not None and self.now == spoken:
            self.now = instead
        return instead is not None


class ChatRequest:
    """What is asked of a model in full, on its way through a ``Sender`` in the dialect that holds when it is sent.

    messages: JSON, as sent. schema_name, schema: of the reply, the latter as JSON; empty: any text will do. turn: how
    often the model was told that its reply cannot be used. reply_tokens: that the reply is expected to take.
    """

    path = "/chat/completions"

    def __init__(
        self,
        texts: Sequence[Message],
        sampling: Sampling,
        model: str,
        dialects: Dialects,
        *,
        schema_name: str = "",
        schema: str = "",
        extra_body: Mapping[str, Any] = NOTHING,
        turn: int = 0,
    ) -> None:
        self.messages = json.dumps([{"role": each.role, "content": each.content} for each in texts], ensure_ascii=False)
        self.seed = self.messages[-200:]
        self.sampling, self.schema_name, self.schema, self._turn = sampling, schema_name, schema, turn
        self.reply_tokens = 0
        self.spoken = dialects.now
        self._texts, self._model, self._dialects, self._extra_body = texts, model, dialects, extra_body

    def key(self, address: str) -> bytes:
        """Return the key of the call: 16 bytes of all that decides about its answer, and of nothing else.

        address: as ``public_address`` gives it; a name such as llama3.1 does not say which weights a server means by
        it. What a server made us leave out is no part, nor are the API key, headers and limits.
        """
        parameters = _json(self._fields(Dialect(length_name="max_completion_tokens")))
        digest = blake2b(digest_size=KEY_BYTES)
        sample, turn = str(self.sampling.sample), str(self._turn)
        for part in (KEY_FORMAT, address, self._model, parameters, self.schema, self.messages, sample, turn):
            data = part.encode("utf-8")
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
        return digest.digest()

    @cached_property
    def _prompt_tokens(self) -> int:
        return estimate_chat_tokens(self._texts)

    @property
    def expected(self) -> Usage:
        return Usage(self._prompt_tokens, self.reply_tokens, estimated=True)

    @property
    def at_most(self) -> Usage:
        """As far as the reply is limited; the endpoint's own fields come first."""
        own = [value for name in _LENGTHS if type(value := self._extra_body.get(name)) is int]
        longest = max(own) if own else self.sampling.max_completion_tokens
        return Usage(self._prompt_tokens, longest or self.reply_tokens, estimated=True)

    def body(self) -> bytes:
        self.spoken = self._dialects.now
        fields = _json({"model": self._model, **self._fields(self.spoken)})
        form, response_format = self.spoken.format, ""
        if self.schema and form == "json_schema":
            response_format = (
                ', "response_format": {"type": "json_schema", "json_schema": '
                f'{{"name": "{self.schema_name}", "strict": true, "schema": {self.schema}}}}}'
            )
        elif self.schema and form != "text":
            beside = f', "schema": {self.schema}' if form == "json_object_schema" else ""
            response_format = f', "response_format": {{"type": "json_object"{beside}}}'
        # The messages, most of the body, are JSON already: to parse and write them again would cost most of the time.
        return f'{fields[:-1]}, "messages": {self.messages}{response_format}}}'.encode()

    def parameters_sent(self) -> str:
        """Return JSON of what the dialect leaves of the parameters, with the format of the reply."""
        form = self.spoken.format if self.schema else "text"
        return _json({**self._fields(self.spoken), "response_format": form})

    def read(self, received: Received) -> Answer | Problem:
        outcome = chat_answer(received)
        if not isinstance(outcome, Answer):
            return outcome
        served_by = "" if outcome.served_by == self._model else outcome.served_by
        usage = outcome.usage
        if usage.estimated:
            usage = Usage(self._prompt_tokens, estimate_tokens(outcome.text), estimated=True)
        return replace(outcome, served_by=served_by, usage=usage)

    def adapt(self, refusal: Refusal) -> bool:
        return self._dialects.learn(self.spoken, refusal.said)

    def _fields(self, dialect: Dialect) -> dict[str, Any]:
        sampling = self.sampling
        fields: dict[str, Any] = {}
        if dialect.temperature and sampling.temperature is not None:
            fields["temperature"] = sampling.temperature
        if dialect.seed and sampling.seed is not None:
            fields["seed"] = sampling.seed
        is_limited = any(name in self._extra_body for name in _LENGTHS)
        if dialect.length_name and not is_limited and sampling.max_completion_tokens is not None:
            fields[dialect.length_name] = sampling.max_completion_tokens
        return {**fields, **self._extra_body}


def _json(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True)


@lru_cache(maxsize=256)
def strict_schema(reply_type: type[TaskData]) -> str:
    """Return the JSON schema of a reply in what OpenAI's strict mode allows, without what the prompt says already.

    Limits of numbers, texts and lists are checked when the reply is read. All fields are required, no others allowed.
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
