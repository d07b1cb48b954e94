"""Effective information rate: how much of what was retrieved is reference text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
    counts
    once, and the rate is cut at 1 where sentences overlap: no more than all of the retrieved text can be reference.
    """
    if not references:
        return None
    matched = (sentences for sentences in references if is_matched(sentences, retrieved))
    return min(1.0, _rate(dict.fromkeys(chain.from_iterable(matched)), retrieved, language))


def released_effective_information_rate(
    retrieved: Sequence[str], references: Sequence[Sequence[str]], language: str = "en"
) -> float | None:
    """As ``effective_information_rate``, but every matched sentence counts, whether or not its reference is matched.

    It is what the published figures were computed with; there, questions without references count as 0.
    A sentence that two references share counts twice, so the rate may exceed 1.
    Source: the released RAGEval scorer.
    """
    matched = (sentence for sentences in references for sentence in sentences if is_matched([sentence], retrieved))
    return _rate(matched, retrieved, language) if references else None


def without_metadata(chunk: str) -> str:
    """The chunk without a leading block in parentheses, as RAGEval puts it in front of its chunks."""
    found = _METADATA.match(chunk)
    return chunk[found.end() :] if found else chunk


def _rate(matched: Iterable[str], retrieved: Sequence[str], language: str) -> float:
    words = sum(_count(chunk, language) for chunk in retrieved)
    return sum(_count(sentence, language) for sentence in matched) / words if words else 0.0


def _count(text: str, language: str) -> int:
    words = text.split()
    return sum(map(len, words)) if language in _BY_CHARACTER else len(words)
