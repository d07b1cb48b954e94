"""An inferred schema in words: sections as the seeds have them, a line for each field, questions of all types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, permutations

from ragassay.errors import InputError
from ragassay.synthesis.scenario.inference.fields import ENTRY, ENTRY_TEXT, STORY, Fields
from ragassay.synthesis.scenario.inference.words import CHINESE, ENGLISH
from ragassay.synthesis.scenario.schema import (
    NUMERIC,
    Comparison,
    Element,
    Hop,
    Integration,
    Say,
    Schema,
    Section,
    Summary,
    mentioned,
)
from ragassay.synthesis.scenario.schema import Sequence as Order

_MOST_HOPS = 16
"""Of one kind."""
_MOST_SUMMARIES = 8
_SUMMARISED = 5


def worded_schema(fields: Fields, name: str, title: str, title_of: Callable[[str], str]) -> Schema:
    """The schema of the fields: title shared by the seeds, headings, lines and sentences, and questions."""
    return _Wording(fields, title, title_of).schema(name)


class _Wording:
    def __init__(self, fields: Fields, title: str, title_of: Callable[[str], str]) -> None:
        self.fields = fields
        self.chinese = fields.language == "zh"
        self.words = CHINESE if self.chinese else ENGLISH
        self.title_of = title_of
        self.title = title
        self.elements = dict(fields.elements)
        self.subject = fields.subject or self._numbered()
        of_person = self.elements[self.subject].type == "person"
        self.kind = ("记录" if of_person else "报告") if self.chinese else ("record" if of_person else "report")
        used = mentioned(text for element in self.elements.values() for text in element.values)
        given = {element.given for element in self.elements.values()} | {
            inner.given for element in self.elements.values() for inner in element.fields.values()
        }
        self.helpers: set[str] = {each for each in ("city", "story") if each in used | given and each in self.elements}
        self.helpers |= {element.within_year for element in self.elements.values()}
        self.told = [each for each in self.elements if each != self.subject and each not in self.helpers]

    def _numbered(self) -> str:
        """The first field of which every seed has another value, or a number for every document."""
        for slug, element in self.elements.items():
            if (
                element.type == "option"
                and slug != STORY
                and not element.by
                and len(element.options) == self.fields.seeds > 1
                and not element.may_be_left_out
            ):
                self.elements[slug] = Element(
                    type="name",
                    label=element.label,
                    parts=(("@organisations",), ("@things",)),
                    separator="" if self.chinese else " ",
                )
                self.fields.said[slug] = "the subject, named anew"
                return slug
        label, word, ending = ("编号", "第", "号") if self.chinese else ("case", "Case ", "")
        self.elements["subject"] = Element(
            type="name", label=label, parts=((word,), tuple(f"{at}{ending}" for at in range(1001, 1900)))
        )
        self.fields.said["subject"] = "the subject: no field names it in the seeds, so documents are numbered"
        return "subject"

    def schema(self, name: str) -> Schema:
        for slug in self.told:
            self.elements[slug] = self._worded(slug, self.elements[slug])
        title = (
            self.title
            if not self.title or self.chinese
            else self.title.capitalize()
            if self.title.isupper()
            else self.title
        )
        joint = "：" if self.chinese else ": "
        lists = {each: words for each, words in self.fields.lists.items() if self._uses(each)}
        sections = tuple(self._sections())
        if not sections:
            raise InputError(
                "the seed documents state nothing that a document of their kind would; give more of them, or copy a "
                "shipped schema with `ragassay schema copy` and edit it"
            )
        return Schema(
            name=name,
            language=self.fields.language,
            title=f"{title}{joint}{{{self.subject}}}" if title else f"{{{self.subject}}}",
            key=(self.subject,),
            fields=self.elements,
            sections=sections,
            summaries=tuple(self._summaries()),
            hops=tuple(
                hop
                for found in (self._time_hops(), self._number_hops(), self._bridges())
                for hop in islice(found, _MOST_HOPS)
            ),
            integrations=tuple(self._integrations()),
            comparisons=tuple(self._comparisons()),
            sequences=tuple(self._sequences()),
            orders=self.fields.relations.orders,
            lists=lists,
        )

    def _uses(self, name: str) -> bool:
        if any(f"@{name}" in element.values for element in self.elements.values()):
            return True
        kinds = {element.type for element in self.elements.values() if not element.parts}
        default = {"person": ("given_names", "surnames"), "organisation": ("organisations",), "place": ("places",)}
        return any(name in default.get(kind, ()) for kind in kinds)

    def _fill(self, template: str, **values: str) -> str:
        return template.format(subject=f"{{{self.subject}}}", kind=self.kind, **values)

    def _label(self, slug: str) -> str:
        label = self.elements[slug].label
        lowered = (
            label[:1].lower() + label[1:] if slug in self.fields.prose or self.elements[slug].type in NUMERIC else label
        )
        return lowered if not self.chinese else label

    def _worded(self, slug: str, element: Element) -> Element:
        if element.type == "records":
            return self._worded_records(slug, element)
        words, kind = self.words, self._asked_as(slug, element)
        label, verb = self._label(slug), self._verb(slug)
        asked = words.ask.get(kind, words.ask["option"])
        said = words.fact.get(kind, words.fact["other"])
        on = "in" if element.precision == "month" else "on"
        return element.model_copy(
            update={
                "ask": (self._fill(asked, label=label, verb=verb),),
                "fact": self._fill(said, label=label, verb=verb, on=on, value=f"{{{slug}}}"),
            }
        )

    def _asked_as(self, slug: str, element: Element) -> str:
        if element.type in NUMERIC:
            return "number"
        if element.type == "date" and slug in self.fields.prose:
            return "done" if element.label.split()[-1].endswith("ed") and " " not in element.label else "event"
        return element.type

    def _verb(self, slug: str) -> str:
        """What agrees with an English label: assets are, a status is."""
        last = self.elements[slug].label.lower().split()[-1:]
        return "are" if last and last[0].endswith("s") and not last[0].endswith(("ss", "us", "is", "as")) else "is"

    def _worded_records(self, slug: str, element: Element) -> Element:
        section = self._heading(self.fields.records[slug])
        name_ask, name_fact = (self._fill(text, section=section) for text in self.words.record_name)
        ask, fact = (self._fill(text, section=section) for text in self.words.record_details)
        inner = {
            ENTRY: element.fields[ENTRY].model_copy(update={"ask": (name_ask,), "fact": name_fact}),
            ENTRY_TEXT: element.fields[ENTRY_TEXT].model_copy(update={"ask": (ask,), "fact": fact}),
        }
        return element.model_copy(update={"fields": inner, "label": section})

    def _heading(self, key: str) -> str:
        return self.title_of(key)

    def _section_of(self, slug: str) -> str:
        if slug in self.fields.records:
            return self._heading(self.fields.records[slug])
        if slug in self.fields.prose:
            return self.words.events if self.elements[slug].type == "date" else self.words.indicators
        return self.fields.sections.get(slug) or self.words.heading

    def _by_section(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for slug in self.told:
            section = self._section_of(slug)
            if slug in self.fields.prose and slug.endswith("_amount") and slug.removesuffix("_amount") in self.elements:
                section = self.words.events
            found.setdefault(section, []).append(slug)
        return found

    def _sections(self) -> Iterator[Section]:
        opening = Say(sentences=(self._fill(self.words.opening),))
        for at, (heading, slugs) in enumerate(self._by_section().items()):
            says = [each for slug in slugs for each in self._says(slug, alone=heading == self.elements[slug].label)]
            if not at:
                named = self.elements[self.subject].label
                line = f"{named}：{{{self.subject}}}" if self.chinese else f"{named}: {{{self.subject}}}"
                prose = all(slug in self.fields.prose for slug in slugs) or not self.fields.subject
                says = [opening if prose else Say(sentences=(line,)), *says]
            yield Section(name=heading, headings=(heading,), say=tuple(says))

    def _says(self, slug: str, alone: bool) -> Iterator[Say]:
        element = self.elements[slug]
        stop = ("。" if self.chinese else ".") if element.type == "text" else ""
        if element.type == "records":
            colon = "：" if self.chinese else ": "
            end = "。" if self.chinese else "."
            yield Say(sentences=(f"{{number}}. {{{ENTRY}}}{colon}{{{ENTRY_TEXT}}}{end}",), each=slug, line=True)
        elif slug in self.fields.prose:
            yield Say(sentences=(element.fact,))
        elif alone:
            yield Say(sentences=(f"{{{slug}}}{stop}",), line=True)
        else:
            colon = "：" if self.chinese else ": "
            yield Say(sentences=(f"{element.label}{colon}{{{slug}}}{stop}",), line=True)

    def _summaries(self) -> Iterator[Summary]:
        for heading, slugs in list(self._by_section().items())[:_MOST_SUMMARIES]:
            names = [slug for slug in slugs if self.elements[slug].type != "records"][:_SUMMARISED]
            if len(names) > 2:
                yield Summary(fields=tuple(names), ask=(self._fill(self.words.summary, section=heading),))

    def _dates(self) -> list[str]:
        return [slug for slug in self.told if self.elements[slug].type == "date"]

    def _numbers(self) -> list[str]:
        return [slug for slug in self.told if self.elements[slug].type in NUMERIC]

    def _time_hops(self) -> Iterator[Hop]:
        ask, conclusion = self.words.days
        for slug, before in permutations(self._dates(), 2):
            if self.elements[before].after == slug:
                continue
            labels = {"first": self._label(before), "last": self._label(slug)}
            yield Hop(
                kind="days",
                of=(slug, before),
                ask=(self._fill(ask, **labels),),
                conclusion=self._fill(conclusion, **labels),
            )

    def _number_hops(self) -> Iterator[Hop]:
        """Of a sum and its part, and of two amounts of which one was greater in all seeds."""
        ask, conclusion = self.words.more
        sums = [
            (slug, part)
            for slug in self._numbers()
            for part in self.elements[slug].of
            if self.elements[slug].type == "sum"
        ]
        for first, second in dict.fromkeys([*sums, *self.fields.relations.greater()]):
            labels = {"first": self._label(first), "second": self._label(second), "verb": self._verb(first)}
            yield Hop(
                kind="difference",
                of=(first, second),
                ask=(self._fill(ask, **labels),),
                conclusion=self._fill(conclusion, **labels),
            )

    def _bridges(self) -> Iterator[Hop]:
        """From a person of whom no other document knows, by way of the document, to what else it states."""
        people = [slug for slug in self.told if self.elements[slug].type == "person"] or [
            slug for slug in self.told if self.elements[slug].type == "place" and len(self.elements[slug].parts) > 1
        ]
        targets = [
            slug for slug in self.told if self.elements[slug].type in ("option", "number", "place", "organisation")
        ]
        pairs = [
            (target, person) for at, target in enumerate(targets) for person in people[at % max(1, len(people)) :][:1]
        ]
        for target, person in pairs:
            texts = {"person": f"{{{person}}}", "by": self._label(person), "label": self._label(target)}
            yield Hop(kind="bridge", of=(target, person), ask=(self._fill(self.words.bridge, **texts),))

    def _pair(self, template: str, **labels: str) -> str:
        text = template.format(kind=self.kind, **labels)
        for prefix in ("a", "b", "higher", "lower", "earlier", "later"):
            text = text.replace(f"{{{prefix}}}", f"{{{prefix}.{self.subject}}}")
        return text

    def _integrations(self) -> Iterator[Integration]:
        for slug in self.told:
            if self.elements[slug].type in ("option", "text", "person", "organisation", "number"):
                yield Integration(fields=(slug,), ask=(self._pair(self.words.both["other"], label=self._label(slug)),))

    def _comparisons(self) -> Iterator[Comparison]:
        ask, conclusion = self.words.higher
        for slug in self._numbers():
            label = self._label(slug)
            points = "{}个百分点" if self.chinese else "{} percentage points"
            pattern = points if self.elements[slug].pattern == "{}%" else ""
            yield Comparison(
                field=slug,
                ask=(self._pair(ask, label=label),),
                conclusion=self._pair(conclusion, label=label),
                pattern=pattern,
            )

    def _sequences(self) -> Iterator[Order]:
        ask, conclusion = self.words.earlier
        for slug in self._dates():
            label = self._label(slug)
            yield Order(field=slug, ask=(self._pair(ask, label=label),), conclusion=self._pair(conclusion, label=label))
