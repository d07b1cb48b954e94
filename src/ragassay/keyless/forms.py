"""The forms in which a plain sentence is asked about, each for one phrase of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragassay.keyless.clause import (
    Clause,
    Instruction,
    are_joined,
    finished,
    phrase_of,
    question,
    spoken,
    subject_question,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

DAY = re.compile(
    r"\d|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days|(?:first|second|third|fourth|last) \w+day)\b"
)
_LENGTH = re.compile(r"\b(?:second|minute|hour|day|night|week|month|quarter|year)s?\b")
_OFTEN = frozenset("daily weekly fortnightly monthly quarterly annually yearly hourly".split())
PEOPLE = frozenset(
    "manager supervisor owner author editor landlord tenant buyer seller supplier doctor nurse physician teacher "
    "professor director president minister mayor officer judge court committee board council chair chairman "
    "chairwoman secretary treasurer founder leader engineer architect designer captain coordinator clerk".split()
)
"""Nouns for people and bodies that act in a role of which a document knows one: "the treasurer"."""
_PAID = frozenset("be cost pay charge receive earn reimburse refund total amount contribute cover".split())


@dataclass(frozen=True, slots=True)
class Asked:
    """What a form makes of a clause. is_inferred: the answer is yes or no, so that the sentence itself is the claim."""

    question: str | None
    answer: str
    is_inferred: bool = False


Form = Callable[[Clause], Iterator[Asked]]


def _phrases(clause: Clause, *relations: str) -> Iterator[tuple[Token, tuple[Token, ...]]]:
    """The phrases of the verb that stand in one of these relations to it, with their heads."""
    for child in clause.verb.children:
        if child.dep_ in relations:
            phrase = phrase_of(child, clause)
            if phrase is not None:
                yield child, phrase


def _object(head: Token) -> Token | None:
    """What a preposition leads to."""
    found = [child for child in head.children if child.dep_ == "pobj"]
    return found[0] if len(found) == 1 else None


def _text(tokens: Sequence[Token]) -> str:
    """Words as they stand, for an answer; a capital that is only the sentence's is undone."""
    said = "".join(token.text_with_ws for token in tokens).strip()
    first = spoken(tokens[:1])
    return said if tokens[0].i or first[:1].isupper() else f"{said[0].lower()}{said[1:]}"


_SINCE_WHEN = {
    "since": "since when",
    "until": "until when",
    "by": "by when",
    "before": "before when",
    "from": "from when",
}


def when(clause: Clause) -> Iterator[Asked]:
    """ "on 3 May 2025": when; "until Friday": until when."""
    for head, phrase in _phrases(clause, "prep"):
        noun, text = _object(head), _text(phrase)
        if noun is None or noun.ent_type_ not in {"DATE", "TIME"} or not DAY.search(text) or len(phrase) > 7:
            continue
        if any(token.ent_type_ not in {"DATE", "TIME"} for token in phrase[1:]) or re.search(r"\d+ \w+s\b", text):
            continue
        preposition = head.lower_
        asks = "when" if preposition in {"on", "in", "at"} else _SINCE_WHEN.get(preposition)
        if asks:
            yield Asked(question(clause, asks, phrase), text)


def how_long(clause: Clause) -> Iterator[Asked]:
    """ "for two years": how long; "within five days": how soon."""
    for head, phrase in _phrases(clause, "prep"):
        noun, text = _object(head), _text(phrase)
        if noun is None or head.lower_ not in {"for", "within"} or len(phrase) > 8 or not _LENGTH.search(text):
            continue
        if noun.ent_type_ not in {"DATE", "TIME"} or not any(child.dep_ == "nummod" for child in noun.children):
            continue
        yield Asked(question(clause, "how long" if head.lower_ == "for" else "how soon", phrase), text)


def how_often(clause: Clause) -> Iterator[Asked]:
    """ "every two weeks", "once a year", "monthly"."""
    for head, phrase in _phrases(clause, "npadvmod", "advmod"):
        text = _text(phrase)
        is_counted = re.match(r"(?:every|each|once|twice|\w+ times) (?:\w+ ){0,2}\w+$", text) and _LENGTH.search(text)
        if head.lower_ in _OFTEN or is_counted:
            yield Asked(question(clause, "how often", phrase), text)


def how_many(clause: Clause) -> Iterator[Asked]:
    """ "25 days of leave": how many days of leave."""
    for noun, phrase in (*_phrases(clause, "dobj"), *_subject(clause)):
        number = _number(noun)
        if number is None or noun.tag_ != "NNS" or noun.ent_type_ in {"MONEY", "PERCENT"}:
            continue
        first, last = number[0].i, number[-1].i
        if phrase[0].i != first or any(token.text == "," or token.dep_ in {"cc", "relcl"} for token in phrase):
            continue
        counted = [token for token in phrase if token.i > last]
        answer = _text([token for token in phrase if token.i <= noun.i])
        asks = f"how many {spoken(counted)}"
        if noun.dep_ in {"nsubj", "nsubjpass"}:
            yield Asked(subject_question(clause, asks), answer)
        else:
            yield Asked(question(clause, asks, phrase), answer)


def _subject(clause: Clause) -> Iterator[tuple[Token, tuple[Token, ...]]]:
    yield clause.head, clause.subject


def _number(noun: Token) -> list[Token] | None:
    """The words of the number before a noun, "at least 20"; None where there is none or a word such as "the" leads."""
    numbers = [child for child in noun.children if child.dep_ == "nummod" and child.i < noun.i]
    if len(numbers) != 1 or any(child.dep_ in {"det", "poss", "predet"} for child in noun.children):
        return None
    words = sorted(numbers[0].subtree, key=lambda token: token.i)
    return words if words[-1].like_num else None


def how_much(clause: Clause) -> Iterator[Asked]:
    """ "40 euros a day": how much; "20 % of the price": what percentage of the price."""
    for noun, phrase in _phrases(clause, "dobj", "attr", "npadvmod"):
        text = _text(phrase)
        if noun.ent_type_ == "MONEY" and clause.verb.lemma_ in _PAID and not any(t.text == "," for t in phrase):
            if re.match(r"(?:up to |at least |at most |about |only |[A-Z]{0,3}[$€£¥]|\d)", text) and len(phrase) < 9:
                yield Asked(question(clause, "how much", phrase), text)
        elif noun.ent_type_ == "PERCENT" and phrase[0].i <= noun.i:
            after = [token for token in phrase if token.i > noun.i]
            if after and after[0].lower_ == "of":
                answer = _text([token for token in phrase if token.i <= noun.i])
                yield Asked(question(clause, f"what percentage {spoken(after)}", phrase), answer)


def who(clause: Clause) -> Iterator[Asked]:
    """The person or body that acts: "the treasurer", "Ada Lovelace", "by the board"."""
    for head, phrase in _phrases(clause, "agent"):
        noun = _object(head)
        if noun is not None and _acts(noun):
            yield Asked(question(clause, "by whom", phrase), _text(phrase[1:]))
    if (
        _acts(clause.head)
        and not clause.is_passive
        and clause.verb.lemma_ not in {"be", "have"}
        and len(clause.rest) > 1
    ):
        yield Asked(subject_question(clause, "who"), _text(clause.subject))


def _acts(noun: Token) -> bool:
    if noun.ent_type_ == "PERSON":
        return noun.pos_ == "PROPN"
    is_one = any(child.lower_ == "the" for child in noun.children) and noun.tag_ == "NN"
    return is_one and noun.lemma_.lower() in PEOPLE


def why(clause: Clause) -> Iterator[Asked]:
    """ "because ...", "because of ..."."""
    for _, phrase in _phrases(clause, "advcl", "prep"):
        text = _text(phrase)
        if re.match(r"because |due to ", text, re.IGNORECASE) and len(phrase) > 2:
            yield Asked(question(clause, "why", phrase), text)


def what_is(clause: Clause) -> Iterator[Asked]:
    """ "A lien is a claim on ...": what is a lien."""
    if clause.verb.lower_ not in {"is", "was"} or clause.auxiliaries or clause.fronted or clause.between:
        return
    for _, phrase in _phrases(clause, "attr"):
        first = clause.subject[0]
        is_term = first.lower_ in {"a", "an"} or clause.head.pos_ == "PROPN"
        if is_term and phrase == clause.rest and phrase[0].lower_ in {"a", "an"} and len(phrase) > 3:
            yield Asked(finished(f"what {clause.verb.text} {spoken(clause.subject)}"), _text(phrase))


_HOLDS = frozenset("require cover comprise need".split())
_HOLDS_MORE = frozenset("include contain offer provide support".split())
"""Verbs of which a page says several things: they are asked about only with what else the sentence says."""
_SOME = frozenset("some many most every each several few other".split())


def what(clause: Clause) -> Iterator[Asked]:
    """ "The deposit covers unpaid rent": what does the deposit cover."""
    is_asked = clause.verb.lemma_ in _HOLDS | _HOLDS_MORE and clause.subject[0].lower_ not in _SOME
    if is_asked and not clause.is_passive and clause.head.pos_ != "PRON":
        for head, phrase in _phrases(clause, "dobj"):
            others = [token for token in clause.rest if token not in phrase]
            if clause.verb.lemma_ in _HOLDS_MORE and not (others or clause.fronted):
                continue
            if head.pos_ in {"NOUN", "PROPN"} and len(phrase) < 16 and all(t.dep_ in {"prep", "pobj"} for t in others):
                yield Asked(question(clause, "what", phrase), _text(phrase))


def what_for(clause: Clause) -> Iterator[Asked]:
    """ "The key is used to sign requests": what is the key used for."""
    if clause.verb.lemma_ != "use" or not clause.is_passive:
        return
    for head, phrase in _phrases(clause, "xcomp", "advcl", "prep"):
        is_purpose = phrase[0].lower_ == "to" or (head.lower_ == "for" and len(phrase) > 1)
        asked = question(clause, "what", phrase) if is_purpose and phrase == clause.rest else None
        if asked:
            yield Asked(f"{asked[:-1]} for?", _text(phrase))


def what_do(clause: Clause) -> Iterator[Asked]:
    """ "If rent is late, the landlord may add a fee": what may the landlord do if rent is late."""
    modal = clause.auxiliaries[0].lower_ if clause.auxiliaries else ""
    condition = clause.fronted
    if modal not in {"may", "must", "should", "can"} or clause.negation is not None or clause.is_passive:
        return
    if clause.verb.lemma_ == "be":
        return
    if (clause.head.lower_ == "you") == (modal == "may") or not (clause.head.lower_ == "you" or _acts(clause.head)):
        return  # "you may be able to" permits nothing
    if len(condition) > 4 and condition[0].lower_ in {"if", "when"} and len(clause.rest) in range(1, 20):
        doing = _text([clause.verb, *clause.rest])
        yield Asked(finished(f"what {modal} {spoken(clause.subject)} do {spoken(condition)}"), doing)


def instructed(instruction: Instruction) -> Iterator[Asked]:
    """ "To renew a pass, visit the office": how do I renew a pass; "If it rains, ...": what should I do if it rains."""
    answer = _text(instruction.action)
    has_subject = any(token.dep_ in {"nsubj", "nsubjpass"} for token in instruction.condition)
    if len(instruction.action) < 3 or not (instruction.purpose or has_subject):
        return
    if instruction.purpose:
        yield Asked(finished(f"how do I {spoken(instruction.purpose)}"), answer)
    else:
        yield Asked(finished(f"what should I do {spoken(instruction.condition)}"), answer)


def may_not(clause: Clause) -> Iterator[Asked]:
    """ "Guests may not smoke": may guests smoke? No."""
    modal = clause.auxiliaries[0].lower_ if clause.auxiliaries else ""
    if clause.negation is None or modal not in {"may", "must", "can", "ca"} or clause.verb.lemma_ == "be":
        return  # "may not be able to" forbids nothing
    if len(clause.rest) < 2 or not are_joined((*clause.rest, *clause.fronted)):
        return
    others = spoken(clause.auxiliaries[1:])
    parts = (spoken(clause.subject), others, spoken(clause.between), clause.verb.text, spoken(clause.rest))
    asked = " ".join(filter(None, ("can" if modal in {"ca", "can"} else "may", *parts, spoken(clause.fronted))))
    yield Asked(finished(asked), "No", is_inferred=True)


_SHOWN = frozenset(
    "find see view change set configure manage choose select enable disable edit download get adjust check add create "
    "register apply read report request order buy turn switch specify define".split()
)


def where_to(clause: Clause) -> Iterator[Asked]:
    """ "You can change your password in the settings": where can I change my password."""
    modal = clause.auxiliaries[0].lower_ if clause.auxiliaries else ""
    is_asker = clause.head.lower_ == "you" or (clause.is_passive and modal in {"can", "must", "may"})
    if clause.verb.lemma_ not in _SHOWN or not is_asker or modal not in {"can", "must", "may", "should"}:
        return
    for head, phrase in _phrases(clause, "prep"):
        noun = _object(head)
        is_last = len(phrase) > 2 and phrase[-1:] == clause.rest[-1:]
        if noun is None or not is_last or head.lower_ not in {"in", "on", "at", "under", "from", "via", "through"}:
            continue
        if noun.ent_type_ not in {"DATE", "TIME"} and any(c.lower_ in {"the", "your", "our"} for c in noun.children):
            yield Asked(question(clause, "where", phrase), _text(phrase))


def on_condition(clause: Clause) -> Iterator[Asked]:
    """ "The landlord may add a fee if rent is late": when may the landlord add a fee."""
    if not clause.auxiliaries or clause.auxiliaries[0].lower_ not in {"may", "must", "can", "should", "will"}:
        return
    for _, phrase in _phrases(clause, "advcl"):
        is_last = phrase[-1:] == clause.rest[-1:] and len(phrase) in range(4, 16)
        if is_last and phrase[0].lower_ in {"if", "when", "unless", "after", "before"}:
            yield Asked(question(clause, "when", phrase), _text(phrase))


FORMS: dict[str, tuple[Form, float]] = {
    "when": (when, 0.5),
    "how_long": (how_long, 0.5),
    "how_often": (how_often, 0.5),
    "how_many": (how_many, 0.5),
    "how_much": (how_much, 0.5),
    "who": (who, 0.4),
    "why": (why, 0.4),
    "what_is": (what_is, 0.5),
    "what_for": (what_for, 0.4),
    "what_do": (what_do, 0.45),
    "what": (what, 0.35),
    "where_to": (where_to, 0.4),
    "on_condition": (on_condition, 0.35),
    "may_not": (may_not, 0.4),
}
"""The forms that blind readers found usable, each with its worth."""
