"""Ratings as means over their probabilities: worked by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.llm.chances import expected_number, from_json, number_chances, to_json


def logprobs(*tokens: str | tuple[str, dict[str, float]]) -> dict[str, Any]:
    """Tokens as a server gives them; beside a token, what might have been there instead, with probabilities."""
    content = []
    for each in tokens:
        token, others = (each, {each: 1.0}) if isinstance(each, str) else each
        top = [{"token": other, "logprob": math.log(chance)} for other, chance in others.items()]
        content.append({"token": token, "logprob": math.log(others.get(token, 0.01)), "top_logprobs": top})
    return {"content": content}


def mean(given: dict[str, Any], fits: Callable[[int], bool], name: str = "rating") -> float | None:
    text = "".join(each["token"] for each in given["content"])
    return expected_number(text, name, number_chances(given, text), fits)


def one_to_five(number: int) -> bool:
    return 1 <= number <= 5


def zero_to_ten(number: int) -> bool:
    return 0 <= number <= 10


def test_a_rating_is_the_mean_of_those_that_fit() -> None:
    # (.6 x 4 + .3 x 5 + .05 x 3) / .95; 9 is no rating, and "x" no number
    tokens = ('{"reason": "4 of 5", "rating"', ":", (" 4", {" 4": 0.6, "5": 0.3, "\n3": 0.05, " 9": 0.03, "x": 0.01}))
    assert mean(logprobs(*tokens, "}"), one_to_five) == pytest.approx(4.05 / 0.95)


def test_the_last_field_of_that_name_counts_and_no_quoted_one() -> None:
    given = logprobs('{"rating": 1, "r": "', '\\"rating\\": 2', '", "rating": ', ("3", {"3": 0.5, "4": 0.5}), "}")
    assert mean(given, one_to_five) == pytest.approx(3.5)
    assert mean(given, one_to_five, name="score") is None


def test_a_ten_of_two_tokens() -> None:
    # 1 was written and 0 after it with .75: 10 has .6, 1 has .2, 7 has .2
    written = logprobs('{"rating": ', ("1", {"1": 0.8, "7": 0.2}), ("0", {"0": 0.75, "}": 0.25}), "}")
    assert mean(written, zero_to_ten) == pytest.approx(10 * 0.6 + 0.2 + 7 * 0.2)
    # 1 was written and ended there: what might have gone on is counted as well
    ended = logprobs('{"rating": ', ("1", {"1": 1.0}), ("}", {"}": 0.75, "0": 0.25}))
    assert mean(ended, zero_to_ten) == pytest.approx(10 * 0.25 + 0.75)
    # 7 was written: nobody knows what would have followed the 1
    assert mean(logprobs('{"rating": ', ("7", {"7": 0.9, "1": 0.1}), "}"), zero_to_ten) is None
    # a tokenizer that has 10 as one token leaves no doubt
    whole = logprobs('{"rating": ', ("7", {"7": 0.5, "10": 0.4, "1": 0.1}), "}")
    assert mean(whole, zero_to_ten) == pytest.approx(7 * 0.5 + 4 + 0.1)


def test_there_is_no_mean_of_what_is_mostly_something_else() -> None:
    assert mean(logprobs('{"rating": ', ("4", {"4": 0.3, "null": 0.7}), "}"), one_to_five) is None
    assert mean(logprobs('{"rating": "high"}'), one_to_five) is None


def test_letters_of_several_bytes_move_nothing() -> None:
    text = '{"reason": "größer – 4", "rating": 4}'
    head, tail = text[:-2].encode(), b"4}"
    content = [{"token": "?", "bytes": [byte], "logprob": 0.0, "top_logprobs": []} for byte in head] + [
        {
            "token": "4",
            "bytes": [tail[0]],
            "logprob": math.log(0.5),
            "top_logprobs": [{"token": "2", "logprob": -0.6931}],
        },
        {"token": "}", "bytes": None, "logprob": 0.0},
    ]
    found = number_chances({"content": content}, text)
    assert expected_number(text, "rating", found, one_to_five) == pytest.approx(3.0, abs=1e-3)
    assert expected_number(text, "rating", from_json(to_json(found)), one_to_five) == pytest.approx(3.0, abs=1e-3)


JSON = st.recursive(
    st.none() | st.floats() | st.just(-(10**400)) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["content", "token", "bytes", "logprob", "top_logprobs"]), inner, max_size=4)
    ),
)


@given(JSON, st.text(max_size=20))
def test_whatever_a_server_sends_is_no_error(given: Any, text: str) -> None:
    for each in number_chances(given, text):
        assert all(0 <= chance <= 1 for _, chance in each.others)
