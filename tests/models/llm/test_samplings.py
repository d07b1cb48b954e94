"""How replies are drawn, read from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.errors import InputError, RagassayError, UsageError
from ragassay.models.llm.chat_request import Sampling
from ragassay.models.llm.samplings import Samplings


def test_tasks_differ_from_the_default_in_what_they_set(tmp_path: Path) -> None:
    path = tmp_path / "sampling.toml"
    path.write_text("[default]\nseed = 7\n[question]\ntemperature = 0.8\n[label]\nmax_completion_tokens = 200\n")
    found = Samplings.load(path, temperature=0.1)
    assert found.of("facts") == Sampling(temperature=0.1, seed=7)
    assert found.of("question") == Sampling(temperature=0.8, seed=7)
    assert found.of("label") == Sampling(temperature=0.1, seed=7, max_completion_tokens=200)


def test_without_a_file_all_tasks_are_alike() -> None:
    assert Samplings.load().of("label") == Sampling()
    assert Samplings.load(temperature=1).of("label") == Sampling(temperature=1.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[labels]\nseed = 1\n", "unknown task [labels]; `ragassay prompts` lists the tasks"),
        (
            "[label]\ntop_p = 1\n",
            "[label]: unknown setting 'top_p'; choose one of temperature, seed, max_completion_tokens, expected_rating",
        ),
        ("[label]\ntemperature = 3\n", "[label]: temperature must be a number from 0 to 2, not 3"),
        ("[label]\nseed = 1.5\n", "[label]: seed must be a whole number, not 1.5"),
        ("[label]\nmax_completion_tokens = 0\n", "max_completion_tokens must be a whole number above 0, not 0"),
        ("[label]\nexpected_rating = 1\n", "[label]: expected_rating must be true or false, not 1"),
        ("label = 3\n", "[label]: must be a table; write a line ["),
        ("[label\n", "is not valid TOML"),
        (f"x = {'[' * 5000}", "is not valid TOML"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "sampling.toml"
    path.write_text(text)
    with pytest.raises(RagassayError) as raised:
        Samplings.load(path)
    assert said in str(raised.value)
    assert str(path) in str(raised.value)
    assert raised.value.exit_code == (InputError if said == "is not valid TOML" else UsageError).exit_code


def test_a_missing_file_and_a_temperature_out_of_range(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--sampling: .*nowhere\.toml cannot be read"):
        Samplings.load(tmp_path / "nowhere.toml")
    with pytest.raises(UsageError, match=r"--temperature: temperature must be a number from 0 to 2, not 2\.5"):
        Samplings.load(temperature=2.5)
