"""Edits of a sentence that make it say something else.

A false claim is an edit of a form (claim_forms.py) of a sentence: another number, name or date out of the same text,
roles exchanged, a negation put in or taken out, another quantifier or modal. True and false claims come from the same
forms, and what an edit puts in mostly stands in the text itself, so that neither length, nor order, nor the share of a
claim's words that the text has, tells them apart. The word classes below are closed classes of English; nothing here
names a subject matter. Training in two stages: MiniCheck (Tang et al. 2024).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.reading.grammar import third_person
from ragassay.training.claim_forms import MONTHS, NOT_ALONE, NUMBER_WORDS, Edit, offsets, replaced, subtree

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


class Stock(NamedTuple):
    """What edits may put in: (entity label, text) of the passage, and (label, text) of other passages.

    endings: adjuncts that end sentences of other passages. words: lower-case words that the texts have, for antonyms.
    """

    own: Sequence[tuple[str, str]]
    others: Sequence[tuple[str, str]] = ()
    endings: Sequence[str] = ()
    words: frozenset[str] = frozenset()


_NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "NORP", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART"})
_NUMBERS = frozenset({"CARDINAL", "MONEY", "PERCENT", "QUANTITY", "ORDINAL"})
_DATES = frozenset({"DATE", "TIME"})

_MEASURES = tuple(
    tuple(row.split())
    for row in """
    seconds minutes hours days weeks months years decades
    second minute hour day week month year decade
    hourly daily weekly monthly quarterly yearly
    millimetres centimetres metres kilometres miles feet inches
    millimeters centimeters meters kilometers
    grams kilograms tonnes pounds
    bytes kilobytes megabytes gigabytes terabytes
    KB MB GB TB
    ms s min
    mm cm m km
    mg g kg
    thousand million billion
    """.strip().splitlines()
)
_SCOPE = {
    "all": ("some", "most", "no"),
    "every": ("no", "almost no"),
    "each": ("no",),
    "some": ("all", "no"),
    "many": ("few", "all"),
    "most": ("few", "all"),
    "few": ("many", "all"),
    "several": ("all",),
    "both": ("neither of",),
    "always": ("sometimes", "never"),
    "never": ("always", "sometimes"),
    "often": ("rarely", "always"),
    "usually": ("rarely", "always"),
    "sometimes": ("always", "never"),
    "rarely": ("often",),
    "must": ("may", "need not"),
    "should": ("should never", "need not"),
    "may": ("must", "may never"),
    "might": ("certainly will",),
    "can": ("must", "can never"),
    "only": ("not only",),
    "least": ("most",),
    "more": ("less",),
    "less": ("more",),
    "fewer": ("more",),
    "maximum": ("minimum",),
    "minimum": ("maximum",),
    "first": ("last",),
    "last": ("first",),
}
_TIME = {"before": "after", "after": "before", "until": "from", "since": "until", "during": "after"}

_NEGATING = ("un", "non", "dis", "non-", "ir", "il", "im")


def numbers(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """Another number in a number's place: one of the text that is written alike, else one near it."""
    made = []
    for entity in sentence.ents:
        if entity.label_ not in _NUMBERS:
            continue
        alike = [text for label, text in stock.own if label == entity.label_ and _differs(text, sentence)]
        instead = random_.choice(alike) if alike else other_number(entity.text, random_)
        if instead and instead != entity.text:
            made.append(Edit("number", replaced(sentence.text, (*offsets(sentence, entity), instead))))
    return made


def other_number(text: str, random_: random.Random) -> str:
    """The text with its number changed, "" if it has none: 12 to 21, 30 % to 60 %, three to five."""
    match = re.search(r"\d[\d,.]*\d|\d", text)
    if match:
        digits = match[0]
        value = int(re.sub(r"\D", "", digits))
        changed = random_.choice([value * 2, value + 1, max(value // 2, 1), value * 10, value + 5])
        if re.fullmatch(r"(1[89]|20)\d\d", digits):
            changed = value + random_.choice([-11, -3, -1, 2, 7])
        if changed == value:
            changed += 1
        shown = f"{changed:,}" if "," in digits else str(changed)
        if "." in digits:
            places = len(digits.rpartition(".")[2])
            shown = f"{changed / 10**places:.{places}f}"
        return text[: match.start()] + shown + text[match.end() :]
    for word in text.lower().split():
        if word in NUMBER_WORDS:
            others = [each for each in NUMBER_WORDS[2:] if each != word]
            return re.sub(rf"\b{word}\b", random_.choice(others), text, flags=re.IGNORECASE)
    return ""


def units(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """Hours for minutes: another unit of the same kind."""
    made = []
    for token in sentence:
        for row in _MEASURES:
            if token.text not in row or token.ent_type_ == "ORDINAL":
                continue
            if len(token.text) < 3 and not _follows_number(token):
                continue
            start, end = offsets(sentence, token)
            place = row.index(token.text)
            near = [each for each in row[max(place - 2, 0) : place + 3] if each != token.text]
            if len(token.text) > 2 and not _follows_number(token) and token.ent_type_ not in _DATES | _NUMBERS:
                continue
            made.append(Edit("unit", replaced(sentence.text, (start, end, random_.choice(near)))))
    return made


def _follows_number(token: Token) -> bool:
    return token.i > 0 and (token.nbor(-1).like_num or token.nbor(-1).text == "-")


def dates(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """Another date or time of the text, else another year or month."""
    made = []
    for entity in sentence.ents:
        if entity.label_ not in _DATES or not re.search(r"\d|[A-Z]", entity.text):
            continue
        alike = [text for label, text in stock.own if label == entity.label_ and _differs(text, sentence)]
        alike = [text for text in alike if _shape(text) == _shape(entity.text)]
        instead = random_.choice(alike) if alike else _other_month(entity.text, random_)
        instead = instead or other_number(entity.text, random_)
        if instead and instead != entity.text:
            made.append(Edit("date", replaced(sentence.text, (*offsets(sentence, entity), instead))))
    return made


def _other_month(text: str, random_: random.Random) -> str:
    for month in MONTHS:
        if re.search(rf"\b{month}\b", text) and random_.random() < 0.5:
            return text.replace(month, random_.choice([each for each in MONTHS if each != month]))
    return ""


def _shape(text: str) -> str:
    """What kind of date it is: figures by their number, months and words as such."""
    figures = re.sub(r"\d+", lambda match: "9" * len(match[0]), re.sub(rf"\b(?:{'|'.join(MONTHS)})\b", "M", text))
    return re.sub(r"[a-z]+", "w", figures.replace("99", "9") if len(figures) < 4 else figures)


def names(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """Another name of the same kind: of the text, else of another one."""
    made = []
    for entity in sentence.ents:
        if entity.label_ not in _NAMES:
            continue
        alike = [text for label, text in stock.own if label == entity.label_ and _differs(text, sentence)]
        alike = alike or [text for label, text in stock.others if label == entity.label_ and _differs(text, sentence)]
        if alike:
            article = "the " if entity.text.lower().startswith("the ") else ""
            instead = article + re.sub(r"^[Tt]he ", "", random_.choice(alike))
            made.append(Edit("name", replaced(sentence.text, (*offsets(sentence, entity), instead))))
    return made


def _differs(text: str, sentence: Span) -> bool:
    return text.lower() not in sentence.text.lower() and sentence.text.lower() not in text.lower()


def roles(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """Who does it and to whom it is done exchanged: subject and object, or subject and agent."""
    made = []
    for verb in sentence:
        if verb.pos_ not in {"VERB", "AUX"}:
            continue
        subjects = [each for each in verb.children if each.dep_ in {"nsubj", "nsubjpass"}]
        objects = [each for each in verb.children if each.dep_ in {"dobj", "attr"} and verb.lemma_ != "be"]
        for link in verb.children:
            if link.dep_ in {"agent", "prep"} and link.lower_ in {"by", "to", "with", "from", "for", "than", "over"}:
                objects += [each for each in link.children if each.dep_ == "pobj"]
        for subject in subjects:
            for other in objects:
                one, two = subtree(subject), subtree(other)
                if not _can_change_places(one, two):
                    continue
                made.append(
                    Edit(
                        "role",
                        replaced(
                            sentence.text,
                            (*offsets(sentence, one), _within(two, at_start=one.start == sentence.start)),
                            (*offsets(sentence, two), _within(one, at_start=False)),
                        ),
                    )
                )
    for token in sentence:  # "A and B, respectively", "from A to B"
        if token.lower_ == "from" and (end := next((x for x in token.rights if x.dep_ == "pobj"), None)) is not None:
            to = next((x for x in token.head.children if x.lower_ == "to" and x.i > token.i), None)
            goal = next((x for x in to.children if x.dep_ == "pobj"), None) if to is not None else None
            if goal is not None and not subtree(end).end > subtree(goal).start:
                made.append(
                    Edit(
                        "role",
                        replaced(
                            sentence.text,
                            (*offsets(sentence, subtree(end)), subtree(goal).text),
                            (*offsets(sentence, subtree(goal)), subtree(end).text),
                        ),
                    )
                )
    return made


def _can_change_places(one: Span, two: Span) -> bool:
    if one.end > two.start and two.end > one.start:
        return False
    heads = one.root, two.root
    return all(each.pos_ in {"NOUN", "PROPN"} for each in heads) and heads[0].lemma_ != heads[1].lemma_


def _within(part: Span, *, at_start: bool) -> str:
    first = part[0]
    if at_start or first.pos_ == "PROPN" or first.ent_type_ or first.text.isupper():
        return part.text
    return part.text[:1].lower() + part.text[1:]


def negations(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """The main verb denied, or its negation taken out."""
    root = sentence.root
    text = sentence.text
    helpers = [each for each in root.children if each.dep_ in {"aux", "auxpass"}]
    negation = next((each for each in root.children if each.dep_ == "neg"), None)
    if negation is not None:
        return _affirmed(sentence, root, negation, helpers)
    finite = root if root.pos_ == "AUX" else (helpers[0] if helpers else None)
    if finite is not None and finite.lower_ not in {"to"} and finite.text[0] != "'":
        start, end = offsets(sentence, finite)
        instead = "cannot" if finite.lower_ == "can" else f"{finite.text} not"
        return [Edit("negation", replaced(text, (start, end, instead)))]
    helper = {"VBZ": "does not", "VBP": "do not", "VBD": "did not"}.get(root.tag_)
    if root.pos_ == "VERB" and helper:
        return [Edit("negation", replaced(text, (*offsets(sentence, root), f"{helper} {root.lemma_}")))]
    if root.tag_ == "VB" and not any(each.dep_ in {"nsubj", "aux"} for each in root.children):
        return [Edit("negation", replaced(text, (*offsets(sentence, root), f"do not {root.lower_}")))]
    return []


def _affirmed(sentence: Span, root: Token, negation: Token, helpers: Sequence[Token]) -> list[Edit]:
    start, end = offsets(sentence, negation)
    text = sentence.text
    does = next((each for each in helpers if each.lemma_ == "do"), None)
    if does is None:
        before = negation.nbor(-1) if negation.i > sentence.start else negation
        if negation.lower_ == "n't" and before.lower_ in {"ca", "wo", "sha"}:
            full = {"ca": "can", "wo": "will", "sha": "shall"}[before.lower_]
            return [Edit("negation", replaced(text, (offsets(sentence, before)[0], end, full)))]
        return [Edit("negation", replaced(text, (start, end, "")))] if negation.lower_ in {"not", "n't"} else []
    verb = {"VBZ": third_person(root.lower_), "VBP": root.lower_}.get(does.tag_)
    if does.tag_ == "VB" or (does.tag_ == "VBP" and does.i == sentence.start):
        verb = root.lower_
    if verb is None:
        return []
    changes = ((offsets(sentence, does)[0], end, ""), (*offsets(sentence, root), verb))
    return [Edit("negation", replaced(text, *changes))]


def scopes(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """Some for all, may for must, at most for at least."""
    made = []
    for token in sentence:
        if token.lower_ not in _SCOPE or (token.ent_type_ and token.lower_ in {"first", "last"}):
            continue
        if token.lower_ == "may" and token.pos_ == "PROPN":
            continue
        instead = random_.choice(_SCOPE[token.lower_])
        following = token.nbor(1) if token.i + 1 < sentence.end else None
        if following is not None and following.dep_ == "neg":
            continue
        made.append(Edit("scope", replaced(sentence.text, (*offsets(sentence, token), instead))))
    return made


def times(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """After for before."""
    return [
        Edit("time", replaced(sentence.text, (*offsets(sentence, token), _TIME[token.lower_])))
        for token in sentence
        if token.lower_ in _TIME and token.dep_ in {"prep", "mark"}
    ]


def antonyms(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """A word for the one that differs from it by a negating prefix, where the texts have both: safe, unsafe."""
    made = []
    for token in sentence:
        if token.pos_ not in {"ADJ", "ADV", "VERB"} or not token.is_alpha or len(token) < 5:
            continue
        for prefix in _NEGATING:
            for other in (prefix + token.lower_, token.lower_.removeprefix(prefix)):
                if other != token.lower_ and other in stock.words and len(other) > 3:
                    made.append(Edit("antonym", replaced(sentence.text, (*offsets(sentence, token), other))))
    return made


def additions(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """The sentence with an adjunct of another text at its end: what the text does not say."""
    if not stock.endings or sentence.text[-1:] != ".":
        return []
    return [Edit("addition", f"{sentence.text[:-1]} {random_.choice(stock.endings)}.")]


EDITS: Sequence[Callable[[Span, Stock, random.Random], list[Edit]]] = (
    numbers, units, dates, names, roles, negations, scopes, times, antonyms, additions,
)  # fmt: skip


def edits(sentence: Span, stock: Stock, random_: random.Random) -> list[Edit]:
    """Every edit of a sentence that changes it."""
    return [made for rule in EDITS for made in rule(sentence, stock, random_) if made.text != sentence.text]


def endings(doc: Doc) -> list[str]:
    """Adjuncts that end sentences: "within two weeks", "because it is cheaper"."""
    found = []
    for sentence in doc.sents:
        for child in sentence.root.children:
            part = subtree(child)
            ends = child.dep_ in {"prep", "advcl"} and sentence.end - part.end <= 1 and part.start > sentence.start
            if ends and 3 <= len(part) <= 12 and not any(token.lower_ in NOT_ALONE for token in part):
                found.append(part.text)
    return found


def entities(docs: Iterable[Doc]) -> list[tuple[str, str]]:
    """(label, text) of all entities, each once, in order."""
    return list(dict.fromkeys((each.label_, each.text) for doc in docs for each in doc.ents))
