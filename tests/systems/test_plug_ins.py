"""Systems of other packages: named as those of ragassay, made of their argument, known with package and version."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ragassay
from ragassay.errors import UsageError
from ragassay.models.plug_ins import named_plug_ins
from ragassay.systems.base import UnusableSystemError
from ragassay.systems.build import check_outside_system, outside_system
from ragassay.systems.spec import parse_spec

Install = Callable[..., None]
CODE = """
def lantern(argument):
    if argument == "broken":
        raise KeyError(argument)
    def answer(question):
        return {"answer": f"{argument or 'bare'}: {question}", "chunks": ["The lamp burns."]}
    return answer

class Lamp:
    def __init__(self, argument):
        self.argument = argument
    async def __call__(self, question):
        return {"text": self.argument.upper()}

def rag(argument):
    return lantern(argument)
"""
POINTS = "lantern = glow:lantern\nred-lamp = glow:Lamp\nrag = glow:rag\nnumber = glow:__name__"


@pytest.mark.parametrize(
    ("named", "kind", "answer", "name"),
    [
        ("lantern", "lantern", "bare: When did it open?", "lantern"),
        ("lantern:a.toml", "lantern", "a.toml: When did it open?", "lantern:a.toml"),
        ("Red-Lamp:dim", "red_lamp", "DIM", "red_lamp:dim"),
    ],
)
def test_a_system_is_made_of_its_argument(
    install: Install,
    answered: Callable[..., dict[str, ragassay.records.Prediction]],
    named: str,
    kind: str,
    answer: str,
    name: str,
) -> None:
    install(CODE, POINTS, "system", "glow")
    spec = parse_spec(named, ["answer=text"] if kind == "red_lamp" else [])
    assert spec.kind == kind
    assert "glow" not in sys.modules  # until it is asked
    system = outside_system(spec)
    check_outside_system(spec)
    assert (system.name, answered(system)["a"].answer) == (name, answer)
    assert str(system.code).startswith("glow 1.2")  # type: ignore[attr-defined]


def test_a_file_names_one_and_its_options(install: Install, tmp_path: Path) -> None:
    install(CODE, POINTS, "system", "glow")
    file = tmp_path / "mine.toml"
    file.write_text('kind = "Lantern"\nargument = "warm"\nname = "mine"\ntimeout = 5')
    spec = parse_spec(str(file))
    assert spec.settings() == {"kind": "lantern", "name": "mine", "argument": "warm"}
    assert outside_system(spec).name == "mine"


def test_a_name_of_ragassay_stays_its_own(install: Install) -> None:
    install(CODE, POINTS, "system", "glow")
    assert parse_spec("rag:top_k=3").options.top_k == 3  # type: ignore[attr-defined]
    assert named_plug_ins.cache_info().currsize == 0  # no other package was looked for
    with pytest.raises(UsageError) as raised:
        parse_spec("lanterm")
    assert "unknown system 'lanterm'; did you mean lantern? choose one of lantern, number, red_lamp, rag," in str(
        raised.value
    )
    assert "\nglow 1.2: its system 'rag' is not used; ragassay has one of the same name" in str(raised.value)


def test_of_two_packages_with_one_name_the_first_is_taken(install: Install) -> None:
    install(CODE, "lantern = glow:lantern", "system", "glow")
    install(CODE, "lantern = after:lantern", "system", "after")
    with pytest.raises(
        UsageError, match=r"glow 1\.2: its system 'lantern' is not used; after 1\.2 has one of the same"
    ):
        parse_spec("x")


@pytest.mark.parametrize(
    ("code", "named", "said"),
    [
        ("import not_there_at_all", "lantern", "cannot be loaded (ModuleNotFoundError: No module named 'not_there"),
        ("raise SystemExit(3)", "lantern", "cannot be loaded (RuntimeError: the function ended the process); update"),
        ("", "lantern", "cannot be loaded (AttributeError"),
        (CODE, "lantern:broken", "cannot be used (KeyError: 'broken')"),
        ("def lantern(): ...", "lantern", "cannot be used (TypeError: lantern() takes 0 positional arguments but 1"),
        ("lantern = 3", "lantern", "cannot be used (TypeError: 'int' object is not callable)"),
        (
            "from ragassay.errors import UsageError\ndef lantern(argument): raise UsageError('name a colour')",
            "lantern:x",
            "cannot be used: name a colour",
        ),
    ],
)
def test_one_that_cannot_be_used_is_said_where_it_is_named(install: Install, code: str, named: str, said: str) -> None:
    install(code, "lantern = glow:lantern", "system", "glow")
    with pytest.raises(UsageError) as raised:
        outside_system(parse_spec(named))
    assert str(raised.value).startswith("the plug-in 'lantern' of glow 1.2 " + said)
    parse_spec("no_retrieval")


def test_what_it_makes_has_to_take_a_question(install: Install) -> None:
    install("def lantern(argument): return 3", "lantern = glow:lantern", "system", "glow")
    with pytest.raises(UsageError, match="lantern must be callable, not of type int"):
        outside_system(parse_spec("lantern"))


def test_a_run_says_where_its_system_comes_from(install: Install, tmp_path: Path) -> None:
    install(CODE, POINTS, "system", "glow")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"user_input": "How long does the lamp burn?", "reference": "Nine hours."}\n')
    result = ragassay.predict(rows, "lantern:x", out=tmp_path / "run")
    assert [each.answer for each in result.predictions] == ["x: How long does the lamp burn?"]
    run = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert run["identity"]["system"] == {"kind": "lantern", "argument": "x"}
    assert run["state"]["code"].startswith("glow 1.2")
    assert ragassay.predict(rows, "lantern:x", out=tmp_path / "run").asked == 0
    metadata = tmp_path / "site-packages" / "glow-1.2.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 1.2", "Version: 1.3"))
    named_plug_ins.cache_clear()
    assert ragassay.predict(rows, "lantern:x", out=tmp_path / "run").asked == 1  # after an upgrade all over again


def test_one_that_answers_nothing_that_can_be_read_ends_the_run_with_a_sentence(
    install: Install, answered: Callable[..., dict[str, ragassay.records.Prediction]]
) -> None:
    install("def lantern(argument): return lambda question: 3", "lantern = glow:lantern", "system", "glow")
    with pytest.raises(UnusableSystemError, match="lantern: no answer in what it returned"):
        answered(outside_system(parse_spec("lantern")))
