"""Questions on plain sentences: read, parsed, and asked for one phrase in every form that fits."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ragassay.keyless.clause import (
    Clause,
    Instruction,
    clause_of,
    finished,
    instruction_of,
    is_plain,
    phrase_of,
    question,
    spoken,
    subject_question,
)
from ragassay.keyless.framing import named
from ragassay.keyless.page import Draft, Page
from ragassay.models.embedded.reading.parser import parse
from ragassay.text import sentence_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_MOST_SENTENCES = 1_500
"""Of a document that are parsed, some ten seconds of work: more than any set takes from one."""
_LONGEST = 26


def sentence_drafts(page: Page) -> Iterator[Draft]:
    """Ask about the plain sentences of a page, in their order."""
    spans = list(islice((span for span in _sentences(page) if is_plain(_plain(page, span))), _MOST_SENTENCES))
    parsed = parse([_plain(page, span) for span in spans])
    for span, doc in zip(spans, parsed, strict=True):
        yield from _of_sentence(page, span, doc)


def _sentences(page: Page) -> Iterator[tuple[int, int]]:
    text, within = page.document.text, sorted(page.document.literals)
    for start, end in page.paragraphs():
        begun = within[bisect_left(within, (start, start)) : bisect_left(within, (end, end))]
        literals = [(a - start, b - start) for a, b in begun if b <= end]
        for a, b in sentence_spans(text[start:end], literals):
            if not any(a < stop and begin < b for begin, stop in literals):
                yield start + a, start + b


def _plain(page: Page, span: tuple[int, int]) -> str:
    """A sentence on one line, without what stands in brackets and without the words that tie it to the one before."""
    flat = re.sub(r" *\([^()]*\)", "", " ".join(page.document.text[slice(*span)].split()))
    plain = _TIE.sub("", flat)
    if plain[-1:].isalnum():  # an item without a full stop
        plain += "."
    return f"{plain[:1].upper()}{plain[1:]}"


_TIE = re.compile(
    r"^(?:however|also|additionally|in addition|furthermore|moreover|besides|finally|therefore|so), ", re.I
)


def _of_sentence(page: Page, span: tuple[int, int], doc: Doc) -> Iterator[Draft]:
    clause, instruction = clause_of(doc), instruction_of(doc)
    asked: list[tuple[str, float, _Asked]] = []
    if clause is not None:
        asked = [(name, worth, each) for name, (form, worth) in _FORMS.items() for each in form(clause)]
    elif instruction is not None:
        asked = [("instruction", 0.45, each) for each in _instructed(instruction)]
    for name, worth, (asks, answer) in asked:
        framed = "" if not asks else asks if name == "what_is" else named(asks, page)
        if framed and len(framed.split()) <= _LONGEST:
            yield Draft(
                label="fact_single",
                form=name,
                question=framed,
                answer=answer,
                spans=(span,),
                source=f"sentence at {span[0]}",
                worth=worth,
            )


_Asked = tuple[str | None, str]
"""The question that a form makes of a clause, if any, and its answer."""


def _phrases(clause: Clause, *relations: str) -> Iterator[tuple[Token, tuple[Token, ...]]]:
    """The phrases of the verb that stand in one of these relations to it, with their heads."""
    for child in clause.verb.children:
        phrase = phrase_of(child, clause) if child.dep_ in relations else None
        if phrase is not None:
            yield child, phrase


def _object(head: Token) -> Token | None:
    """What a preposition leads to."""
    nouns = [child for child in head.children if child.dep_ == "pobj"]
    return nouns[0] if len(nouns) == 1 else None


def _text(tokens: Sequence[Token]) -> str:
    """Words as they stand, for an answer; a capital that is only the sentence's is undone."""
    said = "".join(token.text_with_ws for token in tokens).strip()
    first = spoken(tokens[:1])
    return said if tokens[0].i or first[:1].isupper() else f"{said[0].lower()}{said[1:]}"


_LENGTH = re.compile(r"\b(?:second|minute|hour|day|night|week|month|quarter|year)s?\b")
_OFTEN = frozenset("daily weekly fortnightly monthly quarterly annually yearly hourly".split())
_PAID = frozenset("be cost pay charge receive earn reimburse refund total amount contribute cover".split())
_ROLES = frozenset(
    "manager supervisor owner author editor landlord tenant buyer seller supplier doctor nurse physician teacher "
    "professor director president minister mayor officer judge court committee board council chair chairman "
    "chairwoman secretary treasurer founder leader engineer architect designer captain coordinator clerk".split()
)
"""People and bodies that act in a role of which a document knows one: "the treasurer"."""


_BACK = frozenset(
    "this that these those other others another same former latter above following further additional".split()
)
"""What only the page explains, as a determiner or an adjective; so does an ordinal outside a date."""
_SIDES = frozenset("you we us our ours".split())


def _stands_alone(clause: Clause, phrase: Sequence[Token]) -> bool:
    """Whether a clause names what it is about, and a phrase of it answers where the page is not at hand."""
    if any(token.lower_ in _SIDES for token in clause.subject):
        return False
    return not any(
        token.ent_type_ == "ORDINAL" or (token.lower_ in _BACK and token.tag_ not in {"WDT", "IN"})
        for token in (*clause.subject, *phrase)
    )


_DAY = re.compile(
    r"\d(?!\.[a-z])|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days|(?:first|second|third|fourth|last) \w+day)\b"
)
_WHEN = {
    **dict.fromkeys(("on", "in", "at"), "when"),
    **{word: f"{word} when" for word in ("since", "until", "by", "before", "from")},
}


def _when(clause: Clause) -> Iterator[_Asked]:
    """ "on 3 May 2025": when; "until 9 May": until when."""
    for head, phrase in _phrases(clause, "prep"):
        noun, text, asks = _object(head), _text(phrase), _WHEN.get(head.lower_)
        if noun is None or asks is None or not _DAY.search(text) or len(phrase) > 7:
            continue
        is_day = all(token.ent_type_ in {"DATE", "TIME"} for token in phrase[1:])
        if is_day and not re.search(r"\d+ \w+s\b", text) and _stands_alone(clause, phrase):
            yield (question(clause, asks, phrase), text)


def _how_long(clause: Clause) -> Iterator[_Asked]:
    """ "for two years": how long; "within five days": how soon."""
    for head, phrase in _phrases(clause, "prep"):
        noun, text = _object(head), _text(phrase)
        if noun is None or head.lower_ not in {"for", "within"} or len(phrase) > 8 or not _LENGTH.search(text):
            continue
        if noun.ent_type_ in {"DATE", "TIME"} and any(child.dep_ == "nummod" for child in noun.children):
            yield (question(clause, "how long" if head.lower_ == "for" else "how soon", phrase), text)


def _how_often(clause: Clause) -> Iterator[_Asked]:
    """ "every two weeks", "once a year", "monthly"."""
    for head, phrase in _phrases(clause, "npadvmod", "advmod"):
        text = _text(phrase)
        is_counted = re.match(r"(?:every|each|once|twice|\w+ times) (?:\w+ ){0,2}\w+$", text) and _LENGTH.search(text)
        if head.lower_ in _OFTEN or is_counted:
            yield (question(clause, "how often", phrase), text)


def _how_many(clause: Clause) -> Iterator[_Asked]:
    """ "25 days of leave": how many days of leave."""
    for noun, phrase in (*_phrases(clause, "dobj"), (clause.head, clause.subject)):
        last = _number_end(noun, phrase)
        is_counted = noun.tag_ == "NNS" and noun.ent_type_ not in {"MONEY", "PERCENT"}
        if last is None or not is_counted or not _stands_alone(clause, phrase):
            continue
        if any(token.text == "," or token.dep_ in {"cc", "relcl"} for token in phrase):
            continue
        asks = f"how many {spoken(token for token in phrase if token.i > last)}"
        is_subject = noun == clause.head
        asked = subject_question(clause, asks) if is_subject else question(clause, asks, phrase)
        yield (asked, _text([token for token in phrase if token.i <= noun.i]))


def _number_end(noun: Token, phrase: Sequence[Token]) -> int | None:
    """Where the number ends that a phrase begins with, "at least 20"; None where it begins with no number."""
    numbers = [child for child in noun.children if child.dep_ == "nummod" and child.i < noun.i]
    if len(numbers) != 1 or any(child.dep_ in {"det", "poss", "predet"} for child in noun.children):
        return None
    words = sorted(numbers[0].subtree, key=lambda token: token.i)
    return words[-1].i if words[-1].like_num and words[0] == phrase[0] else None


def _how_much(clause: Clause) -> Iterator[_Asked]:
    """ "40 euros a day": how much; "20 % of the price": what percentage of the price."""
    for noun, phrase in _phrases(clause, "dobj", "attr", "npadvmod"):
        text = _text(phrase)
        if noun.ent_type_ == "MONEY" and clause.verb.lemma_ in _PAID and not any(t.text == "," for t in phrase):
            if re.match(r"(?:up to |at least |at most |about |only |[A-Z]{0,3}[$€£¥]|\d)", text) and len(phrase) < 9:
                yield (question(clause, "how much", phrase), text)
        elif noun.ent_type_ == "PERCENT" and phrase[0].i <= noun.i:
            after = [token for token in phrase if token.i > noun.i]
            if after and after[0].lower_ == "of":
                answer = _text([token for token in phrase if token.i <= noun.i])
                yield (question(clause, f"what percentage {spoken(after)}", phrase), answer)


def _who(clause: Clause) -> Iterator[_Asked]:
    """The person or body that acts: "the treasurer", "Ada Lovelace", "by the board"."""
    for head, phrase in _phrases(clause, "agent"):
        noun = _object(head)
        if noun is not None and _acts(noun) and _stands_alone(clause, phrase):
            yield (question(clause, "by whom", phrase), _text(phrase[1:]))
    is_plural = (*clause.auxiliaries, clause.verb)[0].tag_ == "VBP"
    is_deed = not clause.is_passive and clause.verb.lemma_ not in {"be", "have"} and len(clause.rest) > 1
    if is_deed and not is_plural and _acts(clause.head) and _stands_alone(clause, ()):
        yield (subject_question(clause, "who"), _text(clause.subject))


def _what_is(clause: Clause) -> Iterator[_Asked]:
    """ "A lien is a claim on ...": what is a lien."""
    if clause.verb.lower_ not in {"is", "was"} or clause.auxiliaries or clause.fronted or clause.between:
        return
    for _, phrase in _phrases(clause, "attr"):
        is_term = clause.subject[0].lower_ in {"a", "an"} or clause.head.pos_ == "PROPN"
        if is_term and phrase == clause.rest and phrase[0].lower_ in {"a", "an"} and len(phrase) > 3:
            yield (finished(f"what {clause.verb.text} {spoken(clause.subject)}"), _text(phrase))


def _what_do(clause: Clause) -> Iterator[_Asked]:
    """ "If rent is late, the landlord may add a fee": what may the landlord do if rent is late."""
    modal = clause.auxiliaries[0].lower_ if clause.auxiliaries else ""
    condition = clause.fronted
    if modal not in {"may", "must", "should", "can"}:
        return
    if clause.is_passive or clause.verb.lemma_ == "be":
        return
    if (clause.head.lower_ == "you") == (modal == "may") or not (clause.head.lower_ == "you" or _acts(clause.head)):
        return  # "you may be able to" permits nothing
    if len(condition) > 4 and condition[0].lower_ in {"if", "when"} and len(clause.rest) in range(1, 20):
        doing = _text([clause.verb, *clause.rest])
        yield (finished(f"what {modal} {spoken(clause.subject)} do {spoken(condition)}"), doing)


def _acts(noun: Token) -> bool:
    if noun.ent_type_ == "PERSON":
        return noun.pos_ == "PROPN"
    is_one = any(child.lower_ == "the" for child in noun.children) and noun.tag_ == "NN"
    return is_one and noun.lemma_.lower() in _ROLES


def _instructed(instruction: Instruction) -> Iterator[_Asked]:
    """ "If it rains, close the windows": what should I do if it rains."""
    has_subject = any(token.dep_ in {"nsubj", "nsubjpass"} for token in instruction.condition)
    if has_subject and len(instruction.action) > 2:
        asked = finished(f"what should I do {spoken(instruction.condition)}")
        yield (asked, _text(instruction.action))


_FORMS: dict[str, tuple[Callable[[Clause], Iterator[_Asked]], float]] = {
    "when": (_when, 0.5),
    "how_long": (_how_long, 0.5),
    "how_often": (_how_often, 0.5),
    "how_many": (_how_many, 0.5),
    "how_much": (_how_much, 0.5),
    "who": (_who, 0.4),
    "what_is": (_what_is, 0.5),
    "what_do": (_what_do, 0.45),
}
"""Each form with its worth: what blind readers found usable, or saw too seldom to tell."""
