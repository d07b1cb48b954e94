"""A schema from seed documents without a language model: from lines such as "Key: value", and numbers said in prose.

It generalises values to types, ranges and options. What a sentence means otherwise it does not know, and says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import combinations, pairwise

from ragassay.errors import InputError
from ragassay.records import Document
from ragassay.synthesis.scenario.schema import (
    Comparison,
    Element,
    Hop,
    Integration,
    Say,
    Schema,
    Section,
    Summary,
)
from ragassay.synthesis.scenario.schema import Sequence as Order
from ragassay.text import count_words

_LEAST_WORDS = 8
_LONGEST_OPTION = 60
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = r"(?P<month>[A-Z][a-z]+)"
_DATES = (
    re.compile(r"(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})"),
    re.compile(r"(?P<year>\d{4})年(?P<number>\d{1,2})月(?P<day>\d{1,2})日"),
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (?P<year>\d{{4}})"),
    re.compile(rf"{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})"),
)
_NUMBER = re.compile(r"(?P<before>[^\d\s]{0,3})(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?P<after>[^\d]{0,24})")
_PROSE = {
    "en": re.compile(
        r"(?<![\w'’])(?P<key>(?:[a-z]+ ){0,3}?[a-z]{3,})(?: (?:for|of|in|at) (?:[\w&'’]+ ){0,3}[\w&'’]+)?"
        r" (?:was|were|is|are|came to|reached|totalled|amounted to|stood at) "
        r"(?P<value>[$€£]?\d[\d,]*(?:\.\d+)?(?:%| (?:million|billion|thousand|people|tonnes|days|years))?)"
    ),
    "zh": re.compile(
        r"(?P<key>[\u4e00-\u9fff]{2,8})(?:为|达到|达|共计|是)(?P<value>\d[\d,]*(?:\.\d+)?(?:%|[万亿]?[元人吨天年件次])?)"
    ),
}
_STOP_KEYS = re.compile(r"^(?:(?:the|a|an|its|their|of|and|in|this|that|it|there|he|she|they|with|while|as)\s+)+")
_NO_NAMES = frozenset("also which who company year years this that there amount number figure value".split())
"""Words before a number that do not say what it is: "the debt ratio, which has risen, also stood at 25%"."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """A schema, what each field was taken for, and what the user should know."""

    schema: Schema
    fields: Mapping[str, str]
    notes: tuple[str, ...]


@dataclass(slots=True)
class Seen:
    """What seeds state under one name: the values, by the place of the seed."""

    label: str
    values: dict[int, str] = field(default_factory=dict)


def infer(seeds: Sequence[Document], name: str) -> Inferred:
    """A schema whose documents are like the seeds in what they state.

    Raises InputError where a seed is too short to tell anything, or none has a key with a value.
    """
    check_seeds(seeds)
    language = language_of(seeds)
    seen, from_prose = _seen(seeds, language)
    if not seen:
        raise InputError(
            f"the {len(seeds)} seed documents contain no line such as 'Key: value' and no named number; "
            "copy a shipped schema with `ragassay schema copy` and edit it"
        )
    return schema_of(
        seen,
        len(seeds),
        name,
        language,
        f"gave {len(seen)} fields, {from_prose} of them from numbers in running prose.",
    )


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


def schema_of(seen: Sequence[Seen], seeds: int, name: str, language: str, gave: str) -> Inferred:
    """Types, ranges, options and order of the values seen in so many seeds; gave: what to say of them."""
    elements: dict[str, Element] = {}
    said: dict[str, str] = {}
    dates: dict[str, dict[int, date]] = {}
    numbers: dict[str, dict[int, Decimal]] = {}
    for number, each in enumerate(seen, 1):
        slug = _slug(each.label, number, elements)
        elements[slug], said[slug] = _element(each, dates.setdefault(slug, {}), numbers.setdefault(slug, {}))
    _date_order(elements, said, dates, seeds)
    _sums(elements, said, numbers, seeds)
    _left_out(elements, said, seen, seeds)
    subject = _subject(elements, said, seen, language)
    worded = {slug: _worded(element, slug, subject, language) for slug, element in elements.items()}
    notes = [
        f"{seeds} seed documents {gave}",
        "Ranges and options are those of the seeds, widened by nothing; add what else may occur.",
        "Sentences are plain: give each [[sections.say]] several wordings before you make documents to read.",
    ]
    if seeds < 3:
        notes.append(f"From {seeds} seed documents an option list or a range is little more than an example.")
    return Inferred(_schema(name, language, subject, worded), said, tuple(notes))


def _seen(seeds: Sequence[Document], language: str) -> tuple[list[Seen], int]:
    found: dict[str, Seen] = {}
    for place, seed in enumerate(seeds):
        values = {(block.group, block.row): block for block in seed.blocks if block.kind == "value"}
        for block in seed.blocks:
            value = values.get((block.group, block.row))
            if block.kind == "key" and value is not None:
                label = seed.text[block.start : block.end].strip(" :：*")
                key = found.setdefault(label.lower(), Seen(label))
                key.values.setdefault(place, " ".join(seed.text[value.start : value.end].split()))
    pairs = len(found)
    for place, seed in enumerate(seeds):
        for match in _PROSE[language].finditer(seed.text):
            label = _STOP_KEYS.sub("", match.group("key"))
            if label in _NO_NAMES:
                continue
            found.setdefault(label.lower(), Seen(label)).values.setdefault(place, match.group("value"))
    return list(found.values()), len(found) - pairs


def _slug(label: str, number: int, taken: Mapping[str, Element]) -> str:
    slug = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
    slug = slug if slug and slug[0].isalpha() else f"field_{number}"
    return slug if slug not in taken and slug != "result" else f"{slug}_{number}"


def _element(seen: Seen, dates: dict[int, date], numbers: dict[int, Decimal]) -> tuple[Element, str]:
    values = seen.values
    label = " ".join(re.sub(r"[{}]", " ", seen.label).split())  # in templates, braces hold names of fields
    as_dates = {place: _as_date(value) for place, value in values.items()}
    known = {place: each for place, each in as_dates.items() if each is not None}
    if len(known) == len(values):
        dates.update(known)
        first, last = min(known.values()), max(known.values())
        return Element(type="date", label=label, earliest=first, latest=last), f"date, {first} to {last}"
    matches = {place: _NUMBER.fullmatch(value) for place, value in values.items()}
    whole = {place: match for place, match in matches.items() if match and not re.search("[{}]", match.group())}
    shapes = {(match["before"], match["after"]) for match in whole.values()}
    if len(whole) == len(values) and len(shapes) == 1:
        numbers.update({place: Decimal(match["number"].replace(",", "")) for place, match in whole.items()})
        return _number(label, list(whole.values()), list(numbers.values()))
    options = tuple(dict.fromkeys(values.values()))
    if max(map(len, options)) <= _LONGEST_OPTION:
        return Element(type="option", label=label, options=options), f"option, {len(options)} seen"
    return Element(type="text", label=label, options=options), f"free text, {len(options)} seen"


def _number(label: str, matches: Sequence[re.Match[str]], numbers: Sequence[Decimal]) -> tuple[Element, str]:
    decimals = max(-int(number.as_tuple().exponent) for number in numbers)
    pattern = f"{matches[0]['before']}{{}}{matches[0]['after']}"
    grouped = any("," in match["number"] for match in matches) or max(numbers) < 1000
    low, high = min(numbers), max(numbers)
    element = Element(
        type="number",
        label=label,
        min=float(low),
        max=float(high),
        step=float(Decimal(1).scaleb(-decimals)),
        decimals=min(decimals, 4),
        pattern=pattern,
        grouped=grouped,
    )
    return element, f"number, {low} to {high}, written {pattern.replace('{}', '...')}"


def _as_date(text: str) -> date | None:
    for pattern in _DATES:
        match = pattern.fullmatch(text.strip())
        if match is None:
            continue
        groups = match.groupdict()
        try:
            month = int(groups["number"]) if "number" in groups else _MONTHS.index(groups["month"].lower()) + 1
            return date(int(groups["year"]), month, int(groups["day"]))
        except ValueError:
            return None
    return None


def _date_order(
    elements: dict[str, Element], said: dict[str, str], dates: Mapping[str, Mapping[int, date]], seeds: int
) -> None:
    """A date that in every seed follows another, and there are two seeds at least, is drawn so many days after it."""
    whole = [name for name, found in dates.items() if len(found) == seeds and seeds > 1]
    by_time = sorted(whole, key=lambda name: (sum(each.toordinal() for each in dates[name].values()), name))
    for before, after in pairwise(by_time):
        gaps = [(dates[after][place] - dates[before][place]).days for place in range(seeds)]
        if min(gaps) >= 0:
            elements[after] = Element(
                type="date", label=elements[after].label, after=before, days=(min(gaps), max(gaps))
            )
            said[after] = f"date, {min(gaps)} to {max(gaps)} days after {before}"


def _sums(
    elements: dict[str, Element], said: dict[str, str], numbers: Mapping[str, Mapping[int, Decimal]], seeds: int
) -> None:
    """A number that in every seed is the sum of two others written alike, and there are two seeds at least."""
    whole = [name for name, found in numbers.items() if len(found) == seeds and seeds > 1]
    for total in whole:
        parts = [name for name in whole if name != total and elements[name].pattern == elements[total].pattern]
        parts = [name for name in parts if elements[name].type == "number"]
        for first, second in combinations(parts, 2):
            if all(numbers[first][at] + numbers[second][at] == numbers[total][at] for at in range(seeds)):
                kept = elements[total]
                elements[total] = Element(
                    type="sum", label=kept.label, of=(first, second), decimals=kept.decimals, pattern=kept.pattern
                )
                said[total] = f"sum of {first} and {second}"
                break


def _subject(elements: dict[str, Element], said: dict[str, str], seen: Sequence[Seen], language: str) -> str:
    """The first field that has another value in every seed, as a name of parts; a numbered one where there is none."""
    for (name, element), each in zip(list(elements.items()), seen, strict=True):
        options = list(each.values.values())
        apart = element.type == "option" and not element.may_be_left_out and len(set(options)) == len(options) > 1
        if apart and all(len(option.split()) > 1 for option in options):
            firsts = tuple(dict.fromkeys(option.split()[0] for option in options))
            rests = tuple(dict.fromkeys(" ".join(option.split()[1:]) for option in options))
            elements[name] = Element(type="name", label=element.label, parts=(firsts, rests), separator=" ")
            said[name] = f"the subject, a name of {len(firsts)} x {len(rests)} parts; add more"
            return name
    label, word = ("编号", "第") if language == "zh" else ("case", "Case ")
    ending = "号" if language == "zh" else ""
    name = "subject" if "subject" not in elements else "subject_number"
    elements[name] = Element(
        type="name", label=label, parts=((word,), tuple(f"{at}{ending}" for at in range(101, 400)))
    )
    said[name] = "the subject: no field names it in the seeds, so documents are numbered"
    return name


def _left_out(elements: dict[str, Element], said: dict[str, str], seen: Sequence[Seen], seeds: int) -> None:
    """What some seeds are silent about, documents may be silent about too."""
    for (name, element), each in zip(list(elements.items()), seen, strict=True):
        if len(each.values) < seeds:
            elements[name] = element.model_copy(update={"may_be_left_out": True})
            said[name] += f"; may be left out, as in {seeds - len(each.values)} of {seeds} seeds"


def _worded(element: Element, slug: str, subject: str, language: str) -> Element:
    if slug == subject:
        return element
    label = element.label.lower()
    verb = _verb(label)
    ask, fact = f"What {verb} the {label} of {{{subject}}}?", "The {label} of {{{subject}}} " + verb + " {{{slug}}}."
    if language == "zh":
        ask, fact, label = (
            f"{{{subject}}}的{element.label}是什么？",
            "{{{subject}}}的{label}是{{{slug}}}。",
            element.label,
        )
    worded = fact.format(label=label, subject=subject, slug=slug)
    return element.model_copy(update={"ask": (ask,), "fact": worded, "label": element.label})


def _verb(label: str) -> str:
    """What agrees with an English label: assets are, a status is."""
    last = label.lower().split()[-1] if label.split() else ""
    return "are" if re.search(r"(?<![aius])s$", last) else "is"


def _schema(name: str, language: str, subject: str, fields: Mapping[str, Element]) -> Schema:
    chinese = language == "zh"
    names = [each for each in fields if each != subject]
    kinds = Counter(fields[each].type for each in names)
    numbers = [each for each in names if fields[each].type in ("number", "sum")]
    dates = [each for each in names if fields[each].type == "date"]
    heading, title = ("基本情况", f"{{{subject}}}") if chinese else ("Particulars", f"{{{subject}}}")
    opening = f"本文介绍{{{subject}}}。" if chinese else f"This document is about {{{subject}}}."
    say = (Say(sentences=(opening,)), *(Say(sentences=(fields[each].fact,)) for each in names))
    ask_all = f"请概述{{{subject}}}的情况。" if chinese else f"Summarise what is known about {{{subject}}}."
    compare = "{a.%s}与{b.%s}哪个的%s更高？高多少？" if chinese else "Which has the higher %s, {a.%s} or {b.%s}?"
    order = "{a.%s}与{b.%s}，哪个的%s更早？" if chinese else "Which has the earlier %s, {a.%s} or {b.%s}?"

    def pair(template: str, label: str) -> str:
        return template % ((subject, subject, label) if chinese else (label.lower(), subject, subject))

    return Schema(
        name=name,
        language=language,
        title=title,
        key=(subject,),
        fields=dict(fields),
        sections=(Section(name="particulars", headings=(heading,), say=say),),
        summaries=(Summary(fields=tuple(names[:5]), ask=(ask_all,)),) if len(names) > 2 else (),
        hops=tuple(_days_hops(fields, dates, subject, chinese)),
        integrations=tuple(
            Integration(fields=(each,), ask=(_both(fields[each].label, subject, chinese),))
            for each in names
            if kinds[fields[each].type] and fields[each].type in ("option", "text")
        ),
        comparisons=tuple(
            Comparison(
                field=each,
                ask=(pair(compare, fields[each].label),),
                conclusion=(
                    f"{{higher.{subject}}}的{fields[each].label}更高，高出{{result}}。"
                    if chinese
                    else f"{{higher.{subject}}} has the higher {fields[each].label.lower()}, by {{result}}."
                ),
            )
            for each in numbers
        ),
        sequences=tuple(
            Order(
                field=each,
                ask=(pair(order, fields[each].label),),
                conclusion=(
                    f"{{earlier.{subject}}}的{fields[each].label}更早，早{{result}}。"
                    if chinese
                    else f"{{earlier.{subject}}} has the earlier {fields[each].label.lower()}, by {{result}}."
                ),
            )
            for each in dates
        ),
    )


def _both(label: str, subject: str, chinese: bool) -> str:
    if chinese:
        return f"{{a.{subject}}}和{{b.{subject}}}的{label}分别是什么？"
    verb = _verb(label)
    that = "those" if verb == "are" else "that"
    return f"What {verb} the {label.lower()} of {{a.{subject}}} and what {verb} {that} of {{b.{subject}}}?"


def _days_hops(fields: Mapping[str, Element], dates: Sequence[str], subject: str, chinese: bool) -> list[Hop]:
    hops = []
    for name in dates:
        before = fields[name].after
        if before:
            first, last = fields[before].label, fields[name].label
            ask = (
                f"{{{subject}}}的{first}与{last}相隔多少天？"
                if chinese
                else (f"How many days lie between the {first.lower()} and the {last.lower()} of {{{subject}}}?")
            )
            conclusion = (
                "二者相隔{result}。"
                if chinese
                else (f"The {last.lower()} of {{{subject}}} is {{result}} after its {first.lower()}.")
            )
            hops.append(Hop(kind="days", of=(name, before), ask=(ask,), conclusion=conclusion))
    return hops
