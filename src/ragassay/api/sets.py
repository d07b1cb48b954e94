"""A set's form, what is wrong with it, and what a model says of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.api.given import Documents, at_hand, selection_of
from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.pipeline.data.checking import CheckedSet
    from ragassay.pipeline.data.converting import Converted
    from ragassay.pipeline.label.label import Labelled


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
def label(data: str | Path, out: str | Path, *, documents: Documents | None = None, **settings: Any) -> Labelled:
    """Label and rate the examples of a set and write those that are good enough, as ``ragassay label`` does.

    data, out: files or folders in any format that `ragassay convert` knows. documents: as for ``convert_dataset``.
    settings: options of the command with underscores, such as what="critiques", min={"stand_alone": 4},
    where=["date>=2023-10"] or model=..., as for ``evaluate``; or ``models``, with all of them.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.options import read_settings_of
    from ragassay.pipeline.label.label import label as run
    from ragassay.pipeline.label.options import LabelOptions

    with at_hand() as hand:
        given = {"data": data, "out": out, "documents": hand.path(documents), **settings}
        return run(read_settings_of(LabelOptions, given))
