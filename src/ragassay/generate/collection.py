"""What only the whole collection tells: shared titles, keys that are attributes, its language, lines of many pages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from ragassay.records import Document, Span

_FEWEST_ATTRIBUTES = 3
_SAME_KIND, _USUAL, _FEWEST_SIBLINGS = 0.6, 0.8, 3
_MOST_VALUE_CHARS = 200
_RUNNING_CHARS = 200
"""Running text below which the language that is detected is a guess: names and heads of tables are in any."""
_SAMPLE_CHARS, _MOST_ACCENTS = 20_000, 0.01
"""Share of letters beyond ASCII from which a text is not taken for one in the language of others."""
_CODE = re.compile(r"[{}`\\]|\(\)|=>|::|;$")

FEWEST_CHARS = 60
"""A shorter line may well be an attribute that many have: "Home port: Elm"."""
FEWEST_DOCUMENTS, LEAST_SHARE = 5, 0.02
"""Of the documents, below which a line is no boilerplate: a manual says some things on a handful of pages."""
_LINES = frozenset(("paragraph", "item", "quote", "definition"))
_BUCKET = 1024
"""Documents after which lines that were not seen often are forgotten: counts are too low by at most one for each such
bucket, and memory holds the lines of so many documents (lossy counting, Manku and Motwani 2002)."""


@dataclass(frozen=True, slots=True)
class Boilerplate:
    """Lines that many documents share, by digest: footers, notices. Nobody asks one document about them."""

    digests: frozenset[bytes] = frozenset()

    def holds(self, document: Document, span: Span) -> bool:
        """Whether a stretch lies wholly in such lines of its document."""
        if not self.digests:
            return False
        blocks = document.blocks
        touched = []
        for block in blocks[bisect_left(blocks, span.start + 1, key=lambda block: block.end) :]:
            if block.start >= span.end:
                break
            touched.append(document.text[block.start : block.end])
        return bool(touched) and all(_digest(line) in self.digests for line in touched)


@dataclass(frozen=True, slots=True)
class Collection:
    """shared_titles: titles of more than one document.

    known_keys: keys of ``Key: value`` lines that at least two documents have with a like type of value, in lower case.
    records: the keys of each document that has several, in lower case.
    boilerplate: lines that many documents share.
    language: that most documents with running text are in; "und" where there are none. size: number of documents.
    """

    shared_titles: frozenset[str]
    known_keys: frozenset[str]
    records: Mapping[str, frozenset[str]]
    boilerplate: Boilerplate = field(default_factory=Boilerplate)
    language: str = "und"
    size: int = 0

    def own_title(self, title: str) -> str:
        """The title, if no other document has it; else nothing."""
        return "" if title in self.shared_titles else title

    def language_of(self, document: Document) -> str:
        """Its own, or that of most others where a table or a few words in plain letters are all that tells it."""
        is_told = self.language == "und" or _has_running_text(document) or not _is_in_plain_letters(document.text)
        return document.language if is_told else self.language

    def lacking(self, document_id: str) -> tuple[str, ...]:
        """Attributes that four fifths of the documents of the same kind have and this one lacks, commonest first.

        Of the same kind are documents that share three fifths of their attributes.
        """
        own = self.records.get(document_id, frozenset())
        siblings = [
            other
            for name, other in self.records.items()
            if own and name != document_id and len(own & other) >= _SAME_KIND * min(len(own), len(other))
        ]
        if len(siblings) < _FEWEST_SIBLINGS:
            return ()
        counts = Counter(attribute for other in siblings for attribute in other - own)
        usual = (name for name, count in counts.items() if count >= _USUAL * len(siblings))
        return tuple(sorted(usual, key=lambda name: (-counts[name], name)))


class CollectionSurvey:
    """Sees every document once and keeps counts, and the attributes of records."""

    def __init__(self) -> None:
        self._titles: Counter[str] = Counter()
        self._keys: Counter[tuple[str, str]] = Counter()
        self._records: dict[str, frozenset[str]] = {}
        self._lines: Counter[bytes] = Counter()
        self._languages: Counter[str] = Counter()
        self._total = 0

    def add(self, document: Document) -> None:
        """Count one document."""
        self._total += 1
        self._titles[document.title] += 1
        if _has_running_text(document):
            self._languages[document.language] += 1
        typed = _typed_keys(document)
        self._keys.update(set(typed))
        keys = frozenset(key for key, _ in typed)
        if len(typed) == len(keys) >= _FEWEST_ATTRIBUTES:
            self._records[document.id] = keys
        lines = (block for block in document.blocks if block.kind in _LINES and block.end - block.start >= FEWEST_CHARS)
        self._lines.update({_digest(document.text[block.start : block.end]) for block in lines})
        if self._total % _BUCKET == 0:
            self._lines = Counter({line: count - 1 for line, count in self._lines.items() if count > 1})

    def result(self) -> Collection:
        """What the documents so far have in common."""
        enough = max(FEWEST_DOCUMENTS, LEAST_SHARE * self._total) - self._total // _BUCKET
        return Collection(
            shared_titles=frozenset(title for title, count in self._titles.items() if count > 1),
            known_keys=frozenset(key for (key, _), count in self._keys.items() if count > 1),
            records=self._records,
            boilerplate=Boilerplate(frozenset(line for line, count in self._lines.items() if count >= enough)),
            language=max(self._languages, key=self._languages.__getitem__, default="und"),
            size=self._total,
        )


def _digest(line: str) -> bytes:
    return blake2b(" ".join(line.split()).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _has_running_text(document: Document) -> bool:
    if not document.blocks:
        return len(document.text) >= _RUNNING_CHARS
    kinds = {"paragraph", "item", "step"}
    return sum(block.end - block.start for block in document.blocks if block.kind in kinds) >= _RUNNING_CHARS


def _is_in_plain_letters(text: str) -> bool:
    letters = [sign for sign in text[:_SAMPLE_CHARS] if sign.isalpha()]
    return sum(not sign.isascii() for sign in letters) <= _MOST_ACCENTS * len(letters)


def _typed_keys(document: Document) -> list[tuple[str, str]]:
    """Each key in lower case with the type of its value: an amount or date, text, a passage, source code."""
    found: list[tuple[str, str]] = []
    key = ""
    for block in document.blocks:
        text = document.text[block.start : block.end].strip()
        if block.kind == "key":
            key = text.strip(" :").lower()
        elif block.kind == "value" and key:
            found.append((key, _type(text)))
            key = ""
    return found


def _type(value: str) -> str:
    if _CODE.search(value):
        return "code"
    if len(value) > _MOST_VALUE_CHARS:
        return "passage"
    return "amount" if re.match(r"[$€£¥]?\d", value) else "text"
