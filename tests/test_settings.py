"""Files of settings: what would take all memory is refused in one sentence, in no time."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from ragassay.errors import InputError
from ragassay.settings import read_settings

LAUGHS = "\n".join(
    ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)), "b: &b [*b]"]
)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.toml", ".".join("a" * 20_000) + " = 1", "nested too deeply"),
        ("a.toml", f"[{' . '.join(['a'] * 20_000)}]", "nested too deeply"),
        ("a.yaml", LAUGHS, "its aliases repeat too much"),
        ("a.json", '{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_grows_when_it_is_read_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(InputError, match=rf"{name} is not valid \w+ \(.*{said}"):
        read_settings(path)
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    assert time.process_time() - start < 10
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("a.toml", 'a.b."c.d" = "' + "1." * 90 + '"', {"a": {"b": {"c.d": "1." * 90}}}),
        ("a.toml", f"a = '{'x' * 1_000_000}'", {"a": "x" * 1_000_000}),
        ("a.yaml", "a: &a [1]\nb: [*a, *a]", {"a": [1], "b": [[1], [1]]}),
    ],
)
def test_what_is_usual_is_read(tmp_path: Path, name: str, text: str, value: object) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert read_settings(path) == value
