"""A set's form, what is wrong with it, and what a model says of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.api.given import Documents, at_hand
from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.pipeline.data.convert import CheckedSet, Converted
    from ragassay.pipeline.label.label import Labelled


@with_remote_paths("data", "documents", "out")
def convert_dataset(
    data: str | Path, out: str | Path | None = None, *, documents: Documents | None = None, **settings: Any
) -> Converted:
    """Write a data set or the results of a run in another format, as ``ragassay convert`` does.

    data, out: files or folders; see docs/datasets.md. documents: of a set that holds none:
    a file, or the documents themselves as for ``evaluate``. settings: options of the command with underscores, such as
    to="scores", from_format, mapping={"question": "inputs.query"}, sample=100, system or overwrite.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.errors import UsageError
    from ragassay.options import read_settings_of
    from ragassay.pipeline.data.convert import ConvertOptions, convert

    if out is None:
        raise UsageError("out: missing; name a file or folder to write")
    with at_hand() as hand:
        given = {"data": data, "output": out, "documents": hand.path(documents), **settings}
        return convert(read_settings_of(ConvertOptions, given))  # type: ignore[return-value]


@with_remote_paths("data", "documents")
def check_dataset(
    data: str | Path, *, from_format: str | None = None, documents: Documents | None = None
) -> CheckedSet:
    """Say what a data set is made of and what is wrong with it, as ``ragassay convert DATA`` does.

    ``card`` is what it is made of; ``findings.kept`` has kind, record and message of each fault, ``findings.errors``
    and ``findings.warnings`` count them. The arguments are as for ``convert_dataset``.
    Raises ragassay.errors.RagassayError with one clear sentence for a set that is missing or of unknown format.
    """
    from ragassay.pipeline.data.convert import check_dataset as check

    with at_hand() as hand:
        return check(Path(data), from_format=from_format, documents=hand.path(documents))


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
