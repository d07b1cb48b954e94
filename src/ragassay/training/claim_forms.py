"""Forms of a sentence that stay true: shortened, reordered, joined with its neighbour, worded a little differently."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spacy.tokens import Token

if TYPE_CHECKING:
    from spacy.tokens import Span


class Edit(NamedTuple):
    """A text after an edit. kind: as the types of claims (number, unit, date, name, role, ...)."""

    kind: str
    text: str


MONTHS = tuple("January February March April May June July August September October November December".split())

_WORDED = (
    ("do not", "don't"), ("does not", "doesn't"), ("did not", "didn't"), ("is not", "isn't"), ("are not", "aren't"),
    ("was not", "wasn't"), ("cannot", "can't"), ("will not", "won't"), ("should not", "shouldn't"),
    ("must not", "mustn't"), ("it is", "it's"), ("in order to", "to"), ("such as", "for example"),
    ("has to", "must"), ("have to", "must"), ("is able to", "can"), ("are able to", "can"), ("as well as", "and also"),
    ("because of", "owing to"), ("due to", "because of"), ("in addition to", "besides"), ("at least", "no less than"),
    ("at most", "no more than"), ("more than", "over"), ("fewer than", "under"), ("however,", "but"),
    ("although", "even though"), ("for instance", "for example"), ("while", "whereas"), ("prior to", "before"),
)  # fmt: skip
"""Wordings that mean the same; each is exchanged in both directions."""
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()

_NO_SUBJECT = frozenset({"PRON", "DET", "SCONJ"})
_OPEN_ENDED = frozenset("if unless only except without no not never none nobody nothing neither nor".split())
NOT_ALONE = frozenset("this that these those it they he she his her their its such here there".split())


def replaced(text: str, *changes: tuple[int, int, str]) -> str:
    """The text with stretches (start, end, what stands there instead) exchanged, tidied like a sentence."""
    for start, end, instead in sorted(changes, reverse=True):
        text = text[:start] + instead + text[end:]
    text = re.sub(r"\s+([,.;:!?)])", r"\1", re.sub(r"\s+", " ", text)).strip(" ,;")
    text = re.sub(r",\s*([.;!?])", r"\1", text)
    return text[:1].upper() + text[1:]


def offsets(sentence: Span, part: Span | Token) -> tuple[int, int]:
    """(start, end) of a part in the sentence's text."""
    start = part.idx if isinstance(part, Token) else part.start_char
    return start - sentence.start_char, start - sentence.start_char + len(part.text)


def subtree(token: Token) -> Span:
    """A word with all that hangs on it."""
    return token.doc[token.left_edge.i : token.right_edge.i + 1]


def shortened(sentence: Span) -> list[str]:
    """The sentence without a part that adds something: what stands in brackets or between commas, or a second verb.

    Nothing is dropped from a sentence whose meaning may hang on it (conditions, exceptions, negations).
    """
    if any(token.lower_ in _OPEN_ENDED for token in sentence):
        return []
    text = sentence.text
    made = [replaced(text, (*match.span(), "")) for match in re.finditer(r"\s*\([^()]*\)", text)]
    for token in sentence:
        part = subtree(token)
        after = token.doc[part.end].text if part.end < sentence.end else ""
        before = token.doc[part.start - 1].text if part.start > sentence.start else ""
        set_off = before == "," and after in {",", "."}
        if token.dep_ in {"appos", "relcl", "acl"} and set_off and len(part) > 2:
            start, end = offsets(sentence, part)
            made.append(replaced(text, (text.rfind(",", 0, start), end + (after == ","), "")))
        if token.dep_ == "advmod" and part.start == sentence.start and after == "," and len(part) < 3:
            start, end = offsets(sentence, part)
            made.append(replaced(text, (start, end + 1, "")))
        if token.dep_ == "conj" and token.head.dep_ == "ROOT" and token.pos_ == "VERB" and before == "and":
            start, end = offsets(sentence, part)
            if sentence.end - part.end <= 1:
                made.append(replaced(text, (text.rfind("and", 0, start), end, "")))
    return [each for each in made if len(each.split()) >= 4]


def reordered(sentence: Span) -> list[str]:
    """The sentence with an adjunct at its end put in front of it."""
    root = sentence.root
    made = []
    for child in root.children:
        part = subtree(child)
        if child.dep_ not in {"prep", "advcl"} or sentence.end - part.end > 1 or part.start == sentence.start:
            continue
        if child.dep_ == "prep" and child.lower_ not in {"in", "on", "at", "during", "after", "before", "since"}:
            continue
        if any(token.lower_ in NOT_ALONE for token in part) or not _plain_start(sentence):
            continue
        start, end = offsets(sentence, part)
        main = sentence.text[:start].rstrip(" ,")
        stop = sentence.text[end:].strip() or "."
        made.append(replaced(f"{part.text}, {_lowered(sentence, main)}{stop}"))
    return made


def joined(sentence: Span, following: Span) -> list[str]:
    """Two sentences as one, if the second begins with a noun phrase of its own."""
    first = following[0]
    if first.pos_ in _NO_SUBJECT and first.lower_ not in {"the", "a", "an"}:
        return []
    if not following.root.pos_.startswith(("V", "A")) or sentence.text[-1:] != "." or following.text[-1:] != ".":
        return []
    return [f"{sentence.text[:-1]}, and {_lowered(following, following.text)}"]


def worded(sentence: Span) -> list[str]:
    """The sentence with one wording exchanged for another that means the same."""
    text, made = sentence.text, []
    for one, other in _WORDED:
        for there, instead in ((one, other), (other, one)):
            match = re.search(rf"(?<![\w']){re.escape(there)}(?![\w'])", text, re.IGNORECASE)
            if match and (there, instead) not in {("to", "in order to"), ("must", "has to"), ("can", "is able to"),
                                                  ("can", "are able to"), ("but", "however,"), ("over", "more than"),
                                                  ("under", "fewer than"), ("must", "have to")}:  # fmt: skip
                made.append(replaced(text, (*match.span(), instead)))
    for token in sentence:
        start, end = offsets(sentence, token)
        if token.lower_ in NUMBER_WORDS[2:] and token.pos_ == "NUM":
            made.append(replaced(text, (start, end, str(NUMBER_WORDS.index(token.lower_)))))
        elif token.text.isdecimal() and 2 <= int(token.text) <= 12 and token.ent_type_ == "CARDINAL":
            made.append(replaced(text, (start, end, NUMBER_WORDS[int(token.text)])))
    for match in re.finditer(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})", text):
        made.append(replaced(text, (*match.span(), f"{match[2]} {match[1]}, {match[3]}")))
    return made


def _plain_start(sentence: Span) -> bool:
    return sentence[0].dep_ in {"det", "nsubj", "nsubjpass", "compound", "amod", "poss"}


def _lowered(sentence: Span, text: str) -> str:
    first = sentence[0]
    keeps = first.pos_ == "PROPN" or first.ent_type_ or first.text == "I" or first.text.isupper()
    return text if keeps and first.lower_ not in {"the", "a", "an"} else text[:1].lower() + text[1:]


def forms(sentence: Span, following: Span | None) -> list[Edit]:
    """The sentence in forms that say the same, itself among them."""
    made = [Edit("verbatim", sentence.text)]
    made += [Edit("shortened", text) for text in shortened(sentence)]
    made += [Edit("reordered", text) for text in reordered(sentence)]
    made += [Edit("paraphrase", text) for text in worded(sentence)]
    if following is not None:
        made += [Edit("two_sentences", text) for text in joined(sentence, following)]
    return made
