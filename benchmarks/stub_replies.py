"""What the stub server answers: values that a schema allows, with words from the prompt; spoiled replies; vectors."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import random
import re
import struct
from typing import Any


def pieces_of(messages: list[dict[str, Any]]) -> dict[str, str]:
    """Name to text of the tagged pieces of a chat's first user message."""
    return {name: text for name, _, text in _PIECE.findall(_user_text(messages))}


def _user_text(messages: list[dict[str, Any]]) -> str:
    return next((message["content"] for message in messages if message["role"] == "user"), "")


class Chat:
    """Where made-up replies get their words from."""

    def __init__(self, messages: list[dict[str, Any]], chance: random.Random) -> None:
        self.chance = chance
        user = _user_text(messages)
        self.pieces = [(name, text) for name, _, text in _PIECE.findall(user)]
        longest = max((text for _, text in self.pieces), key=len, default=user)
        self.sentences = [line.strip() for line in _SENTENCE.findall(longest)[:40] if line.strip()] or ["Nothing."]
        self._next = 0

    def sentence(self) -> str:
        self._next += 1
        return self.sentences[(self._next - 1) % len(self.sentences)]

    def chosen(self, name: str, values: list[Any], number: int) -> Any:
        """One of the values: of drafted pairs the labels that are wanted, of reviews what accepts them."""
        pieces = dict(self.pieces)
        if name in ("verdict", "comparison") and values[0] in ("accept", "same"):
            return values[0]
        if name == "label" and "wanted" in pieces:
            counts = re.findall(r"(\d+) (\w+)", pieces["wanted"].partition(";")[0])
            wanted = [label for count, label in counts for _ in range(int(count))]
            return wanted[(number - 1) % len(wanted)]
        if name == "label" and "proposed answers" in pieces:
            line = next((each for each in pieces["proposed answers"].split("\n") if each.startswith(f"{number}. ")), "")
            is_open = "left open" in line
            return (
                "unanswerable" if is_open else self.chance.choice([each for each in values if each != "unanswerable"])
            )
        return values[self.chance.randrange(len(values))]

    def n_numbered(self, wanted: str) -> int:
        """How many things the message numbers: chunks, unless lines are wanted; or lines of its last numbered piece."""
        chunks = sum(name.startswith("chunk ") for name, _ in self.pieces) * (wanted not in {"statement", "keypoint"})
        lines = [len(re.findall(r"(?m)^\d+\. ", text)) for _, text in self.pieces if text.startswith("1. ")]
        return chunks or (lines[-1] if lines else 1)


_PIECE = re.compile(r"<([a-z][a-z0-9 ]*) ([0-9a-f]+)>\n(.*?)\n</\1 \2>", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?\n]{3,200}[.!?]?")
_FIELD = re.compile(r"(?m)^( *)- (\w+) \(([^)]*)\)")
_KINDS = {"text": "string", "whole number": "integer", "number": "number", "true or false": "boolean"}


def schema_of(body: dict[str, Any]) -> dict[str, Any]:
    """The schema of the request, or the one that the fields in the system message describe."""
    given = body.get("response_format") or {}
    wanted = given.get("json_schema") or given
    if "schema" in wanted:
        return dict(wanted["schema"])
    root: dict[str, Any] = {"type": "object", "properties": {}}
    open_at = [root]
    system = next((message["content"] for message in body["messages"] if message["role"] == "system"), "")
    for indent, name, kind in _FIELD.findall(system[system.rfind("Its fields, in this order") :]):
        of_items = kind.removeprefix("list of ").removesuffix("s") if kind.startswith("list of ") else kind
        node: dict[str, Any]
        if of_items == "object":
            node = {"type": "object", "properties": {}}
        elif kind.startswith("as "):
            node = open_at[len(indent) // 2]["properties"][kind.removeprefix("as ")]
        elif kind.startswith("one of "):
            values = kind.removeprefix("one of ").split(", ")
            node = {"enum": [int(each) if each.isdigit() else each for each in values]}
        else:
            node = {"type": _KINDS.get(of_items, "string")}
        del open_at[len(indent) // 2 + 1 :]
        open_at[-1]["properties"][name] = {"type": "array", "items": node} if kind != of_items else node
        open_at.append(node)
    return root


def made_up(schema: dict[str, Any], chat: Chat) -> Any:
    """A value that a schema allows."""
    return _value(schema, schema, "", chat, 1)


def _value(node: dict[str, Any], root: dict[str, Any], name: str, chat: Chat, number: int) -> Any:
    while "$ref" in node:
        target = root
        for part in node["$ref"].lstrip("#/").split("/"):
            target = target[part]
        node = target
    if "const" in node:
        return node["const"]
    if "enum" in node:
        return chat.chosen(name, node["enum"], number)
    if "anyOf" in node:
        return _value(node["anyOf"][0], root, name, chat, number)
    kind = node.get("type", "object")
    if kind == "object":
        return {key: _value(each, root, key, chat, number) for key, each in node.get("properties", {}).items()}
    if kind == "array":
        return [_value(node["items"], root, name, chat, place + 1) for place in range(_length(node, root, chat, name))]
    if kind in {"integer", "number"}:
        return number
    if kind == "boolean":
        return name != "abstained" and chat.chance.random() < 0.8
    return "" if name == "fewer" else _words(name, chat, number)


def _length(node: dict[str, Any], root: dict[str, Any], chat: Chat, name: str) -> int:
    if name in ("findings", "flaws"):
        return 0
    wanted = dict(chat.pieces).get("wanted") if name == "pairs" else None
    if wanted is not None:
        return sum(map(int, re.findall(r"(\d+) \w+", wanted.partition(";")[0])))
    items = node["items"]
    if "$ref" in items:
        items = root["$defs"][items["$ref"].rpartition("/")[2]]
    if items.get("type") == "integer":
        return 1
    numbered = [name for name, each in items.get("properties", {}).items() if each.get("type") == "integer"]
    return chat.n_numbered(numbered[0]) if numbered else 3


def _words(name: str, chat: Chat, number: int) -> str:
    sentence = chat.sentence()
    if name in {"quotes", "evidence", "sentences"}:
        return sentence
    if "question" in name:
        return f"What is said, number {number}, about {' '.join(sentence.rstrip('.!?').split()[:8])}?"
    if name == "theme":
        return " ".join(sentence.split()[:6])
    return f"{sentence} ({number})"


def spoiled(content: str, chance: random.Random) -> tuple[str, str]:
    """A reply as weaker models give it, half of the kinds still readable, and its finish_reason."""
    kind = chance.randrange(6)
    if kind == 0:
        return f"Sure! Here is the JSON:\n```json\n{content}\n```\nLet me know if you need more.", "stop"
    if kind == 1:
        return f"{content[:-1]},}}", "stop"
    if kind == 2:
        return repr(json.loads(content)), "stop"
    if kind == 3:
        return content[: len(content) // 3], "length"
    if kind == 4:
        return "I have read the text carefully, and I think that it is quite interesting.", "stop"
    return '{"result": null}', "stop"


def embedding(text: str, size: int, as_base64: bool) -> str | list[float]:
    """A sum of vectors of the words: texts that share words are alike. Not of unit length."""
    total = [0.0] * size
    for word in re.findall(r"\w+", text.lower()) or [text]:
        drawn = hashlib.shake_256(word.encode("utf-8", "replace")).digest(size)
        total = [value + byte - 127.5 for value, byte in zip(total, drawn, strict=True)]
    if not any(map(math.fabs, total)):
        total[0] = 1.0
    return base64.b64encode(struct.pack(f"<{size}f", *total)).decode() if as_base64 else total
