"""What only the whole collection tells: shared titles, keys that are attributes, what its folders are about."""

from __future__ import annotations

import calendar
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from ragassay.records import Document
from ragassay.synthesis.boilerplate import NONE, Boilerplate, LineCounter

_NAME = r"[A-Z][\w-]*[a-zA-Z](?: (?:[A-Z][a-z]+))?"
_CAPITALISED = re.compile(rf"(?:\b(in|on|at) )?\b({_NAME})\b(?! \d)")
_SMALL = re.compile(r"(?<=[a-z,] )[a-z][\w-]+")
_FEWEST_ATTRIBUTES = 3
_SAME_KIND = 0.6
_USUAL = 0.8
_FEWEST_SIBLINGS = 3
_SAMPLE_CHARS = 20_000
_MOST_VALUE_CHARS = 200
_COMMON_SHARE = 0.5
"""Of the documents of a folder that hold a name for it to be what they are about."""
_FEWEST_MENTIONS = 4
_LEAD = 2
"""Times that the next name stands there, as often as which it has to stand there at least."""
_RUNNING_CHARS = 200
"""Running text below which the language that is detected is a guess: names and heads of tables are in any."""
_MOST_ACCENTS = 0.01
"""Share of letters beyond ASCII from which a text is not taken for one in the language of others."""
_CALENDAR = frozenset((*calendar.month_name, *calendar.day_name))


@dataclass(frozen=True, slots=True)
class Collection:
    """shared_titles: titles of more than one document.

    known_keys: keys of ``Key: value`` lines that at least two documents have with a like type of value, in lower case.
    records: the keys of each document that has several, in lower case.
    boilerplate: lines that many documents share. site: what follows the dash in most titles, in lower case, or empty.
    places: of folders, what their documents are about after the preposition that they use most: ("in", "Mutt").
    language: that most documents with running text are in; "und" where there are none. size: number of documents.
    """

    shared_titles: frozenset[str]
    known_keys: frozenset[str]
    records: Mapping[str, frozenset[str]]
    boilerplate: Boilerplate = NONE
    site: str = ""
    places: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    language: str = "und"
    size: int = 0

    def own_title(self, title: str) -> str:
        """'r.profile' of 'r.profile - GRASS GIS manual', where most titles end so; empty for a title of several."""
        own = _without_site(title, self.site)
        return "" if own in self.shared_titles else own

    def language_of(self, document: Document) -> str:
        """Its own, or that of most others where a table or a few words in plain letters are all that tells it."""
        is_told = self.language == "und" or _has_running_text(document) or not _is_in_plain_letters(document.text)
        return document.language if is_told else self.language

    def place_of(self, document: Document) -> tuple[str, str]:
        """What its folder is about, ("in", "Mutt"), for a document that names it more than once; empty for others."""
        preposition, name = self.places.get(_folder(document), ("", ""))
        return (preposition, name) if name and document.text.count(name) > 1 else ("", "")

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


def _has_running_text(document: Document) -> bool:
    if not document.blocks:
        return len(document.text) >= _RUNNING_CHARS
    kinds = {"paragraph", "item", "step"}
    return sum(each.end - each.start for each in document.blocks if each.kind in kinds) >= _RUNNING_CHARS


def _is_in_plain_letters(text: str) -> bool:
    letters = [sign for sign in text[:_SAMPLE_CHARS] if sign.isalpha()]
    return sum(not sign.isascii() for sign in letters) <= _MOST_ACCENTS * len(letters)


class CollectionSurvey:
    """Sees every document once and keeps counts, and the attributes of records."""

    def __init__(self) -> None:
        self._titles: Counter[str] = Counter()
        self._keys: Counter[tuple[str, str]] = Counter()
        self._folders: defaultdict[str, _Names] = defaultdict(_Names)
        self._records: dict[str, frozenset[str]] = {}
        self._lines = LineCounter()
        self._languages: Counter[str] = Counter()
        self._total = 0

    def add(self, document: Document) -> None:
        """Counts one document."""
        text = document.text
        self._total += 1
        self._lines.add(document)
        if _has_running_text(document):
            self._languages[document.language] += 1
        self._titles[document.title] += 1
        keys = [text[block.start : block.end].strip(" :").lower() for block in document.blocks if block.kind == "key"]
        self._keys.update(_typed_keys(document))
        attributes = frozenset(keys if len(set(keys)) == len(keys) else ())
        if len(attributes) >= _FEWEST_ATTRIBUTES:
            self._records[document.id] = attributes
        self._folders[_folder(document)].add(text[:_SAMPLE_CHARS])

    def result(self) -> Collection:
        """What the documents so far have in common."""
        site = _site(self._titles)
        titles: Counter[str] = Counter()
        for title, count in self._titles.items():
            titles[_without_site(title, site)] += count
        return Collection(
            shared_titles=frozenset(title for title, count in titles.items() if count > 1),
            site=site,
            known_keys=frozenset(key for (key, _), count in self._keys.items() if count > 1),
            records=self._records,
            boilerplate=self._lines.result(),
            places={folder: place for folder, names in self._folders.items() if (place := names.place())},
            language=max(self._languages, key=self._languages.__getitem__, default="und"),
            size=self._total,
        )


@dataclass(slots=True)
class _Names:
    """Words with capitals in the documents of a folder.

    mentions: of each. holding: documents with it. placed: mentions behind a preposition. small: words in small letters.
    """

    documents: int = 0
    mentions: Counter[str] = field(default_factory=Counter)
    holding: Counter[str] = field(default_factory=Counter)
    placed: Counter[tuple[str, str]] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)

    def add(self, text: str) -> None:
        """Counts the names of one document."""
        found = _CAPITALISED.findall(text)
        self.documents += 1
        self.mentions.update(name for _, name in found)
        self.holding.update({name for _, name in found})
        self.placed.update(pair for pair in found if pair[0])
        self.small.update(_SMALL.findall(text))

    def place(self) -> tuple[str, str] | None:
        """The name that stands twice as often as any other, with what stands before it; None where none does."""
        common = [
            (count, name)
            for name, count in self.mentions.items()
            if self.holding[name] >= self.documents * _COMMON_SHARE and self.small[name.lower()] * 3 < count
        ]
        first, second = (*sorted(common, reverse=True)[:2], (0, ""), (0, ""))[:2]
        # "based on Privoxy" says nothing of where one is: another word than "in" needs twice as many places
        preposition = max(("in", "at", "on"), key=lambda each: self.placed[each, first[1]] * (2 if each == "in" else 1))
        is_placed = self.placed[preposition, first[1]] > 0 and first[1] not in _CALENDAR
        is_about = is_placed and first[0] >= max(_FEWEST_MENTIONS, _LEAD * second[0])
        return (preposition, first[1]) if is_about else None


def _folder(document: Document) -> str:
    return document.source.partition("/")[0] if "/" in document.source else ""


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
