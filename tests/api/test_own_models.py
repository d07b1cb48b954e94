"""Models of the user's own where a model's name stands: functions from a prompt to a text, and objects with ``ask``."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ragassay
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.models.scripted import ScriptedModel
from ragassay.tasks.ratings import Correctness, RelatedClaim

ROW = {"user_input": "When did it open?", "response": "In 1998, in May.", "reference": "In 1998."}
# one claim of two is what the reference says, the other nobody says: 1 / (1 + 1)
CLAIMS = [
    {"claim": "It opened in 1998.", "source": "In 1998.", "relation": "same", "central": True},
    {"claim": "It opened in May.", "source": "", "relation": "extra_unsupported", "central": False},
]
REPLY = json.dumps({"claims": CLAIMS, "missing": []})
VALUE = Correctness(claims=tuple(RelatedClaim(**each) for each in CLAIMS), reason="May is not told")
METRIC = ["correctness"]


def plain(prompt: str) -> str:
    assert "When did it open?" in prompt
    return f"Here it is: {REPLY}"


async def asynchronous(prompt: str) -> str:
    return REPLY


def gives_awaitable(prompt: str) -> Any:
    return asynchronous(prompt)


def gives_message(prompt: str) -> Any:  # as the chat models of LangChain do
    return SimpleNamespace(content=REPLY)


@pytest.mark.parametrize("model", [plain, asynchronous, gives_awaitable, gives_message])
def test_a_function_judges(model: Callable[[str], Any]) -> None:
    result = ragassay.evaluate([ROW], metrics=METRIC, model=model)
    assert result["correctness"] == pytest.approx(1 / 2)
    assert result.summary.judge.startswith(f"own:{__name__}:{model.__name__}@")
    assert result.summary.judge_coverage == 1


def test_a_reply_is_asked_for_once_and_another_function_gives_its_own(tmp_path: Path) -> None:
    asked: list[str] = []

    def first(prompt: str) -> str:
        asked.append(prompt)
        return REPLY

    for _ in range(2):
        assert ragassay.evaluate([ROW], metrics=METRIC, model=first)["correctness"] == pytest.approx(1 / 2)
    assert len(asked) == 1  # the log has it

    def other(prompt: str) -> str:
        return json.dumps({"claims": CLAIMS[:1], "missing": []})

    other.__qualname__ = first.__qualname__
    assert ragassay.evaluate([ROW], metrics=METRIC, model=other)["correctness"] == 1


def test_what_cannot_be_read_is_shown_to_the_function_again() -> None:
    prompts: list[str] = []

    def improves(prompt: str) -> str:
        prompts.append(prompt)
        return REPLY if len(prompts) > 1 else "I would rather not."

    assert ragassay.evaluate([ROW], metrics=METRIC, model=improves)["correctness"] == pytest.approx(1 / 2)
    assert "You replied:\nI would rather not." in prompts[1]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: 1 // 0, "the function raised ZeroDivisionError: integer division or modulo by zero"),
        (lambda: 5, "the function returned int, not a text"),
        (lambda: sys.exit(3), "the function raised RuntimeError: the function ended the process"),
    ],
)
def test_a_function_that_fails_leaves_no_value(answer: Callable[[], Any], said: str) -> None:
    def fails(prompt: str) -> Any:
        return answer()

    result = ragassay.evaluate([ROW], metrics=METRIC, model=fails)
    assert (result["correctness"], result.summary.reasons) == (None, {"correctness": {said: 1}})
    assert result.summary.judge_coverage == 0


def test_an_object_with_ask_judges_and_answers() -> None:
    asked = ScriptedModel({"correctness": VALUE})
    assert ragassay.evaluate([ROW], metrics=METRIC, model=asked)["correctness"] == pytest.approx(1 / 2)
    assert asked.asked("correctness")[0].reference == "In 1998."
    judged = ragassay.evaluate([ROW], metrics=METRIC, models=ModelOptions(judges=asked))  # type: ignore[arg-type]
    assert judged["correctness"] == pytest.approx(1 / 2)

    def writes(prompt: str) -> str:
        return json.dumps({"used": [1], "answered": True, "answer": "In 1998."})

    documents = [{"id": "a", "text": "The bridge opened in 1998. It is long."}]
    rows = [{"user_input": "When did it open?", "reference": "In 1998.", "reference_contexts": [documents[0]["text"]]}]
    result = ragassay.evaluate(rows, "rag", ["token_f1"], documents=documents, retriever="bm25", model=writes)
    assert result["token_f1"] == 1


def test_limits_hold_for_functions_and_objects_keep_their_own() -> None:
    rows = [{**ROW, "user_input": f"When did number {n} open?"} for n in range(3)]
    limited = ragassay.evaluate(rows, metrics=METRIC, models=ModelOptions(model=asynchronous, max_calls=2))  # type: ignore[arg-type]
    assert limited.metrics["correctness"].n == 2
    assert limited.summary.stopped_by == "--max-calls 2 reached"


class Chat:
    """As the chat models of LangChain: a message, with parts of content and tokens where the provider gives them."""

    def __init__(self, content: Any = REPLY, model: str = "tiny-chat") -> None:
        self.model_name = model
        self.content = content
        self.prompts: list[str] = []

    def invoke(self, given: str) -> Any:
        assert isinstance(given, str)
        self.prompts.append(given)
        return SimpleNamespace(
            content=self.content, usage_metadata={"input_tokens": 70, "output_tokens": 7, "total_tokens": 77}
        )


class AsyncChat(Chat):
    async def ainvoke(self, given: str, config: Any = None, **more: Any) -> Any:
        return self.invoke(given)


class Completer:
    """As the LLMs of LlamaIndex."""

    metadata = SimpleNamespace(model_name="tiny-llm")

    def complete(self, prompt: str, formatted: bool = False) -> Any:
        return SimpleNamespace(text=REPLY, raw=None)


@pytest.mark.parametrize(
    ("model", "behind"),
    [
        (Chat(), "(tiny-chat)"),
        (Chat([{"type": "text", "text": REPLY[:9]}, {"type": "text", "text": REPLY[9:]}]), "(tiny-chat)"),
        (AsyncChat(), "(tiny-chat)"),
        (Completer(), "(tiny-llm)"),
    ],
)
def test_models_of_langchain_and_llamaindex_judge(model: Any, behind: str) -> None:
    result = ragassay.evaluate([ROW], metrics=METRIC, model=model)
    assert result["correctness"] == pytest.approx(1 / 2)
    assert behind in result.summary.judge


def test_what_belongs_to_the_loop_of_the_caller_is_told() -> None:
    async def in_a_notebook() -> str:
        bound = asyncio.get_running_loop().create_future()

        async def client(prompt: str) -> str:
            try:
                return str(await bound)
            except RuntimeError as error:
                raise ConnectionError("Connection error.") from error

        ((reason, n),) = ragassay.evaluate([ROW], metrics=METRIC, model=client).summary.reasons["correctness"].items()
        assert n == 1
        return reason

    assert asyncio.run(in_a_notebook()).startswith(
        "the function raised ConnectionError: Connection error. (from RuntimeError: it belongs to another event loop; "
        "create what is asynchronous, such as a client, within the function"
    )
