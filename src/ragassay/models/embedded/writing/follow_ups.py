"""Follow-up questions by rule, and only where nothing else can be meant.

The thing is a noun phrase with "the" that both questions name once, at their end or as the document's title. It becomes
"it", "they" or "them" where question and answer before it hold no other name and no other noun phrase with an article,
but for what both questions ask "of" it; else "that" or "those" with its noun, where that noun stands nowhere else.
Nobody becomes "he" or "she": a text seldom says which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.grammar import tokens_of
from ragassay.models.embedded.reading.terms import term_of, tokens
from ragassay.models.embedded.reading.themes import PERSON_NOUNS
from ragassay.tasks.follow_ups import FollowUpQuestion, QuestionToFollow

_PREPOSITIONS = frozenset("of in on for by from to at with about".split())
_SINGULAR, _PLURAL = frozenset("does is was has".split()), frozenset("do are were have".split())
_BEFORE = _PREPOSITIONS | _SINGULAR | _PLURAL | frozenset("did had will can".split())
"""Words after which a noun phrase begins."""
_MOST_WORDS = 8
_FEWEST_OF_KIND = 3
"""Words of a noun phrase of which "that" and its noun leave something out: the, what kind, the noun."""
_OTHERS = re.compile(
    r"\b(?:the|a|an|this|that|these|those|each|its?|they|them|their|he|him|his|she|her|hers|we|our|you|your)\b", re.I
)
_ARTICLES = frozenset(("the", "a", "an"))
_PERSONAL = re.compile(r"\b(?:he|him|his|she|her|hers|who|whose)\b", re.I)
_MAY_BE_PEOPLE = re.compile(r"(?:er|ant|ent|person|chief|head|executive|staff|team|people)$", re.I)
"""Endings and nouns of people and of things alike, beside ``PERSON_NOUNS``."""
_LOOKS_PLURAL = re.compile(r"(?<![sui])s$", re.I)
_MONTH = re.compile(r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b")
_OPENING = re.compile(r"\s*(?:In|On|At|Since|From|By|About|Until|After|Before)\b")
"""Of an answer: a word that is no name though it is written like one."""
_NAME = re.compile(r"\b[^\W\d_a-z]\w*")


class _Theme(NamedTuple):
    """What both questions are about. before: the words in front of it, of the second question and of the first."""

    text: str
    before: tuple[str, str]

    @property
    def head(self) -> str:
        return self.text.split()[-1]


def follow_up(asked: QuestionToFollow) -> str | None:
    """The second question with a word in the place of what both are about; None where it might be misunderstood."""
    theme = _theme(asked.first, asked.question, asked.title)
    if theme is None or not _is_noun(asked.question, theme.head):
        return None
    rest_of_first, rest = _without(asked.first, theme.text), _without(asked.question, theme.text)
    if rest_of_first is None or rest is None or _has_pronoun(rest):
        return None
    word = _pronoun(theme, asked)
    if word is None or not _is_alone(theme, word, asked, rest_of_first, rest):
        word = _kind(theme, asked.answer, rest_of_first, rest)
    return None if word is None else asked.question.replace(theme.text, word)


def _theme(first: str, second: str, title: str) -> _Theme | None:
    """The longest noun phrase with "the" that both name: at the end of both, or the document's title."""
    asked = [question.rstrip("? ").split(" ") for question in (first, second)]
    found = []
    for begin in range(1, len(asked[1])):
        for end in range(begin + 2, min(len(asked[1]), begin + _MOST_WORDS) + 1):
            words = asked[1][begin:end]
            places = [at for at in range(1, len(asked[0])) if asked[0][at : at + len(words)] == words]
            if words[0] != "the" or len(places) != 1:
                continue
            before = asked[1][begin - 1].lower(), asked[0][places[0] - 1].lower()
            ends = end == len(asked[1]) and places[0] + len(words) == len(asked[0])
            is_title = " ".join(words[1:]).lower() == title.lower().removeprefix("the ")
            if set(before) <= _BEFORE and (ends or is_title) and _BEFORE.isdisjoint(words):
                found.append(_Theme(" ".join(words), before))
    return max(found, key=lambda each: len(each.text), default=None)


def _without(question: str, theme: str) -> str | None:
    """The question without the theme; None unless each of its words stands there once."""
    said = [word.lower() for word in re.findall(r"\w+", question)]
    if any(said.count(word.lower()) != 1 for word in re.findall(r"\w+", theme) if word != "the"):
        return None
    return question.replace(theme, "", 1)


def _pronoun(theme: _Theme, asked: QuestionToFollow) -> str | None:
    """By the verbs that go with it; None for people of whom one is meant, and where the number is not sure."""
    verbs = set(theme.before)
    if verbs & _PLURAL:
        return None if verbs & _SINGULAR else "them" if theme.before[0] in _PREPOSITIONS else "they"
    nouns = PERSON_NOUNS.search(theme.head.lower()) or _MAY_BE_PEOPLE.search(theme.head)
    return None if nouns or _PERSONAL.search(asked.text) or _LOOKS_PLURAL.search(theme.head) else "it"


def _is_alone(theme: _Theme, word: str, asked: QuestionToFollow, rest_of_first: str, rest: str) -> bool:
    """Whether nothing else is named before the question, and in it, that a pronoun might stand for."""
    if word != "it" and (_has_plural(rest_of_first) or _has_plural(asked.answer)):
        return False
    if f"of {theme.text}" in asked.first and f"of {theme.text}" in asked.question:
        rest_of_first = re.sub(r"\bthe [\w ,-]+? of\s*$", "", rest_of_first.rstrip("? "))
    elif _OTHERS.search(rest):
        return False
    if _names(rest[1:]) or _OTHERS.search(rest_of_first) or _names(rest_of_first[1:]):
        return False
    return not (_OTHERS.search(asked.answer) or _names(_OPENING.sub("", asked.answer)))


def _kind(theme: _Theme, answer: str, rest_of_first: str, rest: str) -> str | None:
    """ "that plan" for "the yearly plan"; None where the noun is part of a name, or stands elsewhere as well."""
    if len(theme.text.split()) < _FEWEST_OF_KIND or not theme.head.islower():
        return None
    elsewhere = map(term_of, tokens(f"{answer} {rest_of_first} {rest}"))
    if term_of(theme.head) in {"", *elsewhere}:
        return None
    is_plural = bool(set(theme.before) & _PLURAL)
    if is_plural != bool(_LOOKS_PLURAL.search(theme.head)) or (is_plural and set(theme.before) & _SINGULAR):
        return None
    return f"{'those' if is_plural else 'that'} {theme.head}"


def _is_noun(question: str, head: str) -> bool:
    return any(token.text == head and token.tag.startswith("NN") for token in tokens_of(question))


def _has_plural(text: str) -> bool:
    return any(token.tag in ("NNS", "NNPS") for token in tokens_of(text))


def _has_pronoun(text: str) -> bool:
    return any(match[0].lower() not in _ARTICLES for match in _OTHERS.finditer(text))


def _names(text: str) -> bool:
    """Whether a word is written like a name; months are none."""
    return _NAME.search(_MONTH.sub("", text)) is not None


def _follow_ups(_: Encoder, inputs: Sequence[QuestionToFollow]) -> list[Reply[FollowUpQuestion]]:
    return [Reply(FollowUpQuestion(text=follow_up(each) or "")) for each in inputs]


HANDLERS: dict[str, Handler] = {"follow_up_question": _follow_ups}
