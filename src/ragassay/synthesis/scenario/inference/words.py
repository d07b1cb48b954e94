"""The wordings of an inferred schema, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The wordings of a language, with {subject}, {label} and {value} to be replaced; {kind} is what a document is."""

    heading: str
    events: str
    indicators: str
    opening: str
    ask: Mapping[str, str]
    fact: Mapping[str, str]
    record_name: tuple[str, str]
    record_details: tuple[str, str]
    summary: str
    days: tuple[str, str]
    more: tuple[str, str]
    bridge: str
    both: Mapping[str, str]
    higher: tuple[str, str]
    earlier: tuple[str, str]


ENGLISH = Words(
    heading="Particulars",
    events="Events",
    indicators="Figures",
    opening="This {kind} is about {subject}.",
    ask={
        "date": "What date does the {kind} of {subject} give for “{label}”?",
        "event": "When did the {label} of {subject} take place?",
        "done": "When was {subject} {label}?",
        "number": "What {verb} the {label} of {subject}?",
        "person": "Who is named under “{label}” in the {kind} of {subject}?",
        "organisation": "Which organisation is named under “{label}” in the {kind} of {subject}?",
        "place": "What place or address is given under “{label}” in the {kind} of {subject}?",
        "option": "What is stated under “{label}” in the {kind} of {subject}?",
        "text": "What does the {kind} of {subject} say under “{label}”?",
    },
    fact={
        "date": "The {kind} of {subject} gives {value} for “{label}”.",
        "event": "The {label} of {subject} took place {on} {value}.",
        "done": "{subject} was {label} {on} {value}.",
        "number": "The {label} of {subject} {verb} {value}.",
        "other": "The {kind} of {subject} states under “{label}”: {value}.",
    },
    record_name=(
        "What is the {{ordinal}} entry under “{section}” in the {kind} of {subject}?",
        "The {{ordinal}} entry under “{section}” in the {kind} of {subject} is {{entry}}.",
    ),
    record_details=(
        "What does the {kind} of {subject} say of the entry “{{entry}}” under “{section}”?",
        "Under “{section}”, the {kind} of {subject} says of {{entry}}: {{entry_text}}.",
    ),
    summary="Summarise what the {kind} of {subject} says under “{section}”.",
    days=(
        "How much time lies between “{first}” and “{last}” in the {kind} of {subject}?",
        "In the {kind} of {subject}, {{result}} lie between “{first}” and “{last}”.",
    ),
    more=(
        "By how much {verb} the {first} of {subject} higher than the {second}?",
        "The {first} of {subject} {verb} higher than the {second} by {{result}}.",
    ),
    bridge="In the {kind} that names {person} under “{by}”, what is stated under “{label}”?",
    both={
        "other": "What do the {kind}s of {{a}} and {{b}} state under “{label}”?",
    },
    higher=(
        "Which has the higher {label}, {{a}} or {{b}}, and by how much?",
        "{{higher}} has the higher {label}, by {{result}}.",
    ),
    earlier=(
        "Which of the {kind}s of {{a}} and {{b}} gives the earlier date for “{label}”?",
        "The {kind} of {{earlier}} gives the earlier date for “{label}”, by {{result}}.",
    ),
)
CHINESE = Words(
    heading="基本情况",
    events="重要事项",
    indicators="主要数据",
    opening="本{kind}的主体是{subject}。",
    ask={
        "date": "{subject}的{kind}中，“{label}”一项是哪一天？",
        "event": "{subject}的“{label}”发生在什么时候？",
        "done": "{subject}的“{label}”发生在什么时候？",
        "number": "{subject}的{label}是多少？",
        "person": "{subject}的{kind}中，“{label}”一项是谁？",
        "organisation": "{subject}的{kind}中，“{label}”一项是哪家单位？",
        "place": "{subject}的{kind}中，“{label}”一项是什么地方？",
        "option": "{subject}的{kind}中，“{label}”一项写的是什么？",
        "text": "{subject}的{kind}在“{label}”一项下是怎样记载的？",
    },
    fact={
        "date": "{subject}的{kind}中，“{label}”一项是{value}。",
        "event": "{subject}的“{label}”发生在{value}。",
        "done": "{subject}的“{label}”发生在{value}。",
        "number": "{subject}的{label}是{value}。",
        "other": "{subject}的{kind}中，“{label}”一项是：{value}。",
    },
    record_name=(
        "{subject}的{kind}中，“{section}”下的{{ordinal}}项是什么？",
        "{subject}的{kind}中，“{section}”下的{{ordinal}}项是{{entry}}。",
    ),
    record_details=(
        "{subject}的{kind}在“{section}”下对“{{entry}}”是怎样说明的？",
        "{subject}的{kind}在“{section}”下对“{{entry}}”的说明是：{{entry_text}}。",
    ),
    summary="请概述{subject}的{kind}中“{section}”部分的内容。",
    days=("{subject}的{kind}中，“{first}”与“{last}”相隔多久？", "“{first}”与“{last}”相隔{{result}}。"),
    more=("{subject}的{first}比{second}多多少？", "{subject}的{first}比{second}多{{result}}。"),
    bridge="在“{by}”一项为{person}的{kind}中，“{label}”一项写的是什么？",
    both={"other": "{{a}}与{{b}}的{kind}中，“{label}”一项分别写的是什么？"},
    higher=("{{a}}与{{b}}相比，哪一个的{label}更高？高多少？", "{{higher}}的{label}更高，高出{{result}}。"),
    earlier=(
        "{{a}}与{{b}}的{kind}中，哪一份的“{label}”更早？",
        "{{earlier}}的{kind}中“{label}”更早，早{{result}}。",
    ),
)
