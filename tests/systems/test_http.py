"""A system behind a URL, over real connections: replies of many kinds, troubles, and secrets."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from rag_servers import Troubles, troubled

from ragassay.errors import UsageError
from ragassay.jobs.answer.loop import ask_system
from ragassay.records import Prediction
from ragassay.systems.base import Question, UnusableSystemError
from ragassay.systems.http import HttpSystem
from ragassay.systems.options import HttpOptions

Answered = Callable[..., dict[str, Prediction]]


def system(url: str, environ: dict[str, str] | None = None, **options: Any) -> HttpSystem:
    return HttpSystem(HttpOptions(url=url, **options), environ or {})


def test_answers_chunks_tokens_and_time(answered: Answered) -> None:
    with troubled() as server:
        made = answered(system(server.url, name="mine"))
    assert made["a"].answer == "It is When did it open?"
    assert [(chunk.text, chunk.chunk_id, chunk.score) for chunk in made["a"].chunks] == [
        ("When did it open? 1", "c1", 1),
        ("When did it open? 2", "c2", 0.5),
    ]
    assert (made["a"].input_tokens, made["a"].output_tokens, made["a"].system) == (17, 3, "mine")
    assert made["a"].latency_s is not None


@pytest.mark.parametrize(
    ("url", "options"),
    [("?q={question}", {}), ("", {"request": {"q": "{question}"}}), ("?lang=en", {"request": {"q": "{question}"}})],
)
def test_get(answered: Answered, url: str, options: dict[str, Any]) -> None:
    question = "50 % off & more? größer #1 + 2"
    with troubled() as server:
        made = answered(system(server.url + url, method="GET", **options), [Question("a", question)])
    assert made["a"].answer == f"It is {question}"


@pytest.mark.parametrize(
    ("trouble", "reason"), [("failing", "HTTP 500"), ("malformed", "malformed JSON"), ("hanging", "time-out")]
)
def test_troubles_are_records(answered: Answered, trouble: str, reason: str) -> None:
    with troubled(Troubles(**{trouble: 1.0})) as server:
        made = answered(system(server.url, timeout=0.5 if trouble == "hanging" else 30, retries=0))
    assert [(each.error or "").partition(": ")[0] for each in made.values()] == [reason, reason]
    assert all(each.answer is None for each in made.values())


def test_what_may_pass_is_tried_again(answered: Answered) -> None:
    with troubled(Troubles(failing=0.5, hanging=0.5, first_tries_only=True)) as server:
        made = answered(system(server.url, timeout=5, retries=1))
    assert all(each.error is None for each in made.values())
    assert sum(server.stats.seen.values()) == 4


def test_a_server_that_only_refuses_is_named_and_given_up(
    answered: Answered, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ragassay.models.llm.pace.FIRST_WORD_S", 0.1)
    monkeypatch.setattr("ragassay.systems.http.LONGEST_SILENCE_S", 0.3)
    questions = [Question(str(number), f"Question {number}?") for number in range(9)]
    with troubled(Troubles(failing=1.0)) as server:
        with pytest.raises(UnusableSystemError, match="HTTP 500: out of luck; no answer in "):
            answered(system(server.url), questions)
        assert server.stats.outcomes.total() < 9
    said = f"{re.escape(server.url)}: no answer for 0 s; failed tries: \\d; the latest: HTTP 500: out of luck"
    assert re.match(said, caplog.messages[0])


TOGETHER = "Zq81-header-x Wk27-variable-y Tn33-address-z"
"""A header of the environment, a variable put into another, and a key in the URL."""
ESCAPED = "".join(f"\\u{ord(sign):04x}" for sign in TOGETHER)


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"answer": TOGETHER, "contexts": [TOGETHER]}).encode(),
        json.dumps({"answer": TOGETHER}).encode("utf-16"),
        f'{{"answer": "{ESCAPED}"}}'.encode(),
        json.dumps(
            {"message": {"content": [{"type": "text", "text": part} for part in re.findall(".{1,7}", TOGETHER)]}}
        ).encode(),
        json.dumps({"error": {"message": TOGETHER}}).encode(),
    ],
)
def test_what_was_sent_does_not_come_back(body: bytes) -> None:
    environ = {"RAGASSAY_SYSTEM_HEADERS": '{"X-Tenant": "Zq81-header-x"}', "MY_VALUE": "Wk27-variable-y"}
    made: list[Prediction] = []

    async def ask() -> None:
        async def reply(request: web.Request) -> web.Response:
            assert (request.headers["X-Some"], request.query["key"]) == ("a Wk27-variable-y b", "Tn33-address-z")
            return web.Response(body=body, content_type="application/json")

        application = web.Application()
        application.router.add_post("/", reply)
        async with TestServer(application) as server:
            url = str(server.make_url("/?key=Tn33-address-z"))
            asking = system(url, environ, headers={"X-Some": "a ${MY_VALUE} b"})
            await ask_system(asking, [Question("a", "When?")], made.append)
            await asking.close()

    asyncio.run(ask())
    assert not {"Zq81", "Wk27", "Tn33"} & set(re.split(r"\W+", repr(made)))
    assert "[key]" in repr(made)


def test_keys_come_from_the_environment_and_stand_nowhere(answered: Answered) -> None:
    secret = "s3cret-key-of-mine"
    with troubled(Troubles(key=secret)) as server:
        headers = {"X-Key": "${MY_KEY}"}
        made = answered(system(server.url, {"MY_KEY": secret}, headers=headers))
        assert made["a"].error is None
        by_variable = system(server.url, {"RAGASSAY_SYSTEM_HEADERS": f'{{"X-Key": "{secret}"}}'})
        assert answered(by_variable)["a"].error is None
        wrong = system(server.url, {"MY_KEY": "another-secret-key"}, headers=headers)
        with pytest.raises(UnusableSystemError) as raised:
            answered(wrong)
    assert "HTTP 401: the key is missing or wrong" in str(raised.value)
    assert "another-secret-key" not in str(raised.value)  # though the server repeats it


def test_a_reply_without_an_answer_says_what_it_has(answered: Answered) -> None:
    with (
        troubled(Troubles(answerless=1.0)) as server,
        pytest.raises(UnusableSystemError, match="has the fields status"),
    ):
        answered(system(server.url))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"url": "http://u:p@h/a"}, "url: contains credentials; put a key into the environment, in"),
        ({"url": "http://h/a?q={question}"}, "in the URL only applies to method=GET; for POST put it into request"),
        (
            {"url": "http://h/a", "method": "GET", "request": "{question}"},
            "request: must be an object of query names and values for GET",
        ),
        ({"url": "http://h/a", "headers": {"X-Key": "${UNSET}"}}, "the environment variable UNSET is not set"),
    ],
)
def test_what_cannot_be_meant(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        HttpSystem(HttpOptions(**options), {})
    assert said in str(raised.value)
