"""When and where something happened: questions from dates and places in running text."""

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
    inverted,
)
from ragassay.models.embedded.reading.phrases import (
    MADE,
    PLACE,
    cut,
    is_whole,
    pronoun_of,
    sentence_case,
    subject_text,
)
from ragassay.models.embedded.reading.reckoning import (
    DateSpan,
    find_dates,
)
from ragassay.models.embedded.stated.drafts import Draft, Event, capitalised, pick


def _event_date(clause: Clause) -> tuple[DateSpan, str] | None:
    """The one date of a clause and the rest of the clause without it; None where dates are a range or several."""
    dates = find_dates(clause.sentence)
    if len(dates) != 1:
        return None
    date = dates[0]
    before = clause.sentence[: date.start]
    if clause.front and date.end <= len(clause.front) + 1:
        if not re.fullmatch(r"(?:In|On) (?:early |late |mid-)?", before) or date.end < len(clause.front.rstrip(",")):
            return None
        return date, cut(clause.rest)
    match = re.search(r"(?:^| )(?:in|on) $", before)
    if not match or date.start < clause.rest_start:
        return None
    kept = clause.sentence[clause.rest_start : match.start()].strip() if match.start() >= clause.rest_start else ""
    if clause.front or re.search(r"\b(?:since|until|from|between|before|after|by|as of|late|early|mid)$", kept):
        return None
    shortened = cut(kept)
    return (date, shortened) if shortened == re.sub(r" ?\([^()]*\)", "", kept).strip(" ,") else None


_NO_EVENT = frozenset(
    """
    say state report note claim have include know see estimate expect think describe seem appear remain continue
    argue suggest tell inform explain reveal demonstrate show focus strive attract play want feel believe use need
    look
""".split()
)


_TELLING_ALONE = frozenset(
    """
    release found open close bear die launch premiere begin start end retire form debut publish complete build
    incorporate dissolve join marry graduate air resign demolish discontinue sink crash occur announce
""".split()
)


def dates_of_events(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'The bridge was opened in 1998': when it happened."""
    if (
        clause.is_copula
        or clause.main.tag in {"VBZ", "VBP"}
        or (clause.auxiliaries and clause.auxiliaries[0].lower not in {"was", "were"})
    ):
        return
    if clause.lemma in _NO_EVENT:
        return
    if re.match(
        r"(?:significant|great|major|notable) (?:progress|strides|efforts|contributions|achievements)|strides|progress",
        clause.rest,
    ):
        return
    dated = _event_date(clause)
    if dated is None:
        return
    date, rest = dated
    if clause.lemma in {"bear", "die"}:
        rest = ""
    if re.search(r"\b(?:once )?again\b|\boffice$|\bsuccess\b", rest) or is_cut_short(rest, clause.sentence[date.end :]):
        return
    subject = subject_text(clause)
    if (
        len(rest.split()) > 16
        or not is_whole(rest)
        or not is_self_contained(f"{subject} {rest}", subject_is_theme=clause.subject == THEME)
    ):
        return
    if not rest and clause.main.text not in MADE and clause.lemma not in _TELLING_ALONE:
        return
    question_clause = inverted(clause, subject, rest)
    wording = {
        "year": ("when", "in which year", "in what year"),
        "month": ("when", "in which month and year", "when"),
        "day": ("when", "on what date", "when", "on which date"),
    }[date.precision]
    told = " ".join(
        part for part in (subject, *(token.text for token in clause.auxiliaries), clause.main.text, rest) if part
    )
    unmask = analysis.unmask
    question = f"{pick(wording, question_clause)} {question_clause}?"
    preposition = "on" if date.precision == "day" else "in"
    is_theme = clause.subject == THEME
    asked = inverted(clause, pronoun_of(analysis, rest) if is_theme else subject, rest)
    yield Draft(
        pattern="when",
        question=capitalised(unmask(question)),
        answer=date.text,
        statement=capitalised(f"{unmask(told)} {preposition} {date.text}."),
        quotes=(sentence.quote,),
        attribute=f"{clause.lemma} {rest}",
        event=Event(unmask(told), unmask(asked), date, is_theme),
    )


_RANK = re.compile(r"\b(?:top|number|no\.?) (?:\d+|one|two|three|five|ten|twenty|forty)$", re.IGNORECASE)
_NARROWED = re.compile(
    r"\b(?:\d[\d,.]*|only|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|most|best|[a-z]{3,}est|"
    r"first|second|third|last)\b(?: [\w-]+){0,4}$"
)
_GOES_ON = re.compile(r" (?:for|on|with|in|at|of|to|from|among|against|by|as) ")


def is_cut_short(rest: str, after: str) -> bool:
    """Whether what stands behind the date belongs to a number or superlative before it.

    'only two games in 2022 for the Shuckers' is not 'only two games'; 'the top 20' is that of some chart.
    """
    return bool(_RANK.search(rest) or (_NARROWED.search(rest) and _GOES_ON.match(after)))


_PLACED = frozenset(
    """
    born located situated based headquartered held buried raised filmed shot married stationed moored built
    berthed
""".split()
)


def places(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'Xtheme was born in', 'Xtheme is a village in': where it is or was."""
    subject = subject_text(clause)
    if not is_self_contained(subject, subject_is_theme=True):
        return
    if (
        clause.auxiliaries
        and clause.main.lower in _PLACED
        and clause.auxiliaries[-1].lower in {"is", "was", "are", "were"}
    ):
        rest = re.sub(r"^(?:in|on) (?=[0-9A-Z])[^,]*?\d{4},? (?=(?:in|at|near|on) )", "", clause.rest)
        match = re.match(
            rf"(?P<place>(?:in|at|near|on|off|outside) {PLACE})(?=$|,| (?:in|on|to|as|and|from|where|near|about|\d))",
            rest,
        )
        if (
            match
            and not re.search(
                r"\d|January|February|March|April|\bMay\b|June|July|August|September|October|November|December",
                match["place"],
            )
            and not re.search(rf"\b{THEME}\b", match["place"])
            and not (clause.main.lower == "based" and match["place"].startswith("on "))  # on what, not where
        ):
            question = f"Where {inverted(clause, subject, '')}?"
            yield Draft(
                pattern="where",
                question=analysis.unmask(question),
                answer=sentence_case(match["place"]),
                statement=analysis.unmask(
                    capitalised(f"{subject} {clause.auxiliaries[-1].text} {clause.main.text} {match['place']}.")
                ),
                quotes=(sentence.quote,),
                attribute=f"{clause.main.lower} where",
            )
    elif clause.is_copula and clause.subject == THEME and not analysis.profile.is_person:
        match = re.match(
            r"(?:an?|the) (?P<kind>(?:[\w-]+ ){0,4}?(?:village|town|city|commune|municipality|river|mountain|"
            r"lake|island|school|university|college|museum|station|airport|hospital|church|stadium|park|"
            r"district|suburb|peak|creek|bridge|castle|cathedral|temple|theatre|theater|hotel|building|"
            r"township|hamlet|settlement|neighbou?rhood|library|prison|dam|port|depot|yard|terminal|"
            r"harbou?r)) (?P<place>in .+)$",
            clause.rest,
        )
        if match:
            place = cut(match["place"])
            if (
                is_whole(place)
                and 2 <= len(place.split()) <= 16
                and not find_dates(place)
                and is_self_contained(place, subject_is_theme=False)
            ):
                yield Draft(
                    pattern="where",
                    question=analysis.unmask(f"Where is {THEME} located?"),
                    answer=sentence_case(analysis.unmask(place)),
                    statement=analysis.unmask(f"{capitalised(subject)} is {place}."),
                    quotes=(sentence.quote,),
                    attribute="located where",
                )
