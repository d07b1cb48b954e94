"""Facts about people in running text: birth and death, positions, studies, awards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import (
    THEME,
    Analysis,
    Sentence,
    is_self_contained,
)
from ragassay.models.embedded.reading.grammar import (
    Clause,
)
from ragassay.models.embedded.reading.phrases import (
    NAME,
    cut,
    is_whole,
    on_date,
    pronoun_of,
    sentence_case,
    subject_text,
)
from ragassay.models.embedded.reading.reckoning import (
    find_dates,
)
from ragassay.models.embedded.stated.drafts import Draft, Event, capitalised

_ROLE_NOUN = re.compile(
    r"\b(?:president|director|chair(?:man|woman|person)?|minister|officer|manager|head|member|deputy|senator|"
    r"governor|mayor|captain|coach|editor|professor|ambassador|secretary|commander|leader|judge|engineer|lead|"
    r"representative|principal|dean|chief|treasurer|curator|bishop|partner|analyst|technician|superintendent|"
    r"coordinator|supervisor)\b",
    re.IGNORECASE,
)


def births_and_deaths(analysis: Analysis, sentence: Sentence) -> Iterator[Draft]:
    """'Xtheme (born 31 March 1978)' and 'Xtheme (12 May 1901 – 3 June 1980)' in the opening sentence."""
    match = re.match(rf"{THEME},? [^()]{{0,40}}\((?P<inside>[^()]*)\)", sentence.masked)
    if not match or not analysis.profile.is_person:
        return
    inside = match["inside"]
    dates = find_dates(inside)
    theme = analysis.profile.theme
    if re.search(r"\bc\.|\bcirca\b|\bafter\b|\bbefore\b|\bor\b|\?|/|\bbaptised\b|\bprobably\b", inside):
        return
    if len(dates) == 1 and re.search(r"\bborn\b", inside):
        yield Draft(
            pattern="when",
            question=f"When was {theme} born?",
            answer=dates[0].text,
            statement=f"{theme} was born {on_date(dates[0])}.",
            quotes=(sentence.quote,),
            attribute="born",
            event=Event(f"{theme} was born", f"was {pronoun_of(analysis)} born", dates[0], subject_is_theme=True),
        )
    elif len(dates) == 2 and re.search(r" [–—-] ", inside):
        for verb, date in (("born", dates[0]), ("die", dates[1])):
            told = f"{theme} was born" if verb == "born" else f"{theme} died"
            asked = f"was {pronoun_of(analysis)} born" if verb == "born" else f"did {pronoun_of(analysis)} die"
            question = f"When was {theme} born?" if verb == "born" else f"When did {theme} die?"
            yield Draft(
                pattern="when",
                question=question,
                answer=date.text,
                statement=f"{told} {on_date(date)}.",
                quotes=(sentence.quote,),
                attribute=verb,
                event=Event(told, asked, date, subject_is_theme=True),
            )


def positions(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """Positions: served as, was appointed, became, worked as; only with a date that singles one out."""
    if clause.subject != THEME or not analysis.profile.is_person:
        return
    verb = clause.main.lower
    rest = re.sub(r"^(?:briefly|initially|first|then) ", "", clause.rest)
    match = re.match(r"(?:as )?(?P<role>(?:the |an? )?[^,;]+)", rest)
    if (
        not match
        or verb not in {"served", "worked", "appointed", "elected", "became", "promoted", "named"}
        or (verb in {"served", "worked"} and not rest.startswith("as "))
    ):
        return
    role = cut(match["role"]).removeprefix("to ")
    dates = find_dates(clause.sentence)
    if not dates or not _ROLE_NOUN.search(role):
        return
    role_end = re.search(r" (?:in|on|from|since|until|between|for|during|after) (?=[A-Z0-9][^ ]* ?\d|\d)", role)
    role = re.sub(r" at the age of \d+$", "", role[: role_end.start()] if role_end else role)
    span = re.search(
        r"\bfrom (?P<a>[A-Z]?[\w ,]*?\d{4}) (?:to|until|through) (?P<b>[A-Z]?[\w ,]*?\d{4})\b",
        clause.sentence,
        re.IGNORECASE,
    )
    if span:
        when = f"from {span['a']} to {span['b']}"
    elif len(dates) == 1 and re.search(r"\b(?:in|on) $", clause.sentence[: dates[0].start], re.IGNORECASE):
        when = on_date(dates[0])
    else:
        return
    if (
        not is_whole(role)
        or not 1 <= len(role.split()) <= 14
        or find_dates(role)
        or not is_self_contained(role, subject_is_theme=False)
    ):
        return
    if verb in {"served", "worked"}:
        question = (
            f"What position did {THEME} hold {when}?"
            if span
            else f"In what position did {THEME} {clause.lemma} {when}?"
        )
    elif verb == "became":
        question = f"What position did {THEME} take up {when}?"
    else:
        question = f"To what position was {THEME} {verb} {when}?"
    told = (
        f"{THEME} {'was ' if clause.auxiliaries else ''}{verb} {'as ' if rest.startswith('as ') else ''}{role} {when}."
    )
    yield Draft(
        pattern="role",
        question=analysis.unmask(question),
        answer=sentence_case(analysis.unmask(role)),
        statement=capitalised(analysis.unmask(told)),
        quotes=(sentence.quote,),
        attribute="role",
    )


def studies(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """Where somebody graduated, and where they studied what."""
    if clause.subject != THEME or not analysis.profile.is_person:
        return
    match = re.match(rf"from (?P<the>the )?(?P<place>{NAME})", clause.rest) if clause.lemma == "graduate" else None
    if match and re.search(r"Universit|College|School|Academy|Institute|Conservator|Polytechnic", match["place"]):
        yield Draft(
            pattern="studied",
            question=analysis.unmask(f"From which institution did {THEME} graduate?"),
            answer=match["place"],
            statement=analysis.unmask(f"{THEME} graduated from {match['the'] or ''}{match['place']}."),
            quotes=(sentence.quote,),
            attribute="graduate",
        )
    match = (
        re.match(rf"(?P<subject>[a-z][a-z ]+?(?: and [a-z]+)?) at (?P<place>(?:the )?{NAME})", clause.rest)
        if clause.lemma == "study"
        else None
    )
    if match and len(match["subject"].split()) <= 5:
        yield Draft(
            pattern="studied",
            question=analysis.unmask(f"Where did {THEME} study {match['subject']}?"),
            answer=f"At {match['place']}",
            statement=analysis.unmask(f"{THEME} studied {match['subject']} at {match['place']}."),
            quotes=(sentence.quote,),
            attribute="study",
        )


def awards(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """The one prize or medal that was won in a year."""
    if clause.lemma not in {"win", "receive"} or not clause.subject.startswith(THEME) or clause.auxiliaries:
        return
    match = re.match(rf"(?:the |an? )?(?P<award>(?:[12]\d{{3}} )?{NAME}(?: for {NAME})?)(?P<after>.*)$", clause.rest)
    kind = (
        re.search(r"\b(Award|Prize|Medal|Order|Cup|Trophy|Fellowship|Scholarship|Championship|Grant)\b", match["award"])
        if match
        else None
    )
    if not match or not kind or " and " in clause.rest:
        return
    dates = find_dates(clause.sentence)
    if len(dates) != 1 or re.match(r"[12]\d{3} ", match["award"]):
        return
    subject = subject_text(clause)
    yield Draft(
        pattern="award",
        question=analysis.unmask(f"Which {kind[1].lower()} did {subject} {clause.lemma} {on_date(dates[0])}?"),
        answer=match["award"],
        statement=capitalised(
            analysis.unmask(f"{subject} {clause.main.text} the {match['award']} {on_date(dates[0])}.")
        ),
        quotes=(sentence.quote,),
        attribute="award",
    )
