"""Two tiny benchmarks about bridges, and functions of known quality that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from by_hand import example_of

from ragassay.jobs.experiment.options import ComparedSystem, ExperimentOptions, systems_of
from ragassay.records import NO_CONTEXT, Document, Provenance, Span, write_jsonl
from ragassay.report.experiment import ExperimentSummary

BRIDGES = ("Gannet", "Tern", "Osprey", "Heron", "Curlew", "Plover", "Avocet", "Dunlin")
HUMAN, SYNTHETIC = "human", "synthetic"
Make = Callable[..., ExperimentOptions]


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
            example_of(
                f"{kind}{number}",
                question=f"{asked} the {name} Bridge{' opened' if kind == SYNTHETIC else ''}?",
                answer=answer if answers else "",
                context=span if quotes else NO_CONTEXT,
                references=(span,) if quotes else (),
                requested_label="fact_single",
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
    return systems_of([{"system": target, "name": name} for name, target in targets.items()])


def means(found: ExperimentSummary, side: str, metric: str = "exact_match") -> Mapping[str, float | None]:
    order = next(order for order in found.orders if order.metric == metric)
    return {place.system: getattr(place, side).value for place in order.systems}


def options_in(folder: Path) -> Make:
    """Options of an experiment in the folder, with both benchmarks."""

    def options(systems: tuple[ComparedSystem, ...], **fields: Any) -> ExperimentOptions:
        made = ExperimentOptions(
            kind="generators",
            systems=systems,
            synthetic=benchmark(folder / "made", SYNTHETIC),
            human=benchmark(folder / "people", HUMAN),
            out=folder / "experiment",
            metrics=("exact_match",),
        )
        return replace(made, **fields)

    return options
