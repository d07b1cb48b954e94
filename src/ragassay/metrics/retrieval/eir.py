"""Effective information rate: how much of what was retrieved is reference text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from ragassay.metrics.retrieval.reference_recall import is_matched

_METADATA = re.compile(r"\([^)]*\)|（[^）]*）")
_BY_CHARACTER = {"zh", "ja"}


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
    """The chunk without a leading block in parentheses, as RAGEval puts it in front of its chunks."""
    found = _METADATA.match(chunk)
    return chunk[found.end() :] if found else chunk


def _count(text: str, language: str) -> int:
    return sum(map(len, text.split())) if language in _BY_CHARACTER else _white_space_words(text)


def _white_space_words(text: str) -> int:
    return len(text.split())
