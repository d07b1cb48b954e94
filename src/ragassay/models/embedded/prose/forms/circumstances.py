"""Questions for time and place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.form import Asked, form
from ragassay.models.embedded.prose.forms.kinds import TIMES, is_place, is_time
from ragassay.models.embedded.prose.inversion import inverted

if TYPE_CHECKING:
    from spacy.tokens import Token

OFTEN = frozenset(
    "daily weekly monthly quarterly yearly annually hourly fortnightly biannually nightly regularly".split()
)
_EVERY = re.compile(r"^(?:at least |about |only )?(?:every|each|once|twice|\w+ times?)\b.*", re.I)
_COUNTED = re.compile(r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a|an|several|few|half)\b", re.I)


def _time_phrases(clause: Clause) -> Iterator[tuple[Token, list[Token]]]:
    for head in clause.adverbials():
        phrase = clause.phrase(head)
        if not phrase or len(phrase) > 12:
            continue
        if head.dep_ == "npadvmod" and is_time(head):
            yield head, phrase
        if head.dep_ == "prep" and any(is_time(child) and child.dep_ == "pobj" for child in head.children):
            yield head, phrase
        if head.dep_ == "advmod" and head.lower_ in OFTEN:
            yield head, phrase


def _question_word(head: Token, phrase: Sequence[Token]) -> str:
    text = " ".join(token.text for token in phrase)
    first = head.lower_
    if head.dep_ != "prep":
        if first in OFTEN or _EVERY.match(text):
            return "how often"
        if re.search(r"\bago\b|\b\d{4}\b", text) or any(
            token.ent_type_ == "DATE" and token.pos_ == "PROPN" for token in phrase
        ):
            return "when"
        return (
            "how long"
            if _COUNTED.search(text) and not re.search(r"\b(?:later|earlier|before|after)\b", text)
            else "when"
        )
    if first in ("for", "during", "throughout", "over") and _COUNTED.search(text) and not re.search(r"\d{4}", text):
        return "how long"
    if first == "within" or (
        first == "in" and re.search(r"\b(?:days?|hours?|minutes?|weeks?)\b", text) and _COUNTED.search(text)
    ):
        return "how soon"
    if first == "by":
        return "by when"
    if first == "since":
        return "since when"
    if first in ("until", "till"):
        return "until when"
    return "when"


@form("time", asks="when, how long, how often, how soon", example="How often does the board meet?")
def time(clause: Clause) -> Iterator[Asked | None]:
    phrases = list(_time_phrases(clause))
    for head, phrase in phrases:
        ranged = phrase
        if head.lower_ == "from":
            after = phrase[-1].i + 1
            ranged = [
                *phrase,
                *(token for other, words in phrases if other.lower_ in ("to", "until") for token in words),
            ]
            if after < len(clause.doc) and clause.doc[after].lower_ == "to" and clause.doc[after] not in ranged:
                continue
        word = _question_word(head, phrase)
        if head.lower_ == "to" or (head.dep_ == "npadvmod" and phrase[0].lower_ in ("one", "this", "that")):
            continue
        if any(token.lower_ in ("now", "today", "currently") for token in phrase):
            continue
        question = inverted(clause, word, ranged)
        if question and not (word.endswith("when") and _tells_time(question.pieces)):
            yield Asked(question.pieces, [*ranged], head, question.forms)


def _tells_time(pieces: Sequence[Token | str]) -> bool:
    """Whether a question for the time says another: 'When was it on Saturday, at seven?'"""
    return any(not isinstance(piece, str) and piece.ent_type_ in TIMES for piece in pieces)


@form("place", asks="where", example="Where was the holotype found?")
def place(clause: Clause) -> Iterator[Asked | None]:
    found: list[tuple[Token, list[Token]]] = []
    for head in clause.adverbials():
        noun = next((c for c in head.children if c.dep_ == "pobj"), None) if head.dep_ == "prep" else None
        if noun is None or head.lower_ not in ("in", "at", "on", "near", "to", "from", "outside", "within", "around"):
            continue
        if (is_place(noun) or (noun.ent_type_ == "ORG" and head.lower_ == "at")) and not is_time(noun):
            found.append((head, clause.phrase(head)))
    found = [
        pair
        for pair in found
        if not any(re.search(r"\w[A-Z]", token.text) and not token.text.isupper() for token in pair[1])
    ]
    if not found or (
        clause.verb.lemma_ == "be"
        and clause.passive is False
        and any(c.dep_ in ("attr", "acomp") for c in clause.verb.children)
    ):
        return
    directed = [pair for pair in found if pair[0].lower_ in ("from", "to")]
    if len(directed) > 1:
        return
    chosen = directed or found
    gap = [token for _, phrase in chosen for token in phrase]
    head = chosen[0][0]
    lead = "where"
    if head.lower_ == "from":
        gap = [token for token in gap if token != head]
    question = inverted(clause, lead, gap)
    if question and gap:
        yield Asked(question.pieces, list(gap), head, question.forms)
