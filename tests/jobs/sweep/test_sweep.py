"""A whole sweep on a tiny data set, with the embedded model and the real encoder."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.jobs.run.run import Run
from ragassay.jobs.sweep import answers as sweep_answers
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.sweep import plan_sweep, sweep
from ragassay.rag.space import Search, Space
from ragassay.records import Prediction, read_jsonl

SPACE = Space(
    chunk_size=(128, 512),
    prefix=((), ("title",)),
    fusion=("raw_linear", "rrf"),
    text_weight=(0.0, 0.1, 1.0),
    reranker=("none", "late_interaction"),
    candidates=(4,),
)
RESULTS = ("results.csv", "comparisons.csv", "summary.json", "report.html")

Make = Callable[..., SweepOptions]


@pytest.fixture(scope="module")
def make(finished: Run) -> Make:
    """Options of a sweep over the set that a run made."""

    def options(out: Path, **fields: object) -> SweepOptions:
        return replace(SweepOptions(dataset=finished.folder, out=out, space=SPACE), **fields)  # type: ignore[arg-type]

    return options


def test_a_judged_sweep_says_how_far_its_judge_can_be_believed(make: Make, tmp_path: Path) -> None:
    space = Space(chunk_size=(512,), text_weight=(0.0, 1.0), generator=("embedded",))
    done = sweep(make(tmp_path / "sweep", space=space, metrics=("faithfulness", "recall@5")))
    assert done.judge.startswith("embedded (")
    best = {each.setting.name: each.estimate for each in done.outcome.best if each.label == "answerable"}
    counted = {each.system: each for each in done.copied}
    assert set(best) <= set(counted) == {each.setting.name for each in done.outcome.best}
    for name, estimate in best.items():
        assert counted[name].scored == estimate.n
        assert 0 < counted[name].copied <= estimate.n  # the embedded model answers with sentences of the chunks
    trust = json.loads((tmp_path / "sweep" / "summary.json").read_text("utf-8"))["trust"]
    assert trust["not_measured"].startswith("This judge's agreement with people has not been measured")
    assert trust["copied_answers"][0]["metric"] == "faithfulness"
    assert "answers" in trust["also_wrote"]
    assert "agreement with people" in (tmp_path / "sweep" / "report.html").read_text("utf-8")
    again = sweep(make(tmp_path / "sweep", space=space, metrics=("faithfulness", "recall@5")))
    assert (again.reused, again.copied) == (2, done.copied)
    by_recall = sweep(make(tmp_path / "recall", space=space, metrics=("recall@5", "faithfulness")))
    assert (by_recall.judge, by_recall.copied) == ("", ())


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in RESULTS}


def test_a_sweep_of_retrieval(make: Make, tmp_path: Path, finished: Run) -> None:
    done = sweep(make(tmp_path / "sweep"))
    n = len(finished.examples)
    # 2 sizes x 2 prefixes x 4 mixes (dense, lexical, two hybrids) x 2
    assert len(done.planned.settings) == 32
    rows = {row.work: row for row in done.planned.rows}
    assert rows["rankings"].shared == 16 * n
    assert rows["rankings"].alone == 32 * n
    assert rows["vectors of chunks by embedded"].shared < rows["vectors of chunks by embedded"].alone
    with (tmp_path / "sweep" / "results.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    best = {row["group"]: row for row in table if row["is_best"] == "True" and row["metric"] == "recall@5"}
    highest = {
        label: max(float(row["value"]) for row in table if row["group"] == label and row["metric"] == "recall@5")
        for label in best
    }
    assert {label: float(row["value"]) for label, row in best.items()} == highest
    assert {"fact_single", "summary", "reasoning", "answerable"} <= set(best)


def test_the_same_sweep_again_works_nothing_out_and_says_the_same(make: Make, tmp_path: Path) -> None:
    first = sweep(make(tmp_path / "one"))
    before = contents(tmp_path / "one")
    again = sweep(make(tmp_path / "one"))
    assert (first.reused, again.reused) == (0, 32)
    assert contents(tmp_path / "one") == before
    sweep(make(tmp_path / "two"))
    assert contents(tmp_path / "two") == before
    assert not (tmp_path / "one" / "work.part").exists()


def test_a_larger_grid_in_the_same_folder_keeps_what_was_worked_out(make: Make, tmp_path: Path) -> None:
    small = replace(SPACE, text_weight=(0.0, 1.0), reranker=("none",))
    sweep(make(tmp_path / "sweep", space=small))
    with pytest.raises(RunFolderError, match="holds another sweep"):
        sweep(make(tmp_path / "sweep"))
    done = sweep(make(tmp_path / "sweep", overwrite=True))
    assert done.reused == 8


class _TornError(Exception):
    pass


def test_a_sweep_that_was_stopped_goes_on(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    whole = sweep_answers.Answers.work_out

    async def torn(self, setting, ranked, rows, *told):  # type: ignore[no-untyped-def]
        if len(asked) == 10:
            raise _TornError
        asked.append(setting.name)
        return await whole(self, setting, ranked, rows, *told)

    with monkeypatch.context() as patch:
        patch.setattr(sweep_answers.Answers, "work_out", torn)
        with pytest.raises(_TornError):
            sweep(make(tmp_path / "sweep"))
    done = sweep(make(tmp_path / "sweep"))
    assert done.reused == 10
    sweep(make(tmp_path / "other"))
    assert contents(tmp_path / "sweep") == contents(tmp_path / "other")


def test_answers_are_asked_once_and_judged(make: Make, tmp_path: Path, finished: Run) -> None:
    space = Space(chunk_size=(512,), text_weight=(0.0, 0.05), top_k=(2, 3), generator=("none", "embedded"))
    options = make(
        tmp_path / "sweep", space=space, metrics=("recall@5", "completeness", "token_f1"), decides="token_f1"
    )
    done = sweep(options)
    answered = [setting for setting in done.planned.settings if setting.generator == "embedded"]
    assert len(answered) == 4
    assert {each.setting.generator for each in done.outcome.best} == {"embedded"}
    files = list((tmp_path / "sweep" / "predictions").iterdir())
    assert len(files) == 4
    predictions = [each for path in files for each in read_jsonl(path, Prediction)]
    assert {len(each.chunks) for each in predictions} == {2, 3}
    assert {each.example_id for each in predictions} == {example.id for example in finished.examples}
    assert all(each.answer for each in predictions)
    assert {point.setting.generator for point in done.outcome.front} == {"embedded"}
    assert done.reasons["token_f1: this setting answers nothing"] == 4 * len(finished.examples)


def test_the_plan_writes_nothing(make: Make, tmp_path: Path) -> None:
    planned = plan_sweep(make(tmp_path / "sweep", search=Search(method="random", n=5)))
    assert (len(planned.settings), planned.total) == (5, 32)
    assert planned.cost_usd == 0
    assert list(tmp_path.iterdir()) == []


def test_the_plan_prices_what_servers_are_asked(make: Make, tmp_path: Path) -> None:
    space = Space(
        chunk_size=(512,),
        text_weight=(0.05,),
        encoder=("openai:text-embedding-3-small",),
        generator=("openai:gpt-4o-mini",),
    )
    planned = plan_sweep(make(tmp_path / "sweep", space=space))
    rows = {row.work: row for row in planned.rows}
    assert rows["answers by openai:gpt-4o-mini"].tokens > 250 * planned.questions
    assert planned.cost_usd is not None
    assert planned.cost_usd > 0
    assert rows["judgements"].cost_usd is None  # the embedded judge costs nothing


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        (
            {"metrics": ("token_f1",)},
            UsageError,
            "metrics: token_f1 needs answers; add a generator to the grid, or leave it out",
        ),
        ({"space": replace(SPACE, reranker=("judge",))}, UsageError, "reranker: judge needs a language model"),
        ({"space": replace(SPACE, encoder=("oracle",))}, UsageError, "encoder: unknown kind of model 'oracle'"),
        ({"dataset": Path("nowhere")}, InputError, "nowhere does not exist"),
    ],
)
def test_what_cannot_be_meant_leaves_nothing_behind(
    make: Make, tmp_path: Path, fields: dict, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said.replace("(", r"\(")):
        sweep(make(tmp_path / "sweep", **fields))
    assert list(tmp_path.iterdir()) == []


def test_a_data_set_without_documents_or_examples_is_refused(make: Make, tmp_path: Path, finished: Run) -> None:
    alone = tmp_path / "set.jsonl"
    alone.write_bytes((finished.folder / "examples.jsonl").read_bytes())
    with pytest.raises(InputError, match="holds no documents to search"):
        sweep(make(tmp_path / "sweep", dataset=alone))
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="holds other files; name"):
        sweep(make(other))
