"""Damage: small valid inputs, changed at random in ways that parsers stumble over; one seed, one damage."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

LONGEST_BYTES = 100_000
"""Of what is repeated: what costs more than its length shows at this size, and what is read in time takes little."""
_MOST_CHANGES = 6
_TOKENS = re.compile(rb"\w+|\s+|[^\w\s]")
_NUMBER = re.compile(rb"\d+")
_ODD_TEXTS = [
    *"\x00 \x1b \x85 \xad \u0130 \u0345 \u1fb7 \u200b \u2028 \u202e \ufb01 \ufeff \uffff \U0001f468".split(" "),
    *"\U000e0041 e\u0301 中 \\u".split(" "),
    *"[ { ( < \" ' ` * _ | \\ & % # : ; , - = ~ ^ $ ]] }} )) >> -- == ``` ''' ::: .. <!-- --> <![CDATA[ &#".split(" "),
    *"-1 0 00 1e999 -1e999 1e-999 NaN Infinity null true [] {} 0x10 1_000 &#x110000; ٣ ² ½".split(" "),
    *("9" * 20, "9" * 5_000, "[" * 2_000, '{"a":' * 2_000, "\r", "\r\n\r\n", "\t", " " * 200, "\n" * 200, "a" * 5_000),
]  # fmt: skip
_ODD_BYTES = [*(text.encode() for text in _ODD_TEXTS), b"\xff", b"\xfe\xff", b"\xed\xa0\xbd", b"\xc3", b"\x80" * 9]
_ODD_NUMBERS = [b"0", b"-1", b"1", b"2147483648", b"4294967295", b"9" * 19, b"9" * 400, b"1e9", b"0.5"]
_ODD_VALUES: list[Any] = [
    *(None, True, False, 0, -1, 0.5, 10**30, 10**400, -(2**63), float("nan"), float("inf")),
    *("", " ", "\x00", "\ud83d", "\u202e", "[", "1", "null", "x" * 5_000, [], {}, [[]], [None], {"": None}, [{}]),
]


def damaged(rng: Random, data: bytes) -> bytes:
    """The bytes with a few changes."""
    for _ in range(rng.randint(1, _MOST_CHANGES)):
        data = rng.choice(_CHANGES)(rng, data)
    return data


def damaged_text(rng: Random, text: str) -> str:
    """The same of a text; bytes that are no UTF-8 become half surrogate pairs, as JSON may hold them."""
    return damaged(rng, text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")


def damaged_value(rng: Random, value: Any) -> Any:
    """What JSON holds, with a few of its values replaced, dropped or repeated, or its names misspelt."""
    for _ in range(rng.randint(1, 3)):
        value = _changed(rng, value)
    return value


def damaged_json(rng: Random, value: Any) -> bytes:
    """A JSON text of the value, one of which or both are damaged."""
    kind = rng.random()
    if kind < 0.8:
        value = damaged_value(rng, value)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return damaged(rng, text) if kind > 0.6 else text


def _changed(rng: Random, value: Any) -> Any:
    inner = isinstance(value, dict | list) and value
    if not inner or rng.random() < 0.15:
        if isinstance(value, str) and rng.random() < 0.4:
            return damaged_text(rng, value)
        return rng.choice([*_ODD_VALUES, [value], {"x": value}, str(value), [value] * 50])
    if isinstance(value, list):
        place = rng.randrange(len(value))
        return [
            *value[:place],
            *rng.choice([[_changed(rng, value[place])], [], [value[place]] * 2]),
            *value[place + 1 :],
        ]
    name = rng.choice(list(value))
    kept = {key: each for key, each in value.items() if key != name}
    action = rng.random()
    if action < 0.1:
        return kept
    if action < 0.2:
        return {**kept, rng.choice(["", name.upper(), f"{name} ", "\ud83d", "\x00"]): value[name]}
    return {key: _changed(rng, each) if key == name else each for key, each in value.items()}


def _span(rng: Random, data: bytes) -> tuple[int, int]:
    """Where a stretch begins and ends: mostly a short one."""
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice([1, 2, 4, 16, 64, 1_000]))


def _flip(rng: Random, data: bytes) -> bytes:
    place = rng.randint(0, len(data))
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def _drop(rng: Random, data: bytes) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + data[end:]


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))] if rng.random() < 0.3 else data


def _put_in(rng: Random, data: bytes) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + rng.choice(_ODD_BYTES) + data[rng.choice([start, end]) :]


def _repeat(rng: Random, data: bytes) -> bytes:
    start, end = _span(rng, data)
    room = max(0, LONGEST_BYTES - len(data)) // max(1, end - start)
    times = min(room, rng.choice([2, 2, 3, 10, 100, 3_000, 30_000]))
    return data[:end] + data[start:end] * times + data[end:]


def _repeat_token(rng: Random, data: bytes) -> bytes:
    """One token many times at its place, or several tokens in turn."""
    tokens = list(_TOKENS.finditer(data))
    if not tokens:
        return data
    first = rng.randrange(len(tokens))
    last = min(len(tokens) - 1, first + rng.choice([0, 0, 1, 2, 5, 20]))
    start, end = tokens[first].start(), tokens[last].end()
    room = max(0, LONGEST_BYTES - len(data)) // (end - start)
    return data[:end] + data[start:end] * min(room, rng.choice([1, 2, 30, 1_000, 30_000])) + data[end:]


def _copy(rng: Random, data: bytes) -> bytes:
    start, end = _span(rng, data)
    place = rng.randint(0, len(data))
    return data[:place] + data[start:end] + data[place:]


def _renumber(rng: Random, data: bytes) -> bytes:
    numbers = list(_NUMBER.finditer(data))
    if not numbers:
        return data
    chosen = rng.choice(numbers)
    return data[: chosen.start()] + rng.choice(_ODD_NUMBERS) + data[chosen.end() :]


_CHANGES = [_flip, _drop, _cut, _put_in, _put_in, _repeat, _repeat_token, _copy, _renumber]
