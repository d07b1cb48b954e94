"""Times reckoned from the dates of one subject: how long something lasted, how old somebody was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading, Told

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

_MONTHS = "january february march april may june july august september october november december".split()
_DATE = re.compile(
    rf"(?:(?P<d1>\d{{1,2}}) )?(?P<m1>{'|'.join(_MONTHS)})(?: (?P<d2>\d{{1,2}}))?,? (?P<y1>1[0-9]\d\d|20\d\d)"
    r"|(?P<y2>\b(?:1[0-9]\d\d|20\d\d))(?![\w–-]*\d)(?!s\b)",
    re.I,
)


class When(NamedTuple):
    """A day, a month or a year. exact: whether the day is known. tokens: the words, with their preposition."""

    year: int
    month: int
    day: int
    tokens: tuple[Token, ...]

    @property
    def exact(self) -> bool:
        return self.day > 0


def whens(words: list[Token]) -> list[When]:
    """The dates among the words of one clause."""
    if not words:
        return []
    doc = words[0].doc
    inside = {token.i for token in words}
    found: list[When] = []
    for match in _DATE.finditer(doc.text):
        span = doc.char_span(*match.span(), alignment_mode="expand")
        if span is None or not all(token.i in inside for token in span):
            continue
        tokens = list(span)
        if tokens[0].i and doc[tokens[0].i - 1].lower_ in ("in", "on") and tokens[0].i - 1 in inside:
            tokens.insert(0, doc[tokens[0].i - 1])
        month = _MONTHS.index(match.group("m1").lower()) + 1 if match.group("m1") else 0
        found.append(
            When(
                int(match.group("y1") or match.group("y2")),
                month,
                int(match.group("d1") or match.group("d2") or 0),
                tuple(tokens),
            )
        )
    return found


def years_between(first: When, second: When) -> tuple[int, bool]:
    """Whole years, and whether that is exact: it is where both days are known."""
    years = second.year - first.year
    if first.exact and second.exact:
        early = (second.month, second.day) < (first.month, first.day)
        return years - early, True
    if first.month and second.month and first.month != second.month:
        return years - (second.month < first.month), True
    return years, False


def dated_events(reading: Reading) -> Iterator[tuple[Told, Clause, When]]:
    """The clauses in the past with just one date."""
    for told, clause in reading.main():
        first = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
        if first.tag_ != "VBD" or (first.lemma_ == "have" and first is not clause.verb) or clause.head is None:
            continue
        words = [*(t for phrase in clause.fronted for t in phrase), *clause.members]
        dates = whens(words)
        if len(dates) == 1 and dates[0].tokens[0].lower_ in ("in", "on"):
            yield told, clause, dates[0]


_SPAN = re.compile(
    r"\b(?:from|between)\s+(?:\w+ )?(?P<a>1[0-9]\d\d|20\d\d)\s+(?:to|until|till|and|through)"
    r"\s+(?:\w+ )?(?P<b>1[0-9]\d\d|20\d\d)(?!\w)"
)


@source(
    "lasted",
    infers="how many years something lasted, from its first and last year",
    example="For how many years was Anna Berg mayor? 6 years (1997 to 2003).",
    accepted=0.60,
)
def lasted(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            clause.head is None
            or len(clause.members) > 22
            or clause.passive
            or any(t.lower_ in ("years", "year") for t in clause.members)
        ):
            continue
        match = _SPAN.search(told.doc.text)
        if match is None or len(_SPAN.findall(told.doc.text)) > 1 or len(_DATE.findall(told.doc.text)) > 2:
            continue
        span = told.doc.char_span(*match.span(), alignment_mode="expand")
        inside = {token.i for token in clause.members}
        first = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
        if span is None or first.tag_ != "VBD" or not all(token.i in inside for token in span):
            continue
        if span[0].head not in (clause.verb, *clause.chain) and span[0].head.head != clause.verb:
            continue
        years = int(match["b"]) - int(match["a"])
        if years < 2:
            continue
        turned = inverted(clause, "for how many years", list(span))
        if turned is not None and match.group(0).startswith("from"):
            yield Inferred(
                told,
                turned.pieces,
                f"About {years} years ({match['a']} to {match['b']})",
                [],
                forms=turned.forms,
                asker=False,
            )


_BORN = re.compile(
    r"\(?\b(?:born|b\.)\s+(?:on )?(?P<date>[^;()–]{4,40}?\d{4})"
    r"|\((?P<life>\d{1,2} \w+ \d{4}|\w+ \d{1,2}, \d{4}|\d{4})\s*[-–]\s*[^()]*\)"
)


def _birth(reading: Reading) -> tuple[Told, When] | None:
    """When the person that the document is about was born."""
    name = reading.setting.name
    if name is None or not name.person:
        return None
    for told in reading.told:
        text = reading.setting.passage.text[told.sentence.start : told.sentence.end]
        match = _BORN.search(text)
        if match is None or name.text.split()[-1] not in text:
            continue
        inner = _DATE.search(match.group("date") or match.group("life"))
        if inner is None:
            continue
        month = _MONTHS.index(inner.group("m1").lower()) + 1 if inner.group("m1") else 0
        return told, When(
            int(inner.group("y1") or inner.group("y2")), month, int(inner.group("d1") or inner.group("d2") or 0), ()
        )
    return None


def _of_the_named(told: Told, clause: Clause, name: str) -> bool:
    """Whether the subject is the one that the document is about."""
    if clause.head is None or bool(clause.head.conjuncts):
        return False
    reference = told.resolved.references.get(clause.head.i)
    if reference is not None:
        return reference.name == name and not reference.possessive and not reference.risky
    return told.write(clause.subject, asker=False) == name


@source(
    "age",
    infers="how old somebody was, from the birth and a dated event",
    example="How old was Anna Berg when she became mayor? 41 (born in 1956, in office from 1997).",
    accepted=0.81,
)
def age(reading: Reading) -> Iterator[Inferred]:
    birth = _birth(reading)
    name = reading.setting.name
    if birth is None or name is None:
        return
    source_told, born = birth
    for told, clause, when in dated_events(reading):
        if clause.verb.lemma_ in ("bear",) or not _of_the_named(told, clause, name.text):
            continue
        years, exact = years_between(born, when)
        if (
            not 12 <= years <= 105
            or len(clause.members) > 20
            or any(
                t.lower_
                in ("when", "while", "until", "times", "since", "still", "again", "later", "also", "early", "late")
                for t in clause.members
            )
        ):
            continue
        rest = [token for token in clause.members if token not in when.tokens]
        own = {token.i for token in clause.members}
        shared = [a for a in clause.auxiliaries if a.i not in own]
        who = gender(reading)
        if not who:
            continue
        old = str(years) if exact else f"{years - 1} or {years}"
        pieces: Pieces = [f"how old was {name.text} when {who}", *shared, *rest]
        yield Inferred(
            told,
            pieces,
            f"{old} years old (born in {born.year}; this was {told.write(list(when.tokens), asker=False)})",
            [],
            others=(source_told,),
            asker=False,
        )


def gender(reading: Reading) -> str:
    """What the passage calls its subject: he or she; empty where it says neither or both."""
    text = reading.setting.plain
    he, she = (len(re.findall(rf"\b{word}\b", text, re.I)) for word in ("he", "she"))
    return "he" if he and he > 2 * she else "she" if she and she > 2 * he else ""


@source(
    "age_at_death",
    infers="how old somebody became, from the dates of birth and death",
    example="How old was Anna Berg when she died? 72 (12 May 1931 to 3 June 2003).",
    accepted=0.65,
)
def age_at_death(reading: Reading) -> Iterator[Inferred]:
    name = reading.setting.name
    if name is None or not name.person or not reading.told:
        return
    told = reading.told[0]
    text = reading.setting.passage.text[told.sentence.start : told.sentence.end]
    match = _LIFE.search(text)
    if match is None or not gender(reading) or name.text.split()[-1] not in text[: match.start()]:
        return
    born, died = (_when(_DATE.search(part)) for part in match.groups())
    if born is None or died is None:
        return
    years, exact = years_between(born, died)
    if 5 <= years <= 115:
        rough = re.search(r"\b(?:c\.|ca\.|circa|about)", match.group())
        old = f"about {years}" if rough else str(years) if exact else f"{years - 1} or {years}"
        verdict = f"{old} years old ({match.group(1).strip()} to {match.group(2).strip()})"
        yield Inferred(told, [f"how old was {name.text} when {gender(reading)} died"], verdict, [], asker=False)


_LIFE = re.compile(r"\((?:born )?([^()–;]*?\d{4})\s*[–-]\s*(?:died )?([^()–;]*?\d{4})\)")


def _when(match: re.Match[str] | None) -> When | None:
    if match is None:
        return None
    month = _MONTHS.index(match.group("m1").lower()) + 1 if match.group("m1") else 0
    day = int(match.group("d1") or match.group("d2") or 0)
    return When(int(match.group("y1") or match.group("y2")), month, day, ())
