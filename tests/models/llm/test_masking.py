"""Secrets do not come back, however they are written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.llm.masking import MASKED, Mask, kept, keys_in_url, mask_of, one_line, secrets_of


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


SECRET = "sk-Zq81x5Ab"


def test_an_echo_in_utf_16_is_masked() -> None:
    left = Mask([SECRET]).masked(f'{{"said": "{SECRET}"}}'.encode("utf-16"), 200)
    assert json.loads(left) == {"said": MASKED}


def test_values_of_headers_are_masked_unless_they_say_what_is_no_secret() -> None:
    sent = {"X-Tenant": "acme-4711-x", "X-Team": "retrieval", "api-version": "2024-06-01", "X-Key": "quicksilver"}
    said = b"acme-4711-x retrieval 2024-06-01 quicksilver"
    assert mask_of(None, sent).masked(said, 200) == b"[key] retrieval 2024-06-01 [key]"


def test_secrets_of_an_environment_are_known_by_their_names() -> None:
    environ = {
        "OPENAI_API_KEY": "sk-1",
        "DB_PASSWORD": "pass1",
        "PGPASSWORD": "pass3",
        "AWS_ACCESS_KEY_ID": "AK1",
        "DATABASE_URL": "postgres://me:pass2@host/data",
        "RAGASSAY_SYSTEM_HEADERS": '{"X-Tenant": "acme-4711", "X-Team": "search"}',
        "HOME": "/home/me",
        "GIT_AUTHOR_NAME": "Jane Author",
        "MAX_TOKENS": "100000",
        "SIGNING_KEY": "/",
    }
    assert secrets_of(environ) == ["sk-1", "pass1", "pass3", "AK1", "pass2", "acme-4711"]


def test_messages_of_others_repeat_no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", SECRET)
    assert one_line(f"no entry for\n {SECRET}") == "no entry for [key]"


def test_what_is_kept_of_a_system_holds_no_key_and_tells_two_apart() -> None:
    url = kept("url", f"http://h/ask?n=1&api_key={SECRET}&q={{question}}")
    assert url == "http://h/ask?n=1&api_key=[key bb8560]&q={question}"
    assert url != kept("url", "http://h/ask?n=1&api_key=another&q={question}")
    assert keys_in_url(f"http://h/ask?n=1&api_key={SECRET}&top_k=5") == [SECRET]
    assert kept("command", f"rag.py --api-key {SECRET} --size 5") == "rag.py --api-key [key bb8560] --size 5"
    written = {"X-Api-Key": SECRET, "Authorization": "Bearer ${KEY}", "n": 5}
    assert kept("headers", written) == {**written, "X-Api-Key": "[key bb8560]"}


def test_a_key_in_a_url_is_masked() -> None:
    assert Mask(["sk-Zq81/x+5=="]).masked(b"?key=sk-Zq81%2Fx%2b5%3D%3D&n=1", 500) == b"?key=[key]&n=1"
