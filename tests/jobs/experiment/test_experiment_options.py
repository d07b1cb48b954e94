"""What an experiment is asked to do: options, files, sets that do not fit, and what it warns of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bridges import HUMAN, Make, benchmark, functions, knows, options_in

from ragassay.cli.systems import COMMANDS
from ragassay.errors import InputError, UsageError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.experiment.data import family_of, read_benchmark, warnings_of
from ragassay.jobs.experiment.experiment import experiment
from ragassay.jobs.experiment.options import (
    SIDES,
    ComparedSystem,
    ExperimentOptions,
    systems_of,
)
from ragassay.options import read_settings_of
from ragassay.systems.spec import parse_spec


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return options_in(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda o, t: replace(o, systems=o.systems[:1]), "--system: needs at least 2 systems, not 1"),
        (
            lambda o, t: replace(o, systems=o.systems[:1] * 2),
            "--system: two systems have the name 'good'; rename or drop one",
        ),
        (lambda o, t: replace(o, human=o.synthetic), "--human: .*made is the synthetic set; give one made by people"),
        (lambda o, t: replace(o, human=t / "none"), "--human: .*none does not exist"),
        (
            lambda o, t: replace(o, from_human="xls"),
            "--from-human: unknown format 'xls'; choose one of",
        ),
        (lambda o, t: replace(o, metrics=("recal@5",)), "unknown metric 'recal@5'; did you mean recall@5"),
        (
            lambda o, t: replace(o, models=ModelOptions(max_calls=3)),
            "--max-calls: needs a model on a server; name one with --model",
        ),
        (
            lambda o, t: replace(o, systems=(*o.systems, ComparedSystem(name="bare", spec=parse_spec("no_retrieval")))),
            "--system: bare needs a language model; give one with --model, or drop the system",
        ),
        (
            lambda o, t: replace(
                o,
                human=benchmark(t / "bare", HUMAN, answers=False, quotes=False),
                metrics=("token_f1",),
            ),
            r"--metrics: token_f1 needs reference answer, which is missing from the human benchmark \(.*bare\); leave",
        ),
    ],
)
def test_bad_input(make: Make, tmp_path: Path, change: Callable[..., ExperimentOptions], said: str) -> None:
    options = change(make(functions(good=knows(8, 8), poor=knows(2, 2))), tmp_path)
    with pytest.raises((UsageError, InputError), match=said):
        experiment(options)
    assert not (tmp_path / "experiment").exists()


def test_nothing_in_common(make: Make, tmp_path: Path) -> None:
    bare = benchmark(tmp_path / "bare", HUMAN, answers=False, quotes=False)
    systems = systems_of(["rag:retriever=bm25,generate=false", "rag:retriever=dense,generate=false"])
    with pytest.raises(
        InputError, match=r"share nothing to score: .*made has .*, .*bare has questions alone; give sets"
    ):
        experiment(make(systems, human=bare, kind="retrievers", metrics=()))


def test_a_file_of_an_experiment(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yaml"
    path.write_text(
        "synthetic: made\nhuman: people\nout: found\nseed: 3\nmetrics: [recall@5]\n"
        "systems:\n  - rag:retriever=bm25\n  - {system: rag, top_k: 2, name: two}\n"
    )
    typed = {"kind": "retrievers"}
    found = read_settings_of(
        ExperimentOptions, *COMMANDS["experiment"].with_files({"config_file": path, **typed}, None)
    )
    assert found.synthetic == tmp_path / "made"
    assert [system.name for system in found.compared] == ["rag:retriever=bm25", "two"]
    for text, said in (
        ("systeme: [rag]", "systeme: unknown key; choose one of kind, system, synthetic, human"),
        ("seed: many", "seed: must be a whole number, not 'many'"),
        ("human: [a]", "human: must be a path"),
    ):
        others = (name for name in ("synthetic", "human", "out") if name not in text)
        path.write_text("".join(f"{line}\n" for line in (text, *(f"{name}: x" for name in others))))
        with pytest.raises(UsageError, match=said):
            read_settings_of(
                ExperimentOptions, *COMMANDS["experiment"].with_files({"config_file": path, **typed}, None)
            )
    with pytest.raises(UsageError, match=r"systems: invalid system .*; write it as rag:retriever=bm25"):
        systems_of([{"name": "x"}])


def test_warnings_name_stylistic_bias_by_family(make: Make) -> None:
    systems = systems_of(["rag"], ["openai:gpt-4o", "ollama:llama3.1:8b"])
    options = make(systems, models=ModelOptions(judges=("http://localhost:1/v1#meta-llama/Llama-3.3-70B",)))
    data = {side: read_benchmark(options, side) for side in SIDES}
    found = " ".join(warnings_of(options, data, dict.fromkeys(SIDES, ()), ()))
    assert "rag, openai:gpt-4o answers by a model of the family that wrote the synthetic benchmark" in found
    assert "rag, ollama:llama3.1:8b answers by a model of the family that judges" in found
    assert "synthetic benchmark has 8 questions" in found
    assert "documents" not in found
    documents = options.synthetic / "documents.jsonl"
    documents.write_text("\n".join(documents.read_text().splitlines()[:7]))
    examples = (options.human / "examples.jsonl").read_text()
    (options.synthetic / "examples.jsonl").write_text(examples)
    other = {**data, "synthetic": read_benchmark(options, "synthetic")}
    found = " ".join(warnings_of(options, other, dict.fromkeys(SIDES, ()), ()))
    assert "The benchmarks search different documents: 7 and 8, of which 7 are in both" in found


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("openai:gpt-4o-mini", "gpt"),
        ("openai:o3-mini", "gpt"),
        ("http://localhost:8000/v1#Qwen/Qwen2.5-7B-Instruct", "qwen"),
        ("https://api.anthropic.com/v1#claude-sonnet-4", "claude"),
        ("ollama:mixtral:8x7b", "mistral"),
        ("embedded", "embedded"),
    ],
)
def test_families(name: str, family: str) -> None:
    assert family_of(name) == family
