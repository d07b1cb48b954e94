"""Questions whose answer is stated nowhere and can be computed: durations, ages, order, differences, counts, joins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ragassay.models.embedded.analysis import Analysis, Entry, Table
from ragassay.models.embedded.drafts import Draft, Event, capitalised, pick
from ragassay.models.embedded.grammar import inflect, tokens_of
from ragassay.models.embedded.reckoning import Amount, find_dates, format_number, months_between, whole_amount, years_between
from ragassay.models.embedded.prose_facts import pronoun_of
from ragassay.models.embedded.structure_facts import column_noun, parameters_of, which_parameter, with_article_free
from ragassay.text import sentences


def reasoning_drafts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    dated = _distinct_events(facts)
    yield from _ages(analysis, dated)
    yield from _durations(dated)
    yield from _orders(dated)
    yield from _terms_of_office(facts)
    yield from _key_periods(analysis)
    for table in analysis.tables:
        yield from _table_comparisons(table, analysis.profile.theme)
    yield from _default_joins(analysis)
    yield from _type_joins(analysis)
    yield from _short_form_joins(analysis)
    yield from _term_counts(analysis)
    yield from _list_counts(analysis)


def _distinct_events(facts: Sequence[Draft]) -> list[tuple[Draft, Event]]:
    seen: set[str] = set()
    found = []
    for fact in facts:
        if fact.event is not None and fact.event.told not in seen and len(fact.event.told.split()) <= 16:
            seen.add(fact.event.told)
            found.append((fact, fact.event))
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
        if event is birth or not event.subject_is_theme or not event.told.startswith(theme) or birth.date.precision != "day" or event.date.precision != "day":
            continue
        age = years_between(birth.date.first_day, event.date.first_day)
        if not 0 < age < 110:
            continue
        told = event.told.removeprefix(theme).strip()
        pronoun = pronoun_of(analysis, told)
        yield Draft("age", f"How old was {theme} when {pronoun} {told}?", f"{age} years old", f"{theme} was {age} years old when {pronoun} {told}: born {birth.date.text}, {event.date.text}.", _sources(birth_fact, fact), "age")


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
        wording = pick((f"How many {unit}s after {event1.told} {asked}?", f"How many {unit}s passed between the {'year' if unit == 'year' else 'month' if unit == 'month' else 'day'} when {event1.told} and the {'year' if unit == 'year' else 'month' if unit == 'month' else 'day'} when {event2.told}?"), event1.told)
        if unit == "whole year":
            wording = f"How many whole years after {event1.told} {asked}?"
        yield Draft("duration", wording, f"{count} {plural}", f"{capitalised(event1.told)} {_at(event1)}; {event2.told} {_at(event2)}, which is {count} {plural} later.", _sources(fact1, fact2), "duration")


def _at(event: Event) -> str:
    return f"{'on' if event.date.precision == 'day' else 'in'} {event.date.text}"


def _orders(dated: Sequence[tuple[Draft, Event]]) -> Iterator[Draft]:
    """'Which happened first: ..., or ...?'"""
    places = list(range(0, len(dated) - 1))
    for place in places:
        (fact1, event1), (fact2, event2) = dated[place], dated[place + 1]
        if fact1.quotes == fact2.quotes or not _comparable(event1, event2) or len(f"{event1.told} {event2.told}".split()) > 20:
            continue
        if " was born" in event1.told or " was born" in event2.told or " died" in event1.told + event2.told:
            continue
        earlier, later = (event1, event2) if event1.date.first_day < event2.date.first_day else (event2, event1)
        shown = (event1, event2) if sum(event1.told.encode()) % 2 else (event2, event1)
        opening = pick(("Which happened first", "Which came earlier", "Which happened later"), event2.told)
        if opening == "Which happened later":
            earlier, later = later, earlier
        yield Draft("order", f"{opening}: {shown[0].told}, or {shown[1].told}?", f"{capitalised(earlier.told)} ({earlier.date.text}, against {later.date.text})", f"{capitalised(event1.told)} {_at(event1)}; {event2.told} {_at(event2)}.", _sources(fact1, fact2), "order")


def _comparable(first: Event, second: Event) -> bool:
    """Whether the order of two dates is certain: different years, or the same precision and different dates."""
    if first.date.first_day.year != second.date.first_day.year:
        return True
    return first.date.precision == second.date.precision != "year" and first.date.first_day != second.date.first_day


def _terms_of_office(facts: Sequence[Draft]) -> Iterator[Draft]:
    """'How many years did X serve as ...?' from 'from 2010 to 2020'."""
    for fact in facts:
        match = re.search(r"What position did (?P<who>.+) hold from (?P<a>.+) to (?P<b>.+)\?$", fact.question) if fact.pattern == "role" else None
        if not match:
            continue
        first, second = find_dates(match["a"]), find_dates(match["b"])
        if len(first) == len(second) == 1 and first[0].precision == second[0].precision == "year":
            years = second[0].first_day.year - first[0].first_day.year
            if years >= 2:
                role = fact.answer[:1].lower() + fact.answer[1:] if not fact.answer.split()[0][1:2].isupper() else fact.answer
                yield Draft("term_of_office", f"For how many years was {match['who']} {role}?", f"{years} years", f"{fact.statement} That is {years} years.", fact.quotes, "duration")


_PERIODS = (("start", "end"), ("started", "ended"), ("opened", "closed"), ("start date", "end date"), ("began", "ended"), ("admission date", "discharge date"), ("from", "to"), ("detected", "resolved"), ("reported", "closed"), ("ordered", "delivered"), ("laid down", "launched"), ("launched", "entered service"), ("built", "entered service"), ("built", "acquired"), ("joined", "appointed"))


def _key_periods(analysis: Analysis) -> Iterator[Draft]:
    """Days between two dated keys of one record, years between two years."""
    theme = analysis.profile.theme
    groups: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
    for entry in analysis.keys:
        groups[entry.group][entry.name.lower()] = (entry.text, entry.quote)
    for keys in groups.values():
        dated = {name: (find_dates(text), quote) for name, (text, quote) in keys.items() if len(find_dates(text)) == 1}
        for start, end in pairwise(dated):
            (first,), quote1 = dated[start]
            (second,), quote2 = dated[end]
            if first.precision != second.precision or not first.first_day < second.first_day or not theme:
                continue
            if first.precision == "day" and (second.first_day - first.first_day).days <= 1500:
                count, unit = (second.first_day - first.first_day).days, "day"
            else:
                count, unit = years_between(first.first_day, second.first_day), "whole year" if first.precision == "day" else "year"
            if count < 1 or (first.precision == "month" and count < 2):
                continue
            yield Draft("period", f"How many {unit}s lie between the “{start}” date and the “{end}” date of {theme}?" if first.precision == "day" else f"How many years lie between “{start}” and “{end}” in the record of {theme}?", f"{count} {unit if count == 1 else unit + 's'}", f"{capitalised(start)}: {first.text}; {end}: {second.text}; that is {count} {unit}s.", (quote1, quote2), "duration")


def _table_comparisons(table: Table, theme: str) -> Iterator[Draft]:
    """Larger of two, and by how much, from a column of amounts in one unit."""
    if not theme:
        return
    labels = [row[0] for row in table.rows]
    if len(set(labels)) < len(labels) or any(not 1 <= len(label.split()) <= 5 or not re.search(r"[A-Za-z]{3}", label) for label in labels):
        return
    for column in range(1, len(table.header)):
        header = table.header[column]
        name = re.sub(r" ?\([^)]*\)", "", header).strip()
        unit_in_header = re.search(r"\(([^)]*)\)", header)
        cells: list[tuple[str, Amount, str]] = []
        for row, quote in zip(table.rows, table.quotes, strict=True):
            amount = whole_amount(row[column])
            if amount is not None:
                cells.append((row[0], amount, quote))
        if len(cells) < 2 or len(cells) < len(table.rows) * 0.6 or not re.fullmatch(r"[A-Za-z][A-Za-z -]{2,30}", name):
            continue
        noun = column_noun(header, cells[0][1].text)
        if not cells[0][1].unit and not unit_in_header and not _COUNTED.search(noun):
            continue  # bare numbers may count unlike things
        if tokens_of(f"the {noun}")[-1].tag not in {"NN", "NNS"} or re.search(r"\b(?:year|number|no|id|code|rank|date|oid|version|page|size class)\b", noun):
            continue
        for (label1, amount1, quote1), (label2, amount2, quote2) in zip(cells[::2], cells[1::2], strict=False):
            if amount1.unit != amount2.unit or amount1.value == amount2.value:
                continue
            larger, smaller = ((label1, amount1), (label2, amount2)) if amount1.value > amount2.value else ((label2, amount2), (label1, amount1))
            unit = _unit_text(amount1) or (unit_in_header[1] if unit_in_header else "")
            a, b = with_article_free(label1), with_article_free(label2)
            in_theme = "" if theme.lower() in f"{label1} {label2}".lower() else f" in {theme}"
            facts = f"The {noun} of {a} is {amount1.text}{'' if amount1.unit else f' {unit}' if unit else ''}; that of {b} is {amount2.text}{'' if amount2.unit else f' {unit}' if unit else ''}"
            difference = _with_unit(format_number(abs(amount1.value - amount2.value)), unit)
            if sum(label1.encode()) % 2:
                yield Draft("difference", f"What is the difference in {noun} between {a} and {b}{in_theme}?", difference, f"{facts}; the difference is {difference}.", (quote1, quote2), noun)
            else:
                yield Draft("larger", f"Which {_more(noun, amount1.unit)}{in_theme}, {a} or {b}?", f"{larger[0]} ({larger[1].text} against {smaller[1].text})", f"{facts}.", (quote1, quote2), noun)


_COUNTED = re.compile(r"staff|crew|employees|passengers|population|capacity|seats|vehicles|cars|members|students|headcount|rooms|beds|goals|points|matches|votes")
_MORE = {
    "length": "is longer", "height": "is taller", "weight": "is heavier", "mass": "is heavier", "speed": "is faster", "price": "costs more",
    "service speed": "has the higher service speed", "distance": "is the longer distance", "duration": "lasts longer", "width": "is wider",
}  # fmt: skip


def _more(noun: str, unit: str) -> str:
    if noun in _MORE:
        return _MORE[noun]
    high = unit in {"$", "€", "£", "%"} or re.search(r"price|cost|fee|fare|speed|rate|salary|budget|limit|temperature|pressure", noun)
    return f"has the {'higher' if high else 'larger'} {noun}"


def _unit_text(amount: Amount) -> str:
    """The unit as it is written, so that a difference is in knots and not in 'knot'."""
    if amount.unit in {"$", "€", "£", "¥", "US$", "%", ""}:
        return amount.unit
    return re.sub(r"^[\d.,]+(?: (?:hundred|thousand|million|billion|trillion))?[ -]?", "", amount.text) or amount.unit


def _with_unit(number: str, unit: str) -> str:
    if unit in {"$", "€", "£", "¥", "US$"}:
        return f"{unit}{number}"
    return f"{number}%" if unit == "%" else f"{number} {unit}".strip()


def _default_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What is the default of the parameter that <does this>?': meaning and default are two statements."""
    parameters = parameters_of(analysis)
    for parameter in parameters:
        if parameter.meaning and parameter.default:
            verb, rest = parameter.meaning
            value, sentence = parameter.default
            first = parameter.entry.text.split(".")[0]
            if sentence.startswith(first[:40]) or parameter.name.lower() in rest.lower():
                continue
            kind = which_parameter(parameter, analysis.profile.theme, analysis.passage.collection) or "parameter"
            yield Draft("default_join", f"What is the default value of the {kind} that {inflect(verb, 'VBZ')} {rest}?", f"{value} ({parameter.name})", f"{parameter.name} {inflect(verb, 'VBZ')} {rest}; its default value is {value}.", (parameter.entry.quote.split("\n")[0], sentence), "default")
    with_default = [(parameter, parameter.default) for parameter in parameters if parameter.default]
    for (first_p, d1), (second_p, d2) in zip(with_default[::2], with_default[1::2], strict=False):
        if d1 is None or d2 is None or first_p.owner != second_p.owner:
            continue
        same = d1[0].lower() == d2[0].lower()
        answer = f"Yes, both default to {d1[0]}" if same else f"No, {first_p.name} defaults to {d1[0]} and {second_p.name} to {d2[0]}"
        yield Draft("same_default", f"Do {first_p.name} and {second_p.name} have the same default value{' in ' + first_p.owner if first_p.owner else ''}?", answer, f"{first_p.name} defaults to {d1[0]}; {second_p.name} defaults to {d2[0]}.", (first_p.entry.name, d1[1], second_p.entry.name, d2[1]), "default")
        amount1, amount2 = whole_amount(re.sub(r"\(.*", "", d1[0])), whole_amount(re.sub(r"\(.*", "", d2[0]))
        if amount1 and amount2 and amount1.unit == amount2.unit and amount1.unit and amount1.value != amount2.value:
            higher = first_p if amount1.value > amount2.value else second_p
            yield Draft("larger_default", f"Which has the larger default value, {first_p.name} or {second_p.name}?", f"{higher.name} ({max((amount1.value, amount1.text), (amount2.value, amount2.text))[1]} against {min((amount1.value, amount1.text), (amount2.value, amount2.text))[1]})", f"{first_p.name} defaults to {d1[0]}; {second_p.name} defaults to {d2[0]}.", (first_p.entry.name, d1[1], second_p.entry.name, d2[1]), "default")


def _type_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What type of value does the parameter that <does this> take?': the type stands with the name, not with the meaning."""
    for parameter in parameters_of(analysis):
        kind = re.search(r"\((?P<type>[a-z ]+)\)$", parameter.entry.name)
        if parameter.meaning is None or not kind or parameter.name.lower() in parameter.meaning[1].lower():
            continue
        verb, rest = parameter.meaning
        what = which_parameter(parameter, analysis.profile.theme, analysis.passage.collection) or "parameter"
        statement = f"{parameter.name} takes a value of type {kind['type']}; it {inflect(verb, 'VBZ')} {rest}."
        yield Draft("type_join", f"What type of value does the {what} that {inflect(verb, 'VBZ')} {rest} take?", f"{kind['type'].capitalize()} ({parameter.name})", statement, (parameter.entry.name, next(iter(sentences(parameter.entry.text)))), "type")


def _short_form_joins(analysis: Analysis) -> Iterator[Draft]:
    """'What is the short form of the option that <does this>?'"""
    for parameter in parameters_of(analysis):
        short = re.search(r"(?<![\w-])-[A-Za-z](?![\w-])", parameter.entry.name)
        if parameter.kind != "option" or not short or not parameter.name.startswith("--") or parameter.meaning is None:
            continue
        verb, rest = parameter.meaning
        told = f"{inflect(verb, 'VBZ')} {rest}"
        statement = f"{parameter.name} of {parameter.owner} {told}; its short form is {short.group()}."
        yield Draft("short_form_join", f"What is the short form of the {parameter.owner} option that {told}?", f"{short.group()} (for {parameter.name})", statement, (parameter.entry.name, next(iter(sentences(parameter.entry.text)))), "short form")


_COUNTED_SECTIONS = {"parameters": "parameters", "arguments": "arguments", "options": "options", "parameter": "parameters"}


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
        names = ", ".join(entry.name for entry in entries)
        yield Draft("count", f"How many {noun} are described for {theme}?", f"{len(entries)} ({names})" if len(names) < 120 else str(len(entries)), f"The {noun} described for {theme} are {names}: {len(entries)} in all.", tuple(entry.name for entry in entries), "count")


def _list_counts(analysis: Analysis) -> Iterator[Draft]:
    """'How many follow-up actions are listed for X?'"""
    theme = analysis.profile.theme
    for listed in analysis.lists:
        heading = re.sub(r"^[\d.]+ ", "", listed.section).strip(" :").lower()
        if not theme or not 3 <= len(listed.items) <= 15 or len(heading.split()) > 4 or not heading:
            continue
        if sum(1 for other in analysis.lists if other.section == listed.section) != 1:
            continue
        is_procedure = re.search(r"procedure|steps|process|how to", heading) or tokens_of(heading)[0].tag == "VBG"
        if re.search(r"reading|bibliography|publications|works|discography|filmography|external", heading):
            continue
        noun = "steps" if listed.ordered and is_procedure else heading
        if re.search(r"\b(?:see also|references|links|notes|reading|sources|examples?)\b", noun) or tokens_of(f"the {noun}")[-1].tag != "NNS":
            continue
        if noun != "steps" and (tokens_of(noun)[0].tag in {"VBG", "VB", "VBZ"} or noun in theme.lower()):
            continue
        where = f"for {heading} in {theme}" if noun == "steps" and noun != heading else f"for {theme}"
        yield Draft("count", f"How many {noun} are listed {where}?", str(len(listed.items)), f"{len(listed.items)} {noun} are listed {where}.", tuple(listed.items), "count")
