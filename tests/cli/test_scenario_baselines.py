"""``ragassay scenario baselines``: documents beside those of a scenario, for people to compare."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plausible_server
import pytest
from stub_server import RunningStub

from ragassay.people.annotation.options import RoundOptions
from ragassay.people.annotation.rounds import begin_round
from ragassay.records import Document, read_jsonl


@pytest.fixture(scope="module")
def server() -> Iterator[RunningStub]:
    with plausible_server.running() as stub:
        yield stub


@pytest.fixture
def made(cli: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "law"
    done = cli("scenario", "generate", "--schema", "law", "--documents", "3", "--n", "3", "--out", folder)
    assert done.code == 0, done.err
    return folder


def test_both_baselines_are_written_once_and_compared(
    cli: Any, made: Path, tmp_path: Path, server: RunningStub
) -> None:
    seed = tmp_path / "seed.md"
    seed.write_text("# Judgment\n\nThe court of Gannet sat on 4 May 1998.", "utf-8")
    asked = ("scenario", "baselines", made, "--seeds", seed, "--model", f"{server.url}#plausible", "--json")
    done = cli(*asked)
    assert done.code == 0, done.err
    assert done.json["documents"] == {"zero_shot": 3, "one_shot": 3}
    sent = server.stats.requests
    assert cli(*asked).json == done.json
    assert server.stats.requests == sent  # replies are in the log
    homes = {each.id for each in read_jsonl(made / "documents.jsonl", Document)}
    beside = list(read_jsonl(made / "baselines.jsonl", Document))
    assert {each.metadata["of"] for each in beside} == homes
    round_ = begin_round(tmp_path / "round", RoundOptions(data=made, task="documents", annotators=("ana",)))
    assert round_.progress("ana").total == 3 * 3  # three versions of each document, two by two
