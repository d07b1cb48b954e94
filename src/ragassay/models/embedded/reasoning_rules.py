"""Questions whose answer is stated nowhere and can be computed: durations, ages, order, differences, counts, joins."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ragassay.models.embedded.analysis import Analysis, Entry, Table
from ragassay.models.embedded.drafts import Draft, Event, capitalised, pick
from ragassay.models.embedded.grammar import inflect, tokens_of
from ragassay.models.embedded.reckoning import (
    Amount,
    find_dates,
    format_number,
    months_between,
    whole_amount,
    years_between,
)
from ragassay.models.embedded.prose_facts import pronoun_of
from ragassay.models.embedded.structure_facts import (
    Parameter,
    column_noun,
    is_attribute,
    names_a_thing,
    parameters_of,
    which_parameter,
    with_article_free,
)
from ragassay.text import sentences


def reasoning_drafts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    dated = _distinct_events(facts)
    yield from _ages(analysis, dated)
    yield from _durations(dated)
    yield from _orders(analysis, dated)
    yield from _terms_of_office(facts)
    yield from _key_periods(analysis)
    for table in analysis.tables if analysis.theme_is_a_name else ():
        yield from _table_comparisons(table, analysis.profile.theme)
    yield from _default_joins(analysis)
    yield from _type_joins(analysis)
    yield from _short_form_joins(analysis)
    yield from _term_counts(analysis)
    yield from _list_counts(analysis)


def _distinct_events(facts: Sequence[Draft]) -> list[tuple[Draft, Event]]:
    seen: set[tuple[str, datetime.date]] = set()
    found = []
    for fact in facts:
        event = fact.event
        if event is None or len(event.told.split()) > 16:
            continue
        key = (
            fact.attribute.split()[0].removesuffix("ed"),
            event.date.first_day,
        )  # "joined" as a key and in a sentence
        if key not in seen:
            seen.add(key)
            found.append((fact, event))
    return found


def _sources(*drafts: Draft) -> tuple[str, ...]:
    return tuple(dict.fromkeys(quote for draft in drafts for quote in draft.quotes))


def _ages(analysis: Analysis, dated: Sequence[tuple[Draft, Event]]) -> Iterator[Draft]:
    """'How old was X when she won the title?'"""
    theme = analysis.profile.theme
    births = [(fact, event) for fact, event in dated if event.told == f"{theme} was born"]
    if not births or not analysis.profile.is_person:
        return
    birth_fact, birth = births[0]
    for fact, event in dated:
        if (
            event is birth
            or not event.subject_is_theme
            or not event.told.startswith(theme)
            or birth.date.precision != "day"
            or event.date.precision != "day"
        ):
            continue
        age = years_between(birth.date.first_day, event.date.first_day)
        if not 0 < age < 110:
            continue
        told = event.told.removeprefix(theme).strip()
        pronoun = pronoun_of(analysis, told)
        yield Draft(
            "age",
            f"How old was {theme} when {pronoun} {told}?",
            f"{age} years old",
            f"{theme} was {age} years old when {pronoun} {told}: born {birth.date.text}, {event.date.text}.",
            _sources(birth_fact, fact),
            "age",
        )


def _durations(dated: Sequence[tuple[Draft, Event]]) -> Iterator[Draft]:
    """Whole years, months or days between two events of equal precision."""
    for (fact1, event1), (fact2, event2) in pairwise(sorted(dated, key=lambda pair: pair[1].date.first_day)):
        first, second = event1.date, event2.date
        if first.precision != second.precision or first.first_day == second.first_day or fact1.quotes == fact2.quotes:
            continue
        if first.precision == "year":
            count, unit = second.first_day.year - first.first_day.year, "year"
            if count < 2:
                continue
        elif first.precision == "month":
            count, unit = months_between(first.first_day, second.first_day), "month"
            if count > 36:
                continue
        else:
            count, unit = (second.first_day - first.first_day).days, "day"
            if count > 800:
                count, unit = years_between(first.first_day, second.first_day), "whole year"
        if event1.told.startswith("patient ") or count < 1:
            continue
        plural = unit if count == 1 else f"{unit}s"
        asked = event2.asked
        if event2.subject_is_theme and not event1.subject_is_theme:
            asked = fact2.event.asked if fact2.event else event2.asked
            continue
        wording = pick(
            (
                f"How many {unit}s after {event1.told} {asked}?",
                f"How many {unit}s passed between the {'year' if unit == 'year' else 'month' if unit == 'month' else 'day'} when {event1.told} and the {'year' if unit == 'year' else 'month' if unit == 'month' else 'day'} when {event2.told}?",
            ),
            event1.told,
        )
        if unit == "whole year":
            wording = f"How many whole years after {event1.told} {asked}?"
        yield Draft(
            "duration",
            wording,
            f"{count} {plural}",
            f"{capitalised(event1.told)} {_at(event1)}; {event2.told} {_at(event2)}, which is {count} {plural} later.",
            _sources(fact1, fact2),
            "duration",
        )


def _at(event: Event) -> str:
    return f"{'on' if event.date.precision == 'day' else 'in'} {event.date.text}"


def _orders(analysis: Analysis, dated: Sequence[tuple[Draft, Event]]) -> Iterator[Draft]:
    """'Did X sign the contract before or after he joined the club?', 'Which came first: ..., or ...?'"""
    theme = analysis.profile.theme
    for (fact1, event1), (fact2, event2) in pairwise(dated):
        told = f"{event1.told} {event2.told}"
        if fact1.quotes == fact2.quotes or not _comparable(event1, event2) or len(told.split()) > 26:
            continue
        if re.search(r" was born| died|joined the organisation", told):
            continue  # nobody asks whether a person was born, or hired, before the rest
        statement = f"{capitalised(event1.told)} {_at(event1)}; {event2.told} {_at(event2)}."
        is_earlier = event1.date.first_day < event2.date.first_day
        if event1.subject_is_theme and event2.subject_is_theme and sum(told.encode()) % 3:
            asked = re.sub(r"^(?:When|In wh\w+ \w+(?: and year)?|On wh\w+ date) ", "", fact1.question).rstrip("?")
            after = event2.told.removeprefix(theme).strip()
            question = f"{capitalised(asked)} before or after {pronoun_of(analysis, after)} {after}?"
            answer = f"{'Before' if is_earlier else 'After'} ({event1.date.text}, against {event2.date.text})"
        else:
            earlier, later = (event1, event2) if is_earlier else (event2, event1)
            shown = (event1, event2) if sum(event1.told.encode()) % 2 else (event2, event1)
            question = f"Which came first: {shown[0].told}, or {shown[1].told}?"
            answer = f"{capitalised(earlier.told)} ({earlier.date.text}, against {later.date.text})"
        yield Draft("order", question, answer, statement, _sources(fact1, fact2), "order")


def _comparable(first: Event, second: Event) -> bool:
    """Whether the order of two dates is certain: different years, or the same precision and different dates."""
    if first.date.first_day.year != second.date.first_day.year:
        return True
    return first.date.precision == second.date.precision != "year" and first.date.first_day != second.date.first_day


def _terms_of_office(facts: Sequence[Draft]) -> Iterator[Draft]:
    """'How many years did X serve as ...?' from 'from 2010 to 2020'."""
    for fact in facts:
        match = (
            re.search(r"What position did (?P<who>.+) hold from (?P<a>.+) to (?P<b>.+)\?$", fact.question)
            if fact.pattern == "role"
            else None
        )
        if not match:
            continue
        first, second = find_dates(match["a"]), find_dates(match["b"])
        if len(first) == len(second) == 1 and first[0].precision == second[0].precision == "year":
            years = second[0].first_day.year - first[0].first_day.year
            if years >= 2:
                role = (
                    fact.answer[:1].lower() + fact.answer[1:]
                    if not fact.answer.split()[0][1:2].isupper()
                    else fact.answer
                )
                yield Draft(
                    "term_of_office",
                    f"For how many years was {match['who']} {role}?",
                    f"{years} years",
                    f"{fact.statement} That is {years} years.",
                    fact.quotes,
                    "duration",
                )


_PERIODS = {
    ("start", "end"): "How many days did {} last?",
    ("start date", "end date"): "How many days did {} last?",
    ("started", "ended"): "How many days did {} last?",
    ("opened", "closed"): "How many days was {} open?",
    ("admission date", "discharge date"): "How many days was {} in hospital?",
    ("admission time", "discharge time"): "How many days was {} in hospital?",
    ("effective from", "next review"): "How many days after {} takes effect is its next review due?",
    ("ordered", "delivered"): "How many days after {} was ordered was it delivered?",
    ("launched", "entered service"): "How many days after {} was launched did it enter service?",
    ("detected", "resolved"): "How many days passed from the detection of {} to its resolution?",
}
"""Pairs of dated keys with a question about the time between them."""


def _key_periods(analysis: Analysis) -> Iterator[Draft]:
    """Days between two dated keys of one record."""
    theme = analysis.profile.theme
    groups: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
    for entry in analysis.keys:
        groups[entry.group][entry.name.lower()] = (entry.text, entry.quote)
    for keys in groups.values() if theme else ():
        for (start, end), question in _PERIODS.items():
            if start not in keys or end not in keys:
                continue
            first, second = find_dates(keys[start][0]), find_dates(keys[end][0])
            if len(first) != 1 or len(second) != 1 or not first[0].precision == second[0].precision == "day":
                continue
            days = (second[0].first_day - first[0].first_day).days
            if days >= 1:
                count = f"{days} day{'s' if days > 1 else ''}"
                statement = f"{capitalised(start)}: {first[0].text}; {end}: {second[0].text}; that is {count} later."
                yield Draft(
                    "period", question.format(theme), count, statement, (keys[start][1], keys[end][1]), "duration"
                )


def _table_comparisons(table: Table, theme: str) -> Iterator[Draft]:
    """Larger of two, and by how much, from a column of amounts in one unit."""
    if not theme:
        return
    labels = [row[0] for row in table.rows]
    if len(set(labels)) < len(labels) or not all(names_a_thing(label) for label in labels):
        return
    for column in range(1, len(table.header)):
        header = table.header[column]
        name = re.sub(r" ?\([^)]*\)", "", header).strip()
        unit_in_header = re.search(r"\(([^)]*)\)", header)
        cells: list[tuple[str, Amount, str]] = []
        for row, quote in zip(table.rows, table.quotes, strict=True):
            amount = whole_amount(row[column])
            if amount is not None and not re.search(r"\b(?:total|sum|all|overall|average)\b", row[0], re.IGNORECASE):
                cells.append((row[0], amount, quote))
        if len(cells) < 2 or len(cells) < len(table.rows) * 0.6 or not re.fullmatch(r"[A-Za-z][A-Za-z -]{2,30}", name):
            continue
        noun = column_noun(header, cells[0][1].text)
        if not is_attribute(noun):
            continue
        if not cells[0][1].unit and not unit_in_header and not _COUNTED.search(noun):
            continue  # bare numbers may count unlike things
        if tokens_of(f"the {noun}")[-1].tag not in {"NN", "NNS"} or re.search(
            r"\b(?:year|number|no|id|code|rank|date|oid|version|page|size class)\b", noun
        ):
            continue
        for (label1, amount1, quote1), (label2, amount2, quote2) in zip(cells[::2], cells[1::2], strict=False):
            if amount1.unit != amount2.unit or amount1.value == amount2.value:
                continue
            larger, smaller = (
                ((label1, amount1), (label2, amount2))
                if amount1.value > amount2.value
                else ((label2, amount2), (label1, amount1))
            )
            unit = _unit_text(amount1) or (unit_in_header[1] if unit_in_header else "")
            a, b = with_article_free(label1), with_article_free(label2)
            in_theme = "" if theme.lower() in f"{label1} {label2}".lower() else f" in {theme}"
            facts = f"The {noun} of {a} is {amount1.text}{'' if amount1.unit else f' {unit}' if unit else ''}; that of {b} is {amount2.text}{'' if amount2.unit else f' {unit}' if unit else ''}"
            difference = _with_unit(format_number(abs(amount1.value - amount2.value)), unit)
            if sum(label1.encode()) % 2:
                yield Draft(
                    "difference",
                    f"What is the difference in {noun} between {a} and {b}{in_theme}?",
                    difference,
                    f"{facts}; the difference is {difference}.",
                    (table.header_quote, quote1, quote2),
                    noun,
                )
            else:
                yield Draft(
                    "larger",
                    f"Which {_more(noun, amount1.unit)}{in_theme}, {a} or {b}?",
                    f"{larger[0]} ({larger[1].text} against {smaller[1].text})",
                    f"{facts}.",
                    (table.header_quote, quote1, quote2),
                    noun,
                )


_COUNTED = re.compile(
    r"staff|crew|employees|passengers|population|capacity|seats|vehicles|cars|members|students|headcount|rooms|beds|goals|points|matches|votes"
)
_MORE = {
    "length": "is longer", "height": "is taller", "weight": "is heavier", "mass": "is heavier", "speed": "is faster", "price": "costs more",
    "service speed": "has the higher service speed", "distance": "is the longer distance", "duration": "lasts longer", "width": "is wider",
}  # fmt: skip


def _more(noun: str, unit: str) -> str:
    if re.fullmatch(r"(?:year|month|week|day|hour|minute|second|min|ms|h|s)s?", unit):
        return f"has the longer {noun}"
    if noun in _MORE:
        return _MORE[noun]
    high = unit in {"$", "€", "£", "%"} or re.search(
        r"price|cost|fee|fare|speed|rate|salary|budget|limit|temperature|pressure", noun
    )
    return f"has the {'higher' if high else 'larger'} {noun}"


def _unit_text(amount: Amount) -> str:
    """The unit as it is written, so that a difference is in knots and not in 'knot'."""
    if amount.unit in {"$", "€", "£", "¥", "US$", "%", ""}:
        return amount.unit
    return re.sub(r"^[\d.,]+(?: (?:hundred|thousand|million|billion|trillion))?[ -]?", "", amount.text) or amount.unit


def _with_unit(number: str, unit: str) -> str:
    if unit in {"$", "€", "£", "¥", "US$"}:
        return f"{unit}{number}0" if re.search(r"\.\d$", number) else f"{unit}{number}"
    return f"{number}%" if unit == "%" else f"{number} {unit}".strip()


def _default_joins(analysis: Analysis) -> Iterator[Draft]:
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
                "default_join",
                f"What is the default value of the {kind} that {inflect(verb, 'VBZ')} {rest}?",
                f"{value} ({parameter.name})",
                f"{parameter.name} {inflect(verb, 'VBZ')} {rest}; its default value is {value}.",
                (parameter.entry.name_quote, next(iter(sentences(parameter.entry.text))), sentence),
                "default",
            )
    with_default = [(parameter, default) for parameter in parameters if (default := parameter.default)]
    for (first_p, d1), (second_p, d2) in zip(with_default[::2], with_default[1::2], strict=False):
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
        yield Draft(
            "same_default",
            f"Do {first_p.name} and {second_p.name} have the same default value{' in ' + first_p.owner if first_p.owner else ''}?",
            answer,
            f"{first_p.name} defaults to {d1[0]}; {second_p.name} defaults to {d2[0]}.",
            (first_p.entry.name_quote, d1[1], second_p.entry.name_quote, d2[1]),
            "default",
        )


def _larger_default(
    first_p: Parameter, d1: tuple[str, str], second_p: Parameter, d2: tuple[str, str]
) -> Iterator[Draft]:
    """'Which has the larger default, X or Y?', where both are amounts of one unit."""
    amount1, amount2 = whole_amount(re.sub(r"\(.*", "", d1[0])), whole_amount(re.sub(r"\(.*", "", d2[0]))
    if amount1 and amount2 and amount1.unit == amount2.unit and amount1.unit and amount1.value != amount2.value:
        higher = first_p if amount1.value > amount2.value else second_p
        yield Draft(
            "larger_default",
            f"Which has the larger default value, {first_p.name} or {second_p.name}?",
            f"{higher.name} ({max((amount1.value, amount1.text), (amount2.value, amount2.text))[1]} against {min((amount1.value, amount1.text), (amount2.value, amount2.text))[1]})",
            f"{first_p.name} defaults to {d1[0]}; {second_p.name} defaults to {d2[0]}.",
            (first_p.entry.name_quote, d1[1], second_p.entry.name_quote, d2[1]),
            "default",
        )


def _type_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What type of value does the parameter that <does this> take?': the type stands with the name, not with the meaning."""
    for parameter in parameters_of(analysis):
        kind = re.search(r"\((?P<type>[a-z ]+)\)$", parameter.entry.name)
        if (
            parameter.meaning is None
            or parameter.meaning[0] == "report"
            or not kind
            or parameter.name.lower() in parameter.meaning[1].lower()
        ):
            continue
        verb, rest = parameter.meaning
        what = which_parameter(parameter, analysis.profile.theme, analysis.passage.collection) or "parameter"
        statement = f"{parameter.name} takes a value of type {kind['type']}; it {inflect(verb, 'VBZ')} {rest}."
        yield Draft(
            "type_join",
            f"What type of value does the {what} that {inflect(verb, 'VBZ')} {rest} take?",
            f"{kind['type'].capitalize()} ({parameter.name})",
            statement,
            (parameter.entry.name_quote, next(iter(sentences(parameter.entry.text)))),
            "type",
        )


def _short_form_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What is the short form of the option that <does this>?'"""
    for parameter in parameters_of(analysis):
        short = re.search(r"(?<![\w-])-[A-Za-z](?![\w-])", parameter.entry.name)
        if parameter.kind != "option" or not short or not parameter.name.startswith("--") or parameter.meaning is None:
            continue
        verb, rest = parameter.meaning
        told = f"{inflect(verb, 'VBZ')} {rest}"
        statement = f"{parameter.name} of {parameter.owner} {told}; its short form is {short.group()}."
        yield Draft(
            "short_form_join",
            f"What is the short form of the {parameter.owner} option that {told}?",
            f"{short.group()} (for {parameter.name})",
            statement,
            (parameter.entry.name_quote, next(iter(sentences(parameter.entry.text)))),
            "short form",
        )


_COUNTED_SECTIONS = {
    "parameters": "parameters",
    "arguments": "arguments",
    "options": "options",
    "parameter": "parameters",
}


def _term_counts(analysis: Analysis) -> Iterator[Draft]:
    """'How many arguments does X take?': entries under a heading that says what they are."""
    theme = analysis.profile.theme
    sections: dict[str, list[Entry]] = defaultdict(list)
    for entry in analysis.terms:
        sections[entry.section].append(entry)
    for section, entries in sections.items():
        noun = _COUNTED_SECTIONS.get(section.lower().strip())
        if not theme or noun is None or not 3 <= len(entries) <= 12 or len({entry.group for entry in entries}) != 1:
            continue
        if analysis.passage.text.rstrip().endswith(entries[-1].text[-40:].rstrip()):
            continue  # the passage ends with the list, which may go on in the next one
        if any(entry.names > 1 for entry in entries):
            continue  # several names share an entry: what counts as one is open
        names = ", ".join(entry.name for entry in entries)
        yield Draft(
            "count",
            f"How many {noun} are described for {theme}?",
            f"{len(entries)} ({names})" if len(names) < 120 else str(len(entries)),
            f"The {noun} described for {theme} are {names}: {len(entries)} in all.",
            tuple(entry.name_quote for entry in entries),
            "count",
        )


_COUNTABLE = frozenset(
    {"responsibilities", "follow-up actions", "steps", "procedure", "process", "instructions", "members", "departments", "awards", "exceptions",
     "common mistakes", "corrective actions", "recommendations", "albums", "singles", "destinations", "branches", "locations"}
)  # fmt: skip
"""Headings that name what the items below them are, so that counting the items counts those."""


def _list_counts(analysis: Analysis) -> Iterator[Draft]:
    """'How many follow-up actions are listed for X?'"""
    theme = analysis.profile.theme
    for listed in analysis.lists:
        heading = re.sub(r"^[\d.]+ ", "", listed.section).strip(" :").lower()
        if not theme or not 3 <= len(listed.items) <= 15 or heading not in _COUNTABLE:
            continue
        if sum(1 for other in analysis.lists if other.section == listed.section) != 1:
            continue
        noun = "steps" if heading in {"procedure", "steps", "process", "instructions"} else heading
        where = (f"in {theme}" if theme.endswith(("policy", "procedure")) else f"for {theme}").replace(
            "for the guide to ", "for "
        )
        yield Draft(
            "count",
            f"How many {noun} are listed {where}?",
            str(len(listed.items)),
            f"{len(listed.items)} {noun} are listed {where}.",
            tuple(listed.items),
            "count",
        )
