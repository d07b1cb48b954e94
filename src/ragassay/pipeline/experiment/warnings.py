"""What a reader should know before believing that one benchmark may stand in for another.

Source: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025): synthetic benchmarks ranked retriever settings as a
human one did, generators not, with stylistic bias where models judge what their own family wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ragassay.agreement.benchmarks import LEVEL, OrderAgreement
from ragassay.pipeline.experiment.data import BenchmarkData
from ragassay.pipeline.experiment.options import SIDES, ComparedSystem, ExperimentOptions, Side
from ragassay.records import Example
from ragassay.report.predictions import lost_references_note

_SAME_FAMILY = {"mixtral": "mistral", "ministral": "mistral", "codestral": "mistral", "magistral": "mistral",
                "chatgpt": "gpt", "o": "gpt", "davinci": "gpt", "meta": "llama", "codellama": "llama",
                "qwq": "qwen", "gemma": "gemini"}  # fmt: skip
"""Names under which models of one maker go, by their leading letters."""
_SCHEME = re.compile(r"(?:openai|ollama):")
_LETTERS = re.compile(r"[a-z]+")
FEW_QUESTIONS = 50
"""The paper has 94 to 100 for each system; with half of that even large differences drown."""


def warnings_of(
    options: ExperimentOptions,
    data: Mapping[Side, BenchmarkData],
    examples: Mapping[Side, Sequence[Example]],
    orders: Sequence[OrderAgreement],
) -> tuple[str, ...]:
    """One sentence or two each, the weightiest first."""
    return (
        *_of_generators(options, data),
        *_of_families(options, data),
        *_of_documents(options, examples),
        *_of_data(data),
        *_of_coverage(orders),
    )


def _of_generators(options: ExperimentOptions, data: Mapping[Side, BenchmarkData]) -> Iterator[str]:
    if options.kind == "generators":
        yield (
            "Generators are compared: in the study that this experiment comes from (SynDAiTE 2025), synthetic "
            "benchmarks ranked retriever settings as people's did, but not generators. Do not choose a generator by a "
            "synthetic benchmark alone."
        )
    if data["human"].writers:
        yield (
            f"The human benchmark has examples that models wrote ({', '.join(data['human'].writers)}): synthetic ones "
            "cannot be judged by it."
        )


def _of_families(options: ExperimentOptions, data: Mapping[Side, BenchmarkData]) -> Iterator[str]:
    """Stylistic bias: who wrote the questions, who judges and who answers should not be of one family."""
    writers = {family_of(name): name for name in data["synthetic"].writers}
    judge = options.judge
    for system in options.compared:
        model = answering_model(system, options)
        if not model:
            continue
        roles = []
        if family_of(model) in writers:
            roles.append(f"wrote the synthetic benchmark ({writers[family_of(model)]})")
        if family_of(model) == family_of(judge):
            roles.append(f"judges ({judge})")
        if roles and _matters(options):
            yield (
                f"Stylistic bias: {system.name} answers by a model of the family that {' and '.join(roles)}; its style "
                "may be taken for quality."
            )
    unknown = [system.name for system in options.compared if not answering_model(system, options)]
    if options.kind == "generators" and unknown:
        yield (
            f"Which models answer behind {', '.join(unknown)} is unknown: check that none is of the "
            "family that wrote the synthetic benchmark "
            f"({', '.join(data['synthetic'].writers) or 'unknown'}) or judges ({judge})."
        )


def _matters(options: ExperimentOptions) -> bool:
    """Among retriever settings every system has the same generator, and so the same bias."""
    return options.kind == "generators" or len({answering_model(each, options) for each in options.compared}) > 1


def answering_model(system: ComparedSystem, options: ExperimentOptions) -> str:
    """Who answers for a built-in system; empty for those outside, which do not say."""
    return (system.model or options.asked.name_of("answerer")) if system.is_built_in else ""


def family_of(name: str) -> str:
    """What a model's name begins with, without server and maker: ``gpt`` of ``openai:gpt-4o-mini``."""
    model = name.rsplit("#", 1)[-1] if "#" in name else _SCHEME.sub("", name)
    found = _LETTERS.search(model.rsplit("/", 1)[-1].lower())
    letters = found[0] if found else model
    return _SAME_FAMILY.get(letters, letters)


def _of_documents(options: ExperimentOptions, examples: Mapping[Side, Sequence[Example]]) -> Iterator[str]:
    if options.shared is not None:
        yield (
            "The human benchmark brings no documents, so those of the synthetic one are searched for both; "
            "--documents names others."
        )
    for side in SIDES:
        yield from lost_references_note(examples[side], f" of the {side} benchmark")


def _of_data(data: Mapping[Side, BenchmarkData]) -> Iterator[str]:
    for side, each in data.items():
        if each.questions < FEW_QUESTIONS:
            yield f"The {side} benchmark has {each.questions} questions: only large differences show."
    mine, theirs = data["synthetic"].documents, data["human"].documents
    if mine and theirs and mine != theirs:
        yield (
            f"The benchmarks search different documents: {len(mine)} and {len(theirs)}, of which {len(mine & theirs)} "
            "are in both. Orders may differ for that alone; --documents gives both the same."
        )


def _of_coverage(orders: Sequence[OrderAgreement]) -> Iterator[str]:
    """One line for all metrics of which the same is to be said."""
    left_out: dict[tuple[str, ...], list[str]] = {}
    noise: dict[Side, list[str]] = {}
    for order in orders:
        if order.left_out:
            left_out.setdefault(order.left_out, []).append(order.metric)
        for side in SIDES if order.systems and order.tau.value is not None else ():
            if all(getattr(pair, side).p_adjusted >= LEVEL for pair in order.pairs):
                noise.setdefault(side, []).append(order.metric)
    for names, metrics in left_out.items():
        yield f"{', '.join(metrics)}: left out, since they lack values: {', '.join(names)}."
    if noise:
        where = "; ".join(f"on the {side} benchmark by {', '.join(metrics)}" for side, metrics in noise.items())
        yield f"No two systems differ by more than their noise, so that their order may be chance: {where}."
