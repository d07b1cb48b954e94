"""A schema from seed documents without a language model: their structure, and what several of them say in prose.

It generalises values to types, ranges, options and generators of names. What else a sentence means it does not know.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragassay.errors import InputError
from ragassay.records import Document
from ragassay.synthesis.scenario.inference.alignment import Listed, Seen, aligned, titles_of
from ragassay.synthesis.scenario.inference.composite import split_values
from ragassay.synthesis.scenario.inference.fields import Fields
from ragassay.synthesis.scenario.inference.outline import outline, plain_label
from ragassay.synthesis.scenario.inference.prose import events, numbers
from ragassay.synthesis.scenario.inference.values import (
    ORGANISATION_EN,
    ORGANISATION_ZH,
    is_money,
    is_organisation,
    is_person,
)
from ragassay.synthesis.scenario.inference.wording import worded_schema
from ragassay.synthesis.scenario.schema import Schema
from ragassay.text import count_words

_LEAST_WORDS = 8
_MOST_ORGANISATION_CHARS = 40
_STRUCTURED = 10
"""Fields that half of the seeds have as lines: numbers in their prose are then mostly parts of findings."""
_LEAST_MENTIONS = 3
"""Of the name of an organisation before a document is taken to be about it."""

__all__ = ["Inferred", "Seen", "check_seeds", "infer", "language_of", "schema_of"]


@dataclass(frozen=True, slots=True)
class Inferred:
    """A schema, what each field was taken for, and what the user should know."""

    schema: Schema
    fields: Mapping[str, str]
    notes: tuple[str, ...]


def infer(seeds: Sequence[Document], name: str) -> Inferred:
    """A schema whose documents are like the seeds in what they state; nothing in it names what a seed names.

    Raises InputError where a seed is too short to tell anything, or none has a key with a value.
    """
    check_seeds(seeds)
    language = language_of(seeds)
    outlines = [outline(seed) for seed in seeds]
    seen, listed = aligned(outlines)
    seen = split_values(seen, language)
    structured = len(seen)
    seen += _of_prose(seeds, seen, language)
    if not seen:
        raise InputError(
            f"the {len(seeds)} seed documents contain no line such as 'Key: value', no named number and no event "
            "that several of them date; copy a shipped schema with `ragassay schema copy` and edit it"
        )
    gave = f"gave {len(seen)} statements, {len(seen) - structured} of them from running prose."
    return _schema_of(seen, listed, seeds, name, language, gave, titles_of(outlines))


def check_seeds(seeds: Sequence[Document]) -> None:
    """Raises InputError where there is no seed, or one is too short to tell anything."""
    if not seeds:
        raise InputError("no seed documents given; give files or folders with documents")
    for seed in seeds:
        if count_words(seed.text) < _LEAST_WORDS:
            raise InputError(f"{seed.source} has fewer than {_LEAST_WORDS} words, too few to infer a schema from")


def language_of(seeds: Sequence[Document]) -> str:
    """The language that most seeds are in: zh, or else en."""
    return "zh" if sum(seed.language == "zh" for seed in seeds) * 2 > len(seeds) else "en"


def schema_of(seen: Sequence[Seen], seeds: Sequence[Document], name: str, language: str, gave: str) -> Inferred:
    """Types, ranges, options and order of the values seen in the seeds; gave: what to say of them."""
    for each in seen:
        each.label = plain_label(each.label)
    return _schema_of(split_values(list(seen), language), [], seeds, name, language, gave, str)


def _schema_of(
    seen: Sequence[Seen],
    listed: Sequence[Listed],
    seeds: Sequence[Document],
    name: str,
    language: str,
    gave: str,
    title_of: object,
) -> Inferred:
    fields = Fields(seen, listed, [seed.text for seed in seeds], language, title_of)  # type: ignore[arg-type]
    schema = worded_schema(fields, name, _shared_title(seeds), title_of)  # type: ignore[arg-type]
    notes = [
        f"{len(seeds)} seed documents {gave}",
        "Ranges and options are those of the seeds; add what else may occur.",
        "Sentences are plain: give each [[sections.say]] several wordings before you make documents to read.",
    ]
    if fields.dropped:
        notes.append(
            f"{len(fields.dropped)} free texts were left out, since all that the seeds say there holds names, dates or "
            f"sums of theirs: {', '.join(fields.dropped[:5])}"
        )
    if doubtful := fields.relations.doubtful:
        notes.append(
            f"{len(doubtful)} amounts and dates were left out, since they would contradict others: shares of which the "
            f"seeds do not agree what they are of, one amount under two names: {', '.join(doubtful[:5])}"
        )
    if len(seeds) < 3:
        notes.append(f"From {len(seeds)} seed documents an option list or a range is little more than an example.")
    return Inferred(schema, fields.said, tuple(notes))


def _shared_title(seeds: Sequence[Document]) -> str:
    """The title that at least half of the seeds have, and two."""
    titles = Counter(plain_label(seed.text[block.start : block.end]) for seed in seeds for block in seed.blocks[:1])
    for title, count in titles.most_common(1):
        if count >= max(2, len(seeds) / 2) and title:
            return title
    return ""


def _of_prose(seeds: Sequence[Document], seen: Sequence[Seen], language: str) -> list[Seen]:
    texts = [seed.text for seed in seeds]
    known = {each.label.lower() for each in seen}
    found: list[Seen] = []
    structured = sum(len(each.values) * 2 >= len(seeds) for each in seen) >= _STRUCTURED
    for number in numbers(texts, language):
        if structured and not is_money("".join(number.values.values())):
            continue
        if number.label.lower() not in known and (len(number.values) > 1 or len(seeds) < 4):
            found.append(Seen(number.label, number.values, prose=True))
    long_labels = " ".join(known)
    for when, much in events(texts, language):
        if when.label.lower() in long_labels:
            continue
        found.append(Seen(when.label, when.values, prose=True))
        if much is not None:
            amount = f"{when.label}金额" if language == "zh" else f"{when.label} amount"
            found.append(Seen(amount, much.values, prose=True))
    if not any(len(each.values) * 2 >= len(seeds) and _named(each) for each in seen):
        names = {place: name for place, text in enumerate(texts) if (name := _main_organisation(text, language))}
        if len(names) * 2 >= len(seeds):
            found.insert(0, Seen("公司" if language == "zh" else "company", names, kind="organisation"))
    return found


def _named(seen: Seen) -> bool:
    """Whether a field has a name that a document may be about."""
    values = list(seen.values.values())
    if max(map(len, values)) > _MOST_ORGANISATION_CHARS:
        return False
    apart = len(set(values)) == len(values) > 1
    return apart or is_person(seen.label, values[0]) or is_organisation(values[0])


def _main_organisation(text: str, language: str) -> str:
    """The organisation that a text names first and again, with the word for its kind or without."""
    if language == "zh":
        first = re.match(rf"[\u4e00-\u9fffA-Za-z（）()]{{2,20}}?(?:{ORGANISATION_ZH.pattern})", text)
        return first.group() if first else ""
    counts: Counter[str] = Counter()
    for match in re.finditer(r"[A-Z][\w&’'-]*(?:,? (?:[A-Z][\w&’'-]*\.?|&|of(?= [A-Z])))+", text[:400]):
        counts[match.group().rstrip(".")] += 1
    named = [name for name in _ordered(counts, text) if text.count(name) >= _LEAST_MENTIONS]
    by_kind = [name for name in named if ORGANISATION_EN.search(name)]
    first_word = re.match(r"[A-Z]\w+[A-Z]?\w*", text)
    alone = [first_word.group()] if first_word and text.count(first_word.group()) > _LEAST_MENTIONS else []
    return next((name for name in (*named[:1], *by_kind, *alone) if len(name) <= _MOST_ORGANISATION_CHARS), "")


def _ordered(names: Iterable[str], text: str) -> list[str]:
    return sorted(names, key=text.find)
