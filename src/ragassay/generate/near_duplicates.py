"""Pages that say the same: documents that share most of their shingles, with the stretch that both have.

Sketches find the pairs (Broder 1997, On the resemblance and containment of documents), the texts themselves decide.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from difflib import SequenceMatcher
from itertools import combinations
from zlib import crc32

import numpy as np

from ragassay.documents.store import DocumentStore
from ragassay.generate.synthesizer import Finding
from ragassay.records import Document
from ragassay.text import CJK

DUPLICATE = "duplicate"
ALIKE = 0.8
"""Share of the shingles of the shorter page that the longer one has, from which on one repeats the other."""
_SHINGLE = 8
"""Words of a shingle; Broder took ten. A sign of Chinese counts as a word."""
_ONE_IN = 8
"""Of so many shingles one is in the sketch of a document, the same in all, by its hash."""
_FEWEST = 20
"""Shingles below which a page is a notice that others repeat without fault."""
_MOST_SHARED = 50
"""Documents that have a shingle, above which it belongs to a template and says nothing."""
_MOST_PAIRS = 1_000
_WORD = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")


def near_duplicates(documents: DocumentStore) -> list[Finding]:
    """Return the pairs, the most alike first, ``_MOST_PAIRS`` at most. Memory: eight bytes a shingle of a sketch."""
    kept, owners = array("I"), array("I")
    for number, document in enumerate(documents):
        hashes = set(_shingles(document)[0])
        if len(hashes) >= _FEWEST:
            sketch = [each for each in hashes if each % _ONE_IN == 0]
            kept.extend(sketch)
            owners.extend([number] * len(sketch))
    order = np.lexsort((np.array(owners), np.array(kept)))
    ends = np.flatnonzero(np.diff(np.array(kept)[order].astype(np.int64))) + 1
    shared: Counter[tuple[int, int]] = Counter()
    for having in np.split(np.array(owners)[order], ends):
        if 1 < len(having) <= _MOST_SHARED:
            shared.update(combinations(having.tolist(), 2))
    found = []
    for pair, _ in shared.most_common(_MOST_PAIRS):
        first, second = (documents[number] for number in pair)
        (one, here), (other, there) = _shingles(first), _shingles(second)
        share = len(set(one) & set(other)) / min(len(set(one)), len(set(other)))
        if share >= ALIKE:
            at, place, size = SequenceMatcher(None, one, other).find_longest_match()
            last = max(size, 1) - 1
            spans = first.span(here[at][0], here[at + last][1]), second.span(there[place][0], there[place + last][1])
            note = f"{100 * share:.0f} % of the shorter page stands in the other one"
            found.append((-share, Finding(kind=DUPLICATE, note=note, places=spans)))
    return [finding for _, finding in sorted(found, key=lambda one: one[0])]


def _shingles(document: Document) -> tuple[list[int], list[tuple[int, int]]]:
    """Hashes of every eight words in a row, in their order, and where each stands."""
    found = [(match[0].lower(), match.span()) for match in _WORD.finditer(document.text)]
    rows = [found[at : at + _SHINGLE] for at in range(max(0, len(found) - _SHINGLE + 1))]
    return [crc32(" ".join(word for word, _ in row).encode()) for row in rows], [
        (row[0][1][0], row[-1][1][1]) for row in rows
    ]
