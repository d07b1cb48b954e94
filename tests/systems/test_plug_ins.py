"""Systems of other packages: named as those of ragassay, made of their argument, known with package and version."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ragassay
from ragassay.models.plug_ins import named_plug_ins
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


def test_a_run_says_where_its_system_comes_from(install: Install, tmp_path: Path) -> None:
    install(CODE, POINTS, "system", "glow")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"user_input": "How long does the lamp burn?", "reference": "Nine hours."}\n')
    result = ragassay.evaluate(rows, "lantern:x", out=tmp_path / "run").predicted
    assert [each.answer for each in result.predictions] == ["x: How long does the lamp burn?"]
    run = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert run["identity"]["system"] == {"kind": "lantern", "argument": "x"}
    assert run["state"]["code"].startswith("glow 1.2")
    assert ragassay.evaluate(rows, "lantern:x", out=tmp_path / "run").predicted.asked == 0
    metadata = tmp_path / "site-packages" / "glow-1.2.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 1.2", "Version: 1.3"))
    named_plug_ins.cache_clear()
    again = ragassay.evaluate(rows, "lantern:x", out=tmp_path / "run").predicted
    assert again.asked == 1  # after an upgrade all over again
