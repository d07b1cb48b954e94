"""A question of the user's own as a metric: from Python, from ragassay.toml, with a model of its own, and dry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ragassay
from ragassay.errors import UsageError
from ragassay.metrics.catalogue import metric_named
from ragassay.models.scripted import ScriptedModel
from ragassay.tasks.ratings import RubricRating

ROWS = [
    {
        "user_input": "When does it open?",
        "response": "Gladly: at nine, dear guest.",
        "reference": "At nine.",
        "retrieved_contexts": ["The museum opens at nine."],
    },
    {"user_input": "And when does it close?", "response": "Find out.", "reference": "At six."},
]
QUESTION = "Is the tone polite?"


def judge(prompt: str) -> str:
    assert QUESTION in prompt
    rating = 5 if "Gladly" in prompt else 2
    return json.dumps({"reason": f"it is a {rating}", "rating": rating})


def test_every_answer_is_rated() -> None:
    polite = ragassay.rubric(QUESTION)
    assert (polite.name, polite.low, polite.high) == ("is_the_tone_polite", 1, 5)
    result = ragassay.evaluate(ROWS, metrics=[polite, "token_f1"], model=judge)
    assert result["is_the_tone_polite"] == (5 + 2) / 2
    evidence = result.samples[0].scores["is_the_tone_polite"].evidence
    assert evidence[0] == "it is a 5"
    assert evidence[1].startswith("prompt of rubric: ")
    assert result.summary.judge.startswith("own:")


def test_its_own_model_is_asked_beside_the_judge_of_the_run() -> None:
    polite = ragassay.rubric(QUESTION, name="polite", model=judge)
    result = ragassay.evaluate(ROWS, metrics=[polite, "faithfulness"])
    assert result["polite"] == (5 + 2) / 2
    assert result["faithfulness"] is not None
    assert result.summary.judge.split("; ")[0].startswith("own:")
    assert "embedded" in result.summary.judge
    one, other = ScriptedModel({"rubric": RubricRating(rating=1, reason="")}), ScriptedModel({})
    strict = ragassay.rubric(QUESTION, name="strict", model=one)
    assert ragassay.evaluate(ROWS, metrics=[strict], model=other)["strict"] == 1
    assert (len(one.calls), len(other.calls)) == (2, 0)


@pytest.mark.parametrize(
    ("reply", "value"), [('{"reason": "", "rating": 9}', None), ('{"reason": "", "rating": "4/5"}', 4), ("so-so", None)]
)
def test_a_rating_is_on_the_scale_or_there_is_none(reply: str, value: float | None) -> None:
    result = ragassay.evaluate(ROWS[:1], metrics=[ragassay.rubric(QUESTION, name="polite")], model=lambda prompt: reply)
    assert result["polite"] == value
    assert bool(result.summary.reasons) == (value is None)
    wild = ScriptedModel({"rubric": RubricRating(rating=9, reason="")})
    found = ragassay.evaluate(ROWS[:1], metrics=[ragassay.rubric(QUESTION, name="polite")], model=wild)
    assert found.summary.reasons == {"polite": {"the judge gave 9, which is not within 1 to 5": 1}}


def test_what_it_needs_is_shown_and_has_to_be_there() -> None:
    seen: list[str] = []

    def looks(prompt: str) -> str:
        seen.append(prompt)
        return json.dumps({"reason": "", "rating": 3})

    ragassay.evaluate(
        ROWS[:1], metrics=[ragassay.rubric(QUESTION, name="all", needs=("contexts", "reference"))], model=looks
    )
    assert "The museum opens at nine." in seen[0]
    assert "At nine." in seen[0]
    ragassay.evaluate(ROWS[:1], metrics=[ragassay.rubric(QUESTION, name="little")], model=looks)
    assert "The museum opens at nine." not in seen[1]


def test_from_the_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "ragassay.toml"
    file.write_text(f'[metrics.courteous]\nquestion = "{QUESTION}"\nscale = 7\n\n[gate]\nother = 1\n', "utf-8")
    assert ragassay.evaluate(ROWS, metrics=["courteous"], model=judge)["courteous"] == (5 + 2) / 2
    found, _ = metric_named("courteous")
    assert (found.high, found.origin) == (7, "ragassay.toml: metrics.courteous")
    for text, said in (
        ("[metrics.courteous]\nscale = 3\n", "ragassay.toml: metrics.courteous: question is missing"),
        ('[metrics.courteous]\nquestion = "?"\nsize = 3\n', "metrics.courteous: unknown part 'size'; choose one of"),
        ('[metrics.courteous]\nquestion = "?"\nscale = "x"\n', "metrics.courteous: scale must be a whole number"),
        ('[metrics.faithfulness]\nquestion = "?"\n', "ragassay already has a metric 'faithfulness'"),
        ('metrics = "polite"\n', "ragassay.toml: metrics must be tables"),
    ):
        file.write_text(text, "utf-8")
        with pytest.raises(UsageError) as raised:
            ragassay.evaluate(ROWS, metrics=["token_f1"])
        assert said in str(raised.value)
