"""Whole experiments on two tiny benchmarks, with functions whose quality is known."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.experiment.experiment import check_coverage, experiment
from ragassay.pipeline.experiment.options import (
    SIDES,
    Benchmark,
    ComparedSystem,
    ExperimentOptions,
    named_systems,
    read_experiment_file,
    systems_of,
)
from ragassay.pipeline.experiment.warnings import family_of
from ragassay.records import NO_CONTEXT, Document, Example, Provenance, Span, write_jsonl
from ragassay.report.experiment_summary import ExperimentSummary
from ragassay.systems.spec import parse_spec

BRIDGES = ("Gannet", "Tern", "Osprey", "Heron", "Curlew", "Plover", "Avocet", "Dunlin")
HUMAN, SYNTHETIC = "human", "synthetic"


def text_of(name: str, number: int) -> str:
    return f"The {name} Bridge was opened in {1990 + number}. It is {number + 3} km long."


def benchmark(folder: Path, kind: str, *, answers: bool = True, quotes: bool = True) -> Path:
    """Eight questions on eight documents; the synthetic ones ask for years, the human ones for lengths."""
    folder.mkdir(exist_ok=True)
    documents, examples = [], []
    for number, name in enumerate(BRIDGES):
        text = text_of(name, number)
        documents.append(Document(id=f"d{number}", title=name, source=f"{name}.md", text=text))
        answer = str(1990 + number) if kind == SYNTHETIC else f"{number + 3} km"
        start = text.index(answer)
        span = Span(document_id=f"d{number}", start=start, end=start + len(answer), text=answer)
        asked = "When was" if kind == SYNTHETIC else "How long is"
        examples.append(
            Example(
                id=f"{kind}{number}",
                question=f"{asked} the {name} Bridge{' opened' if kind == SYNTHETIC else ''}?",
                answer=answer if answers else "",
                context=span if quotes else NO_CONTEXT,
                references=(span,) if quotes else (),
                keypoints=(),
                requested_label="fact_single",
                verified_label=None,
                provenance=Provenance(synthesizer="test", model="openai:gpt-4o-mini" if kind == SYNTHETIC else ""),
            )
        )
    write_jsonl(folder / "documents.jsonl", documents)
    write_jsonl(folder / "examples.jsonl", examples)
    return folder


def number_in(question: str) -> int:
    return next(number for number, name in enumerate(BRIDGES) if name in question)


def right(question: str) -> str:
    number = number_in(question)
    return str(1990 + number) if question.startswith("When") else f"{number + 3} km"


def knows(years: int, lengths: int) -> Callable[[str], str]:
    """A system that gets the first so many years and lengths right."""

    def answer(question: str) -> str:
        limit = years if question.startswith("When") else lengths
        return right(question) if number_in(question) < limit else "no idea at all"

    return answer


def functions(**targets: Callable[[str], Any]) -> tuple[ComparedSystem, ...]:
    return named_systems(targets)


Make = Callable[..., ExperimentOptions]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def options(systems: tuple[ComparedSystem, ...], **fields: Any) -> ExperimentOptions:
        made = ExperimentOptions(
            kind="generators",
            systems=systems,
            synthetic=Benchmark(dataset=benchmark(tmp_path / "made", SYNTHETIC)),
            human=Benchmark(dataset=benchmark(tmp_path / "people", HUMAN)),
            out=tmp_path / "experiment",
            metrics=("exact_match",),
        )
        return replace(made, **fields)

    return options


def means(found: ExperimentSummary, side: str, metric: str = "exact_match") -> Mapping[str, float | None]:
    order = next(order for order in found.orders if order.metric == metric)
    return {place.system: getattr(place, side).value for place in order.systems}


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
    assert page.count("<polyline") == 3
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


def test_what_was_answered_before_a_stop_is_kept(make: Make, tmp_path: Path) -> None:
    asked: list[str] = []
    broken = True

    def counting(question: str) -> str:
        asked.append(question)
        return right(question)

    def stopping(question: str) -> str:
        if broken:
            raise KeyboardInterrupt
        return right(question)

    class StopError(Exception):
        pass

    class Watching:
        """Ends the work while the second system is asked, as Ctrl-C would."""

        def start(self, stage: str, total: int | None) -> None:
            if broken and "2 of 2: asking" in stage:
                raise StopError

        def advance(self, by: int = 1) -> None: ...

        def reach(self, done: int) -> None: ...

        def replied(self) -> None: ...

    options = make(functions(counted=counting, other=stopping))
    with pytest.raises(StopError):
        experiment(options, Watching())
    assert len(asked) == 8
    broken = False
    experiment(options, Watching())
    assert len(asked) == 16  # those of the synthetic benchmark were there


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
    check_coverage(done, replace(options, coverage=0.5))


def test_a_system_that_always_fails_is_left_out(make: Make) -> None:
    def dead(question: str) -> str:
        raise RuntimeError("gone")

    def hardly(question: str) -> str:
        if question.startswith("When"):
            return right(question)
        raise RuntimeError("gone")

    done = experiment(make(functions(hardly=hardly, good=knows(8, 8), poor=knows(2, 2))))
    (order,) = done.orders
    assert (order.left_out, order.tau.n, order.tau.value) == (("hardly",), 2, 1)
    assert any("exact_match: left out for want of values: hardly." in warning for warning in done.warnings)


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
    without = replace(options, human=Benchmark(dataset=benchmark(tmp_path / "bare", HUMAN, quotes=False)))
    found = [order.metric for order in experiment(replace(without, out=tmp_path / "other")).orders]
    assert "token_f1" in found
    assert not any(name.startswith(("recall", "ndcg", "reference_recall")) for name in found)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda o, t: replace(o, systems=o.systems[:1]), "--system: needs at least 2 systems, not 1"),
        (lambda o, t: replace(o, systems=o.systems[:1] * 2), "two systems have the name"),
        (lambda o, t: replace(o, seed=-1), "--seed: must be at least 0, not -1"),
        (lambda o, t: replace(o, human=o.synthetic), "is the synthetic set; give one made by people"),
        (lambda o, t: replace(o, human=Benchmark(dataset=t / "none")), "--human: .*none does not exist"),
        (
            lambda o, t: replace(o, human=replace(o.human, from_format="xls")),
            "--from-human: unknown format 'xls'; choose one of",
        ),
        (lambda o, t: replace(o, metrics=("recal@5",)), "recal@5"),
        (lambda o, t: replace(o, metrics=("gpt_score_faithfulness",)), "gpt_score_faithfulness needs a"),
        (lambda o, t: replace(o, metrics=("completeness",)), "\\); leave the metric out, or give another set"),
        (
            lambda o, t: replace(o, models=ModelOptions(max_calls=3)),
            "--max-calls: needs a model on a server; name one with --model",
        ),
        (
            lambda o, t: replace(o, systems=(*o.systems, ComparedSystem(name="bare", spec=parse_spec("no_retrieval")))),
            "--system: bare needs a language model",
        ),
        (
            lambda o, t: replace(
                o,
                human=Benchmark(dataset=benchmark(t / "bare", HUMAN, answers=False, quotes=False)),
                metrics=("token_f1",),
            ),
            r"token_f1 needs reference answer, which is missing from the human benchmark",
        ),
    ],
)
def test_bad_input(make: Make, tmp_path: Path, change: Callable[..., ExperimentOptions], said: str) -> None:
    options = change(make(functions(good=knows(8, 8), poor=knows(2, 2))), tmp_path)
    with pytest.raises((UsageError, InputError), match=said):
        experiment(options)
    assert not (tmp_path / "experiment").exists()


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
    rows = Benchmark(dataset=ragas(tmp_path / "people.jsonl"))
    found = experiment(make(systems, human=rows, kind="retrievers", metrics=("recall@8",)))
    searched = Path(found.systems[0].folders["human"]) / "documents.jsonl"
    assert searched.read_text() == (tmp_path / "made" / "documents.jsonl").read_text()
    said = "\n".join(found.warnings)
    assert "brings no documents, so those of the synthetic one are searched for both" in said
    assert "1 of 8 references of the human benchmark are in none of the documents, so no search can find them" in said
    assert "search different documents" not in said


def test_a_format_that_cannot_be_told_names_its_option(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text('{"id": "1", "question": "When?", "answer": "1990"}')
    with pytest.raises(
        InputError, match=r"is unclear: it holds the fields 'answer', 'id', 'question'; give it with --from-human"
    ):
        experiment(make(functions(good=knows(8, 8), poor=knows(2, 2)), human=Benchmark(dataset=path)))


def test_what_holds_for_many_metrics_is_said_once(make: Make) -> None:
    options = make(functions(one=knows(5, 5), two=knows(4, 4)), metrics=("exact_match", "token_f1"))
    (noise,) = [warning for warning in experiment(options).warnings if "noise" in warning]
    assert noise.endswith(
        "on the synthetic benchmark by exact_match, token_f1; on the human benchmark by exact_match, token_f1."
    )


def test_nothing_in_common(make: Make, tmp_path: Path) -> None:
    bare = Benchmark(dataset=benchmark(tmp_path / "bare", HUMAN, answers=False, quotes=False))
    systems = systems_of(["rag:retriever=bm25,generate=false", "rag:retriever=dense,generate=false"])
    with pytest.raises(InputError, match=r"the benchmarks share nothing to score:"):
        experiment(make(systems, human=bare, kind="retrievers", metrics=()))


def test_the_folder_of_something_else_is_left_alone(make: Make, tmp_path: Path) -> None:
    systems = functions(good=knows(8, 8), poor=knows(2, 2))
    out = tmp_path / "experiment"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="holds other files; name"):
        experiment(make(systems))
    (out / "notes.txt").unlink()
    experiment(make(systems))
    elsewhere = Benchmark(dataset=benchmark(tmp_path / "third", HUMAN))
    with pytest.raises(RunFolderError, match="holds an experiment on other benchmarks"):
        experiment(make(systems, human=elsewhere))
    experiment(make(systems, human=elsewhere, overwrite=True))
    held = json.loads((out / "experiment.json").read_text())
    assert held["identity"]["human"] == str((tmp_path / "third").resolve())


def test_warnings_name_stylistic_bias_by_family(make: Make) -> None:
    from ragassay.pipeline.experiment.data import read_benchmark
    from ragassay.pipeline.experiment.warnings import warnings_of

    systems = systems_of(["rag"], ["openai:gpt-4o", "ollama:llama3.1:8b"])
    options = make(systems, judge=ModelOptions(model="http://localhost:1/v1#meta-llama/Llama-3.3-70B"))
    data = {side: read_benchmark(options.benchmark(side), side) for side in SIDES}
    found = " ".join(warnings_of(options, data, ()))
    assert "rag, openai:gpt-4o answers by a model of the family that wrote the synthetic benchmark" in found
    assert "rag, ollama:llama3.1:8b answers by a model of the family that judges" in found
    assert "synthetic benchmark has 8 questions" in found
    assert "documents" not in found
    documents = options.synthetic.dataset / "documents.jsonl"
    lines = documents.read_text().splitlines()
    documents.write_text("\n".join([lines[0].replace('"title":"Gannet"', '"title":"Solan"'), *lines[1:7]]))
    examples = (options.human.dataset / "examples.jsonl").read_text()
    (options.synthetic.dataset / "examples.jsonl").write_text(examples)
    other = {**data, "synthetic": read_benchmark(options.synthetic, "synthetic")}
    found = " ".join(warnings_of(options, other, ()))
    assert "The benchmarks search different documents: 7 and 8, of which 7 are in both" in found
    assert "1 of the documents in both benchmarks have other titles there" in found


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("openai:gpt-4o-mini", "gpt"),
        ("openai:o3-mini", "gpt"),
        ("http://localhost:8000/v1#Qwen/Qwen2.5-7B-Instruct", "qwen"),
        ("litellm:anthropic/claude-sonnet-4", "claude"),
        ("ollama:mixtral:8x7b", "mistral"),
        ("embedded", "embedded"),
    ],
)
def test_families(name: str, family: str) -> None:
    assert family_of(name) == family


def test_a_file_of_an_experiment(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yaml"
    path.write_text(
        "synthetic: made\nhuman: people\nout: found\nseed: 3\nmetrics: [recall@5]\n"
        "systems:\n  - rag:retriever=bm25\n  - {system: rag, top_k: 2, name: two}\n"
    )
    found = read_experiment_file(path)
    assert found["synthetic"] == tmp_path / "made"
    assert [system.name for system in systems_of(found["systems"])] == ["rag:retriever=bm25", "two"]
    for text, said in (
        ("system: [rag]", "choose one of"),
        ("seed: many", "seed must be a whole number, not 'many'"),
        ("systems: [3]", r"systems must be a list of names, not '\[3\]'"),
        ("human: [a]", "human must be text"),
    ):
        path.write_text(text)
        with pytest.raises(UsageError, match=said):
            read_experiment_file(path)
    with pytest.raises(UsageError, match="invalid system"):
        systems_of([{"name": "x"}])


def test_models_of_outside_systems_are_their_own(make: Make) -> None:
    good, poor = functions(good=knows(8, 8), poor=knows(2, 2))
    with pytest.raises(UsageError, match="--model: only applies to built-in systems, not to"):
        experiment(make((replace(good, model="openai:gpt-4o"), poor)))


def test_from_python(make: Make, tmp_path: Path) -> None:
    options = make(functions(good=knows(8, 8), poor=knows(2, 2)))
    done = ragassay.experiment(
        "retrievers",
        {"good": knows(8, 8), "poor": knows(2, 2), "bm25": "rag:retriever=bm25,top_k=1"},
        options.synthetic.dataset,
        options.human.dataset,
        tmp_path / "out",
        metrics=["exact_match"],
    )
    assert [system.name for system in done.systems] == ["good", "poor", "bm25"]
    assert means(done, HUMAN)["poor"] == 2 / 8
    with pytest.raises(UsageError, match="unknown kind 'retriever'; choose retrievers or generators"):
        ragassay.experiment("retriever", {}, "a", "b", tmp_path / "x")  # type: ignore[arg-type]


def test_names_are_no_markup_and_no_paths(make: Make, tmp_path: Path) -> None:
    hostile = "../../<script>alert(1)</script>"
    systems = named_systems({hostile: knows(1, 1), "=1+1": knows(2, 2)})
    experiment(make(systems))
    page = (tmp_path / "experiment" / "report.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    folders = {path.name.rpartition("-")[0] for path in (tmp_path / "experiment" / "runs" / HUMAN).iterdir()}
    assert folders == {"script-alert-1-script", "1-1"}
    assert not (tmp_path / "<script>alert(1)<").exists()
    with (tmp_path / "experiment" / "results.csv").open(newline="") as file:
        assert "'=1+1" in {row["system"] for row in csv.DictReader(file)}
