"""A draft: a question with everything that is known about it at the moment when its statement is found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ragassay.models.embedded.reading.analysis import balanced
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.framing import unframed
from ragassay.models.embedded.reading.reckoning import DateSpan
from ragassay.tasks.statements import QuestionDraft, Statement

MIN_WORDS, MAX_WORDS = 4, 26
"""Length of a question in words (gates of ``docs/decisions/embedded-questions.md``)."""
OWN_QUESTION = "own_question"
"""The pattern of questions that a document asks itself."""
OWN_WORDS = range(3, 37)
"""Length of these: people wrote them, who are shorter and more long-winded than a rule may be."""
FRAME_WORDS = 8
"""Words that 'According to “title”,' may add to it."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a date. told: 'the film was released'; asked: 'was it released' (both without date).

    subject_is_theme: then 'it' or 'she' in ``asked`` can only be the theme.
    """

    told: str
    asked: str
    date: DateSpan
    subject_is_theme: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """pattern: the rule that wrote it. attribute: what is asked for in a word or two, for joins and comparisons.

    about: what the question is about, where that is not the theme of the document. stands_alone: whether the question
    says by itself what it asks of, so that it need not name the theme.
    """

    pattern: str
    question: str
    answer: str
    statement: str
    quotes: tuple[str, ...]
    attribute: str = ""
    event: Event | None = None
    about: str = ""
    stands_alone: bool = False

    def as_statement(self) -> Statement:
        """The draft in the form in which the task hands it on."""
        return Statement(
            text=self.statement,
            quotes=self.quotes,
            draft=QuestionDraft(question=self.question, answer=self.answer, pattern=self.pattern),
        )


_BROKEN = re.compile(
    r"Xtheme|Xlit|\s[,.;:?]|\(\s|\s\)|[,;:–—-]\?$|\b(?:the the|a the|an the|of of|in in|a an|the a|is is|"
    r"was was)\b|[\u200b\ufffd]|\.\?$(?<!Inc\.\?)(?<!Jr\.\?)|\n"
)
_ELSEWHERE = re.compile(
    r"\b(?:described|discussed|listed|explained|shown|given|defined|mentioned) in (?:Section|Chapter|Table|Appendix) \w"
)
_DANGLING = re.compile(
    r"\b(?:the|a|an|of|in|on|at|by|and|or|to|with|for|from|as|that|which|its|his|her|their)[.?]?$", re.IGNORECASE
)
_COMPUTED = frozenset(("age lifespan duration period difference count").split())
"""Patterns whose answer is a number with the unit that the question asks in."""


def fault_of(draft: Draft, mention: str) -> str | None:
    """Why a draft is not fit to be an example, or None: the gates that need nothing but the draft.

    mention: theme or identifier that the question must hold, so that it is clear without its passage.
    """
    question, answer = draft.question, draft.answer
    words = unframed(question).split()
    is_own = draft.pattern == OWN_QUESTION
    if len(words) not in (OWN_WORDS if is_own else range(MIN_WORDS, MAX_WORDS + 1)):
        return "length of the question"
    if not is_own and len(question.split()) > MAX_WORDS + FRAME_WORDS:
        return "length of the question with its frame"
    if _BROKEN.search(question) or _BROKEN.search(answer.replace("\n", " ")) or not question.endswith("?"):
        return "broken text"
    if _ELSEWHERE.search(question):
        return "a part of the document in the question"
    if _DANGLING.search(question.rstrip("?")) and not re.search(
        r"\b(?:named after|known as|for|from|in|of|to|by|with)\?$", question
    ):
        return "dangling end"
    if _DANGLING.search(answer) or not answer.strip():
        return "dangling answer"
    if mention.lower() not in question.lower():
        return "theme not in the question"
    asked, answered = set(content_words(question)), set(content_words(answer))
    if not answered:
        return "empty answer"
    if not balanced(question) or not balanced(answer):
        return "a bracket or quotation mark without its partner"
    if draft.pattern in _COMPUTED:
        answered = {word for word in answered if word[0].isdigit()} or answered  # the unit is always in the question
    if draft.pattern != "key_group" and len(answered & asked) * 2 > len(answered):  # it names each key with its value
        return "answer leaks into the question"
    bare = [word.rstrip("?") for word in words]
    if any(word.lower() == following.lower() and not word[:1].isupper() for word, following in pairwise(bare)):
        return "repeated word"
    return None


def capitalised(question: str) -> str:
    """The question with a capital at its start; identifiers such as ``wal_level`` never stand there."""
    return question[:1].upper() + question[1:]


def pick(options: tuple[str, ...], key: str) -> str:
    """One of several wordings, the same one for the same key, so that a set does not read monotonously."""
    return options[sum(key.encode("utf-8", "replace")) % len(options)]
