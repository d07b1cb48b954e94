"""Every command that works long tells of it in its folder, where ``ragassay view`` looks."""

from __future__ import annotations

from pathlib import Path

import plausible_server
import pytest
from fastapi.testclient import TestClient
from forked import Forking
from works import FOLDERS, WORKS, data_set

from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.folders.progress import PROGRESS_FILE, Silent
from ragassay.jobs.label.label import label
from ragassay.jobs.label.options import LabelOptions
from ragassay.web.run_entry import RunEntry
from ragassay.web.run_index import RunIndex
from ragassay.web.serving import names_of
from ragassay.web.view import view_app


class Watching(Silent):
    """Looks at a run whenever a stage tells how far it is."""

    def __init__(self, runs: Path, name: str) -> None:
        self._runs, self._name = runs, name
        self.seen: list[RunEntry] = []

    def _look(self) -> None:
        self.seen += [each for each in RunIndex(self._runs).entries() if each.name == self._name]

    def start(self, stage: str, total: int | None, done: int = 0) -> None:
        self._look()

    def advance(self, by: int = 1) -> None:
        self._look()

    def reach(self, done: int) -> None:
        self._look()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return data_set(tmp_path / "set")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


def entry_of(runs: Path, name: str) -> RunEntry:
    return next(each for each in RunIndex(runs).entries() if each.name == FOLDERS.get(name, "one"))


def command_of(name: str) -> str:
    return "evaluate" if name == "score" else name


@pytest.mark.parametrize("name", WORKS)
def test_a_command_is_followed_leaves_no_trace_and_is_listed_with_its_report(data: Path, runs: Path, name: str) -> None:
    watching = Watching(runs, FOLDERS.get(name, "one"))
    WORKS[name](data, runs, watching)
    assert {(each.state, each.command) for each in watching.seen} == {("running", command_of(name))}
    assert any(each.progress is not None and each.progress.stage for each in watching.seen)
    entry = entry_of(runs, name)
    assert (entry.state, entry.command, entry.progress) == ("finished", command_of(name), None)
    assert not list(runs.rglob(f"{PROGRESS_FILE}*"))
    expected = {"judge check": "the shipped set", "judge repeat": "the shipped set"}
    assert expected.get(name, str(data)) in entry.about
    assert entry.has_scores is (name in ("run", "score", "evaluate"))
    assert entry.has_report
    with TestClient(view_app(RunIndex(runs), names_of("127.0.0.1")), base_url="http://127.0.0.1") as client:
        assert client.get("/api/items", params={"run": entry.name}).status_code == 200
        assert "<title>Ragassay" in client.get("/report/framed", params={"run": entry.name}).text


STAGES = {
    "run": "checking questions",
    "synthesize": "checking questions",
    "score": "intervals",
    "evaluate": "scoring examples",
    "label": "labelling examples",
    "sweep": "searching for examples",
    "experiment": "human 1 of 2: asking examples",
    "judge check": "statistics",
    "judge repeat": "faithfulness of answers",
}
"""Command to a stage in the middle."""


@pytest.mark.parametrize(
    ("name", "stage"), [*STAGES.items(), ("sweep", "reading and cutting"), ("label", "reading examples")]
)
def test_a_command_that_was_killed_says_where_and_goes_on(
    data: Path, runs: Path, forking: Forking, name: str, stage: str
) -> None:
    process = forking.begin("import sys, works; works.die(*sys.argv[1:])", name, data, runs, stage)
    assert process.wait() == 9, process.err
    entry = entry_of(runs, name)
    assert (entry.state, entry.command) == ("stopped", command_of(name))
    assert entry.progress is not None
    assert entry.progress.stage.endswith(stage)
    WORKS[name](data, runs, Silent())
    entry = entry_of(runs, name)
    assert (entry.state, entry.progress) == ("finished", None)


def test_what_a_limit_ended_says_so(data: Path, runs: Path) -> None:
    with plausible_server.running() as server:
        models = ModelOptions(model=f"{server.url}#plausible", max_calls=2)
        done = label(LabelOptions(data=data / "examples.jsonl", out=runs / "one.jsonl", models=models))
    assert done.summary.judged == 2
    entry = entry_of(runs, "label")
    assert entry.state == "stopped"
    assert entry.progress is not None
    assert entry.progress.stopped_by == done.summary.stopped_by == "--max-calls 2 reached"


def test_the_runs_of_an_experiment_are_listed_below_it(data: Path, runs: Path) -> None:
    WORKS["experiment"](data, runs, Silent())
    index = RunIndex(runs)
    names = {each.name.rpartition("-")[0] for each in index.entries()}
    sides = {f"one/runs/{side}/{name}" for side in ("synthetic", "human") for name in ("bm25", "dense")}
    assert names == {"", *sides}
