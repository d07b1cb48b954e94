"""What else a model might have written in the place of a number, from log-probabilities, and the mean of that.

A rating of 4 may have been nearly a 3 or nearly a 5; the mean of the ratings, weighted by their probabilities, tells
more of them apart (G-Eval, EMNLP 2023, section 2.2).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

LEAST_MASS = 0.5
"""Numbers that fit have to be at least this probable together, else the model was about to write something else."""

UNCLEAR_MASS = 0.01
"""A 1 that may have become a 10 is passed over up to this probability; above it there is no mean."""

MOST_TOKENS = 20_000
"""Replies with a rating are short."""

_DIGITS = re.compile(r'\s*"?(\d{1,4})')


class Chances(NamedTuple):
    """A token with a digit in it, or right after one.

    at: place of its first character in the reply. token: the text that was written. others: what might have been
    written there and has a digit, this token included, with its probability.
    """

    at: int
    token: str
    others: tuple[tuple[str, float], ...]


def number_chances(logprobs: Any, text: str) -> tuple[Chances, ...]:
    """Of the ``logprobs`` of a choice in OpenAI's form; nothing where they are in another or belong to another text."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if (
        not isinstance(content, list)
        or len(content) > MOST_TOKENS
        or not all(isinstance(each, dict) for each in content)
    ):
        return ()
    pieces = [_bytes(each) for each in content]
    start = b"".join(pieces).find(text.encode())
    if start < 0:
        return ()
    found = []
    place, after_digit = -start, False
    for entry, piece in zip(content, pieces, strict=True):
        token = piece.decode("utf-8", "replace")
        has_digit = re.search(r"\d", token) is not None
        if (has_digit or after_digit) and place >= 0:
            at = len(text.encode()[:place].decode("utf-8", "ignore"))
            found.append(Chances(at, token, _others(entry)))
        after_digit = token[-1:].isdigit()
        place += len(piece)
    return tuple(found)


def expected_number(text: str, name: str, chances: tuple[Chances, ...], fits: Callable[[int], bool]) -> float | None:
    """The mean of the numbers that a field of the reply's object might have had, weighted by their probabilities.

    text: the reply. name: of the field. fits: whether a number may stand there. None where the probabilities are not
    known, or mostly those of something else.
    """
    written = [*re.finditer(rf'(?<!\\)"{re.escape(name)}"\s*:\s*"?(\d+)', text)]
    place = written[-1].start(1) if written else -1
    at = next((n for n, each in enumerate(chances) if each.at <= place < each.at + len(each.token)), None)
    if at is None:
        return None
    here = chances[at]
    before = here.token[: place - here.at]
    following = next((each for each in chances[at + 1 :] if each.at == here.at + len(here.token)), None)
    weights = _weights(here, before, following, fits)
    if weights is None or sum(weights.values()) < LEAST_MASS:
        return None
    return sum(number * weight for number, weight in weights.items()) / sum(weights.values())


def to_json(chances: tuple[Chances, ...]) -> list[Any]:
    """As the call log keeps them."""
    return [[each.at, each.token, [[token, round(chance, 6)] for token, chance in each.others]] for each in chances]


def from_json(kept: list[Any]) -> tuple[Chances, ...]:
    """As ``to_json`` wrote them."""
    return tuple(Chances(at, token, tuple((other, chance) for other, chance in others)) for at, token, others in kept)


def _weights(
    here: Chances, before: str, following: Chances | None, fits: Callable[[int], bool]
) -> dict[int, float] | None:
    """Number to probability; None where one digit may have been the first of two, and nobody can tell."""
    by_digits: dict[str, float] = defaultdict(float)
    for token, chance in here.others:
        found = _DIGITS.match(token.removeprefix(before))
        if found is not None:
            by_digits[found[1]] += chance
    written = _DIGITS.match(here.token[len(before) :])
    has_longer = any(len(digits) > 1 for digits in by_digits)
    weights: dict[int, float] = defaultdict(float)
    for digits, mass in by_digits.items():
        ends_here = mass
        may_go_on = any(fits(10 * int(digits) + digit) for digit in range(10))
        if may_go_on and written is not None and digits == written[1] and following is not None:
            for token, chance in following.others:
                more = re.match(r"\d{1,3}", token)
                if more is not None:
                    weights[int(digits + more[0])] += mass * chance
                    ends_here -= mass * chance
        elif may_go_on and not has_longer and mass > UNCLEAR_MASS:
            return None
        weights[int(digits)] += ends_here
    return {number: weight for number, weight in weights.items() if fits(number)}


def _bytes(entry: dict[str, Any]) -> bytes:
    """What a token is part of a text with; a part of a character has no text of its own."""
    given = entry.get("bytes")
    if isinstance(given, list) and all(type(each) is int and 0 <= each < 256 for each in given):
        return bytes(given)
    token = entry.get("token")
    return token.encode("utf-8", "replace") if isinstance(token, str) else b""


def _others(entry: dict[str, Any]) -> tuple[tuple[str, float], ...]:
    top = entry.get("top_logprobs")
    found: dict[str, float] = {}
    for each in (entry, *(top if isinstance(top, list) else ())):
        if not isinstance(each, dict):
            continue
        logprob = each.get("logprob")
        token = _bytes(each).decode("utf-8", "replace")
        if isinstance(logprob, int | float) and logprob <= 0 and re.search(r"\d", token):
            found[token] = math.exp(max(logprob, -1000))
    return tuple(found.items())
