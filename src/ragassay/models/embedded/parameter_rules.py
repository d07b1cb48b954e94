"""Questions that take two things said of technical names: meanings in pairs, meaning with default, joins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ragassay.models.embedded.analysis import (
    Analysis,
    balanced,
)
from ragassay.models.embedded.drafts import Draft, pick
from ragassay.models.embedded.grammar import (
    inflect,
)
from ragassay.models.embedded.parameters import Parameter, parameters_of, which_parameter
from ragassay.models.embedded.reckoning import (
    whole_amount,
)
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


def default_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What is the default of the parameter that <does this>?': meaning and default are two statements."""
    parameters = parameters_of(analysis)
    for parameter in parameters:
        if parameter.meaning and parameter.default:
            verb, rest = parameter.meaning
            value, sentence = parameter.default
            if verb == "report":
                continue  # read-only: it shows a value, and has no default that anybody could leave
            first = parameter.entry.text.split(".")[0]
            if sentence.startswith(first[:40]) or parameter.name.lower() in rest.lower():
                continue
            kind = which_parameter(parameter, analysis.profile.theme, analysis.passage.collection) or "parameter"
            yield Draft(
                pattern="default_join",
                question=f"What is the default value of the {kind} that {inflect(verb, 'VBZ')} {rest}?",
                answer=f"{value} ({parameter.name})",
                statement=f"{parameter.name} {inflect(verb, 'VBZ')} {rest}; its default value is {value}.",
                quotes=(parameter.entry.name_quote, next(iter(sentences(parameter.entry.text))), sentence),
                attribute="default",
            )
    with_default = [(parameter, default) for parameter in parameters if (default := parameter.default)]
    for (first_p, d1), (second_p, d2) in pairwise(with_default):
        if first_p.owner != second_p.owner:
            continue
        same = d1[0].lower() == d2[0].lower()
        switches = {d1[0].lower(), d2[0].lower()} <= {"on", "off", "true", "false", "yes", "no"}
        if not (same or switches) or not set(first_p.name.split("_")) & set(second_p.name.split("_")):
            yield from _larger_default(first_p, d1, second_p, d2)
            continue
        answer = (
            f"Yes, both default to {d1[0]}"
            if same
            else f"No, {first_p.name} defaults to {d1[0]} and {second_p.name} to {d2[0]}"
        )
        of_owner = f" in {first_p.owner}" if first_p.owner else ""
        yield Draft(
            pattern="same_default",
            question=f"Do {first_p.name} and {second_p.name} have the same default value{of_owner}?",
            answer=answer,
            statement=f"{first_p.name} defaults to {d1[0]}; {second_p.name} defaults to {d2[0]}.",
            quotes=(first_p.entry.name_quote, d1[1], second_p.entry.name_quote, d2[1]),
            attribute="default",
        )


def _larger_default(
    first_p: Parameter, d1: tuple[str, str], second_p: Parameter, d2: tuple[str, str]
) -> Iterator[Draft]:
    """'Which has the larger default, X or Y?', where both are amounts of one unit."""
    amount1, amount2 = whole_amount(re.sub(r"\(.*", "", d1[0])), whole_amount(re.sub(r"\(.*", "", d2[0]))
    if amount1 and amount2 and amount1.unit == amount2.unit and amount1.unit and amount1.value != amount2.value:
        higher = first_p if amount1.value > amount2.value else second_p
        smaller, larger = (amount.text for amount in sorted((amount1, amount2), key=lambda amount: amount.value))
        yield Draft(
            pattern="larger_default",
            question=f"Which has the larger default value, {first_p.name} or {second_p.name}?",
            answer=f"{higher.name} ({larger} against {smaller})",
            statement=f"{first_p.name} defaults to {d1[0]}; {second_p.name} defaults to {d2[0]}.",
            quotes=(first_p.entry.name_quote, d1[1], second_p.entry.name_quote, d2[1]),
            attribute="default",
        )


def type_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What type of value does the parameter that <does this> take?': the type stands with the name."""
    for parameter in parameters_of(analysis):
        kind = re.search(r"\((?P<type>[a-z ]+)\)$", parameter.entry.name)
        if (
            parameter.meaning is None
            or parameter.meaning[0] in {"report", "enable", "disable", "allow"}  # says too much, or is no setting
            or not kind
            or parameter.name.lower() in parameter.meaning[1].lower()
        ):
            continue
        verb, rest = parameter.meaning
        what = which_parameter(parameter, analysis.profile.theme, analysis.passage.collection) or "parameter"
        statement = f"{parameter.name} takes a value of type {kind['type']}; it {inflect(verb, 'VBZ')} {rest}."
        yield Draft(
            pattern="type_join",
            question=f"What type of value does the {what} that {inflect(verb, 'VBZ')} {rest} take?",
            answer=f"{kind['type'].capitalize()} ({parameter.name})",
            statement=statement,
            quotes=(parameter.entry.name_quote, next(iter(sentences(parameter.entry.text)))),
            attribute="type",
        )


def short_form_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What is the short form of the option that <does this>?'"""
    for parameter in parameters_of(analysis):
        short = re.search(r"(?<![\w-])-[A-Za-z](?![\w-])", parameter.entry.name)
        if parameter.kind != "option" or not short or not parameter.name.startswith("--") or parameter.meaning is None:
            continue
        verb, rest = parameter.meaning
        told = f"{inflect(verb, 'VBZ')} {rest}"
        statement = f"{parameter.name} of {parameter.owner} {told}; its short form is {short.group()}."
        yield Draft(
            pattern="short_form_join",
            question=f"What is the short form of the {parameter.owner} option that {told}?",
            answer=f"{short.group()} (for {parameter.name})",
            statement=statement,
            quotes=(parameter.entry.name_quote, next(iter(sentences(parameter.entry.text)))),
            attribute="short form",
        )
