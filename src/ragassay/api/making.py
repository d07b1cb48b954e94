"""Evaluation sets, and the whole way at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.api.given import Chunks, Documents
    from ragassay.pipeline.make.synthesize import Synthesized
    from ragassay.pipeline.run.run import Run


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
    from ragassay.options import read_settings_of  # imported late: `import ragassay` stays fast
    from ragassay.pipeline.make.run_options import RunOptions
    from ragassay.pipeline.run.run import run as run_all

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
    from ragassay.options import read_settings_of
    from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
    from ragassay.pipeline.make.synthesize import synthesize_documents

    with at_hand() as hand:
        given = {"documents": hand.paths(documents, chunks), "out": out, **settings}
        return synthesize_documents(read_settings_of(SynthesizeOptions, given))
