"""Models behind OpenAI's protocol: what they send, what they make of replies, and that nothing is asked twice."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from typing import Any

import pytest
from asking import GOOD, MakeModel, asked, asked_one, inputs, values

from ragassay.errors import ModelError, RunFolderError
from ragassay.models.base import Reply
from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.call_records import open_records
from ragassay.models.openai_compatible import ONLY_THOUGHTS, REPAIR_TURNS
from ragassay.tasks.prompts import messages_for
from ragassay.tasks.verdicts import (
    ANSWER_STATEMENTS,
    STATEMENT_VERDICTS,
    AnswerStatements,
    StatementsOnContext,
)

FILTER = {"message": "The response was filtered", "code": "content_filter"}


def test_what_is_sent(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub()
    extra = {"top_p": 0.9}
    model = model_at(server.url, endpoint={"headers": {"X-Team": "search"}, "extra_body": extra})
    other = model_at(server.url, endpoint={"extra_body": {"seed": 7, "max_tokens": 100}}, temperature=0.5)
    given = StatementsOnContext(question="Which colour?", statements=("It is red.",), context="The lamp is red.")

    async def ask() -> None:
        async with model, other:
            await model.ask(ANSWER_STATEMENTS, inputs(1)[0])
            await other.ask(STATEMENT_VERDICTS, given)

    asyncio.run(ask())
    first, second = server.stub.bodies
    assert first["messages"] == [
        {"role": each.role, "content": each.content} for each in messages_for(ANSWER_STATEMENTS, inputs(1)[0])
    ]
    assert (first["model"], first["temperature"], first["max_tokens"], first["top_p"]) == ("m", 0.0, 4096, 0.9)
    assert "seed" not in first
    assert first["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "answer_statements",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"statements": {"type": "array", "items": {"type": "string"}}},
                "required": ["statements"],
                "additionalProperties": False,
            },
        },
    }
    assert (second["temperature"], second["seed"], second["max_tokens"]) == (0.5, 7, 100)


@pytest.mark.parametrize(
    ("settings", "refused", "left"),
    [
        ({}, 0, "json_schema"),
        ({"formats": ("json_object_schema", "json_object", "text")}, 1, "json_object_schema"),
        ({"formats": ("json_object", "text")}, 2, "json_object"),
        ({"formats": ("text",)}, 3, "text"),
        ({"obeys_formats": False}, 0, "json_schema"),
    ],
)
def test_servers_of_all_formats_give_values(
    servers: Any, model_at: MakeModel, settings: dict[str, Any], refused: int, left: str
) -> None:
    server = servers.stub(latency_ms=5, **settings)
    model = model_at(server.url)
    assert values(asked(model, inputs(40))) == 40
    # The first call learns for all of them.
    assert server.stats.requests == 40 + refused
    assert model.dialect.format == left


def test_a_repair_turn_shows_the_reply_and_what_is_wrong(servers: Any, model_at: MakeModel, log: CallLog) -> None:
    server = servers.scripted("I would rather not say.", GOOD)
    reply = asked_one(model_at(server.url))
    assert reply.value == AnswerStatements(items=("The lamp is red.",))
    first, second = (body["messages"] for body in server.stub.bodies)
    assert second[:2] == first
    assert second[2] == {"role": "assistant", "content": "I would rather not say."}
    assert second[3]["role"] == "user"
    assert "no JSON object" in second[3]["content"]
    rows = sqlite3.connect(log.path).execute("SELECT reply, unreadable FROM calls ORDER BY id").fetchall()
    assert rows[0][0] == "I would rather not say."
    assert "no JSON object" in rows[0][1]
    assert rows[1] == (GOOD, None)


def test_a_model_that_never_makes_sense_is_data(servers: Any, model_at: MakeModel) -> None:
    server = servers.scripted("Quite so.")
    reply = asked_one(model_at(server.url))
    assert reply.value is None
    assert reply.reason is not None
    assert reply.reason.startswith("the reply could not be used, even after 4 more tries: no JSON object with")
    assert server.stats.requests == 1 + REPAIR_TURNS
    # Told the same again in the same words, it is asked with some chance, each time with a seed of its own.
    drawn = [(body["temperature"], body.get("seed")) for body in server.stub.bodies]
    assert drawn == [(0.0, None), (0.0, None), (0.7, 2), (0.7, 3), (0.7, 4)]
    # A second run finds all of them in the log.
    assert asked_one(model_at(server.url)) == reply
    assert server.stats.requests == 1 + REPAIR_TURNS


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("refusal", "the model refused: I cannot help with that."),
        ("filtered prompt", "a filter of the server refused the text (HTTP 400: The response was filtered"),
        ("too long", "the text is too long for the model (HTTP 400: This model's maximum context length is 8192"),
        ("only thoughts", "the reply is empty: the model reached the limit of its length"),
    ],
)
def test_failures_that_would_come_again_are_logged_answers(
    servers: Any, model_at: MakeModel, scripts: Any, reply: str, reason: str
) -> None:
    script = {
        "refusal": scripts.completion(None, refusal="I cannot help with that."),
        "filtered reply": scripts.completion("", "content_filter"),
        "filtered prompt": (400, {"error": FILTER}, {}),
        "too long": scripts.error(
            400, "This model's maximum context length is 8192 tokens, and your messages have 9000"
        ),
        "only thoughts": scripts.completion("", "length"),
    }
    server = servers.scripted(script[reply])
    for _ in range(2):
        found = asked_one(model_at(server.url))
        assert found.value is None
        assert found.reason is not None
        assert found.reason.startswith(reason)
    assert server.stats.requests == 1


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (401, {"error": {"message": "Incorrect API key provided: {key}"}}, "check the key in RAGASSAY_API_KEY"),
        (404, {"error": {"message": "The model `m` does not exist"}}, "check the name of the model, 'm'"),
        (307, {}, "redirect"),
        (
            200,
            "<!doctype html><title>Log in</title>",
            "web page instead of JSON (Log in); check the address, which ends",
        ),
    ],
)
def test_what_no_call_can_mend_stops_everything_at_once(
    servers: Any, model_at: MakeModel, scripts: Any, status: int, body: Any, says: str
) -> None:
    said = json.loads(json.dumps(body).replace("{key}", scripts.key))
    server = servers.scripted((status, said, {"Location": "http://127.0.0.1:1/v1/chat/completions"}))
    with pytest.raises(ModelError, match=re.escape(says)) as raised:
        asked(model_at(server.url, key=scripts.key), inputs(200))
    assert server.stats.requests == 1
    assert scripts.key not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_key_is_sent_and_shown_nowhere(
    servers: Any, model_at: MakeModel, log: CallLog, scripts: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    server = servers.stub(key=scripts.key, busy=0.3, broken=0.2, retry_after="0.01")
    model = model_at(server.url, key=scripts.key)
    assert values(asked(model, inputs(30))) == 30
    echo = servers.scripted(f'{{"statements": ["The key is {scripts.key}"]}}')
    assert asked_one(model_at(echo.url, key=scripts.key)).value == AnswerStatements(items=("The key is [key]",))
    log.close()
    for file in log.path.parent.iterdir():
        assert scripts.key.encode() not in file.read_bytes()
    assert scripts.key not in repr(model) + repr(model._endpoint) + "".join(capfd.readouterr())


def test_a_second_run_makes_no_call_and_gives_the_same(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub()
    model = model_at(server.url)
    first = asked(model, inputs(20))
    assert asked(model, inputs(20)) == first  # another event loop
    server.stub.settings.key = "a key that nobody has"
    assert asked(model_at(server.url), inputs(20)) == first
    assert server.stats.requests == 20
    # What is not asked the same way is another call.
    server.stub.settings.key = ""
    asked(model_at(server.url, temperature=1.0), inputs(20))
    asked(model_at(server.url, endpoint={"extra_body": {"seed": 1}}), inputs(20))
    assert server.stats.requests == 60


def test_all_troubles_at_once_cost_no_value(servers: Any, model_at: MakeModel) -> None:
    troubles = {"busy": 0.2, "broken": 0.1, "malformed": 0.1, "hung": 0.05, "cut": 0.05}
    server = servers.stub(**troubles, first_tries_only=True, retry_after="0.05", seed=3)
    model = model_at(server.url, limits={"max_in_flight": 64, "call_timeout_s": 2.0})
    assert values(asked(model, inputs(200))) == 200
    # 40 % of the first tries, and of the malformed replies those that cannot be read: 1.4 and a little, and more where
    # a busy machine does not get replies done in time.
    assert server.stats.requests < 2 * 200


def test_a_server_that_turns_all_away_for_long_stops_the_run(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(busy=1.0, retry_after="0.1")
    with pytest.raises(ModelError, match=r"no call was answered in .*HTTP 429"):
        asked(model_at(server.url, limits={"patience_s": 0.5}), inputs(100))
    assert server.stats.requests < 20
    server.stub.settings.retry_after = "3600"
    with pytest.raises(ModelError, match=r"cannot be used: the server asks to wait 3,600 s; HTTP 429"):
        asked(model_at(server.url, limits={"patience_s": 0.5}), inputs(100))


def test_a_server_that_keeps_a_run_waiting_is_named_with_its_reason(
    servers: Any, model_at: MakeModel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ragassay.models.llm.pace.FIRST_WORD_S", 0.2)
    server = servers.stub(busy=1.0, retry_after="0.1")
    with pytest.raises(ModelError):
        asked(model_at(server.url, limits={"patience_s": 2.0, "call_timeout_s": 2.0}), inputs(10))
    # after 0.2, 0.4, 0.8 and 1.6 s, and seldom more on a busy machine
    assert [each.split(" s; failed tries:")[0] for each in caplog.messages][:1] == [f"{server.url}#m: no answer for 0"]
    assert all("HTTP 429: Rate limit reached" in each and "Ctrl-C" in each for each in caplog.messages)
    assert 2 <= len(caplog.messages) <= 4


def test_a_log_that_cannot_be_written_stops_the_run(
    servers: Any, model_at: MakeModel, log: CallLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    server = servers.stub()
    monkeypatch.setattr(log, "_commit", full)
    with pytest.raises(RunFolderError, match="database or disk is full"):
        asked(model_at(server.url), inputs(500))
    assert server.stats.requests <= 2 * 16


def test_a_run_that_is_cancelled_can_go_on(servers: Any, model_at: MakeModel) -> None:
    server = servers.stub(latency_ms=50)
    model = model_at(server.url)

    async def ask() -> list[Reply[Any]]:
        async with model:
            first = asyncio.create_task(model.ask_all(ANSWER_STATEMENTS, inputs(40)))
            other = asyncio.create_task(model.ask_all(ANSWER_STATEMENTS, inputs(40)))
            await asyncio.sleep(0.1)
            first.cancel()
            return await other

    assert values(asyncio.run(ask())) == 40


LAMP = AnswerStatements(items=("The lamp is red.",))


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thoughts_apart_are_kept_and_not_read(
    name: str, servers: Any, model_at: MakeModel, scripts: Any, log: CallLog
) -> None:
    server = servers.scripted(scripts.completion(GOOD, **{name: '{"statements": ["A draft."]}'}))
    assert asked_one(model_at(server.url)).value == LAMP
    with open_records(log.path.parent) as records:
        assert records.call(1)["aside"] == {"reasoning": '{"statements": ["A draft."]}'}
    # nothing but thoughts is no answer, and is asked about again
    empty = servers.scripted(scripts.completion("", reasoning_content=GOOD), GOOD)
    assert asked_one(model_at(empty.url)).value == LAMP
    assert empty.stats.requests == 2
    never = asked_one(model_at(servers.scripted(scripts.completion("", reasoning_content=GOOD)).url))
    assert (never.value, (never.reason or "").endswith(ONLY_THOUGHTS)) == (None, True)
    with open_records(log.path.parent) as records:
        assert [*records.problems()][-1].reason == ONLY_THOUGHTS
