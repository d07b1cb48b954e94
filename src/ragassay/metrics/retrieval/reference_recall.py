"""RAGEval's retrieval recall, and precision by text: which references stand in what was retrieved."""

from __future__ import annotations

from collections.abc import Sequence


def reference_recall(retrieved: Sequence[str], references: Sequence[Sequence[str]]) -> float | None:
    """Share of the references of which every sentence is contained in at least one retrieved chunk, in [0, 1].

    Recall = (1/n) * sum over i of 1[every sentence of G_i is a substring of a chunk]; the sentences of one reference
    may lie in different chunks.
    retrieved: texts of the chunks. references: the sentences of each, without white space around them.
    None when there is no reference; the released scorer gives 0 there, so its mean over n questions of which m have
    references is ours times m / n.
    Source: RAGEval (ACL 2025), retrieval metrics, with the sentences of its released scorer.
    """
    if not references:
        return None
    return sum(is_matched(sentences, retrieved) for sentences in references) / len(references)


def all_references_recall(retrieved: Sequence[str], references: Sequence[Sequence[str]]) -> float | None:
    """1 if every sentence of every reference is contained in some retrieved chunk, else 0.

    Give it the first k chunks for all-references recall@k: the figure that RAGEval published as "Precision" (k = 5).
    None when there is no reference; the released scorer gives 1 there.
    Source: the released RAGEval scorer, in the version behind the published figures.
    """
    if not references:
        return None
    return float(all(is_matched(sentences, retrieved) for sentences in references))


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


def is_matched(sentences: Sequence[str], retrieved: Sequence[str]) -> bool:
    """Whether every sentence of a reference is contained in some chunk. Raises ValueError for one without sentences."""
    if not sentences:
        raise ValueError("a reference holds no sentence, so that anything would match it; drop empty references")
    return all(any(sentence in chunk for chunk in retrieved) for sentence in sentences)
