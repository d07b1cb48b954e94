"""Files of settings: what each form holds, and one sentence for what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.errors import InputError
from ragassay.settings import read_settings


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"a":' * 100_000, "nested too deeply"),
        ("a.json", f'{{"a": {"1" * 5_000}}}', "too many digits"),
        ("a.yaml", "a: [1", "expected ',' or ']'"),
        ("a.toml", "a = ", "Invalid value"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=rf"{name} is not valid \w+ \(.*{said}"):
        read_settings(path)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("a.toml", "a.b = 1", {"a": {"b": 1}}),
        ("a.yaml", "a: &a [1]\nb: [*a, *a]", {"a": [1], "b": [[1], [1]]}),
        ("a.json", '{"a": [1]}', {"a": [1]}),
    ],
)
def test_what_is_usual_is_read(tmp_path: Path, name: str, text: str, value: object) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert read_settings(path) == value
