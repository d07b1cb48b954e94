"""What RAGEval asks of retrieval: which references stand in what was retrieved, and how much of it they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

_METADATA = re.compile(r"\([^)]*\)|（[^）]*）")
_BY_CHARACTER = {"zh", "ja"}


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


def effective_information_rate(
    retrieved: Sequence[str], references: Sequence[Sequence[str]], language: str = "en"
) -> float | None:
    """Words of the wholly matched references / words of all retrieved chunks, in [0, 1].

    EIR = sum over matched G_i of |G_i| / sum over chunks of |chunk|; a reference is matched when each of its sentences
    is contained in some chunk.
    retrieved: texts of the chunks, without prefixes (``without_metadata``). references: the sentences of each.
    language: ``zh`` and ``ja`` count characters, others words between white space.
    None when there is no reference. 0 when nothing was retrieved.
    Source: RAGEval (ACL 2025), retrieval metrics. Departing from it, a sentence that stands in several references
    counts once, and the rate is cut at 1 where sentences overlap: no more than all of the retrieved text is reference.
    """
    if not references:
        return None
    matched = chain.from_iterable(sentences for sentences in references if is_matched(sentences, retrieved))
    words = sum(_count(chunk, language) for chunk in retrieved)
    return min(1.0, sum(_count(sentence, language) for sentence in dict.fromkeys(matched)) / words) if words else 0.0


def released_effective_information_rate(
    retrieved: Sequence[str], references: Sequence[Sequence[str]], language: str = "en"
) -> float:
    """Words of all matched sentences / words of all retrieved chunks, from 0; 0 without references.

    Chunks are joined by spaces, looked through and counted as one text: in Chinese (``zh``), where each character is a
    word, white space counts. A sentence that two references share counts twice, so the rate may exceed 1.
    It is what the published figures were computed with. Source: the released RAGEval scorer.
    """
    count = len if language == "zh" else _white_space_words
    text = " ".join(retrieved)
    matched = sum(count(sentence) for sentences in references for sentence in sentences if sentence in text)
    return matched / count(text) if matched else 0.0


def without_metadata(chunk: str) -> str:
    """Return the chunk without a leading block in parentheses, as RAGEval puts it in front of its chunks."""
    found = _METADATA.match(chunk)
    return chunk[found.end() :] if found else chunk


def _count(text: str, language: str) -> int:
    return sum(map(len, text.split())) if language in _BY_CHARACTER else _white_space_words(text)


def _white_space_words(text: str) -> int:
    return len(text.split())
