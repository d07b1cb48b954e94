"""Questions on settings with several things to tell: meanings in pairs, meaning with default, accepted values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import (
    Analysis,
    balanced,
)
from ragassay.models.embedded.reading.grammar import (
    inflect,
)
from ragassay.models.embedded.stated.drafts import Draft, pick
from ragassay.models.embedded.stated.parameters import Parameter, parameters_of
from ragassay.text import sentences


def option_pairs(analysis: Analysis) -> Iterator[Draft]:
    """Two options of one command, or two settings of one section: what each does."""
    explained: list[tuple[Parameter, str, str]] = []
    for parameter in parameters_of(analysis):
        if parameter.meaning is not None:
            verb, rest = parameter.meaning
            explained.append((parameter, inflect(verb, "VBZ"), rest))
    for (first, verb1, rest1), (second, verb2, rest2) in zip(explained[::2], explained[1::2], strict=False):
        if first.kind != second.kind or len((rest1 + rest2).split()) > 40:
            continue
        owner = f" of {first.owner}" if first.owner else ""
        names = f"{first.name} and {second.name}"
        question = f"What do the {names} {first.kind}s{owner} do?"
        answer = f"{first.name} {verb1} {rest1}; {second.name} {verb2} {rest2}"
        quotes = tuple(
            quote for p in (first, second) for quote in (p.entry.name_quote, next(iter(sentences(p.entry.text))))
        )
        yield Draft(
            pattern="parameter_pair",
            question=question,
            answer=answer,
            statement=answer + ".",
            quotes=quotes,
            attribute="meaning",
        )


def meanings_with_defaults(analysis: Analysis) -> Iterator[Draft]:
    """'What does X set, and what is its default value?'"""
    for parameter in parameters_of(analysis):
        if parameter.meaning is None or parameter.default is None or parameter.meaning[0] == "report":
            continue
        verb, rest = parameter.meaning
        value, sentence = parameter.default
        first = next(iter(sentences(parameter.entry.text)))
        if first == sentence:
            continue
        phrase = parameter.phrase
        answer = f"It {inflect(verb, 'VBZ')} {rest}; the default is {value}"
        yield Draft(
            pattern="meaning_and_default",
            question=f"What does {phrase} do, and what is the default value?",
            answer=answer,
            statement=f"{phrase} {inflect(verb, 'VBZ')} {rest}. The default value of {phrase} is {value}.",
            quotes=(parameter.entry.name_quote, first, sentence),
            attribute="meaning",
        )


_VALUES = re.compile(
    r"\b(?:Valid|Possible|Allowed|Legal|Supported|Accepted|Available|Permitted) (?:values|settings|options|"
    r"levels|choices|modes) are:? (?P<values>[^.;:]+ (?:and|or) [^.;:]+)[.;]"
)


def accepted_values(analysis: Analysis) -> Iterator[Draft]:
    """'Valid values are a, b and c.'"""
    for parameter in parameters_of(analysis):
        match = _VALUES.search(parameter.entry.text)
        values = re.sub(r"\s+", " ", match["values"]).strip() if match else ""
        if match and values.count(",") >= 1 and len(values.split()) <= 40 and balanced(values):
            yield Draft(
                pattern="accepted_values",
                question=pick(
                    ("Which values does {} accept?", "What are the possible values of {}?"), parameter.name
                ).format(parameter.phrase),
                answer=values,
                statement=f"The possible values of {parameter.phrase} are {values}.",
                quotes=(parameter.entry.name_quote, match.group()),
                attribute="values",
            )
