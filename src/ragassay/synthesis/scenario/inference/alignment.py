"""Statements of several seeds under one name: the same field, however numbered, cased or shortened its name is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ragassay.synthesis.scenario.inference.outline import Entry
from ragassay.synthesis.scenario.inference.values import dates_in

_MOST_PROSE_CHARS = 1500
_STOP = frozenset("of the and a an in on for to s".split())
_SAME = 0.6
"""Share of the words of two names that must be the same for one field, where no seed has both."""
_LISTED = 0.3
"""Share of the seeds, and two at least, that list things of their own under a heading."""


@dataclass(slots=True)
class Seen:
    """What seeds state under one name: the values, by the place of the seed; section: the headings above it.

    kind: of the values, where whoever found them knows it.
    """

    label: str
    values: dict[int, str] = field(default_factory=dict)
    sections: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    prose: bool = False
    """Said in running prose, under no name of its own."""
    kind: str = ""


@dataclass(slots=True)
class Listed:
    """A list of records that stands under one heading: by the place of the seed, (name, text) of each record."""

    section: str
    records: dict[int, list[tuple[str, str]]]


def aligned(outlines: Sequence[Sequence[Entry]]) -> tuple[list[Seen], list[Listed]]:
    """Fields and lists of records in the order of the seeds."""
    listed = _lists(outlines)
    in_lists = {
        (place, each.section, name) for each in listed for place, rows in each.records.items() for name, _ in rows
    }
    found: dict[str, Seen] = {}
    for place, entries in enumerate(outlines):
        prose: dict[str, list[str]] = {}
        for entry in entries:
            if not entry.label:
                if entry.section and entry.kind == "prose":
                    prose.setdefault(entry.section, []).append(entry.value)
            elif (place, _key(entry.section), entry.label) not in in_lists and not dates_in(entry.label):
                _add(found, entry.label, entry.section, place, entry.value)
        for section, texts in prose.items():
            _add(found, section, section, place, " ".join(texts)[:_MOST_PROSE_CHARS])
    return _merged(list(found.values())), listed


def _add(found: dict[str, Seen], label: str, section: str, place: int, value: str) -> None:
    seen = found.setdefault(_key(label), Seen(label))
    if place not in seen.values:
        seen.values[place] = value
        seen.sections[section] += 1
        seen.labels[label] += 1
        seen.label = seen.labels.most_common(1)[0][0]


def _tokens(label: str) -> frozenset[str]:
    text = label.lower().replace("birthdate", "birth date")
    if re.search(r"[\u4e00-\u9fff]", text):
        text = re.sub(r"(?<=.)(?:信息|情况|说明|描述)$", "", re.sub(r"\W", "", text))
        return frozenset(text[at : at + 2] for at in range(len(text) - 1)) or frozenset({text})
    words = re.findall(r"[a-z]+", text.replace("'s", "").replace("’s", ""))
    return frozenset(_singular(word) for word in words if word not in _STOP) or frozenset({text})


def _singular(word: str) -> str:
    return (
        word[:-3] + "y"
        if word.endswith("ies")
        else word.removesuffix("s")
        if len(word) > 3 and not word.endswith("ss")
        else word
    )


def _key(label: str) -> str:
    return " ".join(sorted(_tokens(label)))


def _merged(seen: list[Seen]) -> list[Seen]:
    """Fields whose names say the same joined, where no seed has both and they stand in sections of one name or none."""
    found: list[Seen] = []
    for each in seen:
        mine = _tokens(each.label)
        fitting = [
            other
            for other in found
            if all(other.values[place] == each.values[place] for place in each.values.keys() & other.values.keys())
            and _alike(mine, _tokens(other.label))
            and _fit(each, other)
        ]
        if fitting:
            best = max(fitting, key=lambda other: len(mine & _tokens(other.label)) / len(mine | _tokens(other.label)))
            best.values |= each.values
            best.sections += each.sections
            best.labels += each.labels
            best.label = best.labels.most_common(1)[0][0]
        else:
            found.append(each)
    return found


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one or len(one & other) >= _SAME * len(one | other)


def _fit(one: Seen, other: Seen) -> bool:
    """Whether the values of two are of a length: no paragraph belongs to a name."""
    lengths = [sum(map(len, each.values.values())) / len(each.values) for each in (one, other)]
    return max(lengths) < 60 or min(lengths) * 8 > max(lengths)


def _lists(outlines: Sequence[Sequence[Entry]]) -> list[Listed]:
    """Headings under which several seeds name things of their own."""
    spread: Counter[str] = Counter()
    for entries in outlines:
        spread.update({_key(each.label) for each in entries if each.label})
    rows: dict[str, dict[int, list[tuple[str, str]]]] = {}
    titles: dict[str, Counter[str]] = {}
    for place, entries in enumerate(outlines):
        by_section: dict[str, list[tuple[str, str]]] = {}
        for each in entries:
            own = each.label and spread[_key(each.label)] * 2 < max(3, len(outlines))
            if each.section and own:
                by_section.setdefault(each.section, []).append((each.label, each.value))
        for section, items in by_section.items():
            if len(items) > 1:
                rows.setdefault(_key(section), {}).setdefault(place, []).extend(items)
                titles.setdefault(_key(section), Counter())[section] += 1
    least = max(2, round(len(outlines) * _LISTED))
    return [Listed(key, found) for key, found in rows.items() if len(found) >= least]


def titles_of(outlines: Sequence[Sequence[Entry]]) -> Callable[[str], str]:
    """From a section's key to the heading that most seeds give it."""
    titles: dict[str, Counter[str]] = {}
    for entries in outlines:
        for section in dict.fromkeys(each.section for each in entries):
            titles.setdefault(_key(section), Counter())[section] += 1
    most: Mapping[str, str] = {key: found.most_common(1)[0][0] for key, found in titles.items()}
    return lambda key: most.get(key, key)
