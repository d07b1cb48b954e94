"""Ids of the examples of runs: whatever a line holds, and whatever becomes of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.pipeline.folders import file_state
from ragassay.web import example_ids
from ragassay.web.example_ids import ExampleIds

LINES = b"""{"id":"a","question":"?"}
{"id": "b"}
{"question":"?","id":"c"}
{"id":"d\\u0065\\"","x":1}
{"id":"\xc3\xa9"}
{"id":3}
["id"]
no line
{"id":"half"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "examples.jsonl"
    path.write_bytes(LINES)
    return path


def test_ids_are_found_wherever_a_line_holds_them(file: Path, tmp_path: Path) -> None:
    assert ExampleIds().of(file) == {"a", "b", "c", 'de"', "é"}
    assert ExampleIds().of(tmp_path / "nowhere") == frozenset()


def test_files_share_an_example(file: Path, tmp_path: Path) -> None:
    ids = ExampleIds()
    assert ids.shares(file, {"x", "é"})
    assert not ids.shares(file, {"x", "half"})
    assert not ids.shares(file, set())
    assert not ids.shares(tmp_path / "nowhere", {"a"})
    file.write_text('{"id":"x"}\n')
    assert ids.shares(file, {"x"})
    assert not ids.shares(file, {"a"})


def test_no_more_is_kept_than_memory_is_meant_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_state, "_SETTLED_AFTER_S", 0)
    monkeypatch.setattr(example_ids, "_MOST_KEPT", 25)
    ids = ExampleIds()
    for number in range(4):
        (tmp_path / str(number)).write_text("".join(f'{{"id":"{number}-{place}"}}\n' for place in range(10)))
        assert len(ids.of(tmp_path / str(number))) == 10
    assert [path.name for path in ids._known] == ["2", "3"]
    (tmp_path / "3").write_text("".join(f'{{"id":"{place}"}}\n' for place in range(20)))
    assert len(ids.of(tmp_path / "3")) == 20
    assert [path.name for path in ids._known] == ["3"]
    assert all(ids.shares(tmp_path / str(number), {f"{number}-9"}) for number in range(3))
