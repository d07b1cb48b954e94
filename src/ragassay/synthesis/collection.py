"""What only the whole collection tells: shared titles, keys that are attributes, the name of what it is all about."""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ragassay.records import Document
from ragassay.synthesis.boilerplate import NONE, Boilerplate, LineCounter

_NAME = r"[A-Z][\w-]*[a-zA-Z](?: (?:[A-Z][a-z]+))?"
_CAPITALISED = re.compile(rf"(?<=[a-z,] ){_NAME}")
_FEWEST_ATTRIBUTES = 3
_SAME_KIND = 0.6
_USUAL = 0.8
_FEWEST_SIBLINGS = 3
_SAMPLE_CHARS = 3000
_MOST_VALUE_CHARS = 200
_COMMON_SHARE = 0.3
"""A name is the collection's when it stands in the first lines of at least this share of the documents, and no other
name in nearly as many."""
_FEWEST_NAMED = 5

_NOUN = re.compile(r"\b(?:the|an?|this|these|any|each|your|our) ([a-z]{2,})(?![\w/.-])")
_PLACED = re.compile(rf"\b(in|on|at) ({_NAME})")
_FEWEST_PLACED = 2
_MOST_AS_A_NOUN = 0.1
"""Share of documents in which a name may be a noun, too: "the policy" is in more, so "Policy" names no collection."""
_CALENDAR = frozenset((*calendar.month_name, *calendar.day_name))


@dataclass(frozen=True, slots=True)
class Collection:
    """name: 'PostgreSQL', 'Marrowick Line', or empty. shared_titles: titles of more than one document.

    known_keys: keys of ``Key: value`` lines that at least two documents have with a like type of value, in lower case.
    records: the keys of each document that has several, in lower case.
    boilerplate: lines that many documents share. site: what follows the dash in most titles, in lower case, or empty.
    place: the name that many documents have, after the preposition that they use most: 'in Mutt'; or empty.
    size: number of documents.
    """

    name: str
    shared_titles: frozenset[str]
    known_keys: frozenset[str]
    records: Mapping[str, frozenset[str]]
    boilerplate: Boilerplate = NONE
    site: str = ""
    place: str = ""
    size: int = 0

    def own_title(self, title: str) -> str:
        """'r.profile' of 'r.profile - GRASS GIS manual', where most titles end so; empty for a title of several."""
        own = _without_site(title, self.site)
        return "" if own in self.shared_titles else own

    def lacking(self, document_id: str) -> tuple[str, ...]:
        """Attributes that four fifths of the documents of the same kind have and this one lacks, commonest first.

        Of the same kind are documents that share three fifths of their attributes.
        """
        own = self.records.get(document_id)
        if own is None:
            return ()
        return _lacking(own, Counter(self.records.values()))


def _lacking(own: frozenset[str], kinds: Mapping[frozenset[str], int]) -> tuple[str, ...]:
    """As ``Collection.lacking``, for a document with these attributes."""
    siblings = {
        other: count - (other == own)
        for other, count in kinds.items()
        if len(own & other) >= _SAME_KIND * min(len(own), len(other))
    }
    total = sum(siblings.values())
    if total < _FEWEST_SIBLINGS:
        return ()
    counts: Counter[str] = Counter()
    for other, count in siblings.items():
        for attribute in other - own:
            counts[attribute] += count
    usual = (name for name, count in counts.items() if count >= _USUAL * total)
    return tuple(sorted(usual, key=lambda name: (-counts[name], name)))


class CollectionSurvey:
    """Sees every document once and keeps counts, and the attributes of records."""

    def __init__(self) -> None:
        self._titles: Counter[str] = Counter()
        self._keys: Counter[tuple[str, str]] = Counter()
        self._names: Counter[str] = Counter()
        self._placed: Counter[tuple[str, str]] = Counter()
        self._nouns: Counter[str] = Counter()
        self._records: dict[str, frozenset[str]] = {}
        self._lines = LineCounter()
        self._total = 0

    def add(self, document: Document) -> None:
        """Counts one document."""
        text = document.text
        self._total += 1
        self._lines.add(document)
        self._titles[document.title] += 1
        keys = [text[block.start : block.end].strip(" :").lower() for block in document.blocks if block.kind == "key"]
        self._keys.update(_typed_keys(document))
        attributes = frozenset(keys if len(set(keys)) == len(keys) else ())
        if len(attributes) >= _FEWEST_ATTRIBUTES:
            self._records[document.id] = attributes
        sample = text[:_SAMPLE_CHARS]
        self._names.update(set(_CAPITALISED.findall(sample)))
        self._placed.update(set(_PLACED.findall(sample)))
        self._nouns.update(set(_NOUN.findall(sample)))

    def result(self) -> Collection:
        """What the documents so far have in common."""
        site = _site(self._titles)
        titles: Counter[str] = Counter()
        for title, count in self._titles.items():
            titles[_without_site(title, site)] += count
        return Collection(
            name=_name(self._names, self._total),
            shared_titles=frozenset(title for title, count in titles.items() if count > 1),
            site=site,
            known_keys=frozenset(key for (key, _), count in self._keys.items() if count > 1),
            records=self._records,
            boilerplate=self._lines.result(),
            place=self._place(),
            size=self._total,
        )

    def _place(self) -> str:
        """The commonest name that is no noun, with the "in", "on" or "at" that stands before it most often."""
        for name, count in self._names.most_common():
            if count < max(_FEWEST_NAMED, self._total * _COMMON_SHARE):
                break
            is_noun = any(self._nouns[word.lower()] > self._total * _MOST_AS_A_NOUN for word in name.split())
            placed, preposition = max((self._placed[each, name], each) for each in ("on", "at", "in"))
            if placed >= _FEWEST_PLACED and not is_noun and name not in _CALENDAR:
                return f"{preposition} {name}"
        return ""


_FEWEST_OF_A_SITE = 5


def _site(titles: Mapping[str, int]) -> str:
    """The name that at least half of the titles, and five, have in common after their last dash.

    None where the same stands before another ending too: "Vacation policy - Berlin", "Vacation policy - Munich".
    """
    parted = [_parted(title) for title in titles]
    sites = Counter(ending.lower() for _, ending in parted if ending != ending.lower())
    count, site = max(((count, site) for site, count in sites.items()), default=(0, ""))
    own = {before for before, ending in parted if ending.lower() == site}
    elsewhere = {before for before, ending in parted if ending and ending.lower() != site}
    return site if count >= max(_FEWEST_OF_A_SITE, len(titles) / 2) and own.isdisjoint(elsewhere) else ""


def _without_site(title: str, site: str) -> str:
    own, ending = _parted(title)
    return own if site and ending.lower() == site else title


def _parted(title: str) -> tuple[str, str]:
    """What stands before the last dash between words, and after it; nothing after where there is none."""
    at = max(title.rfind(f" {dash} ") for dash in "-–—")
    return (title[:at].strip(), title[at + 3 :].strip()) if at > 0 else (title, "")


_CODE = re.compile(r"[{}`\\]|\(\)|=>|::|;$")


def _typed_keys(document: Document) -> set[tuple[str, str]]:
    """Each key in lower case with the type of its value: an amount or date, text, a passage, source code."""
    found: set[tuple[str, str]] = set()
    key = ""
    for block in document.blocks:
        told = document.text[block.start : block.end].strip()
        if block.kind == "key":
            key = told.strip(" :").lower()
        elif block.kind == "value" and key:
            found.add((key, _type(told)))
            key = ""
    return found


def _type(value: str) -> str:
    if _CODE.search(value):
        return "code"
    if len(value) > _MOST_VALUE_CHARS:
        return "passage"
    return "amount" if re.match(r"[$€£¥]?\d", value) else "text"


def _name(names: Counter[str], total: int) -> str:
    common = [
        (count, len(name.split()), name)
        for name, count in names.items()
        if count >= max(_FEWEST_NAMED, total * _COMMON_SHARE)
    ]
    if not common:
        return ""
    # the longer of two names that stand nearly as often: 'Marrowick Line' rather than 'Marrowick'
    best = max(common)
    longer = [entry for entry in common if entry[2].startswith(f"{best[2]} ") and entry[0] >= best[0] * 0.5]
    return max(longer, default=best)[2]
