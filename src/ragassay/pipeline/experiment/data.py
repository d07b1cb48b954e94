"""The two benchmarks of an experiment: what they hold, and by which metrics systems can be compared on both."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from ragassay.datasets.foreign import holds_documents
from ragassay.datasets.registry import brings_documents, read_dataset, recognised
from ragassay.errors import InputError
from ragassay.metrics.catalogue import metrics_named
from ragassay.metrics.inputs import OF_EXAMPLES, Input, inputs_of
from ragassay.pipeline.experiment.options import SIDES, ExperimentOptions, Side
from ragassay.records import Document, Example, Prediction


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
    """Reads a set once. Raises InputError where it holds no example, or what ``read_dataset`` raises."""
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
