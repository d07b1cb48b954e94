"""Secrets do not come back, however they are written."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models import litellm_route
from ragassay.models.litellm_route import LitellmTransport
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.masking import MASKED, Mask


def test_each_word_of_a_header_and_its_escaped_forms() -> None:
    mask = Mask(["Bearer sk-Zq81/x+5=="])
    said = rb"you sent sk-Zq81/x+5==, sk-Zq81\/x\u002B5\u003d\u003d, sk-Zq81\\/x\\u002b5== and Bearer"
    assert mask.masked(said, 500) == b"you sent [key], [key], [key] and Bearer"


def test_short_keys_are_masked_only_where_they_were_refused() -> None:
    mask = Mask(["abc12"])
    assert mask.masked(b"wrong key: abc12, not abc123", 401) == b"wrong key: [key], not abc123"
    assert mask.masked(b"abc12 is a lamp", 200) == b"abc12 is a lamp"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=30))
def test_no_echo_as_json_survives(secret: str) -> None:
    echo = json.dumps({"said": f"({secret})"}).replace("/", r"\/").encode()
    assert secret not in json.loads(Mask([secret]).masked(echo, 400))["said"]


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=30),
    st.binary(max_size=5),
    st.binary(max_size=5),
    st.sampled_from([base64.b64encode, base64.urlsafe_b64encode]),
)
def test_no_echo_in_base64_survives(secret: str, before: bytes, after: bytes, encode: Callable[[bytes], bytes]) -> None:
    whole = encode(before + secret.encode() + after)
    left = Mask([secret]).masked(whole, 400)
    assert MASKED in left
    # at most one sign on either side depends on the secret too, and the padding
    around = -(-8 * len(before) // 6) + -(-8 * len(after) // 6) + 2 + 2
    assert len(left) - len(MASKED) <= around


def test_an_echo_in_hexadecimal_digits_is_masked() -> None:
    told = b"Basic sk-Zq81x5".hex()
    assert Mask(["sk-Zq81x5"]).masked(told.upper().encode(), 400) == b"Basic ".hex().upper().encode() + MASKED


def test_a_key_in_a_url_is_masked() -> None:
    assert Mask(["sk-Zq81/x+5=="]).masked(b"?key=sk-Zq81%2Fx%2b5%3D%3D&n=1", 500) == b"?key=[key]&n=1"


def test_litellm_masks_the_keys_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    class RefusedError(Exception):
        status_code = 401

    async def refuse(**fields: Any) -> None:
        raise RefusedError("litellm.AuthenticationError: wrong key sk-Zq81xx55")

    monkeypatch.setenv("ANYBODY_API_KEY", "sk-Zq81xx55")
    monkeypatch.setattr(litellm_route, "_imported", lambda: SimpleNamespace(acompletion=refuse))
    transport = LitellmTransport(Endpoint("litellm:a/m", "litellm://", "a/m"))
    received = asyncio.run(transport.post("/chat/completions", b"{}", timeout_s=1.0))
    assert json.loads(received.body) == {"error": {"message": "wrong key [key]"}}
