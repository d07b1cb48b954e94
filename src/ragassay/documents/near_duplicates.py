"""Pages that say the same: documents that share most of their shingles, with the stretch that both have.

Sketches find the pairs (Broder 1997, On the resemblance and containment of documents), the texts themselves decide.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from difflib import SequenceMatcher
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

import numpy as np

from ragassay.documents.store import DocumentStore
from ragassay.records import Document, Span
from ragassay.text import CJK

ALIKE = 0.8
"""Share of the shingles of the shorter page that the longer one has, from which on one repeats the other."""
_SHINGLE = 8
"""Words of a shingle; Broder took ten. A sign of Chinese counts as a word."""
_SMALLEST, _ONE_IN = 8, 32
"""Shingles kept of a document: those with the smallest hashes, and every 32nd for what a longer one holds of it."""
_FEWEST = 20
"""Shingles below which a page is a notice that others repeat without fault."""
_MOST_SHARED = 50
"""Documents that have a shingle, above which it belongs to a template and says nothing."""
_MOST_PAIRS = 1_000
_WORD = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")


class NearDuplicate(NamedTuple):
    """Two documents that say the same. share: see ``ALIKE``. places: the longest stretch that both have, in each."""

    share: float
    places: tuple[Span, Span]


def near_duplicates(documents: DocumentStore) -> list[NearDuplicate]:
    """Return the pairs, the most alike first, ``_MOST_PAIRS`` at most. Memory: eight bytes a shingle of a sketch."""
    kept, owners = array("I"), array("I")
    for number, document in enumerate(documents):
        hashes = sorted(set(_shingles(document)[0]))
        if len(hashes) >= _FEWEST:
            sketch = {*hashes[:_SMALLEST], *(each for each in hashes if each % _ONE_IN == 0)}
            kept.extend(sketch)
            owners.extend([number] * len(sketch))
    order = np.lexsort((np.array(owners), np.array(kept)))
    ends = np.flatnonzero(np.diff(np.array(kept)[order].astype(np.int64))) + 1
    shared: Counter[tuple[int, int]] = Counter()
    for having in np.split(np.array(owners)[order], ends):
        if 1 < len(having) <= _MOST_SHARED:
            shared.update(combinations(having.tolist(), 2))
    compared = (_compared(documents[one], documents[other]) for (one, other), _ in shared.most_common(_MOST_PAIRS))
    found = [pair for pair in compared if pair.share >= ALIKE]
    return sorted(found, key=lambda pair: (-pair.share, *(each.document_id for each in pair.places)))


def _shingles(document: Document) -> tuple[list[int], list[tuple[int, int]]]:
    """Hashes of every eight words in a row, in their order, and where each stands."""
    found = [(match[0].lower(), match.span()) for match in _WORD.finditer(document.text)]
    rows = [found[at : at + _SHINGLE] for at in range(max(0, len(found) - _SHINGLE + 1))]
    return [crc32(" ".join(word for word, _ in row).encode()) for row in rows], [
        (row[0][1][0], row[-1][1][1]) for row in rows
    ]


def _compared(first: Document, second: Document) -> NearDuplicate:
    (one, here), (other, there) = _shingles(first), _shingles(second)
    share = len(set(one) & set(other)) / min(len(set(one)), len(set(other)))
    at, place, size = SequenceMatcher(None, one, other).find_longest_match()
    last = max(size, 1) - 1
    return NearDuplicate(
        share,
        (first.span(here[at][0], here[at + last][1]), second.span(there[place][0], there[place + last][1])),
    )
