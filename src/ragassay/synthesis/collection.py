"""What only the whole collection tells: shared titles, keys that are attributes, the name of what it is all about."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ragassay.records import Document

_CAPITALISED = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*[a-zA-Z](?: (?:[A-Z][a-z]+))?")
_SAMPLE_CHARS = 3000
_COMMON_SHARE = 0.5
"""A name is the collection's when it stands in the first lines of at least half of the documents."""


@dataclass(frozen=True, slots=True)
class Collection:
    """name: 'PostgreSQL', 'Marrowick Line', or empty. shared_titles: titles of more than one document.

    known_keys: keys of ``Key: value`` lines that at least two documents have, in lower case.
    """

    name: str
    shared_titles: frozenset[str]
    known_keys: frozenset[str]


class CollectionSurvey:
    """Sees every document once and keeps counts only."""

    def __init__(self) -> None:
        self._titles: Counter[str] = Counter()
        self._keys: Counter[str] = Counter()
        self._names: Counter[str] = Counter()
        self._total = 0

    def add(self, document: Document) -> None:
        """Counts one document."""
        text = document.text
        self._total += 1
        self._titles[document.title] += 1
        self._keys.update({text[block.start : block.end].strip(" :").lower() for block in document.blocks if block.kind == "key"})
        self._names.update(set(_CAPITALISED.findall(text[:_SAMPLE_CHARS])))

    def result(self) -> Collection:
        """What the documents so far have in common."""
        return Collection(
            name=_name(self._names, self._total),
            shared_titles=frozenset(title for title, count in self._titles.items() if count > 1),
            known_keys=frozenset(key for key, count in self._keys.items() if count > 1),
        )


def _name(names: Counter[str], total: int) -> str:
    common = [(count, len(name.split()), name) for name, count in names.items() if count >= max(5, total * _COMMON_SHARE)]
    if not common:
        return ""
    # the longer of two names that stand nearly as often: 'Marrowick Line' rather than 'Marrowick'
    best = max(common)
    longer = [entry for entry in common if entry[2].startswith(f"{best[2]} ") and entry[0] >= best[0] * 0.5]
    return max(longer, default=best)[2]
