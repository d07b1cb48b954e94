"""Every command that works long tells of it in its folder, where ``ragassay view`` looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_view import write_run

from ragassay.pipeline.model_options import ModelOptions
from ragassay.pipeline.predict import predict
from ragassay.pipeline.predict_folder import PART_FILE
from ragassay.pipeline.predict_options import PredictOptions
from ragassay.pipeline.progress import PROGRESS_FILE, Progress
from ragassay.pipeline.scoring import score
from ragassay.pipeline.scoring_options import ScoreOptions
from ragassay.pipeline.synthesis_options import SynthesizeOptions
from ragassay.pipeline.synthesize import synthesize_documents
from ragassay.systems.spec import parse_spec
from ragassay.web.run_index import RunEntry, RunIndex


class Watching:
    """Looks at the runs in a folder whenever a stage tells how far it is."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.seen: list[RunEntry] = []

    def start(self, stage: str, total: int | None) -> None:
        self.seen += RunIndex(self._folder).entries()

    def advance(self, by: int = 1) -> None:
        self.seen += RunIndex(self._folder).entries()

    def reach(self, done: int) -> None:
        self.seen += RunIndex(self._folder).entries()

    def replied(self) -> None:
        """Says nothing of how far a stage is."""


def predicting(data: Path, out: Path, progress: Progress) -> None:
    predict(PredictOptions(dataset=data, system=parse_spec("rag", ()), out=out), progress)


def scoring(data: Path, out: Path, progress: Progress) -> None:
    score(ScoreOptions(metrics=("recall@5", "token_f1"), data=data, models=ModelOptions(), out=out), progress)


def synthesizing(data: Path, out: Path, progress: Progress) -> None:
    text = "The Argo carries 40 cars. The Argo was built in Oskay in 1998. " * 3
    (data / "argo.md").write_text(f"# Argo\n\n{text}")
    synthesize_documents(
        SynthesizeOptions(documents=(data / "argo.md",), out=out, synthesizer="statements", n=1), progress
    )


@pytest.mark.parametrize("work", [predicting, scoring, synthesizing])
def test_a_command_at_work_is_followed_and_leaves_no_trace(
    tmp_path: Path, work: Callable[[Path, Path, Progress], None]
) -> None:
    write_run(tmp_path / "set", n=12)
    runs = tmp_path / "runs"
    runs.mkdir()
    watching = Watching(runs)
    work(tmp_path / "set", runs / "one", watching)
    assert {each.state for each in watching.seen} == {"running"}
    assert any(each.progress is not None and each.progress.stage for each in watching.seen)
    (entry,) = RunIndex(runs).entries()
    assert (entry.name, entry.state, entry.progress) == ("one", "finished", None)
    assert not list(runs.rglob(PROGRESS_FILE))


def test_predictions_that_somebody_killed_are_not_finished(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "one")
    (tmp_path / "runs" / "one" / PART_FILE).write_text("")
    (entry,) = RunIndex(tmp_path / "runs").entries()
    assert entry.state == "stopped"
