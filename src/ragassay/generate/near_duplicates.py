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
"""Documents that have a shingle, above which each is compared with the first alone: it may belong to a template."""
_MOST_PAIRS = 1_000
_LEAST_SKETCHED = 0.5
"""Share of the smaller sketch, below which a pair is not read: sketches are a sample."""
_WORD = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")


def near_duplicates(documents: DocumentStore) -> list[Finding]:
    """Return each page that repeats another, with one that it repeats, the most alike first; ``_MOST_PAIRS`` at most.

    Memory: eight bytes a shingle of a sketch.
    """
    kept, owners, sizes = array("I"), array("I"), Counter[int]()
    for number, document in enumerate(documents):
        hashes = {each for each, _, _ in _shingles(document)}
        if len(hashes) >= _FEWEST:
            sketch = [each for each in hashes if each % _ONE_IN == 0]
            kept.extend(sketch)
            owners.extend([number] * len(sketch))
            sizes[number] = len(sketch)
    order = np.lexsort((np.array(owners), np.array(kept)))
    ends = np.flatnonzero(np.diff(np.array(kept)[order].astype(np.int64))) + 1
    shared: Counter[tuple[int, int]] = Counter()
    for having in np.split(np.array(owners)[order], ends):
        if len(having) <= _MOST_SHARED:
            shared.update(combinations(having.tolist(), 2))
        else:
            shared.update((having[0].item(), other) for other in having[1:].tolist())
    likely = {pair: number / min(sizes[each] for each in pair) for pair, number in shared.items()}
    found, repeated = list[tuple[float, Finding]](), set[int]()
    for pair, sketched in Counter(likely).most_common():
        if sketched < _LEAST_SKETCHED or len(found) == _MOST_PAIRS:
            break
        if pair[1] in repeated:
            continue
        first, second = (documents[number] for number in pair)
        here, there = _shingles(first), _shingles(second)
        one, other = ([each for each, _, _ in of] for of in (here, there))
        share = len(set(one) & set(other)) / min(len(set(one)), len(set(other)))
        if share >= ALIKE:
            at, place, size = SequenceMatcher(None, one, other).find_longest_match()
            last = max(size, 1) - 1
            spans = first.span(here[at][1], here[at + last][2]), second.span(there[place][1], there[place + last][2])
            note = f"{100 * share:.0f} % of the shorter page stands in the other one"
            repeated.add(pair[1])
            found.append((-share, Finding(kind=DUPLICATE, note=note, places=spans)))
    return [finding for _, finding in sorted(found, key=lambda one: one[0])]


def _shingles(document: Document) -> list[tuple[int, int, int]]:
    """Hash, start and end of every eight words in a row, in their order."""
    found = list(_WORD.finditer(document.text))
    rows = (found[at : at + _SHINGLE] for at in range(len(found) - _SHINGLE + 1))
    return [(crc32(" ".join(word[0].lower() for word in row).encode()), row[0].start(), row[-1].end()) for row in rows]
