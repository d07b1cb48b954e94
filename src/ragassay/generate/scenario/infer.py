"""A schema from what a language model finds in seed documents: values become types, ranges and options (RAGEval)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from ragassay.errors import InputError
from ragassay.generate.scenario.schema import Comparison, Element, Hop, Integration, Say, Schema, Section, Summary
from ragassay.generate.scenario.schema import Sequence as Order
from ragassay.generate.scenario.values import (
    MOST_OPTION_CHARS,
    ORGANISATION_EN,
    ORGANISATION_ZH,
    Kind,
    amount,
    dates_in,
    kind_of,
    names_in,
)
from ragassay.models.base import Model
from ragassay.records import Document
from ragassay.tasks.scenarios import SCHEMA_ELEMENTS, SchemaElement, SeedDocument, SeedDocuments
from ragassay.text import count_words, sentence_spans

_MOST_HOPS = 16
_SUMMARISED = 5
_LEAST_WORDS = 8
_MOST_TEXT_CHARS = 260
_MOST_CALL_CHARS = 60_000
_RESERVED = ("result", "ordinal", "number", "subject")
_TELLING = re.compile(r"[$€£¥]\s?\d|\d\s?(?:万|亿)?(?:元|美元)|\d(?:,\d{3})+|\d{4,}|[{}]")
"""Sums and years of one seed, and what a schema would take for a placeholder."""
_SERIAL = (("No. ",), tuple(f"{at:04d}" for at in range(1037, 9900, 157)), ("/31",))
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "heading": "Particulars",
        "subject": "case",
        "line": "<label>: {<field>}",
        "text": "<label>: {<field>}.",
        "ask": "What does the record of {<subject>} give under “<label>”?",
        "fact": "The record of {<subject>} states under “<label>”: {<field>}.",
        "summary": "Summarise what the record of {<subject>} says.",
        "days": "How much time lies between “<first>” and “<label>” in the record of {<subject>}?",
        "days fact": "In the record of {<subject>}, {result} lie between “<first>” and “<label>”.",
        "both": "What do the records of {a.<subject>} and {b.<subject>} state under “<label>”?",
        "higher": "Which has the higher “<label>”, {a.<subject>} or {b.<subject>}, and by how much?",
        "higher fact": "{higher.<subject>} has the higher “<label>”, by {result}.",
        "points": "{} percentage points",
        "earlier": "Which of the records of {a.<subject>} and {b.<subject>} gives the earlier date for “<label>”?",
        "earlier fact": "The record of {earlier.<subject>} gives the earlier date for “<label>”, by {result}.",
    },
    "zh": {
        "heading": "基本情况",
        "subject": "编号",
        "line": "<label>：{<field>}",
        "text": "<label>：{<field>}。",
        "ask": "{<subject>}的记录中，“<label>”一项写的是什么？",
        "fact": "{<subject>}的记录中，“<label>”一项是：{<field>}。",
        "summary": "请概述{<subject>}的记录的内容。",
        "days": "{<subject>}的记录中，“<first>”与“<label>”相隔多久？",
        "days fact": "“<first>”与“<label>”相隔{result}。",
        "both": "{a.<subject>}与{b.<subject>}的记录中，“<label>”一项分别写的是什么？",
        "higher": "{a.<subject>}与{b.<subject>}相比，哪一个的“<label>”更高？高多少？",
        "higher fact": "{higher.<subject>}的“<label>”更高，高出{result}。",
        "points": "{}个百分点",
        "earlier": "{a.<subject>}与{b.<subject>}的记录中，哪一份的“<label>”更早？",
        "earlier fact": "{earlier.<subject>}的记录中“<label>”更早，早{result}。",
    },
}
"""<subject>, <field>: names of fields. <label>, <first>: what people call one, and the one before it."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """A schema, what each field was taken for, and what the user should know."""

    schema: Schema
    fields: Mapping[str, str]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    """An element with its value in each seed that has it. said: its wordings and further values, by the model."""

    label: str
    values: dict[int, str] = field(default_factory=dict)
    said: SchemaElement | None = None

    @property
    def kind(self) -> Kind:
        """What its values are."""
        return kind_of(self.label, list(self.values.values()))


async def infer_by_model(model: Model, seeds: Sequence[Document], name: str) -> Inferred:
    """Summarise the seeds in a schema that names nothing that a seed names.

    Raises InputError where a seed is too short, or no seed gave an element.
    """
    if not seeds:
        raise InputError("no seed documents given; give files or folders with documents")
    for seed in seeds:
        if count_words(seed.text) < _LEAST_WORDS:
            raise InputError(f"{seed.source} has fewer than {_LEAST_WORDS} words, too few to infer a schema from")
    calls = _calls(seeds)
    language = "zh" if sum(seed.language == "zh" for seed in seeds) * 2 > len(seeds) else "en"
    inputs = [
        SeedDocuments(
            seeds=tuple(SeedDocument(title=seeds[at].title, text=seeds[at].text) for at in places), language=language
        )
        for places in calls
    ]
    found: dict[str, _Found] = {}
    silent = Counter[str]()
    for places, reply in zip(calls, await model.ask_all(SCHEMA_ELEMENTS, inputs), strict=True):
        if reply.value is None:
            silent[reply.reason or ""] += len(places)
        for element in reply.value.items if reply.value else ():
            each = found.setdefault(element.name.lower(), _Found(element.name, said=element))
            for place, value in zip(places, element.values, strict=False):
                if value:
                    each.values.setdefault(place, value)
    if not found:
        raise InputError(f"{model.name} found no element in {len(seeds)} seed documents: {next(iter(silent), 'none')}")
    fields = _Fields(list(found.values()), seeds, language)
    schema = _worded(*fields.with_subject(), name, language, fields.wordings)
    notes = [
        f"{len(seeds)} seed documents gave {len(found)} fields, read by {model.name}; {sum(silent.values())} could not "
        "be read.",
        "Ranges are those of the seeds. Numbers are drawn one by one, but for sums that hold in all seeds: write down "
        "which are shares of others.",
        f"{fields.plain} fields have plain sentences, since the model's wordings hold names or numbers, "
        "repeat a unit or lack a placeholder.",
    ]
    if fields.dropped:
        notes.append(
            f"Left out, since the seeds name somebody or a date wherever they say it: {'; '.join(fields.dropped)}"
        )
    return Inferred(schema, fields.said, tuple(notes))


def _calls(seeds: Sequence[Document]) -> list[list[int]]:
    """The places of the seeds in parts that fit into a call."""
    parts: list[list[int]] = []
    taken = _MOST_CALL_CHARS
    for place, seed in enumerate(seeds):
        if taken + len(seed.text) > _MOST_CALL_CHARS:
            parts.append([])
            taken = 0
        parts[-1].append(place)
        taken += len(seed.text)
    return parts


@dataclass(frozen=True, slots=True)
class _Wordings:
    """How a model puts a field: sentences that state it, questions for it, a statement that stands alone."""

    sentences: tuple[str, ...]
    questions: tuple[str, ...]
    fact: str


class _Fields:
    """The elements by name. said: what each was taken for. dropped: labels of texts that only one seed could say.

    wordings: by field, where the model's hold nothing of the seeds. plain: how many fields have none.
    """

    def __init__(self, found: Sequence[_Found], seeds: Sequence[Document], language: str) -> None:
        self.language = language
        self.elements: dict[str, Element] = {}
        self.said: dict[str, str] = {}
        self.dropped: list[str] = []
        self._seeds = len(seeds)
        self._found: dict[str, _Found] = {}
        self._common = frozenset(re.findall(r"(?<!\w)[a-z][a-z'’-]*", "\n".join(seed.text for seed in seeds)))
        kept = [each for each in found if len(each.values) > 1 or len(seeds) < 4]
        named = {
            value.strip("。. ")
            for each in kept
            if each.kind in ("person", "organisation", "place", "file")
            for value in each.values.values()
        }
        bare = [ORGANISATION_ZH.sub("", ORGANISATION_EN.sub("", name)) for name in named]
        parts = {part for name in bare for part in re.findall(r"[A-Z][\w'’-]{2,}|[\u4e00-\u9fff]{2,}", name)}
        self._names = named | parts
        for number, each in enumerate(kept, 1):
            self._add(each, number)
        self.wordings = {
            slug: wordings
            for slug, each in self._found.items()
            if each.said and (wordings := self._wordings(slug, each.said))
        }
        self.plain = len(self._found) - len(self.wordings)
        self._order_dates()
        self._find_sums()
        for slug, element in self.elements.items():
            lacking = len(seeds) - len(self._found[slug].values)
            if lacking and slug != self.subject():
                self.elements[slug] = element.model_copy(update={"may_be_left_out": True})
                self.said[slug] += f"; may be left out, as in {lacking} of {len(seeds)} seeds"

    def subject(self) -> str:
        """Return the person, else the organisation, else the name that tells seeds apart; empty if there is none."""
        for kind in ("person", "organisation", "name"):
            slugs = [slug for slug, each in self.elements.items() if each.type == kind]
            told = [slug for slug in slugs if len(set(self._found[slug].values.values())) * 2 >= self._seeds]
            if told:
                return max(told, key=lambda slug: len(self._found[slug].values))
        return ""

    def with_subject(self) -> tuple[Mapping[str, Element], str]:
        """Return the elements, and the field that a document is about: one for its number, where none is."""
        if subject := self.subject():
            return self.elements, subject
        label = _WORDS[self.language]["subject"]
        numbers = tuple(f"{label} {at}" for at in range(1001, 1900))
        self.said["subject"] = "the subject: no field names it in the seeds, so documents are numbered"
        return {"subject": Element(type="name", label=label, parts=(numbers,)), **self.elements}, "subject"

    def _add(self, found: _Found, number: int) -> None:
        label = " ".join(re.sub(r"[{}]", " ", found.label).split())
        slug = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
        slug = slug if slug and slug[0].isalpha() else f"field_{number}"
        slug = slug if slug not in self._found and slug not in _RESERVED else f"{slug}_{number}"
        others = found.said.alternatives if found.said else ()
        made = self._element(label, found.kind, list(found.values.values()), others)
        if made is None:
            self.dropped.append(label)
            return
        self._found[slug] = found
        self.elements[slug], self.said[slug] = made

    def _wordings(self, slug: str, said: SchemaElement) -> _Wordings | None:
        """Return the model's wordings with the names of fields in them; None where one of a kind does not do."""
        subject = self.subject()
        parts = re.findall(r"[A-Za-z]+|[^\s\w{}]|[\u4e00-\u9fff]", self.elements[slug].pattern)
        units = "|".join([*(re.escape(part.rstrip("s") or part) for part in parts), *["per ?cent"] * ("%" in parts)])
        twice = re.compile(rf"(?:{units})\s*\{{value\}}|\{{value\}}[\s-]*(?:{units})s?(?![A-Za-z])", re.IGNORECASE)

        def fitting(texts: Sequence[str], needed: str) -> tuple[str, ...]:
            whole = [text for text in texts if needed in text and not (units and twice.search(text))]
            bare = [re.sub(r"\{(?:value|subject)\}", "", text) for text in whole]
            tell = [re.search(r"[\d{]", rest) or self._tells(rest) for rest in bare]
            held = (text for text, telling in zip(whole, tell, strict=True) if not telling)
            return tuple(text.replace("{value}", f"{{{slug}}}").replace("{subject}", f"{{{subject}}}") for text in held)

        sentences, fact = fitting(said.sentences, "{value}"), fitting([said.fact], "{value}")
        questions = fitting([each for each in said.questions if "{value}" not in each], "{subject}")
        is_whole = subject and sentences and questions and fact and "{subject}" in said.fact
        return _Wordings(sentences, questions, fact[0]) if is_whole else None

    def _element(
        self, label: str, kind: Kind, values: Sequence[str], others: Sequence[str]
    ) -> tuple[Element, str] | None:
        match kind:
            case "date":
                dates = [found[0] for value in values if (found := dates_in(value))]
                first, last = min(day for _, _, day, _ in dates), max(day for _, _, day, _ in dates)
                precision = Counter(each[3] for each in dates).most_common(1)[0][0]
                element = Element(type="date", label=label, earliest=first, latest=last, precision=precision)
                return element, f"date, {first} to {last}"
            case "number":
                return _number(label, values)
            case "person" | "place":
                return Element(type=kind, label=label), kind
            case "organisation":
                return _organisation(label, values, self.language), "organisation"
            case "file":
                return Element(type="name", label=label, parts=_SERIAL), "number of a file"
        seen = dict.fromkeys(filter(None, map(self._without_names, values)))
        options = tuple(dict.fromkeys([*seen, *filter(None, map(self._without_names, others))]))
        told = f"{'category' if kind == 'option' else 'free text'}, {len(seen)} seen, {len(options) - len(seen)} added"
        return (Element(type=kind, label=label, options=options), told) if options else None

    def _find_sums(self) -> None:
        """Compute a number that is the sum of two others above 0 in all seeds, three at least, in the same unit."""
        numbers = {
            slug: {
                place: found.number
                for place, value in self._found[slug].values.items()
                if (found := amount(value)) and found.pattern == element.pattern
            }
            for slug, element in self.elements.items()
            if element.type == "number"
        }
        for whole, sums in numbers.items():
            for one, other in combinations([slug for slug in numbers if slug != whole], 2):
                both = sums.keys() & numbers[one].keys() & numbers[other].keys()
                pairs = [(sums[at], numbers[one][at], numbers[other][at]) for at in both]
                holds = all(total == first + second and min(first, second) > 0 for total, first, second in pairs)
                forms = {(self.elements[slug].type, self.elements[slug].pattern) for slug in (one, other)}
                if len(both) > 2 and holds and forms == {("number", self.elements[whole].pattern)}:
                    kept = self.elements[whole].model_copy(update={"type": "sum", "of": (one, other)})
                    self.elements[whole] = kept.model_copy(update={"min": None, "max": None, "step": 1})
                    self.said[whole] = f"sum of {one} and {other}"
                    break

    def _order_dates(self) -> None:
        """Draw a date that follows another in all seeds, two at least, as many days after it as there."""
        days = {
            slug: {
                place: found[0][2] for place, value in self._found[slug].values.items() if (found := dates_in(value))
            }
            for slug, element in self.elements.items()
            if element.type == "date"
        }
        in_order = sorted(days, key=lambda slug: sum(day.toordinal() for day in days[slug].values()))
        for at, slug in enumerate(in_order):
            for before in reversed(in_order[:at]):
                both = days[slug].keys() & days[before].keys()
                gaps = [(days[slug][place] - days[before][place]).days for place in both]
                if len(gaps) > 1 and min(gaps) >= 0:
                    after = {"after": before, "days": (min(gaps), max(gaps)), "earliest": None, "latest": None}
                    self.elements[slug] = self.elements[slug].model_copy(update=after)
                    self.said[slug] = f"date, {min(gaps)} to {max(gaps)} days after {before}"
                    break

    def _tells(self, sentence: str, common: frozenset[str] = frozenset()) -> bool:
        """Return whether a sentence holds a name, date or sum of the seeds. common: words that are no names."""
        telling = _TELLING.search(sentence) or dates_in(sentence) or names_in(sentence, common or self._common)
        return bool(telling) or any(name in sentence for name in self._names if len(name) > 1)

    def _without_names(self, text: str) -> str:
        """Return the first sentences that hold no name, date or sum of the seed."""
        kept = ""
        for start, end in sentence_spans(text):
            sentence = text[start:end].strip()
            is_a_word = len(text) <= MOST_OPTION_CHARS and len(text.split()) <= 3  # as Retired Teacher
            common = self._common | set(text.lower().split()) if is_a_word else self._common
            if self._tells(sentence, common):
                continue
            if kept and len(kept) + len(sentence) > _MOST_TEXT_CHARS:
                break
            kept += (" " if kept and sentence[0].isascii() else "") + sentence
        return kept.rstrip("。.;；:：,， ") if len(kept) <= 2 * _MOST_TEXT_CHARS else ""


def _number(label: str, values: Sequence[str]) -> tuple[Element, str]:
    """Return a number between the least and the greatest of those that are written in the most common way."""
    known = [each for value in values if (each := amount(value)) is not None]
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


def _worded(
    elements: Mapping[str, Element], subject: str, name: str, language: str, wordings: Mapping[str, _Wordings]
) -> Schema:
    """Return the schema of the elements: a line for each, and questions of all types."""
    words = _WORDS[language]

    def said(key: str, slug: str = "", first: str = "") -> str:
        labels = {"<label>": elements[slug].label if slug else "", "<first>": elements[first].label if first else ""}
        text = words[key]
        for mark, value in {"<subject>": subject, "<field>": slug, **labels}.items():
            text = text.replace(mark, value)
        return text

    def worded(slug: str, element: Element) -> Element:
        own = wordings.get(slug)
        asked = {"ask": own.questions if own else (said("ask", slug),), "fact": own.fact if own else said("fact", slug)}
        return element if slug == subject else element.model_copy(update=asked)

    told = [slug for slug in elements if slug != subject]
    of_type = {kind: [slug for slug in told if elements[slug].type == kind] for kind in ("number", "date")}
    hops = [
        Hop(kind="days", of=(last, first), ask=(said("days", last, first),), conclusion=said("days fact", last, first))
        for last, first in permutations(of_type["date"], 2)
        if elements[first].after != last
    ]

    def stated(slug: str) -> tuple[str, ...]:
        plain = said("text" if elements[slug].type == "text" else "line", slug)
        return wordings[slug].sentences if slug in wordings else (plain,)

    say = tuple(Say(sentences=stated(slug), paragraph=True) for slug in (subject, *told))
    return Schema(
        name=name,
        language=language,
        title=f"{{{subject}}}",
        key=(subject,),
        fields={slug: worded(slug, element) for slug, element in elements.items()},
        sections=(Section(name=words["heading"], headings=(words["heading"],), say=say),),
        summaries=(Summary(fields=tuple(told[:_SUMMARISED]), ask=(said("summary"),)),) if len(told) > 2 else (),
        hops=tuple(hops[:_MOST_HOPS]),
        integrations=tuple(
            Integration(fields=(slug,), ask=(said("both", slug),))
            for slug in told
            if elements[slug].type in ("option", "text", "person", "organisation", "number")
        ),
        comparisons=tuple(
            Comparison(
                field=slug,
                ask=(said("higher", slug),),
                conclusion=said("higher fact", slug),
                pattern=words["points"] if elements[slug].pattern == "{}%" else "",
            )
            for slug in of_type["number"]
        ),
        sequences=tuple(
            Order(field=slug, ask=(said("earlier", slug),), conclusion=said("earlier fact", slug))
            for slug in of_type["date"]
        ),
    )
