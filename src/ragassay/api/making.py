"""Evaluation sets, and the whole way at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.api.given import Chunks, Documents, at_hand
from ragassay.api.models import Model, models_of
from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from ragassay.corpus.chunkers import ChunkerName
    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.make.synthesis_options import SynthesizerName
    from ragassay.pipeline.make.synthesize import Synthesized
    from ragassay.pipeline.run.run import Run
    from ragassay.records import Label


@with_remote_paths("out", "judge_check", documents="documents")
def run(
    documents: Documents | None,
    out: str | Path,
    *,
    chunks: Chunks | None = None,
    n: int = 100,
    mix: Mapping[str, float] | str | None = None,
    seed: int = 0,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    judge_check: str | Path | None = None,
    chunker: ChunkerName = "recursive",
    chunk_sizes: Sequence[int] | None = None,
    prefix: Sequence[str] = (),
    where: Sequence[str] = (),
    text_field: str | None = None,
    title_field: str | None = None,
    encoding: str | None = None,
    max_document_mb: float = 20,
    max_document_seconds: float = 60,
    follow_links: bool = False,
    overwrite: bool = False,
    processes: int | None = None,
) -> Run:
    """Makes an evaluation set from documents, compares retrievers on it, writes a run folder, as ``ragassay run`` does.

    documents: files and folders, or the documents themselves: mappings with id, title and text, or objects of LangChain
    or LlamaIndex; None where chunks, each with its document_id, make them up. out: folder of the run. n: examples
    wanted. mix: label to share, adding up to 1, or as on the command line. model: who writes, judges and answers: a
    name, a function from a prompt to a text, or an object with ``ask``; models: the same with all that can be set
    about it.
    judge_check: folder of a check of the judge, as ``check_judge`` writes it.
    chunker, chunk_sizes: how documents are cut and the sizes to compare, in characters, sentences or tokens; None for
    the chunker's usual ones. prefix: fields of a document that are indexed in front of its chunks, such as title.
    where: conditions on metadata of the documents that are asked about, as in ``date>=2023-10``; all are searched.
    text_field, title_field: of JSONL records. encoding: of text files that are not UTF-8. max_document_mb,
    max_document_seconds: documents that are larger or take longer to read are skipped. follow_links: read what links
    lead to outside of the folders given, too. overwrite: replace another run in the folder. processes: that share the
    work, one a core if None.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.corpus.read import ReadOptions  # imported late: `import ragassay` stays fast
    from ragassay.pipeline.make.run_options import RunOptions
    from ragassay.pipeline.run.run import run as run_all
    from ragassay.synthesis.metadata_filter import parse_condition
    from ragassay.synthesis.options import DEFAULT_MIX, parse_mix

    if mix is not None and not isinstance(mix, str):
        mix = ",".join(f"{label}={share}" for label, share in mix.items())
    shares = DEFAULT_MIX if mix is None else parse_mix(mix)
    with at_hand() as hand:
        return run_all(
            RunOptions(
                documents=hand.paths(documents, chunks),
                out=Path(out),
                n=n,
                mix=shares,
                seed=seed,
                models=models_of(model, models),
                judge_check=None if judge_check is None else Path(judge_check),
                chunker=chunker,
                chunk_sizes=None if chunk_sizes is None else tuple(sorted(set(chunk_sizes))),
                prefix=tuple(prefix),
                conditions=tuple(map(parse_condition, where)),
                read=ReadOptions(
                    text_field=text_field,
                    title_field=title_field,
                    encoding=encoding,
                    max_document_mb=max_document_mb,
                    max_document_seconds=max_document_seconds,
                    follow_links=follow_links,
                ),
                overwrite=overwrite,
                processes=processes,
            )
        )


@with_remote_paths("out", documents="documents")
def synthesize(
    documents: Documents | None,
    out: str | Path,
    *,
    chunks: Chunks | None = None,
    synthesizer: SynthesizerName | str = "statements",
    n: int = 100,
    mix: Mapping[Label, float] | None = None,
    seed: int = 0,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    text_field: str | None = None,
    title_field: str | None = None,
    encoding: str | None = None,
    max_document_mb: float = 20,
    max_document_seconds: float = 60,
    follow_links: bool = False,
    overwrite: bool = False,
    **settings: Any,
) -> Synthesized:
    """Makes an evaluation set from documents with one synthesizer, as ``ragassay synthesize`` does.

    documents, chunks: as for ``run``; neither for a scenario from a schema. out: folder of the set. synthesizer: see
    docs/synthesizers.md, or the name of a plug-in. n: examples wanted. mix: label to share, adding up to 1; None for
    the synthesizer's own.
    model, models: as for ``run``.
    text_field, title_field: of JSONL records. encoding: of text files that are not UTF-8. max_document_mb,
    max_document_seconds: documents that are larger or take longer to read are skipped. follow_links: read what links
    lead to outside of the folders given, too. overwrite: replace another set in the folder.
    settings: further fields of ``ragassay.pipeline.make.synthesis_options.SynthesizeOptions``, such as pairs or schema.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.corpus.read import ReadOptions
    from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
    from ragassay.pipeline.make.synthesize import synthesize_documents

    with at_hand() as hand:
        return synthesize_documents(
            SynthesizeOptions(
                documents=hand.paths(documents, chunks),
                out=Path(out),
                synthesizer=synthesizer,
                n=n,
                mix=mix,
                seed=seed,
                models=models_of(model, models),
                read=ReadOptions(
                    text_field=text_field,
                    title_field=title_field,
                    encoding=encoding,
                    max_document_mb=max_document_mb,
                    max_document_seconds=max_document_seconds,
                    follow_links=follow_links,
                ),
                overwrite=overwrite,
                **settings,
            )
        )
