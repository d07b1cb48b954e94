"""The run folder: one run in it, or another left alone; stopped anywhere, it is finished by the same command."""

from __future__ import annotations

import dataclasses
import random
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from forked import Forking

from ragassay.documents.read import ReadOptions
from ragassay.errors import InputError, RunFolderError
from ragassay.generate.metadata_filter import Condition
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.folders.job import whole_result
from ragassay.jobs.folders.progress import Silent
from ragassay.jobs.folders.run_folder import PART_FOLDER, run_folder
from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.make.synthesis_options import SynthesizeOptions
from ragassay.jobs.report.set_report import rendered
from ragassay.jobs.run.run import Run, run
from ragassay.models.llm.call_log import LOG_FILE
from ragassay.options import settings_of
from ragassay.tasks.prompts import NO_OVERRIDES

DATA_FILES = ("documents.jsonl", "examples.jsonl", "predictions.jsonl", "scores.jsonl", "summary.json", "run.json")

Options = Callable[..., RunOptions]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def data(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in DATA_FILES}


def test_overwrite_replaces_another_run(finished: Run, options: Options, tmp_path: Path) -> None:
    other = tmp_path / "run"
    run(options(other, n=3, seed=5))
    assert data(other) != data(finished.folder)
    run(options(other, overwrite=True))
    assert data(other) == data(finished.folder)


def test_what_was_killed_while_it_was_put_in_place_is_finished_by_the_same_command(
    finished: Run, options: Options, tmp_path: Path
) -> None:
    shutil.copytree(finished.folder, tmp_path / "run")
    part = tmp_path / "run" / PART_FOLDER
    part.mkdir()
    for name in DATA_FILES[2:]:
        (tmp_path / "run" / name).replace(part / name)
    with pytest.raises(RunFolderError, match="holds another run"):
        run(options(tmp_path / "run", n=3, seed=5))
    run(options(tmp_path / "run"))
    assert data(tmp_path / "run") == data(finished.folder)


def test_a_folder_of_other_files_is_left_alone_even_with_overwrite(options: Options, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work", "utf-8")
    for overwrite in (False, True):
        with pytest.raises(RunFolderError, match="holds other files; name an empty or new folder"):
            run(options(tmp_path, overwrite=overwrite))
    assert contents(tmp_path) == {"thesis.txt": b"ten years of work"}


@pytest.mark.parametrize("held", ["[]", "null", "7", "", "{", '{"fingerprint": 3}', b"\xff\xfe"])
def test_a_run_file_that_says_nothing_is_no_run(options: Options, tmp_path: Path, held: str | bytes) -> None:
    (tmp_path / "run.json").write_bytes(held if isinstance(held, bytes) else held.encode())
    before = contents(tmp_path)
    for overwrite in (False, True):
        refused = pytest.raises(RunFolderError, match="holds other files; name")
        with refused, run_folder(options(tmp_path, overwrite=overwrite)):
            pass
    assert contents(tmp_path) == before


def test_a_folder_made_for_a_run_that_fails_goes_again(options: Options, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere does not exist"):
        run(options(tmp_path / "run", documents=(tmp_path / "nowhere",)))
    unreadable = tmp_path / "documents"
    unreadable.mkdir()
    (unreadable / "empty.md").write_bytes(b"")
    with pytest.raises(InputError, match=r"every file was skipped, first empty\.md \(Not read: it is empty\)"):
        run(options(tmp_path / "run", documents=(unreadable,)))
    assert [path.name for path in tmp_path.iterdir()] == ["documents"]


OTHER: dict[str, Any] = {
    **dict.fromkeys(("n", "seed", "judged", "context_chars", "max_context_chars", "pairs"), 7),
    **dict.fromkeys(("per_document", "most_per_document"), 7),
    **dict.fromkeys(("only_new", "baselines"), True),
    "models": ModelOptions(judges="lexical"),
    "read": ReadOptions(max_document_mb=7),
    "where": (Condition("date", ">=", "2023"),),
    "documents": (Path(),),
    "mix": {"summary": 1.0},
    "balance_by": "requested",
    "chunk_sizes": (128,),
    "chunker": "sentences",
    "prefix": ("title",),
    "judge_check": Path("x"),
    "synthesizer": "simple",
    "contexts": "documents",
    "ways": ("reasoning",),
    "theme": False,
    "cutoff": "2023",
    "about": "x",
    **dict.fromkeys(("personas", "like"), Path(__file__)),
    "styles": {"plain": 1.0},
    "ask_in": "fr",
    "findable": True,
}


def test_a_run_that_is_stopped_after_calls_says_whose_they_are(finished: Run, options: Options, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with suppress(KeyboardInterrupt), whole_result(options(folder), Silent()) as (_, told):
        told.start("making examples", 3)
        (folder / LOG_FILE).touch()
        raise KeyboardInterrupt
    assert contents(folder).keys() == {LOG_FILE, "progress.json", "run.json"}
    with pytest.raises(RunFolderError, match="holds another run"):
        run(options(folder, n=3, seed=5))
    with pytest.raises(InputError, match="run its command again"):
        rendered(folder)
    run(options(folder))
    assert data(folder) == data(finished.folder)


def test_all_that_decides_about_a_reply_is_asked(tmp_path: Path) -> None:
    """What is listed as how decides how calls are sent and what they may cost; a new option is in neither list."""
    server = "http://127.0.0.1:9/v1#a"
    usual = ModelOptions(model=server)
    about_work = {setting.name for setting in settings_of(ModelOptions) if setting.option.is_about_work}
    how = {*about_work, "panel"}
    others: dict[str, Any] = {
        **dict.fromkeys(("model", "answers", "embeddings"), "http://127.0.0.1:9/v1#b"),
        "judges": ("http://127.0.0.1:9/v1#b",),
        "further": (("faithfulness", "http://127.0.0.1:9/v1#b"),),
        "temperature": 0.5,
        "extra_body": {"top_k": 3},
        "prompts": NO_OVERRIDES.with_prompt("label", "Say which."),
        "judging": "separate",
    }
    assert {each.name for each in dataclasses.fields(ModelOptions)} == {*how, *others}
    for name, value in others.items():
        assert dataclasses.replace(usual, **{name: value}).asked() != usual.asked(), name
    several = dataclasses.replace(usual, judges=(usual.model, others["model"]))
    assert dataclasses.replace(several, panel="majority").asked() != several.asked()


@pytest.mark.parametrize("kind", [RunOptions, SynthesizeOptions])
def test_the_fingerprint_tells_every_option_that_changes_the_files(kind: Any, tmp_path: Path) -> None:
    same = kind(documents=(tmp_path,), out=tmp_path)
    about_work = {"out": tmp_path / "b", "overwrite": True, "processes": 2, "strict": True}
    assert dataclasses.replace(same, **about_work).fingerprint() == same.fingerprint()
    for each in dataclasses.fields(kind):
        if each.name not in about_work:
            other = dataclasses.replace(same, **{each.name: OTHER[each.name]})
            assert other.fingerprint() != same.fingerprint(), each.name


EVALUATE: dict[str, Any] = {
    **dict.fromkeys(("data", "predictions", "chunks", "documents", "against", "judge_check", "published"), Path("x")),
    **dict.fromkeys(("system", "system_version", "from_format", "split", "system_name"), "x"),
    **dict.fromkeys(("concurrency", "timeout", "limit", "sample", "seed", "questions", "top_k"), 7),
    **dict.fromkeys(("retry_failed", "unique", "evasive_is_zero"), True),
    "mapping": {"question": "x"},
    "judged": {"q1": {}},
    "system_options": ("top_k=3",),
    "metrics": ("recall@5",),
    "only": (("language", "en"),),
    "rank_by": "score",
    "by": ("domain",),
    "records": (),
    "read": ReadOptions(max_document_mb=7),
    "models": ModelOptions(judges="lexical"),
}


def test_the_fingerprint_of_scores_tells_every_option_that_changes_them(tmp_path: Path) -> None:
    """It lacked ``by``, ``top_k`` and ``published``: what was scored by domain stood for what was not."""
    same = EvaluateOptions(out=tmp_path)
    other = EvaluateOptions(out=tmp_path / "b", overwrite=True, processes=2)
    assert other.fingerprint() == same.fingerprint()
    assert {each.name for each in dataclasses.fields(same)} == {*EVALUATE, "out", "beside", "overwrite", "processes"}
    for name, value in EVALUATE.items():
        assert dataclasses.replace(same, **{name: value}).fingerprint() != same.fingerprint(), name


@pytest.mark.parametrize("stage", ["sweep", "answer", "summarize", "render_report", "write_summary"])
def test_a_run_that_breaks_in_a_stage_is_finished_by_the_next(
    finished: Run, options: Options, tmp_path: Path, stage: str
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise MemoryError(stage)

    folder = tmp_path / "run"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"ragassay.jobs.run.run.{stage}", broken)
        with pytest.raises(MemoryError, match=stage):
            run(options(folder))
    assert list(folder.iterdir()) == []  # as it was
    if stage == "sweep":  # the others differ in nothing that the next run looks at
        run(options(folder))
        assert data(folder) == data(finished.folder)


def test_a_run_stopped_before_its_first_file_is_no_obstacle(options: Options, tmp_path: Path) -> None:
    (tmp_path / ".part").mkdir()
    (tmp_path / ".part" / "run.json").write_text('{"vers', "utf-8")
    with run_folder(options(tmp_path)):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_killed_process_is_finished_by_the_same_run(
    finished: Run, options: Options, documents: Path, tmp_path: Path, forking: Forking
) -> None:
    folder = tmp_path / "run"
    code = (
        "import sys; from pathlib import Path; from ragassay.jobs.make.run_options import RunOptions\n"
        "from ragassay.jobs.run.run import run\n"
        "run(RunOptions(documents=(Path(sys.argv[1]),), out=Path(sys.argv[2]), n=12, chunk_sizes=(128, 512),\n"
        "    processes=1))"
    )
    process = forking.begin(code, documents, folder)
    end = time.monotonic() + 60
    while not (folder / ".part" / "documents.jsonl").exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(random.uniform(0, 1.0))
    process.send_signal(signal.SIGKILL)
    process.wait()
    run(options(folder))
    assert data(folder) == data(finished.folder)
    assert not (folder / ".part").exists()


def test_a_folder_with_another_run_is_left_alone(finished: Run, options: Options) -> None:
    before = contents(finished.folder)
    with pytest.raises(RunFolderError) as raised:
        run(options(finished.folder, seed=1))
    assert str(raised.value) == (
        f"--out: {finished.folder} holds another run (seed: 0 there, 1 now); name another folder, or "
        "replace it with --overwrite"
    )
    assert raised.value.exit_code == 4
    assert contents(finished.folder) == before


def test_overwrite_leaves_nothing_of_the_other_run(options: Options, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with run_folder(options(folder)):
        pass
    (folder / "summary.json").write_text("old", "utf-8")
    with run_folder(options(folder, n=3, overwrite=True)) as part:
        assert [path.name for path in part.iterdir()] == ["run.json"]
        assert (folder / "summary.json").read_text("utf-8") == "old"  # kept until the new one is there
    assert sorted(path.name for path in folder.iterdir()) == ["run.json"]
