"""Time between two dated keys of a record, and what a list holds or how much it holds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from ragassay.keyless.clause import clause_of, phrase_of, question
from ragassay.keyless.framing import framed
from ragassay.keyless.layout import Entry, Listing, lists
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.records import DONE_TO, HAPPENS, evidence, is_balanced, key_question, owned
from ragassay.keyless.wording import FINITE_TAGS, is_plural, sentence_case
from ragassay.models.embedded.reading.parser import ing, lemma, noun_phrase, parse
from ragassay.models.embedded.reading.reckoning import DateSpan, find_dates, years_between
from ragassay.text import sentences

_MOST_DAYS = 800
"""Longer times are counted in years."""
_ITEMS = range(2, 13)
_MOST_LIST_WORDS = 120
_NO_TOPIC = re.compile(
    r"\b(?:notes|examples|links|references|contents|tips|topics|pages|remarks|features|changes|files|resources|"
    r"questions|options|headlines|highlights|details|things|basics|points|fixes|updates)$",
    re.IGNORECASE,
)
"""Plurals above lists that hold anything."""
_LEAD = re.compile(
    r"(?:The (?:following )?|These )?(?P<what>[A-Za-z][\w '’-]{3,50}?) (?P<verb>are|include)"
    r"(?: as follows| the following)?:$"
    r"|(?:The )?(?P<whole>[A-Za-z][\w '’-]{3,50}?) (?P<holds>includes|contains|covers|requires|comprises|provides)"
    r"(?: the following(?: \w+)?)?:$"
)


def period_drafts(page: Page) -> Iterator[Draft]:
    """'How many years after being built was MV Elm refitted?'"""
    dated: dict[tuple[int, str], list[tuple[Entry, DateSpan]]] = defaultdict(list)
    for entry, owner in owned(page):
        dates = find_dates(entry.text)
        question = key_question(entry.name, entry.text, owner)
        if len(dates) == 1 and question is not None and question.startswith("When "):
            dated[entry.group, owner].append((entry, dates[0]))
    for (group, owner), entries in dated.items():
        for one, other in combinations(entries[:_MOST_DATED], 2):
            (first, start), (second, end) = sorted((one, other), key=lambda pair: pair[1].first_day)
            time = _time(start, end)
            asked = _asked(first.name.lower(), second.name.lower(), owner, time[1]) if time else ""
            if time is None or not asked:
                continue
            yield Draft(
                label="reasoning",
                form="period",
                question=asked,
                answer=f"{time[0]} {time[1].removeprefix('full ')}",
                spans=tuple(sorted({*evidence(first, owner), *evidence(second, owner)})),
                source=f"record {group} {owner}",
                worth=0.65,
                is_certain=True,
            )


_MOST_DATED = 12


def _time(start: DateSpan, end: DateSpan) -> tuple[int, str] | None:
    """(how many, of which unit) between two days or two years; None for less than two, and between months."""
    if start.precision == end.precision == "year":
        count = end.first_day.year - start.first_day.year
        return (count, "years") if count > 1 else None
    if start.precision != "day" or end.precision != "day":
        return None
    days = (end.first_day - start.first_day).days
    is_long = days > _MOST_DAYS
    count, unit = (years_between(start.first_day, end.first_day), "full years") if is_long else (days, "days")
    return (count, unit) if count > 1 else None


def _asked(first: str, second: str, owner: str, unit: str) -> str:
    """The question about the time between two dated keys, in a unit; empty for keys of other kinds."""
    if first.removesuffix(" date") == "start" and second.removesuffix(" date") == "end":
        return f"How many {unit} passed between the start and the end of {owner}?"
    verbs = [re.sub(r" on$", "", key) for key in (first, second)]
    bases = [lemma(verb) for verb in verbs]
    if bases == ["bear", "die"]:
        return f"At what age did {owner} die?" if unit == "full years" else ""
    is_told = all(base != verb and base in DONE_TO | HAPPENS for base, verb in zip(bases, verbs, strict=True))
    if not is_told or "bear" in bases:
        return ""
    after = ing(bases[0]) if bases[0] in HAPPENS else f"being {verbs[0]}"
    then = f"did {owner} {bases[1]}" if bases[1] in HAPPENS else f"was {owner} {verbs[1]}"
    return f"How many {unit} after {after} {then}?"


def list_drafts(page: Page) -> Iterator[Draft]:
    """'Which exceptions does the travel policy list?', and how many; what the sentence above a list asks."""
    found = lists(page)
    for number, listing in enumerate(found, start=1):
        texts = [" ".join(page.document.text[start:end].split()) for start, end in listing.items]
        is_short = sum(len(text.split()) for text in texts) <= _MOST_LIST_WORDS
        if len(texts) not in _ITEMS or not is_short or not all(text and is_balanced(text) for text in texts):
            continue
        question, is_counted = _question_of(page, listing)
        if not question or any(text.endswith((":", "?")) for text in texts):
            continue
        above = listing.lead or listing.heading or listing.items[0]
        span = ((above[0], listing.items[-1][1]),)
        items = tuple(text.rstrip(" .;,") for text in texts)
        source = f"list {number}"
        yield Draft(
            label="summary",
            form="list",
            question=question,
            answer="; ".join(items) + ".",
            spans=span,
            keypoints=items,
            source=source,
            worth=0.7,
            is_certain=True,
        )
        if is_counted and len(items) > 2:
            yield Draft(
                label="reasoning",
                form="list_count",
                question=is_counted,
                answer=str(len(items)),
                spans=span,
                source=source,
                worth=0.55,
                is_certain=True,
            )


def _question_of(page: Page, listing: Listing) -> tuple[str, str]:
    """(the question that a list answers, the one that its length answers); empty for a list that nothing announces."""
    text = page.document.text
    above = " ".join(text[slice(*listing.lead)].split()) if listing.lead else ""
    if asked := _announced(sentences(above)[-1] if above else ""):
        return framed(page, asked), ""
    lead = _LEAD.match(above)
    if lead is not None:
        what = sentence_case(lead["what"] or "", text)
        if what and is_plural(what) and _is_topic(what):
            asked = f"What are the {what}?" if lead["verb"] == "are" else f"What do the {what} include?"
            return framed(page, asked), ""
        if lead["whole"] and _is_topic(lead["whole"].lower()):
            whole = sentence_case(lead["whole"], page.prose)
            return framed(page, f"What does the {whole} {lemma(lead['holds'])}?"), ""
        return "", ""
    topic = sentence_case(listing.section, page.prose.replace(listing.section, " "))
    is_under = listing.heading is not None and listing.is_alone and listing.lead is None
    if not (is_under and page.name and is_plural(topic) and _is_topic(topic)):
        return "", ""
    if page.is_thing:
        return f"What are the {topic} of {page.name}?", f"How many {topic} are listed for {page.name}?"
    return f"Which {topic} does {page.name} list?", f"How many {topic} does {page.name} list?"


def _announced(lead: str) -> str:
    """What a lead asks: "There are two ways to pay:", "Scripts must meet the following rules:"."""
    if not lead.endswith(":") or _POINTS.search(lead):
        return ""
    if ways := re.match(
        r"(?:There|These|Here) are (?!not)((?:[a-z]+ ){0,2}[a-z]+s (?:to|of|for|in|that) [^,:]{4,60}):$", lead
    ):
        return f"What are the {ways[1]}?" if not re.match(r"(?:some|many|no|several|the)\b", ways[1]) else ""
    following = re.search(r"\bthe following ((?:[a-z]+ )?[a-z]+s)\b", lead)
    (doc,) = parse([f"{lead[:-1]}."])
    clause = clause_of(doc) if following else None
    noun = next((token for token in doc if token.lower_ == "following" and token.head.dep_ == "dobj"), None)
    phrase = phrase_of(noun.head, clause) if clause is not None and noun is not None else None
    if following is None or clause is None or phrase is None:
        return ""
    return question(clause, f"which {following[1]}", phrase) or ""


_POINTS = re.compile(r"\b(?:this|that|these|those|it|they|them|above|below|here|again)\b(?! are)", re.IGNORECASE)


def _is_topic(phrase: str) -> bool:
    tokens = noun_phrase(phrase)
    return (
        len(phrase.split()) <= 5
        and re.fullmatch(r"[A-Za-z][A-Za-z '’-]+", phrase) is not None
        and tokens[-1].tag in {"NN", "NNS"}
        and not any(token.tag in FINITE_TAGS | {"CC", "VBG"} for token in tokens)
        and not _NO_TOPIC.search(phrase)
    )
