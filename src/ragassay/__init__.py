"""Ragassay: evaluation sets from documents, scores for RAG systems, and how far to believe them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragassay.corpus.chunkers import ChunkerName
    from ragassay.pipeline.model_options import ModelOptions
    from ragassay.pipeline.run import Run

__version__ = "0.1.0"
__all__ = ["__version__", "run"]


def run(
    documents: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    n: int = 100,
    mix: Mapping[str, float] | None = None,
    seed: int = 0,
    model: str = "embedded",
    models: ModelOptions | None = None,
    chunker: ChunkerName = "recursive",
    chunk_sizes: Sequence[int] | None = None,
    prefix: Sequence[str] = (),
    text_field: str | None = None,
    title_field: str | None = None,
    max_document_mb: float = 20,
    overwrite: bool = False,
    processes: int | None = None,
) -> Run:
    """Makes an evaluation set from documents, compares retrievers on it, writes a run folder, as ``ragassay run`` does.

    documents: files and folders. out: folder of the run. n: examples wanted. mix: label to share, adding up to 1.
    model: who writes, judges and answers, by name; models: the same with all that can be set about it.
    chunker, chunk_sizes: how documents are cut and the sizes to compare, in characters, sentences or tokens; None for
    the chunker's usual ones. prefix: fields of a document that are indexed in front of its chunks, such as title.
    text_field, title_field: of JSONL records. max_document_mb: larger files are skipped. overwrite: replace another run
    in the folder. processes: that share the work, one a core if None.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.corpus.read import ReadOptions  # imported late: `import ragassay` stays fast
    from ragassay.errors import UsageError
    from ragassay.pipeline.model_options import ModelOptions
    from ragassay.pipeline.options import RunOptions
    from ragassay.pipeline.run import run as run_all
    from ragassay.synthesis.options import DEFAULT_MIX, parse_mix

    if models is not None and model != "embedded":
        raise UsageError("model and models are both given; name the model in models, or leave models out")
    paths = [documents] if isinstance(documents, str | Path) else documents
    shares = parse_mix(",".join(f"{label}={share}" for label, share in mix.items())) if mix is not None else DEFAULT_MIX
    return run_all(
        RunOptions(
            documents=tuple(Path(path) for path in paths),
            out=Path(out),
            n=n,
            mix=shares,
            seed=seed,
            models=models or ModelOptions(model=model),
            chunker=chunker,
            chunk_sizes=None if chunk_sizes is None else tuple(sorted(set(chunk_sizes))),
            prefix=tuple(prefix),
            read=ReadOptions(text_field=text_field, title_field=title_field, max_document_mb=max_document_mb),
            overwrite=overwrite,
            processes=processes,
        )
    )
