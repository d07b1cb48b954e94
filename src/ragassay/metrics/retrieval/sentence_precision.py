"""Precision by text: how many of the retrieved chunks hold something of the references."""

from __future__ import annotations

from collections.abc import Sequence


def sentence_precision(retrieved: Sequence[str], references: Sequence[Sequence[str]]) -> float | None:
    """Share of the retrieved chunks that contain at least one whole sentence of a reference, in [0, 1].

    retrieved: texts of the first k chunks. references: the sentences of each, without white space around them.
    A chunk that is there again counts once. None when there is no reference. 0 when nothing was retrieved.
    Ours: RAGEval's released code asks that all sentences of a chunk occur in the references, which no chunk with a
    metadata prefix can do.
    """
    if not references:
        return None
    sentences = [sentence for reference in references for sentence in reference]
    hits = sum(any(sentence in chunk for sentence in sentences) for chunk in dict.fromkeys(retrieved))
    return hits / len(retrieved) if retrieved else 0.0
