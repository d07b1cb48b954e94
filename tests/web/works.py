"""Every command that works in a folder, with as little to do as it can have: what the tests of the pages follow."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from test_view import write_run

from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.experiment.experiment import experiment
from ragassay.jobs.experiment.options import ComparedSystem, ExperimentOptions
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.judge.check import check_judge, repeat_judge
from ragassay.jobs.judge.options import JudgeOptions
from ragassay.jobs.label.label import label
from ragassay.jobs.label.options import LabelOptions
from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.make.synthesis_options import SynthesizeOptions
from ragassay.jobs.make.synthesize import synthesize_documents
from ragassay.jobs.run.run import run
from ragassay.jobs.score.evaluate import evaluate
from ragassay.jobs.score.score import score
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.sweep import sweep
from ragassay.rag.space import Space
from ragassay.systems.spec import parse_spec

N = 12
Work = Callable[[Path, Path, Progress], None]
"""Takes a folder with a data set, the folder that holds runs, and who is told."""


def _run(data: Path, runs: Path, progress: Progress) -> None:
    run(RunOptions(documents=(_document(data),), out=runs / "one", n=1, chunk_sizes=(256,), processes=1), progress)


def _synthesize(data: Path, runs: Path, progress: Progress) -> None:
    options = SynthesizeOptions(documents=(_document(data),), out=runs / "one", synthesizer="statements", n=1)
    synthesize_documents(options, progress)


def _document(data: Path) -> Path:
    text = "The Argo carries 40 cars. The Argo was built in Oskay in 1998. " * 3
    (data / "argo.md").write_text(f"# Argo\n\n- Built: 1998\n- Yard: Oskay\n- Cars: 40\n\n{text}")
    return data / "argo.md"


def _score(data: Path, runs: Path, progress: Progress) -> None:
    score(EvaluateOptions(metrics=("recall@5", "token_f1"), data=data, out=runs / "one"), progress)


def _evaluate(data: Path, runs: Path, progress: Progress) -> None:
    names = ("recall@5", "token_f1")
    evaluate(EvaluateOptions(data=data, system="rag", metrics=names, out=runs / "one"), progress)


def _label(data: Path, runs: Path, progress: Progress) -> None:
    options = LabelOptions(data=data / "examples.jsonl", out=runs / "one.jsonl", processes=1, overwrite=True)
    label(options, progress)


def _sweep(data: Path, runs: Path, progress: Progress) -> None:
    sweep(SweepOptions(dataset=data, out=runs / "one", space=Space(chunk_size=(256,), text_weight=(1.0,))), progress)


def _experiment(data: Path, runs: Path, progress: Progress) -> None:
    people = data.with_name("people")
    if not people.exists():
        shutil.copytree(data, people)
    names = ("bm25", "dense")
    systems = tuple(ComparedSystem(name=name, spec=parse_spec("rag", (f"retriever={name}",))) for name in names)
    options = ExperimentOptions(
        kind="retrievers",
        systems=systems,
        synthetic=data,
        human=people,
        out=runs / "one",
        metrics=("recall@5",),
    )
    experiment(options, progress)


def _check(data: Path, runs: Path, progress: Progress) -> None:
    check_judge(JudgeOptions(quality="faithfulness", out=runs / "one"), progress)


def _repeat(data: Path, runs: Path, progress: Progress) -> None:
    repeat_judge(JudgeOptions(quality="faithfulness", out=runs / "one"), progress)


WORKS: Mapping[str, Work] = {
    "run": _run,
    "synthesize": _synthesize,
    "score": _score,
    "evaluate": _evaluate,
    "label": _label,
    "sweep": _sweep,
    "experiment": _experiment,
    "judge check": _check,
    "judge repeat": _repeat,
}
"""By the name of the command."""
FOLDERS = {"label": "one.label"}
"""Command to its folder among the runs, where it is not ``one``."""


def data_set(folder: Path) -> Path:
    """A set with documents, predictions and scores."""
    write_run(folder, n=N)
    return folder


class _Dying(Silent):
    """Ends the process at a stage, as kill -9 would: nothing is tidied up."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def start(self, stage: str, total: int | None, done: int = 0) -> None:
        if stage.endswith(self._stage):
            os._exit(9)


def die(command: str, data: str, runs: str, stage: str) -> None:
    """Does that work until the stage, which ends the process."""
    WORKS[command](Path(data), Path(runs), _Dying(stage))
