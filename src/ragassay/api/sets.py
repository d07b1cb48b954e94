"""Evaluation sets: made, alone or on the whole way at once, written in other forms, checked and labelled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.api.given import Chunks, Documents
    from ragassay.jobs.data.convert import CheckedSet, Converted
    from ragassay.jobs.label.label import Labelled
    from ragassay.jobs.make.log import AskedLog
    from ragassay.jobs.make.refresh import Refreshed
    from ragassay.jobs.make.synthesize import Synthesized
    from ragassay.jobs.run.run import Run


@with_remote_paths("out", "judge_check", documents="documents")
def run(documents: Documents | None, out: str | Path, *, chunks: Chunks | None = None, **settings: Any) -> Run:
    """Make an evaluation set from documents, compare retrievers on it and write a run folder, as ``ragassay run`` does.

    documents: files and folders, or the documents themselves: mappings with id, title and text, or objects of LangChain
    or LlamaIndex; None where chunks, each with its document_id, make them up. out: folder of the run.
    settings: options of the command with underscores, such as n=50, mix={"fact_single": 1} or model=..., which may be
    a name, a function from a prompt to a text, or an object with ``ask``; or ``models``, with all of them.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.api.given import at_hand
    from ragassay.jobs.make.run_options import RunOptions
    from ragassay.jobs.run.run import run as run_all
    from ragassay.options import read_settings_of  # imported late: `import ragassay` stays fast

    with at_hand() as hand:
        given = {"documents": hand.paths(documents, chunks), "out": out, **settings}
        return run_all(read_settings_of(RunOptions, given))


@with_remote_paths("out", documents="documents")
def synthesize(
    documents: Documents | None, out: str | Path, *, chunks: Chunks | None = None, **settings: Any
) -> Synthesized:
    """Make an evaluation set from documents with one synthesizer, as ``ragassay synthesize`` does.

    documents, chunks, out: as for ``run``. settings: options of the command with underscores, such as
    synthesizer="per_chunk", pairs=4 or model=...
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.api.given import at_hand
    from ragassay.jobs.make.synthesis_options import SynthesizeOptions
    from ragassay.jobs.make.synthesize import synthesize_documents
    from ragassay.options import read_settings_of

    with at_hand() as hand:
        given = {"documents": hand.paths(documents, chunks), "out": out, **settings}
        return synthesize_documents(read_settings_of(SynthesizeOptions, given))


@with_remote_paths("data", "out", documents="documents")
def refresh(data: str | Path, documents: Documents, out: str | Path | None = None, **settings: Any) -> Refreshed:
    """Hold a set against its documents as they are now, as ``ragassay refresh`` does.

    data: a run folder or set. documents: as for ``run``. out: folder of the new set; None only says what holds.
    settings: options of the command with underscores, such as n=50 or model=...
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.api.given import at_hand
    from ragassay.jobs.make.refresh import RefreshOptions
    from ragassay.jobs.make.refresh import refresh as refresh_set
    from ragassay.options import read_settings_of

    with at_hand() as hand:
        given = {"data": data, "documents": hand.paths(documents, None), "out": out, **settings}
        return refresh_set(read_settings_of(RefreshOptions, given))


@with_remote_paths("log", "out", documents="documents")
def questions(documents: Documents, log: str | Path, out: str | Path, **settings: Any) -> AskedLog:
    """Say what people ask of documents, and make a set of it, as ``ragassay questions`` does; see ``synthesize``."""
    from ragassay.api.given import at_hand
    from ragassay.jobs.make.log import LogOptions, ask_log
    from ragassay.options import read_settings_of

    with at_hand() as hand:
        given = {"documents": hand.paths(documents, None), "log": log, "out": out, **settings}
        return ask_log(read_settings_of(LogOptions, given))


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
    from ragassay.api.given import at_hand
    from ragassay.errors import UsageError
    from ragassay.jobs.data.convert import ConvertOptions, convert
    from ragassay.options import read_settings_of

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
    from ragassay.api.given import at_hand
    from ragassay.jobs.data.convert import check_dataset as check

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
    from ragassay.api.given import at_hand
    from ragassay.jobs.label.label import label as run
    from ragassay.jobs.label.options import LabelOptions
    from ragassay.options import read_settings_of

    with at_hand() as hand:
        given = {"data": data, "out": out, "documents": hand.path(documents), **settings}
        return run(read_settings_of(LabelOptions, given))
