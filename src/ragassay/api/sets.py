"""Labels, critiques and filters of any set; its form, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.api.given import Documents, at_hand, selection_of
from ragassay.api.models import Model, models_of
from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.data.checking import CheckedSet
    from ragassay.pipeline.data.converting import Converted
    from ragassay.pipeline.label.filtering import Filtered
    from ragassay.pipeline.label.judging import Judged
    from ragassay.pipeline.label.options import JudgingOptions


@with_remote_paths("data", "documents", "out")
def convert_dataset(
    data: str | Path,
    out: str | Path,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    documents: Documents | None = None,
    mapping: Mapping[str, str] | None = None,
    sample: int | None = None,
    seed: int = 0,
    unique: bool = False,
    system: str | None = None,
    overwrite: bool = False,
) -> Converted:
    """Writes a data set in another format, as ``ragassay convert`` does, and says what that format cannot hold.

    data, out: files or folders; see docs/datasets.md. from_format, to_format: names of formats where content and suffix
    do not tell them. documents: of a set that holds none: a file, or the documents themselves as for
    ``evaluate``. mapping: field to its place in rows of another form, as ``--map`` has it: ``{"question":
    "inputs.query"}``. sample, seed, unique: take so many examples, drawn by the seed; each question once.
    system: only its predictions are taken.
    overwrite: replace a file ``out``.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.data.converting import convert_dataset as convert

    with at_hand() as hand:
        return convert(
            Path(data),
            Path(out),
            from_format=from_format,
            to_format=to_format,
            documents=hand.path(documents),
            selection=selection_of(mapping, sample, seed, unique),
            system=system,
            overwrite=overwrite,
        )


@with_remote_paths("data", "documents")
def check_dataset(
    data: str | Path, *, from_format: str | None = None, documents: Documents | None = None
) -> CheckedSet:
    """Says what a data set is made of and what is wrong with it, as ``ragassay check`` does.

    ``card`` is what it is made of; ``findings.kept`` has kind, record and message of each fault, ``findings.errors``
    and ``findings.warnings`` count them. The arguments are as for ``convert_dataset``.
    Raises ragassay.errors.RagassayError with one clear sentence for a set that is missing or of unknown format.
    """
    from ragassay.pipeline.data.checking import check_dataset as check

    with at_hand() as hand:
        return check(Path(data), from_format=from_format, documents=hand.path(documents))


@with_remote_paths("run", "out")
def export_run(
    run: str | Path,
    out: str | Path | None = None,
    *,
    to: str,
    system: str | None = None,
    overwrite: bool = False,
    tracking_uri: str | None = None,
) -> Converted:
    """Writes the results of a run for another tool, as ``ragassay export`` does.

    to: "mlflow", "csv", "parquet", "datasets", "deepeval", "promptfoo", "ragas" or "langsmith". system: where the run
    has several. overwrite: replace a file ``out``. tracking_uri: of a server of MLflow that gets the run, in the place
    of ``out``; nothing else is sent anywhere.
    Raises ragassay.errors.RagassayError with one clear sentence for a run or place that cannot be used.
    """
    from ragassay.pipeline.data.exporting import export_run as export

    place = None if out is None else Path(out)
    return export(Path(run), place, to=to, system=system, overwrite=overwrite, tracking_uri=tracking_uri)


@with_remote_paths("data", "documents", "out")
def label_dataset(
    data: str | Path,
    out: str | Path,
    *,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    documents: Documents | None = None,
    max_context_chars: int = 10_000,
    overwrite: bool = False,
) -> Judged:
    """Labels every example of a data set and writes the set with the labels, as ``ragassay label`` does.

    data, out: files or folders in any format that `ragassay convert` knows. model, models: who labels, as for
    ``evaluate``. documents: as for ``convert_dataset``. max_context_chars: pairs with
    a longer context are left out and counted. overwrite: replace a file ``out``.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.label.judging import label_dataset as label

    with at_hand() as hand:
        beside = hand.path(documents)
        return label(_judging_options(data, out, beside, models_of(model, models), max_context_chars, overwrite))


@with_remote_paths("data", "documents", "out")
def critique_dataset(
    data: str | Path,
    out: str | Path,
    *,
    critiques: Sequence[str] | None = None,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    documents: Documents | None = None,
    max_context_chars: int = 10_000,
    overwrite: bool = False,
) -> Judged:
    """Rates every example of a data set and writes the set with the ratings, as ``ragassay critique`` does.

    critiques: their names, all eight if None. The rest is as for ``label_dataset``.
    """
    from ragassay.pipeline.label.judging import critique_dataset as critique
    from ragassay.pipeline.label.options import parse_critiques

    wanted = parse_critiques("all" if critiques is None else ",".join(critiques))
    with at_hand() as hand:
        beside = hand.path(documents)
        options = _judging_options(data, out, beside, models_of(model, models), max_context_chars, overwrite)
        return critique(replace(options, critiques=wanted))


@with_remote_paths("data", "documents", "out")
def knowledge(
    data: str | Path,
    out: str | Path,
    *,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    tries: int = 3,
    cutoff: str = "",
    where: Sequence[str] = (),
    documents: Documents | None = None,
    max_context_chars: int = 10_000,
    overwrite: bool = False,
) -> Judged:
    """Measures what a model knows of a data set without its documents, as ``ragassay knowledge`` does.

    model, models: who answers and rates; the embedded model can only rate. tries: answers without context to each
    question. cutoff: until when the answering model has learnt, as in 2023-10. where: conditions on metadata of the
    documents, as in ``date>=2023-10``: a part of the table. The rest is as for ``label_dataset``.
    """
    from ragassay.pipeline.label.knowledge import KnowledgeOptions, measure_knowledge
    from ragassay.synthesis.metadata_filter import parse_condition

    with at_hand() as hand:
        return measure_knowledge(
            KnowledgeOptions(
                data=Path(data),
                out=Path(out),
                documents=hand.path(documents),
                models=models_of(model, models),
                max_context_chars=max_context_chars,
                overwrite=overwrite,
                tries=tries,
                cutoff=cutoff,
                conditions=tuple(map(parse_condition, where)),
            )
        )


def _judging_options(
    data: str | Path,
    out: str | Path,
    documents: Path | None,
    models: ModelOptions,
    max_context_chars: int,
    overwrite: bool,
) -> JudgingOptions:
    from ragassay.pipeline.label.options import JudgingOptions

    return JudgingOptions(
        data=Path(data),
        out=Path(out),
        documents=documents,
        models=models,
        max_context_chars=max_context_chars,
        overwrite=overwrite,
    )


@with_remote_paths("data", "out")
def filter_dataset(
    data: str | Path,
    out: str | Path,
    *,
    least: Mapping[str, int] | None = None,
    most: Mapping[str, int] | None = None,
    labels: Sequence[str] = (),
    verified_only: bool = False,
    where: Sequence[str] = (),
    only_new: bool = False,
    overwrite: bool = False,
) -> Filtered:
    """Writes the examples that meet all conditions, and why the others do not, as ``ragassay filter`` does.

    least, most: critique to the lowest and the highest rating that passes. labels: those that pass, all if none is
    named. verified_only: the verified label has to be the requested one. where: conditions that the metadata of all
    documents of an example meet. only_new: ``knowledge`` has to have found its block new to the model.
    """
    from ragassay.pipeline.label.filtering import FilterOptions, parse_labels
    from ragassay.pipeline.label.filtering import filter_dataset as keep
    from ragassay.synthesis.metadata_filter import parse_condition

    return keep(
        FilterOptions(
            data=Path(data),
            out=Path(out),
            least=dict(least or {}),
            most=dict(most or {}),
            labels=parse_labels(",".join(labels)),
            verified_only=verified_only,
            conditions=tuple(map(parse_condition, where)),
            only_new=only_new,
            overwrite=overwrite,
        )
    )
