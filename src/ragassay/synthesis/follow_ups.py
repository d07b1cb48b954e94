"""Follow-up questions: of two questions about one thing, the second says "it" in its place and follows on the first.

By rule, and only where nothing else can be meant: the thing is a noun phrase with "the" that both questions name once,
at their end or as the document's title; the second names nothing else and has no pronoun of its own; question and
answer before it hold no other name and no other noun phrase with an article, but for what both questions ask "of" it.
People and plurals are left as they are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ragassay.records import Document, Example, Turn, content_id

PATTERN = "follow_up"
"""What the provenance of a follow-up question has, behind the pattern of the question that it was made of."""
PRONOUN = "it"
_STAND_ALONE = "stand_alone"
_BEFORE = frozenset("of in on for by from to at with about did does is was has had will can".split())
"""Words after which a noun phrase begins; "do", "are" and "have" before one tell of a plural."""
_MOST_WORDS = 8
_OTHERS = re.compile(
    r"\b(?:the|a|an|this|that|these|those|each|its?|they|them|their|he|him|his|she|her|hers|we|our|you|your)\b", re.I
)
_PERSONAL = re.compile(r"\b(?:he|him|his|she|her|hers|who|whose)\b", re.I)
_PERSON_NOUN = re.compile(r"(?:er|or|ist|ant|ent|ian|man|woman|person|chief|head|executive|staff|team|people)$", re.I)
_PLURAL = re.compile(r"(?<![sui])s$", re.I)
_MONTH = re.compile(r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b")
_OPENING = re.compile(r"\s*(?:In|On|At|Since|From|By|About|Until|After|Before)\b")
"""Of an answer: a word that is no name though it is written like one."""
_NAME = re.compile(r"\b[^\W\d_a-z]\w*")


class FollowUps(NamedTuple):
    """examples: all of them in their order, some as follow-ups. made, wanted: how many became one, and should have."""

    examples: tuple[Example, ...]
    made: int
    wanted: int


def with_follow_ups(
    examples: Sequence[Example], share: float, seed: int, document: Callable[[str], Document]
) -> FollowUps:
    """Makes this share of the examples follow-ups of others, or as many as can be made.

    document: by its id. Which ones depends on the seed and the examples, not on their order.
    """
    wanted = int(share * len(examples) + 0.5)
    order = sorted(examples, key=lambda each: content_id("draw", str(seed), each.id))
    of_document: dict[str, list[Example]] = defaultdict(list)
    for each in order:
        of_document[each.context.document_id].append(each)
    made: dict[str, Example] = {}
    firsts: set[str] = set()
    for second in order:
        if len(made) >= wanted:
            break
        if second.id in firsts or second.history:
            continue
        for first in of_document[second.context.document_id]:
            if first.id in made or first.id == second.id or not first.answer.strip():
                continue
            question = follow_up(first.question, first.answer, second.question, document(second.context.document_id))
            if question is not None:
                made[second.id] = _following(first, second, question)
                firsts.add(first.id)
                break
    return FollowUps(tuple(made.get(each.id, each) for each in examples), len(made), wanted)


def follow_up(first: str, answer: str, second: str, document: Document) -> str | None:
    """The second question with "it" in the place of what both are about; None where that might be misunderstood."""
    theme = _theme(first, second, document.title)
    if theme is None or _PERSONAL.search(document.text):
        return None
    words = theme.split()
    if _PERSON_NOUN.search(words[-1]) or _PLURAL.search(words[-1]):
        return None
    rest_of_first, rest = _without(first, theme), _without(second, theme)
    if rest_of_first is None or rest is None:
        return None
    if f"of {theme}" in first and f"of {theme}" in second:
        rest_of_first = re.sub(r"\bthe [\w ,-]+? of\s*$", "", rest_of_first.rstrip("? "))
    elif _OTHERS.search(rest):
        return None
    pronouns = _OTHERS.sub(lambda match: "" if match[0].lower() in ("the", "a", "an") else "it", rest)
    if re.search(r"\bit\b", pronouns) or _names(rest[1:]):
        return None
    if (
        _OTHERS.search(rest_of_first)
        or _names(rest_of_first[1:])
        or _OTHERS.search(answer)
        or _names(_OPENING.sub("", answer))
    ):
        return None
    return second.replace(theme, PRONOUN)


def _theme(first: str, second: str, title: str) -> str | None:
    """The longest noun phrase with "the" that both name: at the end of both, or the document's title."""
    asked = [question.rstrip("? ").split(" ") for question in (first, second)]
    found = []
    for begin in range(1, len(asked[1])):
        for end in range(begin + 2, min(len(asked[1]), begin + _MOST_WORDS) + 1):
            words = asked[1][begin:end]
            places = [at for at in range(1, len(asked[0])) if asked[0][at : at + len(words)] == words]
            if words[0] != "the" or len(places) != 1:
                continue
            before = {asked[1][begin - 1].lower(), asked[0][places[0] - 1].lower()}
            ends = end == len(asked[1]) and places[0] + len(words) == len(asked[0])
            is_title = " ".join(words[1:]).lower() == title.lower().removeprefix("the ")
            if before <= _BEFORE and (ends or is_title) and _BEFORE.isdisjoint(words):
                found.append(" ".join(words))
    return max(found, key=len, default=None)


def _without(question: str, theme: str) -> str | None:
    """The question without the theme; None unless each of its words stands there once."""
    said = [word.lower() for word in re.findall(r"\w+", question)]
    if any(said.count(word.lower()) != 1 for word in re.findall(r"\w+", theme) if word != "the"):
        return None
    return question.replace(theme, "", 1)


def _names(text: str) -> bool:
    """Whether a word is written like a name; months are none."""
    return _NAME.search(_MONTH.sub("", text)) is not None


def _following(first: Example, second: Example, question: str) -> Example:
    """How far it can be understood alone was said of the question as it was, and goes."""
    pattern = ", ".join(filter(None, (second.provenance.pattern, PATTERN)))
    return replace(
        second,
        id=content_id("q", second.id, PATTERN, first.id),
        question=question,
        history=(Turn(role="user", content=first.question), Turn(role="assistant", content=first.answer)),
        provenance=replace(second.provenance, pattern=pattern),
        critiques=tuple(each for each in second.critiques if each.name != _STAND_ALONE),
    )
