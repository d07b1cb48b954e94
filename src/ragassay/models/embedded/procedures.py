"""Steps, dated actions and alternatives: which comes first, which was done earlier, what holds if none is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ragassay.models.embedded.analysis import Analysis, Entry, is_self_contained
from ragassay.models.embedded.drafts import Draft, pick
from ragassay.models.embedded.grammar import inflect, lemma, tokens_of
from ragassay.models.embedded.reckoning import DateSpan, find_dates
from ragassay.text import sentences

_FEWEST_WORDS, _MOST_WORDS = 3, 11
"""Words of a step that is told in a question beside another one."""
_MOST_COMPARISONS = 6


def gerund_of(instruction: str) -> str | None:
    """'Shut down the old server.' as 'shutting down the old server'; None where that is no plain instruction."""
    words = instruction.strip().rstrip(".").split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or not re.fullmatch(r"[A-Z][a-z]+", words[0]):
        return None
    if re.search(r"[:;,()“”\"]|\b(?:and|or|if|unless|then|when|you|your)\b", instruction, re.IGNORECASE):
        return None  # a second verb would have to be turned as well
    verb = words[0].lower()
    tagged = tokens_of(f"to {verb} {' '.join(words[1:])}")
    is_verb = (
        tagged[1].tag.startswith("VB") or tagged[2].tag == "DT"
    )  # "check the oil", which the tagger takes for a noun
    if lemma(verb) != verb or not is_verb or verb in {"be", "see", "note", "do"}:
        return None
    rest = " ".join(words[1:])
    if not is_self_contained(rest, subject_is_theme=False) or tagged[2].tag.startswith("VB"):
        return None
    return f"{inflect(verb, 'VBG')} {rest}"


def step_orders(analysis: Analysis) -> Iterator[Draft]:
    """'Which is the earlier step in X: shutting down the server or building the new version?'"""
    theme = analysis.profile.theme
    for listed in analysis.lists:
        where = _procedure(theme)
        if not listed.ordered or where is None or len(listed.items) < 3:
            continue
        told = [(item, gerund) for item in listed.items if (gerund := gerund_of(next(iter(sentences(item)), "")))]
        for (item1, first), (item2, second) in list(pairwise(told))[: 2 * _MOST_COMPARISONS : 2]:
            shown = (first, second) if sum(first.encode()) % 2 else (second, first)
            yield Draft(
                pattern="step_order",
                question=f"Which is the earlier step {where}: {shown[0]} or {shown[1]}?",
                answer=f"{first[:1].upper()}{first[1:]}, step {listed.items.index(item1) + 1} of the list, "
                f"before step {listed.items.index(item2) + 1}",
                statement=f"In {theme}, {first} comes before {second}.",
                quotes=(_first_sentence(item1), _first_sentence(item2)),
                attribute="order",
            )


_PROCEDURE = re.compile(
    r"(?:policy|procedure|process|plan|guide|reference|handbook|settings|rules|guidelines|standard|checklist|tutorial)$"
)


def _procedure(theme: str) -> str | None:
    """'when paying a fare', 'in the mooring procedure'; None for themes that are no course of action."""
    if theme.startswith("the guide to "):
        return theme.replace("the guide to ", "when ", 1)
    return f"in {theme}" if _PROCEDURE.search(theme) else None


def _first_sentence(text: str) -> str:
    return next(iter(sentences(text)))


class _Action(NamedTuple):
    told: str
    date: DateSpan
    quote: str


_DONE = re.compile(r"^(?:Completed|Done|Finished|Closed) (?:on|by) (?P<date>[^.]+)\.$")


def dated_actions(analysis: Analysis) -> Iterator[Draft]:
    """'Which was completed first after X: fitting a camera or testing the blinds?', from a list of dated actions."""
    theme = analysis.profile.theme
    for listed in analysis.lists if theme else ():
        actions = [action for item in listed.items if (action := _action(item))]
        for one, other in list(pairwise(actions))[: 2 * _MOST_COMPARISONS : 2]:
            if one.date.first_day == other.date.first_day or one.date.precision != other.date.precision:
                continue
            earlier, later = sorted((one, other), key=lambda action: action.date.first_day)
            statement = (
                f"{earlier.told} was completed on {earlier.date.text}, {later.told} on {later.date.text} ({theme})."
            )
            days = (later.date.first_day - earlier.date.first_day).days
            yield Draft(
                pattern="earlier_action",
                question=f"Which was completed first after {theme}: {one.told} or {other.told}?",
                answer=f"{earlier.told[:1].upper()}{earlier.told[1:]} ({earlier.date.text}, against {later.date.text})",
                statement=statement,
                quotes=(one.quote, other.quote),
                attribute="order",
            )
            if one.date.precision == "day":
                yield Draft(
                    pattern="days_between_actions",
                    question=f"After {theme}, how many days passed between {earlier.told} and {later.told}?",
                    answer=f"{days} day{'s' if days > 1 else ''}",
                    statement=statement,
                    quotes=(one.quote, other.quote),
                    attribute="duration",
                )


def _action(item: str) -> _Action | None:
    parts = sentences(item)
    match = _DONE.match(parts[1]) if len(parts) == 2 else None
    dates = find_dates(match["date"]) if match else []
    told = gerund_of(parts[0]) if len(dates) == 1 else None
    return _Action(told, dates[0], item) if told else None


_IS_DEFAULT = re.compile(r"^This is the default(?: behaviou?r)?\.$")


def default_alternatives(analysis: Analysis) -> Iterator[Draft]:
    """'What does DROP VIEW do with neither CASCADE nor RESTRICT?': which is the default, and what that does."""
    theme = analysis.profile.theme
    if not re.fullmatch(r"[A-Z][A-Z ]+|[a-z][\w-]+", theme):
        return
    for one, other in pairwise(analysis.terms):
        if one.section != other.section:
            continue
        chosen = [entry for entry in (one, other) if _default_sentence(entry)]
        if len(chosen) != 1 or not all(re.fullmatch(r"[A-Z][A-Z ]+", entry.name) for entry in (one, other)):
            continue
        alternative = other if chosen[0] is one else one
        told = _third_person(_first_sentence(chosen[0].text))
        if told is None or "default" in alternative.text.lower() or not _exclude_each_other(one.name, other.name):
            continue
        yield Draft(
            pattern="default_alternative",
            question=pick(
                ("What does {0} do with neither {1} nor {2}?", "How does {0} behave with neither {1} nor {2}?"), theme
            ).format(theme, one.name, other.name),
            answer=f"It {told} ({chosen[0].name} is the default)",
            statement=f"{chosen[0].name} is the default of {theme}; with it, {theme} {told}.",
            quotes=(chosen[0].name_quote, *sentences(chosen[0].text)[:2]),
            attribute="default",
        )


def _default_sentence(entry: Entry) -> bool:
    """Whether the second sentence of a definition says that it is the default."""
    parts = sentences(entry.text)
    return len(parts) >= 2 and _IS_DEFAULT.match(parts[1]) is not None


def _exclude_each_other(one: str, other: str) -> bool:
    """Whether two keywords are alternatives: CASCADE and RESTRICT, RESTART IDENTITY and CONTINUE IDENTITY."""
    words, others = set(one.split()), set(other.split())
    return {one, other} == {"CASCADE", "RESTRICT"} or bool(words & others and words - others and others - words)


def _third_person(instruction: str) -> str | None:
    """'Refuse to drop the view.' as 'refuses to drop the view'."""
    words = instruction.strip().rstrip(".").split()
    if not 3 <= len(words) <= 24 or not re.fullmatch(r"[A-Z][a-z]+", words[0]):
        return None
    verb, rest = words[0].lower(), " ".join(words[1:])
    if lemma(verb) != verb or not tokens_of(f"to {verb} {rest}")[1].tag.startswith("VB"):
        return None
    # "if any objects depend on it": the thing was named before
    is_clear = is_self_contained(re.sub(r"(?<=\bdepend on) it$", "", rest), subject_is_theme=False)
    return f"{inflect(verb, 'VBZ')} {rest}" if is_clear else None


def procedure_drafts(analysis: Analysis) -> Iterator[Draft]:
    """Drafts of all of these."""
    yield from step_orders(analysis)
    yield from dated_actions(analysis)
    yield from default_alternatives(analysis)
