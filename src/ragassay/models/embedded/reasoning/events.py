"""What a document says happened on a date: asked as it is, and what ages, durations and orders are reckoned from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.passages import Line, read_passages
from ragassay.models.embedded.prose.wording import without
from ragassay.models.embedded.reading.analysis import Analysis, is_self_contained
from ragassay.models.embedded.reading.clarity import is_clear
from ragassay.models.embedded.reading.reckoning import DateSpan, Precision, find_dates
from ragassay.models.embedded.structure.drafts import Draft, Event, capitalised

if TYPE_CHECKING:
    from spacy.tokens import Token

_ON = frozenset({"in", "on"})
_SAYS_WHEN = re.compile(r"\b(?:in|on)\s+$", re.IGNORECASE)
_BEFORE = 8
"""Characters before a date that are searched for it."""
_LONGEST = 16
"""Words of what happened."""
_NO_EVENT = frozenset(
    "argue attract be believe claim contain continue demonstrate describe estimate expect explain feel focus have"
    " include inform know look need note play remain report reveal say see seem show state strive suggest tell think"
    " use want".split()
)
_OF_LIFE = frozenset({"bear", "die"})
_FEWEST = 2
"""Words that say what happened, of a verb that does not by itself: 'was released'."""
_TELLING_ALONE = frozenset(
    "abolish begin build burn close complete demolish dissolve end establish found incorporate launch open premiere"
    " publish retire sink start".split()
)
_POSSESSIVE = re.compile(r"\b(?:his|her|its)\b")
_DOUBTED = frozenset(
    "nobody no none neither few little hardly barely scarcely almost nearly reportedly allegedly supposedly apparently"
    " possibly perhaps probably".split()
)
_ELSEWHERE = frozenset({"again", "also", "then"})


@lru_cache(maxsize=256)
def dated_events(analysis: Analysis) -> tuple[Draft, ...]:
    """Dated events of the running text as facts, in order; those that stand alone are clear without their document."""
    theme, text = analysis.profile.theme, analysis.passage.text
    dates = find_dates(text) if theme else []
    found = [*_births(analysis)] if dates else []
    if not any(_SAYS_WHEN.search(text, max(0, date.start - _BEFORE), date.start) for date in dates):
        return tuple(found)  # a parse takes time
    (read,) = read_passages([analysis.passage], [theme])
    for line in read.lines:
        for clause in line.clauses if not (line.resolved.dangling or "?" in line.doc.text) else ():
            found += _of(analysis, line, clause)
    return tuple(_most_precise(found))


def _most_precise(found: Sequence[Draft]) -> Iterator[Draft]:
    """Without those that date what another dates more precisely: 'died in 2012' beside 'died on 2 June 2012'."""
    best: dict[str, int] = {}
    for draft in found:
        best[draft.question] = max(best.get(draft.question, 0), _PRECISE.index(_precision(draft)))
    yield from (draft for draft in found if _PRECISE.index(_precision(draft)) == best[draft.question])


def _precision(draft: Draft) -> Precision:
    assert draft.event is not None
    return draft.event.date.precision


_PRECISE: tuple[Precision, ...] = ("year", "month", "day")


def _of(analysis: Analysis, line: Line, clause: Clause) -> Iterator[Draft]:
    head, dated = clause.head, _dated(clause)
    if head is None or dated is None or clause.negated or clause.modal or clause.verb.lemma_ in _NO_EVENT:
        return
    gap, date = dated
    rest = without(clause.members, gap)
    words = {token.lower_ for token in (*clause.subject, *clause.members)}
    if words & _DOUBTED or any(child.dep_ == "xcomp" for child in clause.verb.children):
        return  # nobody did it, or it was to be done later
    is_past = clause.verb.tag_ == "VBD" or (clause.passive and clause.auxiliaries[0].lower_ in ("was", "were"))
    fronted = [phrase for phrase in clause.fronted if gap[0] not in phrase]
    if not is_past or fronted or any(token.lower_ in _ELSEWHERE or token.dep_ == "advcl" for token in rest):
        return
    subject = line.words(clause.subject)
    is_theme = _names(subject, analysis)
    own = analysis.profile.theme if is_theme else subject
    if clause.verb.lemma_ in _OF_LIFE:
        rest = [token for token in rest if token in (*clause.auxiliaries, clause.verb)]  # not of what and where
    elif len(rest) - len(clause.auxiliaries) < _FEWEST and clause.verb.lemma_ not in _TELLING_ALONE:
        return
    gap = [*gap, *(token for token in clause.members if token not in rest and token not in gap)]
    done = line.words(rest, named={own})
    alone = _POSSESSIVE.sub("", done) if is_theme else f"{subject} {done}"
    if not is_self_contained(alone) or len(f"{own} {done}".split()) > _LONGEST:
        return
    question = inverted(clause, "", gap)
    if question is None:
        return
    replaced = {token.i for token in clause.subject}
    pieces: list[Token | str] = []
    for piece in question.pieces:
        if isinstance(piece, str) or piece.i not in replaced:
            pieces.append(piece)
        elif piece.i == clause.subject[0].i:
            pieces.append(own)
    asked = line.wording.write(pieces, asker=False, named={own}, forms=question.forms)
    pronoun = (pronoun_of(analysis, done) if is_theme else "") or own
    yield Draft(
        pattern="when",
        question=f"When {asked}?",
        answer=date.text,
        statement=line.whole(),
        quotes=tuple(analysis.passage.text[start:end] for start, end in line.spans),
        attribute=f"{clause.verb.lemma_} {done}",
        event=Event(f"{own} {done}", asked.replace(own, pronoun, 1), date, is_theme),
        stands_alone=not is_theme and _is_full_name(clause.subject) and is_clear(f"When {asked}?"),
    )


def _is_full_name(subject: Sequence[Token]) -> bool:
    """'MV Granite Point', which names one thing anywhere; not 'Mrs Quill' and 'WBS'."""
    is_name = len(subject) > 1 and all(token.pos_ == "PROPN" for token in subject)
    return is_name and subject[0].text.rstrip(".") not in _FORMS_OF_ADDRESS


_FORMS_OF_ADDRESS = frozenset({"Mr", "Mrs", "Ms", "Miss", "Dr", "Sir", "Lady", "Lord"})


def _dated(clause: Clause) -> tuple[list[Token], DateSpan] | None:
    """The date of a clause with the "in" or "on" before it, where it says when the verb's action was."""
    dates = find_dates(clause.doc.text)
    span = clause.doc.char_span(dates[0].start, dates[0].end) if len(dates) == 1 else None
    if span is None or not span.start:
        return None
    preposition = clause.doc[span.start - 1]
    own = [*clause.members, *(token for phrase in clause.fronted for token in phrase)]
    if preposition.lower_ not in _ON or preposition not in own or preposition.head not in clause.chain:
        return None
    after = clause.doc[span.end] if span.end < len(clause.doc) else None
    before = clause.doc[preposition.i - 1] if preposition.i else None
    if after is not None and after.tag_.startswith(_NOUNS):
        return None  # 'in 2000 races', 'in 1200 BC'
    if before is not None and before.pos_ == "ADV":
        return None  # 'late in 1998'
    return [preposition, *span], dates[0]


_NOUNS = ("NN", "JJ", "CD")


def _names(subject: str, analysis: Analysis) -> bool:
    """Whether a subject is what the document is about."""
    bare = subject.removeprefix("the ").removeprefix("The ")
    return bare in analysis.profile.names or bare == analysis.profile.theme.removeprefix("the ")


def events_asked(analysis: Analysis) -> Iterator[Draft]:
    """Dated events as questions: of what the document is about and, where more is looked for, of other names."""
    for draft in dated_events(analysis):
        is_asked = draft.event is not None and draft.event.subject_is_theme
        if (is_asked or (draft.stands_alone and analysis.passage.widely)) and not _NOT_ASKED.search(draft.question):
            yield draft


_NOT_ASKED = re.compile(r"[,()]")
"""Clauses put in, and titles with what tells them from others: nobody asks so."""


def _births(analysis: Analysis) -> Iterator[Draft]:
    """'Ada Moss (born 31 March 1978)' and 'Ada Moss (12 May 1901 – 3 June 1980)' where a text introduces somebody."""
    theme, profile = analysis.profile.theme, analysis.profile
    first = next((quotes[0] for quotes in analysis.sentences.values() if quotes), "")
    match = re.match(r"(?P<who>[^()]{3,60}) \((?P<inside>[^()]*)\)", first)
    if match is None or not profile.is_person or not match["who"].endswith(profile.names):
        return  # somebody else's
    inside, dates = match["inside"], find_dates(match["inside"])
    if re.search(r"\?|/", inside) or not _OF_A_LIFE.issuperset(re.findall(r"\b[a-z]+\b", inside)):
        return  # 'active 1921 – 1950', 'born about 1901'
    told: list[tuple[str, str, DateSpan]] = []
    pronoun = pronoun_of(analysis) or theme
    if (len(dates) == 1 and "born" in inside.split()) or (len(dates) == 2 and re.search(r" [–—-] ", inside)):
        told.append((f"{theme} was born", f"was {pronoun} born", dates[0]))
    if len(dates) == 2 and told:
        told.append((f"{theme} died", f"did {pronoun} die", dates[1]))
    for happened, asked, date in told:
        yield Draft(
            pattern="when",
            question=f"When {asked.replace(pronoun, theme, 1)}?",
            answer=date.text,
            statement=f"{capitalised(happened)} {'on' if date.precision == 'day' else 'in'} {date.text}.",
            quotes=(first,),
            attribute="bear" if happened.endswith("born") else "die",
            event=Event(happened, asked, date, subject_is_theme=True),
        )


def pronoun_of(analysis: Analysis, rest: str = "") -> str:
    """'she', 'he' or 'it' for the theme; a possessive in the same clause decides where there is one.

    Empty for a person of whom the text says neither.
    """
    own = re.search(r"\b(his|her|its)\b", rest)
    if own:
        return {"his": "he", "her": "she", "its": "it"}[own[1]]
    text = f"{analysis.passage.opening} {analysis.passage.text}"
    of_her, of_him = (len(re.findall(words, text)) for words in (r"\b[Ss]he\b|\bher\b", r"\b[Hh]e\b|\bhis\b"))
    if not analysis.profile.is_person and (of_her + of_him < _FEWEST_PRONOUNS or re.search(r"\bIt\b", text)):
        return "it"
    return "" if of_her == of_him else "she" if of_her > of_him else "he"


_OF_A_LIFE = frozenset({"born", "died", "in", "at", "near", "on", "and", "the", "of", "st", "nd", "rd", "th"})
"""Words in small letters beside the dates of a life."""
_FEWEST_PRONOUNS = 3
"""Of persons, in a text that begins no sentence with "It", from which on it is about a person."""
