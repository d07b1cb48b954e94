"""Keys and values of records: which of them ask for one short thing, and the question that each asks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import Analysis, Entry, is_self_contained
from ragassay.models.embedded.reading.grammar import lemma, noun_phrase, singular, third_person
from ragassay.models.embedded.reading.parser import is_english
from ragassay.models.embedded.reading.reckoning import find_dates
from ragassay.models.embedded.reading.themes import head_of
from ragassay.models.embedded.structure.drafts import Draft, Event, capitalised

_MISHAP = (
    "accident|attack|breach|breakdown|closure|collision|delay|disruption|emergency|failure|fault|fire|flood|grounding|"
    "incident|injury|leak|loss|outage|shift|shortage|spill|storm|strike|suspension|theft"
)
_LASTING = "conference|course|event|festival|investigation|meeting|mission|project|repair|trial|voyage|visit|war|works?"
_MAIL_HEADER = frozenset({"from", "to", "cc", "bcc", "subject", "date", "reply-to", "sent", "message-id"})
"""Fields of a mail (RFC 5322, section 3.6) and 'Sent', as clients print them: nobody asks for the subject of a mail."""
EMPTY_VALUE = re.compile(
    r"^(?:none|n/?a|nil|unknown|not (?:applicable|available|known|specified|stated|recorded)|tbd|[-–—?.]*|yes|"
    r"no|self|true|false|normal|good|fair|see .*)\.?$",
    re.IGNORECASE,
)


def is_event(theme: str) -> bool:
    """Whether a theme is something that takes time."""
    return re.search(rf"\b(?:{_MISHAP}|{_LASTING})$", head_of(theme)) is not None


def is_mishap(theme: str) -> bool:
    """Whether a theme is something that went wrong, so that it is over."""
    return re.search(rf"\b(?:{_MISHAP})$", head_of(theme)) is not None


def plain_keys(analysis: Analysis) -> list[tuple[Entry, str]]:
    """(entry, whom it is about) for keys that ask for one short thing.

    A key must be known: several records of the collection have it, so that it is an attribute and no stray line. Where
    several records of one passage share a key, each is about its own heading; otherwise about the theme.
    """
    sizes = Counter(entry.group for entry in analysis.keys)
    records: dict[str, set[int]] = defaultdict(set)
    for entry in analysis.keys:
        records[entry.name.lower()].add(entry.group)
    names: dict[int, set[str]] = defaultdict(set)
    for entry in analysis.keys:
        names[entry.group].add(entry.name.lower())
    mails = {group for group, keys in names.items() if "from" in keys and keys & {"to", "subject"}}
    several = {group for groups in records.values() if len(groups) > 1 for group in groups}
    found = []
    for entry in analysis.keys:
        name = entry.name.lower()
        if name in _MAIL_HEADER and entry.group in mails:
            continue
        repeated = entry.group in several
        is_known = name in analysis.passage.known_keys or analysis.passage.widely
        if not (repeated or is_known) or sizes[entry.group] < 3 or not _asks_plainly(entry):
            continue
        headings = {other.group: other.section for other in analysis.keys if other.group in several}
        if repeated and (
            len(set(headings.values())) < len(headings)
            or not re.match(r"[A-Z][^:]*$", entry.section)
            or analysis.profile.is_person  # the sections of a life are no things of their own
        ):
            continue  # nothing tells the records apart
        is_wide = not repeated and name not in analysis.passage.known_keys
        if is_wide and not (_is_plain_attribute(entry) and _is_at_the_head(entry, analysis)):
            continue
        owner = entry.section if repeated else analysis.profile.theme
        if owner and entry.text.lower() not in owner.lower():
            found.append((entry, owner))
    return found


def _is_plain_attribute(entry: Entry) -> bool:
    """Whether a key that only one document has is an attribute by itself: 'Severity', not 'Serves' or 'Cooking'."""
    last = noun_phrase(entry.name.lower())[-1]
    takes_time = re.fullmatch(r"\d+ (?:minutes?|hours?|days?|weeks?|months?|years?)", entry.text) is not None
    return (
        last.tag == "NN"
        and not last.lower.endswith("ing")
        and last.lower not in _NO_ATTRIBUTE
        and (not takes_time or re.search(r"time|duration|period|term|age|warranty|notice", last.lower) is not None)
    )


def _is_at_the_head(entry: Entry, analysis: Analysis) -> bool:
    """Whether a key stands where a document describes itself; further down, keys are those of an example as often."""
    is_data = re.search(r"particulars|data|specification|facts|figures|at a glance", entry.section, re.IGNORECASE)
    return entry.quote in analysis.passage.opening or is_data is not None


_NO_QUESTION = re.compile(
    r"\b(?:summary|investigation|filing|marshalling|records?|changes|information|details|remarks)$|\band\b.*\band\b",
    re.IGNORECASE,
)
_NO_ATTRIBUTE = frozenset(
    """
    name note notes title example warning important tip see yes no id summary url link status contents page
    version email phone telephone fax website parameters returns reference policy guide date
""".split()
) | {"guide number"}


_CODE = re.compile(
    r"(?:[A-Za-z]:\\|[.~]*/)\S*$|[\w@.-]+(?:/[\w@.*-]+)*(?:/|\.[A-Za-z]{1,4}\d?)$"  # lib/punycode.js, ../lib, src/
    r"|.*(?:[{}`]|\(\)|=>|[!=]=|;$|</?\w+>|::|://)"
)
"""A value that is a path, the name of a file, an address or source code: what its key means is open."""


_PREDICATE = re.compile(r"(?:has|have|had|is|are|was|were|can|could|will|does|must|should|may|might)\b", re.IGNORECASE)
"""A value that goes on from its key as from a subject: 'Move: has named fields' is no attribute."""


_DESCRIBED = re.compile(r"whether\b|.*\bdefaults?(?::| to | is )|.*:$", re.IGNORECASE | re.DOTALL)
"""What describes a setting, or goes on below: 'port: The port of the server. Default: 80', 'Use one of:'."""


def _is_symbol(entry: Entry) -> bool:
    """'npatch: number of patches', 'MPS: mean patch size' below a formula: what a letter or a code means there."""
    is_code = entry.name.isupper() or not is_english(entry.name.lower())
    return " " not in entry.name and is_code and entry.text[:1].islower() and " " in entry.text


def _asks_plainly(entry: Entry) -> bool:
    return (
        1 <= len(entry.name.split()) <= 5
        and 1 <= len(entry.text.split()) <= 14
        and "\n" not in entry.text
        and not EMPTY_VALUE.match(entry.text)
        and not _CODE.match(entry.text)
        and not _PREDICATE.match(entry.text)
        and not _DESCRIBED.match(entry.text)
        and not _is_symbol(entry)
        and re.fullmatch(r"[A-Za-z][A-Za-z '’/-]+", entry.name) is not None
        and is_self_contained(f"{entry.name} {entry.text}")
        and entry.name.lower() not in _NO_ATTRIBUTE
        and not _NO_QUESTION.search(entry.name)
        and noun_phrase(entry.name.lower())[-1].tag in {"NN", "NNS", "VBN", "VBD", "IN", "NNP", "VBG"}
    )


_PAST = {"begin": "began", "start": "started", "end": "ended"}
_WHERE_KEYS = re.compile(r"^(?:based|located)(?: (?:in|at))?$", re.IGNORECASE)
_KEPT_BY = frozenset("maintain own manage operate run supply supervise".split())


def key_question(entry: Entry, theme: str) -> str | None:
    """The question that a key asks of the theme; None where the key is no noun and no known participle."""
    key = entry.name.lower() if not re.search(r"[A-Z]{2}|\b[A-Z]\w+ [A-Z]", entry.name) else entry.name
    key = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in entry.name.split())
    dated = find_dates(entry.text)
    tokens = noun_phrase(key)
    last = tokens[-1]
    if _WHERE_KEYS.match(key):
        return f"Where is {theme} {key.split()[0]}?"
    if dated and key in {"start", "end"}:
        return f"When did {theme} {key}?"
    verb = key.split()[0]
    if len(key.split()) <= 2 and tokens[0].tag in {"VBN", "VBD"} and lemma(verb) != verb:
        if dated and key in {verb, f"{verb} on"}:
            if lemma(verb) == "join":
                return f"When did {theme} join the organisation?"
            active = lemma(verb) in {"retire", "open", "close", "start", "end", "leave", "begin", "graduate"}
            return f"When did {theme} {lemma(verb)}?" if active else f"When was {theme} {verb}?"
        if key == f"{verb} by" and not dated and lemma(verb) in _KEPT_BY:
            return f"Who {third_person(lemma(verb))} {theme}?"
        if key == f"{verb} by" and not dated:
            return f"Who was {theme} {verb} by?" if not re.search(r"\d", entry.text) else None
        if key == f"{verb} in" and not dated:
            return f"Where was {theme} {verb}?"
        return None
    if last.tag not in {"NN", "NNS", "NNP", "VBG"} or not is_attribute(key):
        return None
    if (
        len(dated) == 1
        and dated[0].precision != "year"
        and dated[0].text == entry.text.rstrip(".")
        and not re.search(r"\b(?:date|time|year|month|period|deadline|day|birth)$|date", key)
    ):
        return f"When is the {key} of {theme}?"
    plural = last.tag == "NNS"
    if plural and re.fullmatch(r"[\d,]+", entry.text):
        return f"How many {key} does {theme} have?"
    if (
        not dated
        and re.search(
            r"\b(?:manager|lead|owner|author|captain|director|head|chair|judge|clerk|engineer|officer|doctor|"
            r"surgeon|editor|lawyer|attorney|prosecutor|physician|supervisor|master|contact|sponsor|leader|"
            r"designer|architect|founder|commander|chairman|chairwoman|treasurer|secretary|coordinator|host|speaker|"
            r"builder|supplier|operator|manufacturer|maker|developer|contractor|publisher|producer|provider|insurer|"
            r"auditor|landlord|tenant|employer|client|customer|buyer|seller|vendor|distributor|organi[sz]er|sender)$",
            key,
        )
        and re.match(r"(?:(?:[A-Z][\w.'’-]*|&|and|of)\s?){1,6}$", entry.text)
    ):
        return f"Who is the {key} of {theme}?"
    past = is_mishap(theme)
    if past and key == "location":
        return f"Where did {theme} happen?"
    if past and key == "cost" and re.match(r"[£$€]\s?\d", entry.text):
        return f"How much did {theme} cost?"
    verb = ("were" if past else "are") if plural else ("was" if past else "is")
    return f"What {verb} the {with_size(key, entry.text)} of {theme}?"


_GROUP = re.compile(r"\b(?:crew|staff|team|cast|fleet|herd|squad|workforce)$")


def with_size(noun: str, value: str) -> str:
    """'crew' over a bare number as 'crew size': what the number tells of a group of people, ships or animals."""
    return f"{noun} size" if _GROUP.search(noun) and re.fullmatch(r"[\d,]+", value) else noun


def is_attribute(noun: str) -> bool:
    """Whether a key or a column can stand after 'the': a noun phrase without a verb in it."""
    tokens = noun_phrase(noun)
    return (
        bool(tokens)
        and tokens[-1].tag in {"NN", "NNS", "NNP", "VBG"}
        and not any(token.tag in {"MD", "VB", "VBZ", "VBD", "WP", "WRB"} for token in tokens)
    )


def _key_statement(key: str, theme: str, value: str, question: str) -> str:
    """What the entry says, as a sentence."""
    participle = key.removesuffix(" by")
    if participle != key:
        return capitalised(f"{theme} {'is' if lemma(participle) in _KEPT_BY else 'was'} {participle} by {value}.")
    if question.startswith("How many "):
        return capitalised(f"{theme} has {value} {singular(key) if value == '1' else key}.")
    plural = question.startswith(("What are ", "What were "))
    return f"The {with_size(key, value)} of {theme} {'are' if plural else 'is'} {value}."


def quotes_of(analysis: Analysis, owner: str, entry: Entry) -> tuple[str, ...]:
    """The line of a key, and before it the heading of its record where the page has several.

    'Crew: 22' may stand in more than one of them.
    """
    has_heading = owner == entry.section and owner in analysis.passage.text
    return (owner, entry.quote) if has_heading else (entry.quote,)


def key_facts(analysis: Analysis) -> Iterator[Draft]:
    """A question for each key that asks plainly, with the event that a dated one tells of."""
    for entry, theme in plain_keys(analysis):
        question = key_question(entry, theme)
        if question is None:
            continue
        key = entry.name[:1].lower() + entry.name[1:] if not entry.name.isupper() else entry.name
        dates = find_dates(entry.text)
        event = None
        match = re.match(rf"When (did|was) {re.escape(theme)} (\w+)(?P<rest> the organisation)?\?$", question)
        if len(dates) == 1 and dates[0].text == entry.text and match:
            past = _PAST.get(match[2], key.split()[0])
            told = f"{theme} {past}{match['rest'] or ''}" if match[1] == "did" else f"{theme} was {match[2]}"
            event = Event(told, question[5].lower() + question[6:-1], dates[0], subject_is_theme=False)
        yield Draft(
            pattern="key_value",
            question=question,
            answer=entry.text,
            statement=_key_statement(key, theme, entry.text.rstrip("."), question),
            quotes=quotes_of(analysis, theme, entry),
            attribute=key.lower(),
            event=event,
            about=theme if theme != analysis.profile.theme else "",
        )
