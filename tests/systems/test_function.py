"""Python callables under test, and objects in the shapes of LangChain and LlamaIndex."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ragassay.errors import UsageError
from ragassay.jobs.answer.loop import ask_system
from ragassay.records import Prediction
from ragassay.systems.base import Question
from ragassay.systems.function import FunctionSystem, imported_object, spec_of
from ragassay.systems.options import FunctionOptions

Answered = Callable[..., dict[str, Prediction]]
SOURCE = """
import asyncio, sys, time

def plain(question): return f"plain {question}"
async def asynchronous(question): return {"answer": f"async {question}", "contexts": ["one"]}
def two(question, k): return ""
def defaults(question, k=3, *, mode="x"): return str(k)
def fails(question): raise KeyError(question)
def hangs(question): time.sleep(30)
def leaves(question): sys.exit(3)
def cancels(question): raise asyncio.CancelledError
class Rag:
    def __call__(self, question): return f"instance {question}"
    def method(self, question): return f"method {question}"
class Needy:
    def __init__(self, key): pass
rag = Rag()
"""


class Runnable:
    """As LangChain's: a mapping in, a mapping out."""

    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)
        self.given: list[Any] = []

    def invoke(self, given: Any, config: Any = None) -> Any:
        self.given.append(given)
        document = SimpleNamespace(page_content="one", metadata={"source": "a.md"})
        return {"answer": "from invoke", "context": [document]}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "under_test_module.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    import under_test_module

    yield under_test_module
    del sys.modules["under_test_module"]


def imported(folder: Path, target: str, **options: Any) -> FunctionSystem:
    return FunctionSystem(FunctionOptions(target=target, **options), imported_object(target, folder))


def system(name: str, **options: Any) -> FunctionSystem:
    return imported(Path(), f"under_test_module:{name}", **options)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("plain", "plain When did it open?"),
        ("asynchronous", "async When did it open?"),
        ("defaults", "3"),
        ("Rag", "instance When did it open?"),
        ("rag.method", "method When did it open?"),
    ],
)
def test_callables(module: ModuleType, answered: Answered, name: str, answer: str) -> None:
    made = answered(system(name))
    assert (made["a"].answer, made["a"].error) == (answer, None)
    assert set(made) == {"a", "b"}


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("fails", "KeyError: 'When did it open?'"),
        ("hangs", "time-out: no answer within 0.5 s"),
        ("leaves", "RuntimeError: the function ended the process"),
        ("cancels", "RuntimeError: the function raised CancelledError"),
    ],
)
def test_failures_are_records(module: ModuleType, answered: Answered, name: str, error: str) -> None:
    made = answered(system(name, timeout=0.5 if name.startswith("hangs") else 60))
    assert made["a"].error == error
    assert (made["b"].error or "").partition(": ")[0] == error.partition(": ")[0]


@pytest.mark.parametrize(
    ("attributes", "options", "given"),
    [
        ({"input_keys": ["query"]}, {}, {"query": "When did it open?"}),
        (
            {"get_input_jsonschema": lambda: {"type": "object", "required": ["input"]}},
            {},
            {"input": "When did it open?"},
        ),
        ({"get_input_jsonschema": lambda: {"type": "string"}}, {}, "When did it open?"),
        ({}, {"input": '{"q": "{question}", "k": 3}'}, {"q": "When did it open?", "k": 3}),
    ],
)
def test_what_a_runnable_is_called_with(
    module: Any, answered: Answered, attributes: dict[str, Any], options: dict[str, Any], given: Any
) -> None:
    module.chain = Runnable(**attributes)
    answered(system("chain", **options))
    assert module.chain.given[0] == given


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("under_test_module:plan", "under_test_module has no 'plan'; did you mean plain?"),
        ("under_test_module:two", "two(question, k) cannot be called with the text of a question alone"),
        ("under_test_module:Needy", "is a class that cannot be created without arguments (TypeError"),
        ("no_such_module_here:f", "no module 'no_such_module_here'; it was looked for in"),
    ],
)
def test_what_cannot_be_meant(module: ModuleType, target: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        imported(Path(), target)
    assert said in str(raised.value)


def test_what_a_function_repeats_of_the_environment_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-Zq81x5Ab")

    def repeats(question: str) -> dict[str, Any]:
        if question == "fail":
            raise ValueError("the key is sk-Zq81x5Ab")
        return {"answer": "sk-Zq81x5Ab", "contexts": ["sk-Zq81x5Ab"]}

    made: list[Prediction] = []
    questions = [Question("a", "When?"), Question("b", "fail")]
    asyncio.run(ask_system(spec_of(repeats, {})[1], questions, made.append))
    assert (made[0].answer, [chunk.text for chunk in made[0].chunks]) == ("[key]", ["[key]"])
    assert made[1].error == "ValueError: the key is [key]"
