"""What calls cost: worked by hand; what is not known is None and never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.errors import RagassayError
from ragassay.models.llm.prices import Prices


@pytest.mark.parametrize(
    ("name", "same_as"),
    [
        ("gpt-4o-mini", "openai:gpt-4o-mini"),
        ("openai:gpt-4o-mini-2024-07-18", "openai:gpt-4o-mini"),
        ("https://api.openai.com/v1#gpt-4o", "openai:gpt-4o"),
        ("https://api.anthropic.com/v1#claude-haiku-4-5-20251001", "claude-haiku-4-5"),
    ],
)
def test_the_same_model_by_other_names(name: str, same_as: str) -> None:
    prices = Prices.load()
    assert prices.of(name) is prices.of(same_as)
    assert prices.of(name) is not None


@pytest.mark.parametrize(
    "name",
    [
        "openai:gpt-4o-mini-audio",
        "https://gateway.example/v1#llama3.1",
        "",
    ],
)
def test_nothing_is_guessed(name: str) -> None:
    assert Prices.load().of(name) is None
    assert Prices.load().cost(name, 10, 10) is None


def test_the_users_own_table_goes_before(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text(
        "[gpt-4o]\nprompt = 1\ncompletion = 2\n"
        '["http://gpu.internal/v1#m"]\nprompt = 3\ncompletion = 4\nas_of = 2026-11-01\n'
        "[m]\nprompt = 9\ncompletion = 9\n"
    )
    prices = Prices.load(own)
    assert prices.cost("openai:gpt-4o", 1_000_000, 1_000_000) == 3
    assert prices.cost("openai:gpt-4o-2024-08-06", 1_000_000, 1_000_000) == 3
    assert prices.cost("http://gpu.internal/v1#m", 1_000_000, 1_000_000) == 7
    assert prices.cost("http://other.internal/v1#m", 1_000_000, 1_000_000) == 0
    assert prices.cost("https://gateway.example/v1#m", 1_000_000, 1_000_000) == 18
    assert prices.cost("openai:gpt-4o-mini", 1_000_000, 0) == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[gpt-4o\n", ["is not valid TOML"]),
        ("[gpt-4.1]\nprompt = 1\ncompletion = 1\n", ["'gpt-4'", "quote a name that contains a dot"]),
        ("[m]\nprompt = 1\n", ["'m'", "completion"]),
        ("[m]\nprompt = -1\ncompletion = 1\n", ["'m'", "prompt", "US dollars"]),
        ("[m]\nprompt = 1\ncompletion = inf\n", ["'m'", "completion", "US dollars"]),
        ('[m]\nprompt = 1\ncompletion = "2"\n', ["'m'", "completion", "US dollars"]),
    ],
)
def test_a_bad_table_is_named_with_its_entry(tmp_path: Path, text: str, words: list[str]) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(text)
    with pytest.raises(RagassayError) as raised:
        Prices.load(own)
    assert all(word in str(raised.value) for word in [str(own), *words])
    assert "\n" not in str(raised.value)
