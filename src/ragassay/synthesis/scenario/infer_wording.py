"""An inferred schema in words: a line for each field, and questions of all types, in English and Chinese."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, permutations

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
)
from ragassay.synthesis.scenario.schema import Sequence as Order

_MOST_HOPS = 16
"""Of one kind."""
_SUMMARISED = 5
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "heading": "Particulars",
        "subject": "case",
        "line": "{label}: {value}",
        "stop": ".",
        "ask": "What does the record of {subject} give under “{label}”?",
        "ask date": "What date does the record of {subject} give for “{label}”?",
        "ask number": "What is the {label} of {subject}?",
        "fact": "The record of {subject} states under “{label}”: {value}.",
        "fact number": "The {label} of {subject} is {value}.",
        "summary": "Summarise what the record of {subject} says.",
        "days": "How much time lies between “{first}” and “{last}” in the record of {subject}?",
        "days fact": "In the record of {subject}, {{result}} lie between “{first}” and “{last}”.",
        "bridge": "In the record that names {other} under “{by}”, what is stated under “{label}”?",
        "both": "What do the records of {a} and {b} state under “{label}”?",
        "higher": "Which has the higher {label}, {a} or {b}, and by how much?",
        "higher fact": "{higher} has the higher {label}, by {{result}}.",
        "points": "{} percentage points",
        "earlier": "Which of the records of {a} and {b} gives the earlier date for “{label}”?",
        "earlier fact": "The record of {earlier} gives the earlier date for “{label}”, by {{result}}.",
    },
    "zh": {
        "heading": "基本情况",
        "subject": "编号",
        "line": "{label}：{value}",
        "stop": "。",
        "ask": "{subject}的记录中，“{label}”一项写的是什么？",
        "ask date": "{subject}的记录中，“{label}”一项是哪一天？",
        "ask number": "{subject}的{label}是多少？",
        "fact": "{subject}的记录中，“{label}”一项是：{value}。",
        "fact number": "{subject}的{label}是{value}。",
        "summary": "请概述{subject}的记录的内容。",
        "days": "{subject}的记录中，“{first}”与“{last}”相隔多久？",
        "days fact": "“{first}”与“{last}”相隔{{result}}。",
        "bridge": "在“{by}”一项为{other}的记录中，“{label}”一项写的是什么？",
        "both": "{a}与{b}的记录中，“{label}”一项分别写的是什么？",
        "higher": "{a}与{b}相比，哪一个的{label}更高？高多少？",
        "higher fact": "{higher}的{label}更高，高出{{result}}。",
        "points": "{}个百分点",
        "earlier": "{a}与{b}的记录中，哪一份的“{label}”更早？",
        "earlier fact": "{earlier}的记录中“{label}”更早，早{{result}}。",
    },
}


def worded_schema(
    elements: Mapping[str, Element],
    said: dict[str, str],
    name: str,
    language: str,
    *,
    subject: str,
) -> Schema:
    """Return the schema of the elements. subject: the field that a document is about; empty to number documents."""
    words = _WORDS[language]
    if not subject:
        subject = "subject"
        numbers = tuple(f"{words['subject']} {at}" for at in range(1001, 1900))
        elements = {subject: Element(type="name", label=words["subject"], parts=(numbers,)), **elements}
        said[subject] = "the subject: no field names it in the seeds, so documents are numbered"
    return _Wording(elements, words, subject).schema(name, language)


class _Wording:
    def __init__(self, elements: Mapping[str, Element], words: Mapping[str, str], subject: str) -> None:
        self.elements, self.words, self.subject = elements, words, subject
        self.told = [slug for slug in elements if slug != subject]
        self.numbers = [slug for slug in self.told if elements[slug].type in NUMERIC]
        self.dates = [slug for slug in self.told if elements[slug].type == "date"]

    def schema(self, name: str, language: str) -> Schema:
        heading, summarised = self.words["heading"], self.told[:_SUMMARISED]
        summary = self.words["summary"].format(subject=f"{{{self.subject}}}")
        say = tuple(
            Say(
                sentences=(self._say("line", slug) + (self.words["stop"] if each.type == "text" else ""),),
                paragraph=True,
            )
            for slug, each in {self.subject: self.elements[self.subject], **self.elements}.items()
        )
        return Schema(
            name=name,
            language=language,
            title=f"{{{self.subject}}}",
            key=(self.subject,),
            fields={slug: self._worded(slug, each) for slug, each in self.elements.items()},
            sections=(Section(name=heading, headings=(heading,), say=say),),
            summaries=(Summary(fields=tuple(summarised), ask=(summary,)),) if len(summarised) > 2 else (),
            hops=(*islice(self._days(), _MOST_HOPS), *islice(self._bridges(), _MOST_HOPS)),
            integrations=tuple(
                Integration(fields=(slug,), ask=(self._pair("both", slug),))
                for slug in self.told
                if self.elements[slug].type in ("option", "text", "person", "organisation", "number")
            ),
            comparisons=tuple(
                Comparison(
                    field=slug,
                    ask=(self._pair("higher", slug),),
                    conclusion=self._pair("higher fact", slug),
                    pattern=self.words["points"] if self.elements[slug].pattern == "{}%" else "",
                )
                for slug in self.numbers
            ),
            sequences=tuple(
                Order(field=slug, ask=(self._pair("earlier", slug),), conclusion=self._pair("earlier fact", slug))
                for slug in self.dates
            ),
        )

    def _say(self, key: str, slug: str) -> str:
        kind = "number" if slug in self.numbers else self.elements[slug].type
        template = self.words.get(f"{key} {kind}", self.words[key])
        return template.format(subject=f"{{{self.subject}}}", label=self._label(slug), value=f"{{{slug}}}")

    def _label(self, slug: str) -> str:
        label = self.elements[slug].label
        return label[:1].lower() + label[1:] if slug in self.numbers else label

    def _worded(self, slug: str, element: Element) -> Element:
        if slug == self.subject:
            return element
        return element.model_copy(update={"ask": (self._say("ask", slug),), "fact": self._say("fact", slug)})

    def _pair(self, key: str, slug: str) -> str:
        names = {name: f"{{{name}.{self.subject}}}" for name in ("a", "b", "higher", "earlier")}
        return self.words[key].format(label=self._label(slug), **names)

    def _days(self) -> Iterator[Hop]:
        for last, first in permutations(self.dates, 2):
            if self.elements[first].after != last:
                labels = {
                    "subject": f"{{{self.subject}}}",
                    "first": self._label(first),
                    "last": self._label(last),
                }
                ask, conclusion = (self.words[key].format(**labels) for key in ("days", "days fact"))
                yield Hop(kind="days", of=(last, first), ask=(ask,), conclusion=conclusion)

    def _bridges(self) -> Iterator[Hop]:
        """Yield ways from a person whom no other document names to what else the document states."""
        people = [slug for slug in self.told if self.elements[slug].type == "person"]
        for slug in self.told if people else ():
            if self.elements[slug].type in ("option", "number", "place", "organisation"):
                texts = {"other": f"{{{people[0]}}}", "by": self._label(people[0]), "label": self._label(slug)}
                yield Hop(kind="bridge", of=(slug, people[0]), ask=(self.words["bridge"].format(**texts),))
