"""Whole experiments on two tiny benchmarks, with functions whose quality is known."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from bridges import (
    BRIDGES,
    HUMAN,
    SYNTHETIC,
    Make,
    benchmark,
    functions,
    knows,
    means,
    number_in,
    options_in,
    right,
    text_of,
)

import ragassay
from ragassay.errors import RunFolderError, UsageError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.experiment.experiment import check_coverage, experiment
from ragassay.jobs.experiment.options import systems_of
from ragassay.jobs.folders.progress import Silent


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return options_in(tmp_path)


def test_known_systems_give_known_orders(make: Make, tmp_path: Path) -> None:
    # Synthetic: poor 1/8 < fair 4/8 < good 8/8. Human: fair 2/8 < poor 3/8 < good 8/8: one of three pairs swaps.
    done = experiment(make(functions(poor=knows(1, 3), fair=knows(4, 2), good=knows(8, 8))))
    assert means(done, SYNTHETIC) == {"poor": 1 / 8, "fair": 4 / 8, "good": 1}
    assert means(done, HUMAN) == {"poor": 3 / 8, "fair": 2 / 8, "good": 1}
    (order,) = done.orders
    assert order.tau.value == pytest.approx(1 / 3)
    assert order.chance == pytest.approx(3 / 6)  # 1 order with tau 1, 2 with 1/3
    assert [(pair.first, pair.second) for pair in order.swapped] == [("poor", "fair")]
    pairs = {(pair.first, pair.second): pair for pair in order.pairs}
    assert pairs["poor", "good"].synthetic.p_value == pytest.approx(
        0.013493, abs=5e-7
    )  # seven questions, all for the better one
    assert pairs["poor", "good"].synthetic.p_adjusted == pytest.approx(3 * 0.013493, abs=2e-6)
    with (tmp_path / "experiment" / "results.csv").open(newline="") as file:
        rows = {(row["benchmark"], row["system"]): row for row in csv.DictReader(file)}
    assert (rows[HUMAN, "poor"]["mean"], rows[HUMAN, "poor"]["rank"]) == ("0.375", "2.0")
    with (tmp_path / "experiment" / "pairs.csv").open(newline="") as file:
        assert [row["order"] for row in csv.DictReader(file)] == ["swapped", "same", "same"]
    assert done.warnings[-1] == (
        "No two systems differ by more than their noise, so that their order may be chance: on the human benchmark by "
        "exact_match."
    )
    page = (tmp_path / "experiment" / "report.html").read_text("utf-8")
    assert "Do not choose a generator by a synthetic benchmark alone" in page


def test_nothing_is_asked_twice_and_another_system_goes_on(make: Make, tmp_path: Path) -> None:
    asked: list[str] = []

    def counting(question: str) -> str:
        asked.append(question)
        return right(question)

    first = make(functions(counted=counting, poor=knows(1, 1)))
    experiment(first)
    results = {path.name: path.read_bytes() for path in (tmp_path / "experiment").glob("*.*")}
    assert len(asked) == 16
    again = experiment(first)
    assert len(asked) == 16
    assert all(system.asked == {SYNTHETIC: 0, HUMAN: 0} for system in again.systems)
    assert {path.name: path.read_bytes() for path in (tmp_path / "experiment").glob("*.*")} == results
    third = experiment(make(functions(counted=counting, poor=knows(1, 1), fair=knows(4, 4))))
    assert len(asked) == 16
    assert third.orders[0].tau.n == 3
    experiment(replace(first, metrics=("exact_match", "token_f1")))
    assert len(asked) == 16  # only scored anew
    experiment(replace(first, overwrite=True))
    assert len(asked) == 32


def test_what_was_answered_before_a_stop_between_two_systems_is_kept(make: Make) -> None:
    asked: list[str] = []

    def counting(question: str) -> str:
        asked.append(question)
        return right(question)

    class StopError(Exception):
        pass

    class Stopping(Silent):
        def start(self, stage: str, total: int | None, done: int = 0) -> None:
            if "2 of 2: asking" in stage:
                raise StopError

    options = make(functions(counted=counting, other=right))
    with pytest.raises(StopError):
        experiment(options, Stopping())
    assert len(asked) == 8
    again = experiment(options)
    assert len(asked) == 16  # those of the synthetic benchmark were there
    assert [system.asked for system in again.systems] == [{SYNTHETIC: 0, HUMAN: 8}, {SYNTHETIC: 8, HUMAN: 8}]


def test_a_system_that_has_changed_is_asked_again(make: Make) -> None:
    """Its kept scores were taken without a look at what answers."""
    for known, mean in ((1, 1 / 8), (4, 4 / 8)):
        found = experiment(make(functions(same=knows(known, known), poor=knows(1, 1))))
        (order,) = found.orders
        assert {place.system: place.human.value for place in order.systems} == {"same": mean, "poor": 1 / 8}
        assert [system.asked[HUMAN] for system in found.systems] == [8, 8 if known == 1 else 0]


def test_failures_are_no_values_and_are_said(make: Make) -> None:
    def failing(question: str) -> str:
        if number_in(question) % 2:
            raise RuntimeError("no luck")
        return right(question)

    options = make(functions(failing=failing, good=knows(8, 8), poor=knows(2, 2)))
    done = experiment(options)
    (order,) = done.orders
    assert {(place.human.n, place.human.total) for place in order.systems} == {(4, 8)}
    assert done.systems[0].failed == {SYNTHETIC: 4, HUMAN: 4}
    assert sum(done.reasons["exact_match"].values()) == 8
    with pytest.raises(Exception, match=r"failing answered 50\.0 % of the synthetic benchmark"):
        check_coverage(done, options)
    check_coverage(done, replace(options, models=ModelOptions(coverage=0.5)))


def test_built_in_retrievers(make: Make) -> None:
    systems = systems_of(["rag:retriever=bm25,top_k=1", {"system": "rag:retriever=bm25,top_k=1,chunk_size=30",
                                                         "overlap": 0, "name": "tiny chunks"}])  # fmt: skip
    done = experiment(make(systems, kind="retrievers", metrics=("reference_recall@1",)))
    assert [system.name for system in done.systems] == ["rag:retriever=bm25,top_k=1", "tiny chunks"]
    assert means(done, HUMAN, "reference_recall@1")["rag:retriever=bm25,top_k=1"] == 1
    assert means(done, HUMAN, "reference_recall@1")["tiny chunks"] == 0  # cuts the name from the length
    assert not any("Generators are compared" in warning for warning in done.warnings)


def test_usual_metrics_are_those_that_both_benchmarks_allow(make: Make, tmp_path: Path) -> None:
    options = make(functions(good=knows(8, 8), poor=knows(2, 2)), metrics=(), kind="retrievers")
    without = replace(options, human=benchmark(tmp_path / "bare", HUMAN, quotes=False))
    found = [order.metric for order in experiment(replace(without, out=tmp_path / "other")).orders]
    assert "token_f1" in found
    assert not any(name.startswith(("recall", "ndcg", "reference_recall")) for name in found)


def ragas(path: Path) -> Path:
    """The human questions as rows without documents: of each the sentence that answers it."""
    rows = []
    for number, name in enumerate(BRIDGES):
        sentence = text_of(name, number).split(". ")[1]
        row = {"user_input": f"How long is the {name} Bridge?", "reference": f"{number + 3} km"}
        rows.append(row | {"reference_contexts": [sentence if number else "It is somewhere else."]})
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_a_human_set_without_documents_takes_those_of_the_synthetic_set(make: Make, tmp_path: Path) -> None:
    systems = systems_of(["rag:retriever=bm25,generate=false", "rag:retriever=dense,generate=false"])
    rows = ragas(tmp_path / "people.jsonl")
    found = experiment(make(systems, human=rows, kind="retrievers", metrics=("recall@8",)))
    searched = Path(found.systems[0].folders["human"]) / "documents.jsonl"
    assert searched.read_text() == (tmp_path / "made" / "documents.jsonl").read_text()
    said = "\n".join(found.warnings)
    assert "brings no documents, so those of the synthetic one are searched for both" in said
    assert "1 of 8 references of the human benchmark are in none of the documents, so no search can find them" in said
    assert "search different documents" not in said


def test_the_folder_of_something_else_is_left_alone(make: Make, tmp_path: Path) -> None:
    systems = functions(good=knows(8, 8), poor=knows(2, 2))
    out = tmp_path / "experiment"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="holds other files; name an empty or new folder"):
        experiment(make(systems))
    (out / "notes.txt").unlink()
    experiment(make(systems))
    elsewhere = benchmark(tmp_path / "third", HUMAN)
    with pytest.raises(RunFolderError, match="holds an experiment on other benchmarks"):
        experiment(make(systems, human=elsewhere))
    experiment(make(systems, human=elsewhere, overwrite=True))
    held = json.loads((out / "experiment.json").read_text())
    assert held["identity"]["human"] == str((tmp_path / "third").resolve())


def test_from_python(make: Make, tmp_path: Path) -> None:
    options = make(functions(good=knows(8, 8), poor=knows(2, 2)))
    done = ragassay.experiment(
        "retrievers",
        {"good": knows(8, 8), "poor": knows(2, 2), "bm25": "rag:retriever=bm25,top_k=1"},
        options.synthetic,
        options.human,
        tmp_path / "out",
        metrics=["exact_match"],
    )
    assert [system.name for system in done.systems] == ["good", "poor", "bm25"]
    assert means(done, HUMAN)["poor"] == 2 / 8
    with pytest.raises(UsageError, match=r"^KIND: "):
        ragassay.experiment("retriever", {}, "a", "b", tmp_path / "x")  # type: ignore[arg-type]


def test_names_are_no_markup_and_no_paths(make: Make, tmp_path: Path) -> None:
    hostile = "../../<script>alert(1)</script>"
    systems = functions(**{hostile: knows(1, 1), "=1+1": knows(2, 2)})
    experiment(make(systems))
    page = (tmp_path / "experiment" / "report.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    folders = {path.name.rpartition("-")[0] for path in (tmp_path / "experiment" / "runs" / HUMAN).iterdir()}
    assert folders == {"script-alert-1-script", "1-1"}
    assert not (tmp_path / "<script>alert(1)<").exists()
    with (tmp_path / "experiment" / "results.csv").open(newline="") as file:
        assert "'=1+1" in {row["system"] for row in csv.DictReader(file)}
