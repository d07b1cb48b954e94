"""Sets that Ragassay made, or reads, as training items for the writer: statements, simple, per_chunk and the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.datasets.format import Notes
from ragassay.datasets.registry import read_dataset, recognised
from ragassay.errors import InputError
from ragassay.models.small import wording
from ragassay.records import Document, Example
from ragassay.training.items import TextBranch, TextItem, asking

if TYPE_CHECKING:
    from ragassay.training.pairs import Read


def is_dataset(path: Path) -> bool:
    """Whether a path holds a data set in one of the formats of ``ragassay convert``."""
    if path.is_dir() or path.suffix != ".jsonl":
        return True
    try:
        recognised(path)
    except InputError:
        return False
    return True


def read_examples(path: Path, read: Read) -> Iterator[TextItem]:
    """One item a context. What a writer does not learn (reasoning, what has no answer or no context) is passed over."""
    documents: dict[str, Document] = {}
    for record in read_dataset(path, notes=Notes(keep_going=True)):
        if isinstance(record, Document):
            documents[record.id] = record
        elif isinstance(record, Example) and record.context.text:
            branch = _branch(record, read)
            if branch is not None:
                yield _item(record, documents.get(record.context.document_id), branch)


def _item(example: Example, document: Document | None, branch: TextBranch) -> TextItem:
    span = example.context
    return TextItem(
        id=f"{span.document_id}:{span.start}-{span.end}" if span.document_id else span.text,
        source=example.provenance.synthesizer,
        document=span.document_id or span.text,
        title=wording.sentence(document.title) if document else "",
        heading="",
        text=wording.plain(span.text),
        branches=(branch,),
    )


def _branch(example: Example, read: Read) -> TextBranch | None:
    quotes = [span.text for span in example.references]
    if not quotes or not example.answer or example.label == "reasoning":
        return None
    folded = " ".join(example.context.text.split())
    stray = [quote for quote in quotes if " ".join(quote.split()) not in folded]
    read.quotes += len(quotes)
    read.stray += [f"example {example.id}"] * len(stray)
    if stray:
        return None
    return asking(quotes, example.question, example.answer)
