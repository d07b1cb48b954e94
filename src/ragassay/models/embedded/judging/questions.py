"""Questions made ready to be answered: without the document that they name, and with the words that they take over.

A follow-up needs words of the one before it if it has a pronoun, opens like a continuation and says little, or says
next to nothing. Who or what a pronoun means is not worked out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.languages import Handler
from ragassay.models.embedded.reading.terms import has_cjk, question_terms, term_of, tokens
from ragassay.tasks.follow_ups import FollowUp, StandaloneQuestion

_FRAME = re.compile(r"^According to (?:“[^”]*”|[^,“]{1,90}),\s*(?=[^\s])")
_LEAD = re.compile(
    r"^\W*(?:based\s+on|according\s+to|along\s+with|besides|in\s+addition\s+to)\s+[^,]+,\s*", re.IGNORECASE
)
_ON_A_TOPIC = re.compile(
    r"^What (?:does (?:“[^”]*”|(?!the record\b)[^“”?]{1,90}?) say|should I know) about (?P<topic>.+)\?$"
)


def unframed(question: str) -> str:
    """The question without the document that it is asked of: 'According to “Board meeting”, who ...?' as 'who ...?'."""
    topic = _ON_A_TOPIC.match(question)
    return f"What is known about {topic['topic']}?" if topic else _LEAD.sub("", _FRAME.sub("", question))


def asks_itself(text: str, question: str, answer: str) -> bool:
    """Whether the text asks the question word for word and the answer follows, as on a page of questions."""
    asked, told = _folded(unframed(question)), _folded(answer)[:_BEGINNING]
    if not asked.endswith("?") or not told:
        return False
    behind = _folded(text).split(asked)[1:]  # a page of questions may list them all before it answers them
    return any(told in each[: len(told) + _BETWEEN] for each in behind)


_BEGINNING = 60
"""Characters of an answer that have to follow its question: of several paragraphs the first may be a short one."""
_BETWEEN = 8
"""Characters that may stand between the two: a line break, "A:"."""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


_PRONOUN = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|this|these|those)\b|"
    r"\b(?:do|does|did|is|are|was|were|has|have|had|can|will|of|in|on|for|by|from|to|at|with|about|under) that\b",
    re.I,
)
"""A "that" behind other words often opens a clause, as in: is it true that ..."""
_OPENING = re.compile(r"\s*(?:and|or|but|also|(?:what|how) about)\b", re.I)
_PRONOUN_CJK = re.compile("[它他她其这那]")
_FEW_TERMS, _FEW_AFTER_OPENING = 2, 3
_FEW_CHARACTERS = 5
"""Of a Chinese question that leaves out what it is about, as 多长？"""
MOST_WORDS = 24
"""So many are put behind a question: it stays one."""
MOST_CHARACTERS = 120
"""The same, of Chinese, Japanese and Korean, whose questions are put there as they stand."""
MOST_TURNS = 8


def standalone(question: str, earlier: Sequence[str]) -> str:
    """The question with words of the last few of the user's turns before it, each made to stand alone itself."""
    before = ""
    for text in (*earlier[-MOST_TURNS:], question):
        before = _completed(text, before)
    return before


def _completed(question: str, before: str) -> str:
    if not before or not _is_dependent(question):
        return question
    if has_cjk(question):
        return f"{question}（{before[:MOST_CHARACTERS]}）"
    known = {term_of(word) for word in tokens(question)}
    names_something = _names_something(question)
    lacking = dict.fromkeys(
        word
        for word in tokens(before)
        if term_of(word) not in known and question_terms(word) and not (names_something and word[0].isupper())
    )
    words = list(lacking)[:MOST_WORDS]
    return f"{question} ({' '.join(words)})" if words else question


def _is_dependent(question: str) -> bool:
    if has_cjk(question):
        return _PRONOUN_CJK.search(question) is not None or len(question.strip(" ？?")) < _FEW_CHARACTERS
    said = len(question_terms(question))
    if _PRONOUN.search(question):
        return True
    return (
        said < _FEW_AFTER_OPENING if _OPENING.match(question) else said < _FEW_TERMS and not _names_something(question)
    )


def _names_something(question: str) -> bool:
    return any(word[0].isupper() or word[0].isdigit() for word in tokens(question)[1:] if question_terms(word))


def _standalone_questions(_: Encoder, inputs: Sequence[FollowUp]) -> list[Reply[StandaloneQuestion]]:
    found = []
    for each in inputs:
        earlier = [turn.content for turn in each.turns if turn.role == "user"]
        found.append(Reply(StandaloneQuestion(text=standalone(each.question, earlier))))
    return found


HANDLERS: dict[str, Handler] = {"standalone_question": _standalone_questions}
