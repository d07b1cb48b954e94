"""Two things said of technical names put together: conditions, units, versions, limits, arguments, defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from ragassay.models.embedded.analysis import Analysis, is_self_contained
from ragassay.models.embedded.drafts import Draft
from ragassay.models.embedded.parameters import Parameter, parameters_of
from ragassay.models.embedded.reckoning import format_number
from ragassay.text import sentences

_MOST_COMPARISONS = 6
"""Of one kind from one passage."""


class _Said(NamedTuple):
    """What one sentence says of a parameter. value: what is compared."""

    parameter: Parameter
    value: str
    sentence: str

    @property
    def quotes(self) -> tuple[str, str]:
        return self.parameter.entry.name_quote, self.sentence


def parameter_comparisons(analysis: Analysis) -> Iterator[Draft]:
    """Drafts of every comparison."""
    parameters = parameters_of(analysis)
    for kind in ("parameter", "option"):
        of_kind = [parameter for parameter in parameters if parameter.kind == kind]
        yield from _conditions(of_kind)
        yield from _units(of_kind)
        yield from _versions(of_kind)
    options = [parameter for parameter in parameters if parameter.kind == "option"]
    yield from _arguments(options)
    yield from _short_forms(options)
    yield from _introductions(analysis)
    for parameter in parameters:
        yield from _disabled_by_default(parameter)
        yield from _default_without_unit(parameter)
        yield from _room_above_default(parameter)


def _said(parameters: Sequence[Parameter], pattern: re.Pattern[str], word: str) -> list[_Said]:
    """What a sentence of each definition says, where exactly one sentence says it; word: what such a sentence holds."""
    found = []
    for parameter in parameters:
        if word not in parameter.entry.text:
            continue
        matches = [
            _Said(parameter, re.sub(r"\s+", " ", match["value"]).strip(), sentence)
            for sentence in sentences(parameter.entry.text)
            if (match := pattern.search(sentence))
        ]
        if len(matches) == 1:
            found.append(matches[0])
    return found


def _pairs(said: Sequence[_Said]) -> Iterator[tuple[_Said, _Said]]:
    """Neighbours that belong to the same thing, no one of them in two pairs."""
    neighbours = [(one, other) for one, other in pairwise(said) if one.parameter.owner == other.parameter.owner]
    return iter(neighbours[: 2 * _MOST_COMPARISONS : 2])


def _unlike_first(said: Sequence[_Said]) -> list[tuple[_Said, _Said]]:
    """Neighbours of which different things are said, and one pair of which the same is said."""
    pairs = [(one, other) for one, other in pairwise(said) if one.parameter.owner == other.parameter.owner]
    unlike = [pair for pair in pairs if pair[0].value != pair[1].value]
    return [*unlike[:_MOST_COMPARISONS], *[pair for pair in pairs if pair not in unlike][:1]]


def _both(one: Parameter, other: Parameter) -> str:
    """'work_mem and temp_buffers', 'the pg_dump options --jobs and --clean'."""
    names = f"{one.name} and {other.name}"
    if one.kind == "option":
        return f"the {one.owner} options {names}"
    return f"the parameters {names} of {one.owner}" if one.owner else names


_CONDITION = re.compile(
    r"^(?:This|The) (?:parameter|setting|option|variable) can only be set (?P<value>[^.;,]+(?:\.\w[^.;,]*)*)\.$"
)


def _conditions(parameters: Sequence[Parameter]) -> Iterator[Draft]:
    """'Which of X and Y can only be set at server start?'"""
    for one, other in _unlike_first(_said(parameters, _CONDITION, "can only be set")):
        names = _both(one.parameter, other.parameter)
        if not is_self_contained(f"{one.value} {other.value}", subject_is_theme=False):
            continue
        statement = (
            f"{one.parameter.name} can only be set {one.value}, {other.parameter.name} can only be set {other.value}."
        )
        if one.value == other.value:
            question = f"Can {names} be set under the same conditions?"
            answer = f"Yes, both can only be set {one.value}"
        else:
            asked, against = (one, other) if sum(one.parameter.name.encode()) % 2 else (other, one)
            question = f"Which of {names} can only be set {asked.value}?"
            answer = f"{asked.parameter.name} (the other one only {against.value})"
        yield Draft(
            pattern="condition",
            question=question,
            answer=answer,
            statement=statement,
            quotes=(*one.quotes, *other.quotes),
            attribute="condition",
        )


_UNIT = re.compile(r"\bspecified without units, it is taken as (?P<value>[a-z]+)\b")


def _units(parameters: Sequence[Parameter]) -> Iterator[Draft]:
    """'Are numbers without a unit taken in the same unit for X and Y?'"""
    for one, other in _unlike_first(_said(parameters, _UNIT, "without units")):
        same = one.value == other.value
        yield Draft(
            pattern="same_unit",
            question=f"Is a value without units taken in the same unit for {_both(one.parameter, other.parameter)}?",
            answer=f"Yes, in {one.value} for both"
            if same
            else f"No, it is taken as {one.value} for {one.parameter.name} and as {other.value} for "
            f"{other.parameter.name}",
            statement=f"Without units, {one.parameter.name} is taken as {one.value} and {other.parameter.name} as "
            f"{other.value}.",
            quotes=(*one.quotes, *other.quotes),
            attribute="unit",
        )


_VERSION = re.compile(
    r"\b(?:available|supported|works?|allowed)\b[^.]{0,40}? (?P<value>[A-Z]\w+ \d+(?:\.\d+)*) (?:and|or) "
    r"(?:later|newer|above|higher)\b"
)


def _versions(parameters: Sequence[Parameter]) -> Iterator[Draft]:
    """'Which needs a newer PostgreSQL version, X or Y?'"""
    said = _said(parameters, _VERSION, " or ") + _said(parameters, _VERSION, " and ")
    places = {parameter.name: place for place, parameter in enumerate(parameters)}
    once = {each.parameter.name: each for each in said}
    for one, other in _pairs(sorted(once.values(), key=lambda each: places[each.parameter.name])):
        product, version = one.value.rsplit(" ", 1)
        other_product, other_version = other.value.rsplit(" ", 1)
        numbers, other_numbers = _numbers(version), _numbers(other_version)
        if product != other_product or numbers == other_numbers:
            continue
        newer, older = (one, other) if numbers > other_numbers else (other, one)
        kind = f"{one.parameter.owner} {one.parameter.kind}".strip()
        names = one.parameter.name, other.parameter.name
        yield Draft(
            pattern="newer_version",
            question=f"Which {kind} needs a newer version of {product}, {names[0]} or {names[1]}?",
            answer=f"{newer.parameter.name} ({newer.value} or later, against {older.value})",
            statement=f"{names[0]} needs {one.value} or later, {names[1]} {other.value} or later.",
            quotes=(*one.quotes, *other.quotes),
            attribute="version",
        )


_INTRODUCED = re.compile(r"^(?:Added|New) in version (?P<version>\d+(?:\.\d+)*)\b")
_KEYWORD = re.compile(r"(?:--[a-z][\w-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]\w*_\w+)(?=$|[ =(<\[])")


def _introductions(analysis: Analysis) -> Iterator[Draft]:
    """'Which was added earlier to X, A or B?', where the entries say in which version they came."""
    theme = analysis.profile.theme
    if not re.search(r"[_A-Z-]", theme):
        return
    found: list[tuple[str, str, str, str]] = []
    for entry in analysis.terms if "in version" in analysis.passage.text else ():
        name, first = _KEYWORD.match(entry.name), next(iter(sentences(entry.text)), "")
        version = _INTRODUCED.match(first)
        if name and version and entry.names == 1:
            found.append((name.group(), version["version"], entry.name_quote, first))
    for one, other in list(pairwise(found))[: 2 * _MOST_COMPARISONS : 2]:
        if one[0] == other[0] or _numbers(one[1]) == _numbers(other[1]):
            continue
        earlier, later = sorted((one, other), key=lambda each: _numbers(each[1]))
        yield Draft(
            pattern="introduced_earlier",
            question=f"Which was added earlier to {theme}, {one[0]} or {other[0]}?",
            answer=f"{earlier[0]} (version {earlier[1]}, against {later[1]})",
            statement=f"{one[0]} was added to {theme} in version {one[1]}, {other[0]} in version {other[1]}.",
            quotes=(*one[2:], *other[2:]),
            attribute="version",
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


_EVERYWHERE = frozenset({"--help", "--version"})
"""Options of every program, of which nobody asks."""
_NO_ARGUMENT = re.compile(r"\b(?:argument|value|name|number|file|specif\w+|given)\b", re.IGNORECASE)


def _arguments(options: Sequence[Parameter]) -> Iterator[Draft]:
    """'Which of the options --jobs and --verbose takes an argument?'"""
    written = {option.name: _written(option) for option in options if option.name.startswith("--")}
    with_argument = [option for option in options if re.search("[= ]", written.get(option.name) or "")]
    without = [
        option
        for option in options
        if option.name not in _EVERYWHERE
        and written.get(option.name) == option.name
        and not _NO_ARGUMENT.search(option.entry.text)
    ]
    for taking, plain in list(zip(with_argument, without, strict=False))[:_MOST_COMPARISONS]:
        if taking.owner != plain.owner:
            continue
        first, second = (taking, plain) if sum(taking.name.encode()) % 2 else (plain, taking)
        yield Draft(
            pattern="takes_argument",
            question=f"Which of {_both(first, second)} takes an argument?",
            answer=f"{taking.name} (it is written {written[taking.name]}, the other one without anything after it)",
            statement=f"{written[taking.name]} takes an argument, {plain.name} takes none.",
            quotes=(taking.entry.name_quote, plain.entry.name_quote),
            attribute="argument",
        )


_SHORT = re.compile(r"(?<![\w-])-[A-Za-z](?![\w-])")


def _short_forms(options: Sequence[Parameter]) -> Iterator[Draft]:
    """'Which of the options --jobs and --color has a short form?'"""
    long = [option for option in options if option.name.startswith("--") and option.name not in _EVERYWHERE]
    short = {option.name: found.group() for option in long if (found := _SHORT.search(option.entry.name))}
    with_short = [option for option in long if option.name in short]
    without = [option for option in long if option.entry.names == 1 and option.name not in short]
    for having, plain in list(zip(with_short, without, strict=False))[:_MOST_COMPARISONS]:
        if having.owner != plain.owner:
            continue
        first, second = (having, plain) if sum(having.name.encode()) % 2 else (plain, having)
        yield Draft(
            pattern="has_short_form",
            question=f"Which of {_both(first, second)} has a short form?",
            answer=f"{having.name} (it may be written {short[having.name]}, the other one in full only)",
            statement=f"{having.name} may be written {short[having.name]}, {plain.name} has no short form.",
            quotes=(having.entry.name_quote, plain.entry.name_quote),
            attribute="short form",
        )


def _written(option: Parameter) -> str | None:
    """The long form as it is written: '--jobs=njobs', '--all'; None where its argument may be left out."""
    forms = [form for form in option.entry.name.split(", ") if re.match(rf"{re.escape(option.name)}(?![\w-])", form)]
    return forms[0] if len(forms) == 1 and re.fullmatch(r"--[\w-]+(?:[= ]<?[\w.:-]+>?)?", forms[0]) else None


_DISABLES = re.compile(
    r"\b(?:[Aa] value of|[Ss]etting (?:it|this|this value|this parameter) to|[Ww]hen set to|[Ii]f set to) "
    r"(?P<value>zero|0|-1),? (?:disables|turns off) (?P<what>[^.,;()]+)\.$"
)


def _disabled_by_default(parameter: Parameter) -> Iterator[Draft]:
    """'Does the default value of X disable the timeout?': what disables it and what the default is, two statements."""
    default = parameter.default
    if default is None or "disables" not in parameter.entry.text:
        return
    value, told = default
    number = _leading_number(value)
    for sentence in sentences(parameter.entry.text):
        match = _DISABLES.search(sentence)
        if not match or sentence == told or "default" in sentence or number is None:
            continue
        what = re.sub(r"\s+", " ", match["what"])
        if not is_self_contained(what, subject_is_theme=False) or len(what.split()) > 10:
            continue
        is_off = number == {"zero": Decimal(0), "0": Decimal(0), "-1": Decimal(-1)}[match["value"]]
        verdict = "Yes" if is_off else "No"
        yield Draft(
            pattern="disabled_by_default",
            question=f"Does the default value of {parameter.phrase} disable {what}?",
            answer=f"{verdict}, that takes a value of {match['value']}, and the default is {value}",
            statement=f"A value of {match['value']} for {parameter.name} disables {what}; the default is {value}.",
            quotes=(parameter.entry.name_quote, sentence, told),
            attribute="default",
        )


_NUMBER_WORDS = {
    name: Decimal(number)
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
}
_MILLISECONDS = {
    "microsecond": Decimal("0.001"),
    "millisecond": Decimal(1),
    "ms": Decimal(1),
    "second": Decimal(1000),
    "s": Decimal(1000),
    "minute": Decimal(60_000),
    "min": Decimal(60_000),
    "hour": Decimal(3_600_000),
    "h": Decimal(3_600_000),
    "day": Decimal(86_400_000),
    "d": Decimal(86_400_000),
}


def _leading_number(text: str) -> Decimal | None:
    """The number that a value begins with: '60 seconds', 'five minutes', '-1'."""
    first = text.split(" ", maxsplit=1)[0].lower()
    if first in _NUMBER_WORDS:
        return _NUMBER_WORDS[first]
    return Decimal(first.replace(",", "")) if re.fullmatch(r"-?\d+(?:,\d{3})*(?:\.\d+)?", first) else None


def milliseconds(text: str) -> Decimal | None:
    """A length of time in milliseconds, None where the text is not one number with a unit of time."""
    match = re.fullmatch(r"(?P<number>\S+?) ?(?P<unit>[a-z]+)", text.strip().lower())
    if not match:
        return None
    number = _leading_number(match["number"])
    factor = _MILLISECONDS.get(match["unit"]) or _MILLISECONDS.get(match["unit"].removesuffix("s"))
    return number * factor if number is not None and factor is not None else None


def _default_without_unit(parameter: Parameter) -> Iterator[Draft]:
    """'What number without units equals the default of X?': a default in seconds where numbers are milliseconds."""
    default = parameter.default
    if default is None:
        return
    time = milliseconds(default[0])
    for each in _said([parameter], _UNIT, "without units") if time else ():
        factor = _MILLISECONDS.get(each.value.removesuffix("s"))
        number = _leading_number(default[0])
        if time is None or factor is None or each.sentence == default[1] or time / factor == number:
            continue
        shown = format_number(time / factor).replace(",", "")
        if re.search(rf"\b{re.escape(shown)}\b", parameter.entry.text):
            continue  # the entry gives it itself
        yield Draft(
            pattern="default_without_unit",
            question=f"What number without units stands for the default value of {parameter.phrase}?",
            answer=f"{shown} ({default[0]}, counted in {each.value})",
            statement=f"Without units {parameter.name} is taken as {each.value}; its default is {default[0]}.",
            quotes=(*each.quotes, default[1]),
            attribute="default",
        )


_RANGE = re.compile(
    r"\b(?:range is|range is from|range from|[Vv]alues (?:are|is|range|of [\w ]+ are)(?: allowed)?(?: from)? between|"
    r"[Vv]alues are between|must be between) (?P<low>-?\d+) (?:to|and) (?P<value>\d[\d,]*)(?: \w+)?(?:,|\.| inclusive)"
)


def _room_above_default(parameter: Parameter) -> Iterator[Draft]:
    """'By how much does the largest allowed value of X exceed its default?'"""
    default = parameter.default
    number = _leading_number(default[0]) if default and " " not in default[0] else None
    for each in _said([parameter], _RANGE, "etween") + _said([parameter], _RANGE, "range"):
        if default is None or number is None or each.sentence == default[1]:
            continue
        largest = Decimal(each.value.replace(",", ""))
        if largest > number:
            yield Draft(
                pattern="room_above_default",
                question=f"By how much does the largest allowed value of {parameter.phrase} exceed its default?",
                answer=f"By {format_number(largest - number)} ({each.value} against {default[0]})",
                statement=f"The largest value of {parameter.name} is {each.value}; its default is {default[0]}.",
                quotes=(*each.quotes, default[1]),
                attribute="default",
            )
            return
