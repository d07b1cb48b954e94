"""What models, their servers and systems reply: an answer, or a sentence that says what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import fuzz_mutations as mutations

from ragassay.datasets.replies.places import Places, UnreadableAnswerError, parse_place
from ragassay.datasets.replies.reading import read_answer, told_error
from ragassay.models.endpoint_encoder import EmbeddingRequest
from ragassay.models.llm.server_replies import chat_answer
from ragassay.models.llm.transport import Received
from ragassay.models.reading_replies import UnreadableReply, read_reply
from ragassay.records import Prediction, from_json, to_json
from ragassay.tasks.catalogue import TASKS

_STATUSES = [200, 200, 200, 200, 0, 204, 301, 400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 503, 529, 599, 999]
_WAITS = [
    "1",
    "-1",
    "1e999",
    "nan",
    "9" * 5_000,
    "Wed, 21 Oct 2015 07:28:00 GMT",
    "Wed, 99 Oct 99999 07:28:00",
    "",
    "٣",
]
_COMPLETION = {
    "id": "c1",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
}
_BODIES: list[dict[str, Any]] = [
    _COMPLETION,
    {
        "choices": [
            {"message": {"content": [{"type": "text", "text": "a"}], "refusal": "no"}, "finish_reason": "length"}
        ]
    },
    {"error": {"message": "maximum context length is 8 tokens", "type": "invalid", "code": 429, "param": "max_tokens"}},
    {"detail": [{"loc": ["body"], "msg": "prompt too long"}], "innererror": {"code": "content_filter"}},
]
_EMBEDDINGS = {
    "data": [{"index": 1, "embedding": [0.5, 1]}, {"index": 0, "embedding": "AACAPwAAAEA="}],
    "usage": {"prompt_tokens": 3},
}
_SYSTEM_REPLIES: list[Any] = [
    {"answer": "4", "contexts": ["a", {"text": "b", "id": 1, "score": 0.5, "start": 0, "end": 1}], "input_tokens": 3},
    {"result": "40", "source_documents": [{"page_content": "a", "metadata": {"source": "s", "start_index": 3}}]},
    {"response": "40", "source_nodes": [{"node": {"text": "a", "id_": "n", "metadata": {}}, "score": 0.5}]},
    {"llm": {"replies": ["40"]}, "retriever": {"documents": [{"content": "a", "id": "x"}]}, "abstained": False},
    {"messages": [{"type": "ai", "content": [{"type": "text", "text": "40"}]}], "citations": ["a.md"]},
    [["a", 0.5], ["b", 0.25]],
]  # fmt: skip
_PLACES = [
    Places(),
    Places(),
    Places(answer=parse_place("result", "answer"), chunks=parse_place("source_documents", "chunks")),
]
_AROUND = [
    "```json\n{}\n```",
    "<think>so {{}}</think>\n{}",
    "Here it is:\n{}\nHope this helps.",
    '"{}"',
    "[{}]",
    '{{"answer": {}}}',
    "{}",
]


def _reply(rng: Random, folder: Path) -> None:
    """A reply of a model to one of all tasks."""
    wanted = rng.choice(list(TASKS.values())).output_type
    value = _filled(wanted)
    text = mutations.damaged_json(rng, value).decode("utf-8", "surrogateescape")
    if rng.random() < 0.5:
        text = rng.choice(_AROUND).replace("{}", text).replace("{{", "{").replace("}}", "}")
    if rng.random() < 0.4:
        text = mutations.damaged_text(rng, text)
    prompt = rng.choice(["", json.dumps(value), "Reply with JSON."])
    with suppress(UnreadableReply):
        read_reply(text, wanted, prompt=prompt).model_dump_json().encode()


@cache
def _filled(wanted: type[Any]) -> Any:
    """A value of the type, by its schema."""
    schema = wanted.model_json_schema()
    return _of(schema, schema.get("$defs", {}))


def _of(schema: dict[str, Any], named: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _of(named[schema["$ref"].rpartition("/")[2]], named)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return _of(schema[choice][0], named)
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema:
        return {name: _of(each, named) for name, each in schema["properties"].items()}
    simple = {"string": 'The "Argo" carries 40 cars.', "integer": 1, "number": 0.5, "boolean": True}
    kind = schema.get("type")
    return [_of(schema.get("items", {}), named)] * 2 if kind == "array" else schema.get("const", simple.get(kind or ""))


def _server(rng: Random, folder: Path) -> None:
    """A reply of a server that was asked for words, and for vectors."""
    headers = {"retry-after": rng.choice(_WAITS)} if rng.random() < 0.3 else {}
    body = mutations.damaged_json(rng, rng.choice(_BODIES))
    found = chat_answer(Received(rng.choice(_STATUSES), headers, body))
    repr(found).encode()
    for name in ("text", "reason", "said", "failure"):
        (getattr(found, name, "") or "").encode()
    request = EmbeddingRequest(["a", "b"], {"model": "m"})
    request.read(
        Received(rng.choice(_STATUSES), headers, mutations.damaged_json(rng, rng.choice([_EMBEDDINGS, *_BODIES])))
    )


def _system(rng: Random, folder: Path) -> None:
    """What a system gives back, as JSON: its prediction can be kept and read again."""
    try:
        value = json.loads(mutations.damaged_json(rng, rng.choice(_SYSTEM_REPLIES)))
    except (ValueError, RecursionError):
        return
    told = told_error(value)
    (told or "").encode()
    try:
        prediction = read_answer(value, rng.choice(_PLACES), example_id="q", system="s")
    except UnreadableAnswerError as error:
        str(error).encode()
        return
    assert from_json(Prediction, to_json(prediction)) == prediction


TARGETS: dict[str, Callable[[Random, Path], None]] = {
    "model-replies": _reply,
    "server-replies": _server,
    "system-replies": _system,
}
