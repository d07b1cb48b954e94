"""A schema from what a language model finds in seed documents: values become types, ranges and options (RAGEval)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ragassay.errors import InputError
from ragassay.models.base import Model
from ragassay.records import Document
from ragassay.synthesis.scenario.infer_wording import worded_schema
from ragassay.synthesis.scenario.name_lists import shipped_lists
from ragassay.synthesis.scenario.schema import Element, FieldType, Schema
from ragassay.synthesis.scenario.values import (
    ORGANISATION_EN,
    ORGANISATION_ZH,
    Amount,
    amount,
    dates_in,
    is_address,
    is_date,
    is_file_number,
    is_organisation,
    is_person,
    is_place,
    names_in,
)
from ragassay.tasks.scenarios import SCHEMA_ELEMENTS, SeedDocument
from ragassay.text import count_words, sentence_spans

_LEAST_WORDS = 8
_MOST_OPTION_CHARS = 60
_MOST_TEXT_CHARS = 260
_MOST = 0.6
"""Share of the values that decide what a field is."""
_RESERVED = ("result", "ordinal", "number", "subject")
_TELLING = re.compile(r"[$€£¥]\s?\d|\d\s?(?:万|亿)?(?:元|美元)|\d(?:,\d{3})+|\d{4,}|[{}]")
"""Sums and years of one seed, and what a schema would take for a placeholder."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """A schema, what each field was taken for, and what the user should know."""

    schema: Schema
    fields: Mapping[str, str]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    """An element with its value in each seed that has it."""

    label: str
    values: dict[int, str] = field(default_factory=dict)


async def infer_by_model(model: Model, seeds: Sequence[Document], name: str) -> Inferred:
    """Summarise the seeds in a schema that names nothing that a seed names.

    Raises InputError where a seed is too short, or no seed gave an element.
    """
    if not seeds:
        raise InputError("no seed documents given; give files or folders with documents")
    for seed in seeds:
        if count_words(seed.text) < _LEAST_WORDS:
            raise InputError(f"{seed.source} has fewer than {_LEAST_WORDS} words, too few to infer a schema from")
    inputs = [SeedDocument(title=seed.title, text=seed.text, language=seed.language) for seed in seeds]
    replies = await model.ask_all(SCHEMA_ELEMENTS, inputs)
    found: dict[str, _Found] = {}
    for place, reply in enumerate(replies):
        for element in reply.value.items if reply.value else ():
            found.setdefault(element.name.lower(), _Found(element.name)).values.setdefault(place, element.value)
    silent = Counter(reply.reason or "" for reply in replies if reply.value is None)
    if not found:
        raise InputError(f"{model.name} found no element in {len(seeds)} seed documents: {next(iter(silent), 'none')}")
    fields = _Fields(list(found.values()), seeds)
    schema = worded_schema(
        fields.elements, fields.said, name, fields.language, subject=fields.subject(), lists=fields.lists()
    )
    notes = [
        f"{len(seeds)} seed documents gave {len(found)} fields, read by {model.name}; {sum(silent.values())} could not "
        "be read.",
        "Ranges and options are those of the seeds; add what else may occur. Numbers are drawn one by one: write down "
        "which are sums, shares or never greater than others.",
        "Sentences are plain: give each [[sections.say]] several wordings before you make documents to read.",
    ]
    if fields.dropped:
        notes.append(
            f"Left out, since the seeds name somebody or a date wherever they say it: {'; '.join(fields.dropped)}"
        )
    return Inferred(schema, fields.said, tuple(notes))


class _Fields:
    """The elements by name. said: what each was taken for. dropped: labels of texts that only one seed could say."""

    def __init__(self, found: Sequence[_Found], seeds: Sequence[Document]) -> None:
        self.language = "zh" if sum(seed.language == "zh" for seed in seeds) * 2 > len(seeds) else "en"
        self.elements: dict[str, Element] = {}
        self.said: dict[str, str] = {}
        self.dropped: list[str] = []
        self._found: dict[str, _Found] = {}
        self._texts = [seed.text for seed in seeds]
        self._common = frozenset(re.findall(r"(?<!\w)[a-z][a-z'’-]*", "\n".join(self._texts)))
        self._dates: dict[str, dict[int, date]] = {}
        kept = [each for each in found if len(each.values) > 1 or len(seeds) < 4]
        kinds = [_kind(each) for each in kept]
        self._names = {
            value.strip("。. ")
            for each, kind in zip(kept, kinds, strict=True)
            if kind in ("person", "organisation", "address", "file")
            for value in each.values.values()
        }
        for number, (each, kind) in enumerate(zip(kept, kinds, strict=True), 1):
            self._add(each, kind, number)
        self._order_dates()
        self._name_anew()
        for slug, element in self.elements.items():
            lacking = len(seeds) - len(self._found[slug].values)
            if lacking and slug != self.subject():
                self.elements[slug] = element.model_copy(update={"may_be_left_out": True})
                self.said[slug] += f"; may be left out, as in {lacking} of {len(seeds)} seeds"

    def subject(self) -> str:
        """Return the person, else the organisation, else the name that tells seeds apart; empty if there is none."""
        for kind in ("person", "organisation", "name"):
            slugs = [slug for slug, each in self.elements.items() if each.type == kind]
            told = [slug for slug in slugs if len(set(self._found[slug].values.values())) * 2 >= len(self._texts)]
            if told:
                return max(told, key=lambda slug: len(self._found[slug].values))
        return ""

    def lists(self) -> dict[str, tuple[str, ...]]:
        """Return the shipped lists that hold a name of the seeds, without it."""
        joined = "\n".join(self._texts)
        shipped = {
            name: words
            for name, words in shipped_lists(self.language).items()
            if name not in ("initials", "kinds_of_organisation")
        }
        free = {
            name: tuple(word for word in words if word not in joined or len(word) < 2)
            for name, words in shipped.items()
        }
        return {name: words for name, words in free.items() if words and len(words) < len(shipped[name])}

    def _add(self, found: _Found, kind: str, number: int) -> None:
        label = " ".join(re.sub(r"[{}]", " ", found.label).split())
        slug = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
        slug = slug if slug and slug[0].isalpha() else f"field_{number}"
        slug = slug if slug not in self._found and slug not in _RESERVED else f"{slug}_{number}"
        values = list(found.values.values())
        made: tuple[Element, str] | None
        match kind:
            case "date":
                made = self._date(slug, label, found.values)
            case "number":
                made = _number(label, values)
            case "person":
                made = Element(type="person", label=label), "person"
            case "organisation":
                made = _organisation(label, values, self.language), "organisation"
            case "address":
                made = Element(type="place", label=label, parts=_address(self.language)), "address"
            case "place":
                made = Element(type="place", label=label), "place"
            case "file":
                serial = tuple(f"{at:04d}" for at in range(1037, 9900, 157))
                made = Element(type="name", label=label, parts=(("No. ",), serial, ("/31",))), "number of a file"
            case _:
                made = self._text(label, values, "option" if kind == "option" else "text")
        if made is None:
            self.dropped.append(label)
            return
        self._found[slug] = found
        self.elements[slug], self.said[slug] = made

    def _date(self, slug: str, label: str, values: Mapping[int, str]) -> tuple[Element, str]:
        found = {place: dates_in(value)[0] for place, value in values.items() if dates_in(value)}
        by_month = sum(each[3] == "month" for each in found.values()) * 2 > len(found)
        days = self._dates[slug] = {place: each[2] for place, each in found.items()}
        first, last = min(days.values()), max(days.values())
        element = Element(
            type="date", label=label, earliest=first, latest=last, precision="month" if by_month else "day"
        )
        return element, f"date, {first} to {last}"

    def _order_dates(self) -> None:
        """Draw a date that follows another in all seeds, two at least, as many days after it as there."""
        in_order = sorted(self._dates, key=lambda slug: sum(map(date.toordinal, self._dates[slug].values())))
        for at, slug in enumerate(in_order):
            for before in reversed(in_order[:at]):
                both = self._dates[slug].keys() & self._dates[before].keys()
                gaps = [(self._dates[slug][place] - self._dates[before][place]).days for place in both]
                if len(gaps) > 1 and min(gaps) >= 0:
                    kept = self.elements[slug]
                    self.elements[slug] = Element(
                        type="date",
                        label=kept.label,
                        after=before,
                        days=(min(gaps), max(gaps)),
                        precision=kept.precision,
                    )
                    self.said[slug] = f"date, {min(gaps)} to {max(gaps)} days after {before}"
                    break

    def _name_anew(self) -> None:
        """Make the first field of which every seed has another value the subject, if there is no better one."""
        for slug, element in self.elements.items():
            if not self.subject() and element.type == "option" and len(element.options) == len(self._texts) > 1:
                parts = (("@organisations",), ("@things",))
                space = "" if self.language == "zh" else " "
                self.elements[slug] = Element(type="name", label=element.label, parts=parts, separator=space)
                self.said[slug] = "the subject, named anew"

    def _text(self, label: str, values: Sequence[str], kind: FieldType) -> tuple[Element, str] | None:
        clean = [self._without_names(value) for value in values]
        options = tuple(dict.fromkeys(filter(None, clean)))
        if not options:
            return None
        noun = "category" if kind == "option" else "free text"
        return Element(type=kind, label=label, options=options), f"{noun}, {len(options)} seen"

    def _without_names(self, text: str) -> str:
        """Return the first sentences that hold no name, date or sum of the seed."""
        kept = ""
        for start, end in sentence_spans(text):
            sentence = text[start:end].strip()
            is_a_word = len(text) <= _MOST_OPTION_CHARS and len(text.split()) <= 3  # as Retired Teacher
            common = self._common | set(text.lower().split()) if is_a_word else self._common
            telling = _TELLING.search(sentence) or dates_in(sentence) or names_in(sentence, common)
            if telling or any(name in sentence for name in self._names if len(name) > 1):
                continue
            if kept and len(kept) + len(sentence) > _MOST_TEXT_CHARS:
                break
            kept += (" " if kept and sentence[0].isascii() else "") + sentence
        return kept.rstrip("。.;；:：,， ") if len(kept) <= 2 * _MOST_TEXT_CHARS else ""


def _kind(found: _Found) -> str:
    label, values = found.label, list(found.values.values())
    tests: Sequence[tuple[str, Callable[[str], object]]] = (
        ("date", is_date),
        ("file", lambda value: is_file_number(label, value)),
        ("person", lambda value: is_person(label, value)),
        ("address", is_address),
        ("organisation", is_organisation),
        ("place", lambda value: is_place(label, value)),
        ("number", amount),
    )
    for kind, test in tests:
        if sum(bool(test(value)) for value in values) >= _MOST * len(values):
            return kind
    return "option" if max(map(len, values)) <= _MOST_OPTION_CHARS else "text"


def _number(label: str, values: Sequence[str]) -> tuple[Element, str]:
    """Return a number between the least and the greatest of those that are written in the most common way."""
    known: list[Amount] = [each for value in values if (each := amount(value)) is not None]
    pattern = Counter(each.pattern for each in known).most_common(1)[0][0]
    numbers = [each.number for each in known if each.pattern == pattern]
    decimals = min(2, max(max(-int(number.normalize().as_tuple().exponent), 0) for number in numbers))
    low, high = float(min(numbers)), float(max(numbers))
    element = Element(
        type="number",
        label=label,
        min=low,
        max=high,
        step=10.0**-decimals,
        decimals=decimals,
        pattern=pattern,
        grouped="," in "".join(values) or bool(pattern.strip("{} ")),
    )
    return element, f"number, {low:g} to {high:g}, written {pattern.replace('{}', '...')}"


def _organisation(label: str, values: Sequence[str], language: str) -> Element:
    """Return an organisation of the kinds that the seeds have, under other names."""
    pattern = re.compile(rf"(?:{ORGANISATION_ZH.pattern})$") if language == "zh" else ORGANISATION_EN
    kinds = [matches[-1].group() for value in values if (matches := list(pattern.finditer(value)))]
    space = "" if language == "zh" else " "
    parts = (("@organisations",), tuple(dict.fromkeys(space + kind for kind in kinds))) if kinds else ()
    return Element(type="organisation", label=label, parts=parts)


def _address(language: str) -> tuple[tuple[str, ...], ...]:
    numbers = tuple(str(number) for number in range(3, 99, 5))
    return (("@streets",), numbers, ("号",)) if language == "zh" else (numbers, (" ",), ("@streets",))
