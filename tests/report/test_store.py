from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ragassay.errors import InputError, RecordError
from ragassay.report.summary import RunSummary, read_summary, write_summary


def test_what_was_written_is_read(tmp_path: Path, summary: RunSummary) -> None:
    write_summary(tmp_path, summary)
    assert read_summary(tmp_path) == summary
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stages.json", "summary.json"]


@pytest.mark.parametrize(
    "content", ["{}", '{"tried": []}', "[]", "no JSON", '{"tried": {}, "best": [{"setting": []}]}']
)
def test_a_summary_of_an_earlier_version_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "summary.json").write_text(content, encoding="utf-8")
    with pytest.raises(RecordError, match=r"summary\.json: "):
        read_summary(tmp_path)


def test_only_the_stages_differ_between_runs_of_other_speed(tmp_path: Path, summary: RunSummary) -> None:
    slow, fast = tmp_path / "slow", tmp_path / "fast"
    slow.mkdir()
    fast.mkdir()
    write_summary(slow, summary)
    write_summary(fast, replace(summary, stages=tuple(replace(stage, wall_s=0.1) for stage in summary.stages)))
    assert (slow / "summary.json").read_bytes() == (fast / "summary.json").read_bytes()
    assert (slow / "stages.json").read_bytes() != (fast / "stages.json").read_bytes()


def test_a_folder_without_summary_and_a_broken_one_are_named(tmp_path: Path, summary: RunSummary) -> None:
    with pytest.raises(InputError, match=r"holds no summary\.json"):
        read_summary(tmp_path)
    write_summary(tmp_path, summary)
    content = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    content["corpus"]["documents"] = "many"
    (tmp_path / "summary.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RecordError, match=r"summary\.json: corpus\.documents"):
        read_summary(tmp_path)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, summary: RunSummary) -> None:
    write_summary(tmp_path, summary)
    before = (tmp_path / "summary.json").read_bytes()
    with pytest.raises(ValueError, match="surrogates"):
        write_summary(tmp_path, replace(summary, version="\ud800"))
    assert (tmp_path / "summary.json").read_bytes() == before
