"""What a record says of its owner: each key asked alone, several together, and keys that only its siblings have."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache

from ragassay.keyless.framing import framed
from ragassay.keyless.layout import Entry, Stretch, Table, pairs, records, tables, terms
from ragassay.keyless.page import Draft, Page
from ragassay.keyless.wording import (
    EMPTY,
    attribute_of,
    capitalised,
    is_full_name,
    is_plural,
    names_something,
    of_label,
    telling_words,
    with_unit,
)
from ragassay.models.embedded.reading.parser import is_english, lemma, parse, third_person, tokens_of
from ragassay.models.embedded.reading.reckoning import find_dates
from ragassay.text import sentence_spans

_FEWEST_KEYS = 3
"""A lone ``Key: value`` line is a remark as often as an attribute."""
_MOST_WORDS = 14
_MOST_WORDS_TOGETHER = 8
"""Of a value: a longer one is asked for alone."""
_NO_VALUE = re.compile(
    r"(?:[A-Za-z]:\\|[.~]*/)\S*$|[\w@.-]+(?:/[\w@.*-]+)*(?:/|\.[A-Za-z]{1,4}\d?)$|.*(?:[{}`]|\(\)|=>|[!=]=|;$|</?\w+>|::|://)"
    r"|(?:has|have|had|is|are|was|were|can|could|will|does|must|should|may|might|whether|if|when|use|see)\b"
    r"|.*(?:\bdefaults?\b|:$|\n|[a-z)]\. [A-Z]|\b(?:see|listed|described|shown) (?:above|below)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""A path or code, a sentence that goes on from its key, the description of a setting, or what points elsewhere."""
_MAIL = frozenset({"from", "to", "subject"})
_WHO = re.compile(
    r"\b(?:manager|lead|owner|author|captain|director|head|chair|judge|clerk|doctor|editor|lawyer|supervisor|master|"
    r"contact|sponsor|leader|designer|architect|founder|commander|chairman|chairwoman|treasurer|secretary|coordinator|"
    r"speaker|builder|supplier|operator|manufacturer|maker|developer|contractor|publisher|producer|provider|insurer|"
    r"auditor|landlord|tenant|employer|client|customer|buyer|seller|vendor|distributor|organi[sz]er|sender|officer|"
    r"engineer|teacher|tutor|trainer|coach|president|chief|instructor|keeper|curator|conductor|composer|executive|principal)$"
)
_NAME_VALUE = re.compile(r"(?:(?:[A-Z][\w.'’-]*|&|and|of|de|van|von)\s?){1,6}(?:$|,)")
_OF_A_DATE = re.compile(r"[\s,.]*(?:(?:at )?\d{1,2}:\d\d)?[\s.]*")
_ONGOING = frozenset("maintain own manage operate run supply supervise lead chair host teach".split())
HAPPENS = frozenset("open close start begin end retire die expire graduate arrive depart".split())
DONE_TO = frozenset(
    "build found establish create launch publish release write design commission deliver complete approve sign issue"
    " adopt bear introduce install make acquire register update revise review manufacture construct discover order"
    " detect resolve report submit record purchase buy test inspect repair replace invent form incorporate".split()
)
"""Verbs whose participle as a key says when or where something was done to its owner."""
_FOR = re.compile(r"\b(?:budget|allowance|fee|charge|fare|rate|deposit|premium|limit|price|deadline)$")
_NO_OWNER = re.compile(r"\b(?:minutes|newsletter|notice|agenda|list|overview|summary)$")
_GLOSSARY = re.compile(r"glossary|terms|definitions|vocabulary|abbreviations", re.IGNORECASE)
_TERM_HEAD = re.compile(r"(?:term|word|abbreviation|acronym|expression)$", re.IGNORECASE)
_MEANING_HEAD = re.compile(r"(?:meaning|definition|stands for|explanation)$", re.IGNORECASE)


def record_drafts(page: Page) -> Iterator[Draft]:
    """Every key that asks for one short thing, alone and together with its neighbours."""
    groups: dict[tuple[int, str], list[tuple[Entry, str]]] = defaultdict(list)
    for entry, owner in owned(page):
        question = key_question(entry.name, entry.text, owner)
        if question is None:
            continue
        if spoken := _standing_alone(page, question, owner, entry):
            yield Draft(
                label="fact_single",
                form="key_value",
                question=spoken,
                answer=with_unit(entry.text, entry.name),
                spans=evidence(entry, owner),
                source=f"record {entry.group} {owner}",
                worth=0.6,
                is_certain=True,
            )
        is_plain = re.match(r"(?:What|Who) (?:is|are) the ", question) and question.endswith(f" of {owner}?")
        if is_plain and len(entry.text.split()) <= _MOST_WORDS_TOGETHER:
            groups[entry.group, owner].append((entry, attribute_of(entry.name, entry.text)))
    for (_, owner), entries in groups.items():
        yield from _together(page, owner, entries)


def _together(page: Page, owner: str, entries: list[tuple[Entry, str]]) -> Iterator[Draft]:
    """Three keys of one record, asked at once."""
    for first in range(0, len(entries) - 2, 3):
        chosen = entries[first : first + 3]
        keys = [key for _, key in chosen]
        if len({word for key in keys for word in key.split()}) < sum(len(key.split()) for key in keys):
            continue
        question = f"What are the {', '.join(keys[:-1])} and {keys[-1]} of {owner}?"
        values = [with_unit(entry.text, entry.name).rstrip(".") for entry, _ in chosen]
        if spoken := _standing_alone(page, question, owner, chosen[0][0]):
            yield Draft(
                label="summary",
                form="key_group",
                question=spoken,
                answer="; ".join(f"{capitalised(key)}: {value}" for key, value in zip(keys, values, strict=True)),
                spans=tuple(dict.fromkeys(span for entry, _ in chosen for span in evidence(entry, owner))),
                keypoints=tuple(
                    f"The {key} of {owner} {'are' if is_plural(key) else 'is'} {value}."
                    for key, value in zip(keys, values, strict=True)
                ),
                source=f"record {chosen[0][0].group} {owner}",
                worth=0.55,
                is_certain=True,
            )


def missing_drafts(page: Page) -> Iterator[Draft]:
    """Keys that most records of the kind have and this one lacks, where no word of them stands in the document."""
    text = page.document.text.lower()
    for name in page.collection.lacking(page.document.id) if page.name and page.is_thing else ():
        words = re.findall(r"[a-z]{3,}", name)
        if not words or any(word[:5] in text for word in words):
            continue
        question = f"How many {name} does {page.name} have?" if is_plural(name) else key_question(name, "x", page.name)
        if question is not None and attribute_of(name):
            yield Draft(label="unanswerable", form="missing_key", question=question, source=f"key {name}", worth=0.7)


@lru_cache(maxsize=1)
def owned(page: Page) -> list[tuple[Entry, str]]:
    """(entry, whom it is about) for the keys that ask for one short thing: of several the heading, else the page."""
    rows = [entry for entry in pairs(page) if entry.group > _ITEMS]
    entries = [*records(page), *rows, *(entry for table in tables(page) for entry in _attribute_rows(table))]
    sizes = Counter(entry.group for entry in entries)
    groups: dict[str, set[int]] = defaultdict(set)
    keys: dict[int, set[str]] = defaultdict(set)
    for entry in entries:
        groups[entry.name.lower()].add(entry.group)
        keys[entry.group].add(entry.name.lower())
    several = {group for sharing in groups.values() if len(sharing) > 1 for group in sharing}
    sections = Counter({(entry.group, entry.section): 1 for entry in entries if entry.group in several})
    headings = Counter(section for _, section in sections)
    found: list[tuple[Entry, str]] = []
    for entry in entries:
        is_mail = "from" in keys[entry.group] and len(keys[entry.group] & _MAIL) > 1
        if sizes[entry.group] < _FEWEST_KEYS or is_mail or not asks_plainly(entry.text):
            continue
        if entry.group in several:
            is_name = re.match(r"[A-Z0-9“][^:?]*$", entry.section) and len(entry.section.split()) <= 8
            owner = of_label(entry.section) if is_name and headings[entry.section] == 1 else ""
        else:
            is_known = entry.name.lower() in page.collection.known_keys or _is_at_the_head(page, entry)
            owner = page.name if is_known and not _NO_OWNER.search(page.name) else ""
        if owner and entry.text.lower() not in owner.lower():
            found.append((entry, owner))
    return found


_ITEMS = -1000
"""Groups of pairs below which they are items, whose values are descriptions."""


def _attribute_rows(table: Table) -> Iterator[Entry]:
    """The rows of a table whose two columns are attribute and value."""
    left, right = table.header[0].lower(), table.header[1].lower()
    if len(table.header) != 2 or left not in ATTRIBUTE_HEADS or right not in _VALUE_HEADS:
        return
    for row in table.rows:
        yield Entry(row.cells[0], row.cells[1], row.start, row.end, -1 - table.number, table.section, None)


ATTRIBUTE_HEADS = frozenset(
    ("", *"property attribute feature parameter characteristic specification item detail".split())
)
_VALUE_HEADS = frozenset({"", "value", "details", "specification", "data"})


def _is_at_the_head(page: Page, entry: Entry) -> bool:
    """Whether a record stands where a document describes itself; further down, keys are an example's as often."""
    above = page.headings_above(entry.start)
    if not all(is_english(word) for word in re.findall(r"[a-z]{4,}", entry.name.lower())):
        return False  # a code or a letter that the text explains
    return (
        len(above) <= 1
        or re.search(r"particulars|data|specification|facts|figures|at a glance", above[-1], re.I) is not None
    )


def asks_plainly(value: str) -> bool:
    """Whether a value is one short thing that its key or column alone can ask for."""
    return (
        1 <= len(value.split()) <= _MOST_WORDS
        and not EMPTY.match(value)
        and not _NO_VALUE.match(value)
        and is_balanced(value)
    )


def is_balanced(text: str) -> bool:
    """Whether brackets and quotation marks come in pairs."""
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "“”")) and text.count('"') % 2 == 0


def evidence(entry: Entry, owner: str) -> tuple[Stretch, ...]:
    """The line of a key, and before it the heading of its record where that is the owner."""
    is_headed = entry.heading is not None and entry.section.lower() in owner.lower()
    return (entry.heading, (entry.start, entry.end)) if is_headed and entry.heading else ((entry.start, entry.end),)


def _standing_alone(page: Page, question: str, owner: str, entry: Entry) -> str:
    if owner == page.name or is_full_name(entry.section) or names_something(question):
        return question
    return framed(page, question)


def key_question(name: str, value: str, owner: str) -> str | None:
    """The question that a key asks of its owner; None for a key that is neither a noun nor a known participle."""
    key = name.lower() if name[1:] == name[1:].lower() else name
    dates = find_dates(value)
    is_date = len(dates) == 1 and _OF_A_DATE.fullmatch(value.replace(dates[0].text, "")) is not None
    participle = _of_participle(key, value, owner, is_date=is_date)
    if participle is not None:
        return participle
    noun = attribute_of(name, value)
    if not noun or tokens_of(key)[0].tag in {"VBD", "VB"}:
        return None
    if is_date and not re.search(r"date|time|year|month|period|deadline|day|birth", noun):
        return f"When is the {noun} of {owner}?" if not is_plural(noun) else None
    if is_plural(noun) and re.match(r"\d[\d.,]*(?!\S)", value):
        return f"How many {noun} does {owner} have?" if re.match(r"[\d,]+(?:$| (?:at|in|on|as of|\())", value) else None
    if noun == "price" and re.match(r"[£$€] ?\d", value):
        return f"How much does {owner} cost?"
    if _WHO.search(noun.split(" of ")[0]) and _NAME_VALUE.match(value):
        return f"Who is the {noun} of {owner}?"
    return f"What {'are' if is_plural(noun) else 'is'} the {noun} {preposition_of(noun)} {owner}?"


def preposition_of(noun: str) -> str:
    """What joins an attribute to its owner: a budget is for something, most things are of something."""
    return "for" if _FOR.search(noun) else "of"


def _of_participle(key: str, value: str, owner: str, *, is_date: bool) -> str | None:
    """'Built', 'built by', 'based in', 'in service since', as questions; None for other keys."""
    since = re.fullmatch(r"(in (?:service|force|operation|use|office)) since", key)
    if since and is_date:
        return f"Since when has {owner} been {since[1]}?"
    if key in {"start", "end"} and is_date:
        return f"When did {owner} {key}?"
    found = re.fullmatch(r"([a-z]+)(?: (by|in|at|on))?", key)
    if found is None or (key in {"based", "located"} and is_date):
        return None
    verb, preposition = found[1], found[2] or ""
    base = lemma(verb)
    if verb in {"based", "located"} and preposition != "by":
        return f"Where is {owner} {verb}?"
    if base == verb or verb.endswith("ing") or tokens_of(f"it was {key} then")[2].tag not in {"VBN", "VBD"}:
        return None
    if is_date and preposition != "by":
        if base in HAPPENS:
            return f"When did {owner} {base}?"
        return f"When was {owner} {verb}?" if base in DONE_TO or verb == "born" else None
    if preposition == "by" and not re.search(r"\d", value):
        return f"Who {third_person(base)} {owner}?" if base in _ONGOING else f"Who was {owner} {verb} by?"
    is_place = preposition in {"in", "at"} and base in DONE_TO and not re.search(r"\d", value)
    return f"Where was {owner} {verb}?" if is_place else None


_SHORT = 12
"""Words of a definition that says no more than its term, where it holds all words of it."""


def term_drafts(page: Page) -> Iterator[Draft]:
    """What the terms of a glossary mean; elsewhere of a definition list whose definitions are noun phrases."""
    is_glossary = _GLOSSARY.search(page.document.title) is not None
    defined: list[tuple[str, str, tuple[Stretch, ...], str]] = [
        (entry.name, entry.text, ((entry.start, entry.end),), entry.section) for entry in (*terms(page), *pairs(page))
    ]
    if is_glossary:
        defined += [(each.name, each.text, ((each.start, each.end),), each.section) for each in records(page)]
    for table in tables(page):
        if len(table.header) == 2 and _TERM_HEAD.search(table.header[0]) and _MEANING_HEAD.search(table.header[1]):
            defined += [(row.cells[0], row.cells[1], table.spans(row), "Terms") for row in table.rows]
    for name, text, spans, section in defined:
        term = re.sub(r" \([^)]*\)$", "", name)
        first = text[slice(*sentence_spans(text)[0])] if text.strip() else ""
        if not re.fullmatch(r"-{0,2}[A-Za-z][\w '’&/-]{1,40}", term) or "\n" in first or not is_balanced(first):
            continue
        if len(first.split()) <= _SHORT and all(word[:5] in first.lower() for word in telling_words(term)):
            continue  # "the LLVM developer policy: the policy of LLVM towards developers"
        if (
            not 3 <= len(first.split()) <= 40
            or _NO_VALUE.match(first)
            or term.split()[0].islower() != name[:1].islower()
        ):
            continue
        in_glossary = is_glossary or _GLOSSARY.search(section) is not None
        if not in_glossary and not _is_noun_phrase(first):
            continue
        question = f"What does {term if term.startswith('-') else f'“{term}”'} mean?"
        if not in_glossary or (" " not in term and is_english(term.lower())):
            question = framed(page, question)  # an ordinary word means something here
        if question:
            yield Draft(
                label="fact_single",
                form="term",
                question=question,
                answer=first,
                spans=spans,
                claim=f"“{term}” means: {first}",
                source=f"term {term}",
                worth=0.6,
                is_certain=in_glossary,
            )


def _is_noun_phrase(definition: str) -> bool:
    """Whether a definition is a noun phrase: a sentence tells something of a term, and not what it is."""
    first = definition.split(maxsplit=1)[0]
    if first not in {"A", "An", "The", "Any"} and not (first.islower() and is_english(first)):
        return False
    (doc,) = parse([definition if definition.endswith(".") else f"{definition}."])
    return any(token.dep_ == "ROOT" and token.pos_ in {"NOUN", "PROPN"} for token in doc)
