"""Names of models on servers: where they lead, and one clear sentence without secrets for those that lead nowhere."""

from __future__ import annotations

import pytest

from ragassay.errors import UsageError
from ragassay.models.llm.endpoints import endpoint_of, is_local

SECRET = "sk-5f2d9c"


@pytest.mark.parametrize(
    ("name", "environ", "expected"),
    [
        (
            "openai:gpt-4o-mini",
            {"OPENAI_API_KEY": SECRET},
            ("openai:gpt-4o-mini", "https://api.openai.com/v1", "gpt-4o-mini", SECRET),
        ),
        (  # the name says where the calls really go; a server next door may need no key
            "openai:gpt-4o-mini",
            {"OPENAI_BASE_URL": "http://127.0.0.1:8100/v1/"},
            ("http://127.0.0.1:8100/v1#gpt-4o-mini", "http://127.0.0.1:8100/v1", "gpt-4o-mini", None),
        ),
        (
            "HTTP://LocalHost:8000/V1/#meta-llama/Llama-3.1-8B:free",
            {"OPENAI_API_KEY": SECRET, "RAGASSAY_API_KEY": f"{SECRET}\n"},
            (
                "http://localhost:8000/V1#meta-llama/Llama-3.1-8B:free",
                "http://localhost:8000/V1",
                "meta-llama/Llama-3.1-8B:free",
                SECRET,
            ),
        ),
        (  # the key of one service is not sent to another
            "https://gateway.example/v1#m",
            {"OPENAI_API_KEY": SECRET},
            ("https://gateway.example/v1#m", "https://gateway.example/v1", "m", None),
        ),
        (
            " ollama:llama3.1:8b ",
            {"OPENAI_API_KEY": SECRET},
            ("ollama:llama3.1:8b", "http://localhost:11434/v1", "llama3.1:8b", None),
        ),
        (
            "ollama:m",
            {"OLLAMA_HOST": "10.2.3.4:11500"},
            ("http://10.2.3.4:11500/v1#m", "http://10.2.3.4:11500/v1", "m", None),
        ),
    ],
)
def test_where_a_name_leads(name: str, environ: dict[str, str], expected: tuple[str, ...]) -> None:
    endpoint = endpoint_of(name, environ)
    assert (endpoint.name, endpoint.base_url, endpoint.model, endpoint.key) == expected
    assert endpoint_of(endpoint.name, environ).base_url == endpoint.base_url


@pytest.mark.parametrize(
    ("name", "environ", "words"),
    [
        ("", {}, ["--judge: no model named", "openai:MODEL", "ollama:MODEL", "#MODEL"]),
        ("openai:gpt-4o-mini", {}, ["OPENAI_API_KEY"]),
        ("openai:m", {"OPENAI_API_KEY": SECRET + "\nx"}, ["OPENAI_API_KEY", "characters"]),
        ("openai:m", {"OPENAI_BASE_URL": f"https://u:{SECRET}@h/v1"}, ["OPENAI_BASE_URL", "credentials"]),
        ("http://localhost:8000/v1#", {}, ["names no model"]),
        (f"https://u:{SECRET}@h/v1#m", {}, ["credentials", "environment"]),
        (f"https://h/v1?key={SECRET}#m", {}, ["query", "RAGASSAY_API_KEY"]),
        ("ftp://h/v1#m", {}, ["ftp://", "http or https"]),
        ("http://h:99999/v1#m", {}, ["http://HOST:PORT/v1"]),
        ("http://h/v1\n#m", {}, ["white space"]),
        ("ollama:m", {"RAGASSAY_HEADERS": f'{{"a b": "{SECRET}"}}'}, ["RAGASSAY_HEADERS", "'a b'"]),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_sentence(name: str, environ: dict[str, str], words: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        endpoint_of(name, environ, option="--judge")
    message = str(raised.value)
    assert all(word in message for word in words), message
    assert SECRET not in message
    assert "\n" not in message


def test_secrets_show_nowhere() -> None:
    environ = {"RAGASSAY_API_KEY": SECRET, "RAGASSAY_HEADERS": f'{{"X-Key": "{SECRET}"}}'}
    endpoint = endpoint_of("http://h/v1#m", environ, extra_body={"top_p": 0.9})
    assert (endpoint.key, dict(endpoint.headers), endpoint.key_variable) == (
        SECRET,
        {"X-Key": SECRET},
        "RAGASSAY_API_KEY",
    )
    assert SECRET not in f"{endpoint!r}{endpoint}"
    assert endpoint.extra_body == {"top_p": 0.9}


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://vllm:8000/v1", True),  # a name without a dot, as containers have
        ("https://api.openai.com/v1", False),
        ("", False),
    ],
)
def test_which_servers_are_local(url: str, local: bool) -> None:
    assert is_local(url) is local
