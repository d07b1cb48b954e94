"""Models of other packages: asked as what Python takes, and known with package and version."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ragassay
from ragassay.errors import UsageError
from ragassay.models.llm.endpoints import endpoint_of
from ragassay.models.plug_ins import named_plug_ins
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.asking.models import Endpoints
from ragassay.pipeline.sweep.options import SweepOptions
from ragassay.rag.space import Space

Install = Callable[..., None]
CODE = """
import json
MADE = []

def glow(argument):
    MADE.append(argument)
    return lambda prompt: json.dumps({"reason": argument, "rating": 4})

class Asked:
    def __init__(self, argument):
        self.argument = argument
    async def ask(self, task, inputs):
        return task.output_type(reason=self.argument, rating=2)

openai = glow
"""
POINTS = "glow = lamps:glow\nglow-asked = lamps:Asked\nopenai = lamps:openai\nnumber = lamps:MADE.index"
ROWS = [{"user_input": "When?", "response": "Gladly: at nine.", "reference": "At nine."}]


@pytest.mark.parametrize(("model", "rating"), [("glow:warm", 4), ("glow-asked:cold", 2), ("glow", 4)])
def test_a_model_is_asked_and_named_with_its_package(install: Install, model: str, rating: int) -> None:
    install(CODE, POINTS, "model", "lamps")
    polite = ragassay.rubric("Is the tone polite?", name="polite")
    result = ragassay.score(ROWS, [polite], model=model)
    assert result["polite"] == rating
    assert result.summary.judge == f"{model} (lamps 1.2)"
    evidence = result.samples[0].scores["polite"].evidence
    assert model.partition(":")[2] in evidence[0]


def test_settings_and_fingerprint_name_the_package_and_import_nothing(install: Install) -> None:
    install(CODE, POINTS, "model", "lamps")
    options = ModelOptions(model="glow:warm")
    assert options.settings()["model"] == "glow:warm (lamps 1.2)"
    assert options.asked()["roles"]["judge"] == "glow:warm (lamps 1.2)"
    assert "lamps" not in sys.modules


def test_all_roles_of_one_name_share_one_model(install: Install) -> None:
    install(CODE, POINTS, "model", "lamps")
    endpoints = Endpoints(ModelOptions(model="glow:warm", answers="glow:cold"))
    assert sys.modules["lamps"].MADE == ["warm", "cold"]
    assert endpoints.of_role["writer"] is endpoints.of_role["judge"]


@pytest.mark.parametrize("name", ["openai:gpt-4o-mini", "ollama:llama3.1", "http://localhost:1/v1#m"])
def test_names_of_ragassay_stay_its_own(install: Install, name: str) -> None:
    install(CODE, POINTS, "model", "lamps")
    ModelOptions().settings()
    ModelOptions(model=name).asked()
    assert endpoint_of(name, {"OPENAI_API_KEY": "x"}).own is None
    assert named_plug_ins.cache_info().currsize == 0  # no other package was looked for
    with pytest.raises(UsageError) as raised:
        endpoint_of("glwo:x")
    assert "--model: unknown kind of model 'glwo'; choose embedded or one of" in str(raised.value)
    assert (
        ", glow:ARGUMENT, glow_asked:ARGUMENT, number:ARGUMENT\nlamps 1.2: its model 'openai' is not used; ragassay has"
        in str(raised.value)
    )


def test_it_makes_no_vectors(install: Install) -> None:
    install(CODE, POINTS, "model", "lamps")
    with pytest.raises(UsageError, match="--embeddings: unknown kind of model 'glow'"):
        Endpoints(ModelOptions(embeddings="glow:warm"))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import not_there_at_all", "cannot be loaded (ModuleNotFoundError"),
        ("def glow(argument): raise OSError('no weights')", "cannot be used (OSError: no weights)"),
        ("def glow(argument): return 3", "cannot be used: model: must be a name, a function from a prompt to a text"),
        ("def glow(argument): return lambda: 3", "cannot be used: model: a function with () cannot be called with a"),
    ],
)
def test_one_that_cannot_be_used_is_said_where_it_is_named(install: Install, code: str, said: str) -> None:
    install(code, "glow = lamps:glow", "model", "lamps")
    with pytest.raises(UsageError) as raised:
        ragassay.score(ROWS, ["faithfulness"], model="glow:warm")
    assert str(raised.value).startswith("the plug-in 'glow' of lamps 1.2 " + said)
    assert ragassay.score(ROWS, ["exact_match"])["exact_match"] is not None


def test_what_it_raises_is_the_reason_of_one_score(install: Install) -> None:
    code = "def glow(argument):\n    def ask(prompt): raise KeyError(argument)\n    return ask"
    install(code, "glow = lamps:glow", "model", "lamps")
    result = ragassay.score(ROWS, [ragassay.rubric("Is it polite?", name="polite")], model="glow:warm")
    assert result["polite"] is None
    [reason] = result.summary.reasons["polite"]
    assert "the function raised KeyError: 'warm'" in reason


def test_a_sweep_knows_the_package_of_its_generators(install: Install, tmp_path: Path) -> None:
    def sweep() -> tuple[str, ...]:
        options = SweepOptions(dataset=tmp_path, out=tmp_path / "out", space=Space(generator=("glow:warm", "none")))
        by_generator = {each.generator: each for each in options.space.settings()}
        return tuple(options.fingerprint("data", by_generator[name]) for name in ("glow:warm", "none"))

    bare = sweep()
    install(CODE, POINTS, "model", "lamps")
    assert [mine == before for mine, before in zip(sweep(), bare, strict=True)] == [False, True]
    assert "lamps" not in sys.modules
