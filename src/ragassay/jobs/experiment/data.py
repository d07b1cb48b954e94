"""The two benchmarks of an experiment: what they hold, what can be compared on both, and what a reader should know.

Source of the warnings: Can we Evaluate RAGs with Synthetic Data? (SynDAiTE 2025): synthetic benchmarks ranked retriever
settings as a human one did, generators not, with stylistic bias where models judge what their own family wrote.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ragassay.datasets.foreign import holds_documents
from ragassay.datasets.registry import brings_documents, read_dataset, recognised
from ragassay.errors import InputError
from ragassay.jobs.experiment.options import SIDES, ComparedSystem, ExperimentOptions, Side
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.inputs import OF_EXAMPLES, Input, inputs_of
from ragassay.people.agreement.benchmarks import LEVEL, OrderAgreement
from ragassay.records import Document, Example, Prediction
from ragassay.report.predictions import lost_references_note


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkData:
    """questions: their number. has: what at least one example has. writers: models that wrote examples.

    documents: hashes of the texts; none where they are files of their own, which both sets search then.
    """

    questions: int
    has: frozenset[Input]
    writers: tuple[str, ...]
    documents: frozenset[str]


def shared_documents(options: ExperimentOptions) -> ExperimentOptions:
    """The same, where the human set brings no documents with those of the synthetic set, if that has some in a file.

    Rows of RAGAS and CSV bring none: what is read as such is their contexts. Raises what ``recognised`` raises.
    """
    synthetic = options.synthetic
    if options.documents is not None or not synthetic.is_dir() or not holds_documents(synthetic):
        return options
    if brings_documents(options.human, _format_of(options, "human")):
        return options
    return replace(options, shared=synthetic)


def _format_of(options: ExperimentOptions, side: Side) -> str:
    """The name of a set's format. Raises InputError that names the option which tells it."""
    return options.format_name(side) or recognised(options.dataset(side), f"--from-{side}").name


def read_benchmark(options: ExperimentOptions, side: Side) -> BenchmarkData:
    """Read a set once. Raises InputError where it holds no example, or what ``read_dataset`` raises."""
    has: set[Input] = set()
    writers: dict[str, None] = {}
    documents: set[str] = set()
    questions = 0
    dataset, beside = options.dataset(side), options.documents_of(side)
    lines = beside is not None and holds_documents(beside)
    chosen = _format_of(options, side)
    for record in read_dataset(dataset, format_name=chosen, documents=beside if lines else None):
        if isinstance(record, Prediction) or (isinstance(record, Document) and beside is not None and not lines):
            continue
        if isinstance(record, Document):
            text = record.text.strip().encode("utf-8", "surrogatepass")
            documents.add(hashlib.sha256(text).hexdigest())
        elif isinstance(record, Example):
            questions += 1
            has |= inputs_of(record)
            if record.provenance.model:
                writers[record.provenance.model] = None
    if not questions:
        raise InputError(f"{dataset} holds no examples; give an evaluation set")
    return BenchmarkData(
        questions=questions,
        has=frozenset(has),
        writers=tuple(writers),
        documents=frozenset(documents),
    )


def metrics_of(options: ExperimentOptions, data: dict[Side, BenchmarkData]) -> tuple[str, ...]:
    """The metrics that were asked for, or the usual ones that both benchmarks have the inputs for.

    Raises InputError for one that a benchmark lacks an input of, and where nothing is left.
    """
    named = options.metrics or options.default_metrics()
    found = []
    for name, (metric, _) in zip(dict.fromkeys(named), metrics_named(tuple(dict.fromkeys(named))), strict=True):
        lacking = [(side, each) for side in SIDES for each in metric.inputs
                   if each in OF_EXAMPLES and each not in data[side].has]  # fmt: skip
        if not lacking:
            found.append(name)
        elif options.metrics:
            side, what = lacking[0]
            raise InputError(
                f"--metrics: {name} needs {what}, which is missing from the {side} benchmark "
                f"({options.dataset(side)}); leave the metric out, or give another set"
            )
    if not found:
        words = {side: ", ".join(sorted(data[side].has)) or "questions alone" for side in SIDES}
        raise InputError(
            f"the benchmarks share nothing to score: {options.synthetic} has "
            f"{words['synthetic']}, {options.human} has {words['human']}; give sets with answers "
            "or references, or name --metrics"
        )
    return tuple(found)


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
    judge, models = options.judge, {answering_model(each, options) for each in options.compared}
    for system in options.compared:
        model = answering_model(system, options)
        if not model:
            continue
        roles = []
        if family_of(model) in writers:
            roles.append(f"wrote the synthetic benchmark ({writers[family_of(model)]})")
        if family_of(model) == family_of(judge):
            roles.append(f"judges ({judge})")
        if roles and (options.kind == "generators" or len(models) > 1):  # else one bias
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
