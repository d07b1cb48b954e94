"""Whether a page answers a question that somebody asked: answered, no page answers, or not known; never a guess.

The embedded model is sure where a passage both is about the question and answers it: the probability of the verifier
times the cosine of the two. A language model reads the nearest passages and quotes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from string import ascii_lowercase
from typing import Literal

from ragassay.generate.gates import Passage, SearchGates
from ragassay.language import detect_language
from ragassay.models.base import Encoder, Model
from ragassay.models.embedded.judging.judgements import QuestionOnText, answered
from ragassay.models.embedded.judging.places import read_question, read_text
from ragassay.models.embedded.reading.parser import is_english
from ragassay.models.embedded.reading.terms import question_terms, total_weight
from ragassay.records import Label, Span
from ragassay.tasks.answering import ANSWER, QuestionWithChunks
from ragassay.tasks.base import distinct_lines, one_line
from ragassay.tasks.critique import LABEL, Pair
from ragassay.tasks.drafting import REVIEWS, ProposedPair, Review, ReviewRequest, Surroundings
from ragassay.tasks.statements import Passage as TaskPassage
from ragassay.text import words

State = Literal["answered", "no page", "not known"]
STATES: tuple[State, State, State] = ("answered", "no page", "not known")
ANSWERED, NO_PAGE, NOT_KNOWN = STATES
SURE, OPEN = 0.35, 0.12
"""Probability times cosine from which on a passage answers, and below which none does; chosen on half of a log of
another collection than that of docs/questions.md."""
_SHARED, _NEAR = 0.6, 0.4
"""Share of the content words of a question that its answer has to have, and cosine of the two; chosen on that log."""
_LONG_WORD = re.compile(r"\b[^\W\d_]{5,}\b")
_HELD = 0.8
"""Share of the content words of a question from which on a passage that has them keeps it from being a gap."""
_LOOKED_AT, _READ_BY_MODEL = 3, 6
_READ_LANGUAGES = ("und", "en")
_OTHER_LANGUAGE = "it, or the nearest page, is in another language than English, which only a language model reads"
_WHICH_SENTENCE = "the page answers it, but which sentence does is not sure"
_FEWEST_STRANGE = 3
"""Words, none of which the documents have, from which on a question may be in another language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the documents say to a question.

    reason: why it is not known, or has no place in a set; empty otherwise. passage: the one that answers, or the
    nearest; None where nothing was found. answer, references, label: empty and None where no answer is sure. nearness:
    probability times cosine of the nearest passage where none answers; 0 where a language model looked.
    """

    state: State
    reason: str = ""
    passage: Span | None = None
    answer: str = ""
    references: tuple[Span, ...] = ()
    label: Label | None = None
    keypoints: tuple[str, ...] = ()
    nearness: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question of a log, without personal details. times: how often it was asked, in all its wordings.

    wordings: some of the other ones. topic: its number, from 1, of the most asked. said: by the documents.
    """

    question: str
    times: int
    wordings: tuple[str, ...]
    topic: int
    said: Answered


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers questions against passages. known: lower-case words of the documents. languages: by document id."""

    gates: SearchGates
    encoder: Encoder
    known: frozenset[str]
    languages: Mapping[str, str]
    model: Model
    by_model: bool

    def spelled(self, question: str) -> str:
        """Return what is looked up: a question whose mistyped words are as the documents have them."""

        def mended(match: re.Match[str]) -> str:
            word = match[0].lower()
            is_right = word in self.known or is_english(word) or (match.start() > 0 and not match[0].islower())
            near = [] if is_right else sorted(_one_slip_away(word) & self.known)
            return next(iter(get_close_matches(word, near, 1)), match[0])

        return _LONG_WORD.sub(mended, question)

    async def said_to(self, questions: Sequence[str]) -> list[Answered]:
        """Say of each question what the documents answer: by a language model, or where the embedded one is sure."""
        return await (self._by_model(questions) if self.by_model else self._locally(questions))

    async def _locally(self, questions: Sequence[str]) -> list[Answered]:
        questions = [self.spelled(question) for question in questions]
        found = self.gates.nearest_passages(questions, _LOOKED_AT, self.encoder)
        pairs = [
            QuestionOnText(question, each.head + each.span.text, windows=1)
            for question, near in zip(questions, found, strict=True)
            for each in near
        ]
        likely = iter(answered(self.encoder, pairs))
        vectors = iter(self.encoder.encode([pair.text for pair in pairs]) if pairs else ())
        states = []
        for question, vector, near in zip(questions, self.encoder.encode(questions), found, strict=True):
            judged = [(next(likely), max(0.0, float(vector @ next(vectors)))) for _ in near]
            worth = [None if one is None else one.likely * cosine for one, cosine in judged]
            states.append(self._state(question, near, worth))
        return [
            await self._with_answer(question, near, state) if state.state == ANSWERED else state
            for question, near, state in zip(questions, found, states, strict=True)
        ]

    async def _with_answer(self, question: str, near: Sequence[Passage], state: Answered) -> Answered:
        """What the passage says, word for word, where a second search agrees on the passage and several checks hold."""
        home = next(each for each in near if each.span == state.passage)
        asked = QuestionWithChunks(question=question, chunks=tuple(each.head + each.span.text for each in near))
        (reply,) = await self.model.ask_all(ANSWER, [asked])
        if reply.value is None or reply.value.abstained or reply.value.used != (near.index(home),):
            return replace(state, reason=_WHICH_SENTENCE)
        said = reply.value.text.removeprefix(home.head.strip()).strip()
        (check,) = answered(self.encoder, [QuestionOnText(question, said, windows=1)])
        if said.endswith("?") or check is None or not check.is_answered or not self._speaks_of(question, said, home):
            return replace(state, reason=_WHICH_SENTENCE)
        (label,) = await self.model.ask_all(LABEL, [Pair(context=home.span.text, question=question, answer=said)])
        references = _quoted(said, home)
        if not references or label.value is None or label.value.label == "unanswerable":
            return replace(state, reason="the answer does not stand in the passage word for word, or needs more of it")
        return replace(state, answer=said, references=references, label=label.value.label, keypoints=(said,))

    def _state(self, question: str, near: Sequence[Passage], worth: Sequence[float | None]) -> Answered:
        known = [each for each in worth if each is not None]
        if reason := self._unread(question):
            return Answered(state=NOT_KNOWN, reason=reason)
        if len(known) < len(worth):
            return Answered(state=NOT_KNOWN, reason="the verifier is off, or does not read its language")
        best = max(known, default=0.0)
        passage = near[worth.index(best)].span if known else None
        if passage and self.languages[passage.document_id] not in _READ_LANGUAGES:
            return Answered(state=NOT_KNOWN, reason=_OTHER_LANGUAGE)
        if OPEN <= best < SURE:
            return Answered(state=NOT_KNOWN, reason="a passage comes near and may not answer", passage=passage)
        asked = frozenset(question_terms(question))
        shared = (total_weight(asked & frozenset(question_terms(each.head + each.span.text))) for each in near)
        if best < OPEN and max(shared, default=0.0) >= _HELD * max(total_weight(asked), 1e-9):
            return Answered(state=NOT_KNOWN, reason="a passage has its words and may not answer", passage=passage)
        if best < OPEN:
            return Answered(state=NO_PAGE, reason="a model or a person has to confirm it", nearness=round(best, 3))
        return Answered(state=ANSWERED, passage=passage)

    def _unread(self, question: str) -> str:
        """Why a question cannot be judged by words and vectors of English; empty where it can."""
        if detect_language(question) not in _READ_LANGUAGES:
            return _OTHER_LANGUAGE
        asked = [word.lower() for word in words(question)]
        if len(asked) >= _FEWEST_STRANGE and not self.known.intersection(asked):
            return "the documents have none of its words: it may be in another language"
        return "" if read_question(question).terms else "it asks for nothing that could be looked up"

    def _speaks_of(self, question: str, answer: str, home: Passage) -> bool:
        """Whether an answer is near a question, and with the title of its page has most of its content words."""
        asked = frozenset(question_terms(question))
        held = asked & frozenset(question_terms(home.head + answer))
        one, other = self.encoder.encode([question, answer])
        return total_weight(held) >= _SHARED * total_weight(asked) and float(one @ other) >= _NEAR

    async def _by_model(self, questions: Sequence[str]) -> list[Answered]:
        """Have a language model read the passages nearest to each question; what it says counts if its quotes stand."""
        found = self.gates.nearest_passages([self.spelled(each) for each in questions], _READ_BY_MODEL, self.encoder)
        requests = [
            ReviewRequest(
                collection=Surroundings(about=""),
                passages=tuple(TaskPassage(title="", text=each.head + each.span.text) for each in near),
                pairs=(ProposedPair(question=question, answer=""),),
            )
            for question, near in zip(questions, found, strict=True)
        ]
        replies = await self.model.ask_all(REVIEWS, requests)
        return [
            _of_review(reply.value.items[0] if reply.value else None, reply.reason, [each.span for each in near])
            for reply, near in zip(replies, found, strict=True)
        ]


def _one_slip_away(word: str) -> set[str]:
    """What a word becomes by one letter more, less, changed or swapped; the first letter stays (Norvig 2007)."""
    cuts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    less = {head + tail[1:] for head, tail in cuts}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    more = {head + letter + rest for head, tail in cuts for letter in ascii_lowercase for rest in (tail, tail[1:])}
    return less | swapped | more


def _of_review(review: Review | None, why: str | None, near: Sequence[Span]) -> Answered:
    unsure = Answered(state=NOT_KNOWN, passage=near[0] if near else None)
    if review is None:
        return replace(unsure, reason=f"the model gave no answer: {why or 'it passes over it'}")
    answer = one_line(review.own_answer)
    if not answer or review.label == "unanswerable":
        return replace(unsure, state=NO_PAGE, label="unanswerable" if near else None)
    quotes = [quote for quote in review.own_quotes if quote.strip()]
    places = [next((each for each in near if quote in each.text), None) for quote in quotes]
    references = [
        _within(span, at := span.text.find(quote), at + len(quote))
        for quote, span in zip(quotes, places, strict=True)
        if span is not None
    ]
    if not references or None in places:
        return replace(unsure, reason="the model quotes nothing, or what stands in no passage")
    return Answered(
        state=ANSWERED,
        passage=places[0],
        answer=answer,
        references=tuple(dict.fromkeys(references)),
        label=review.label,
        keypoints=distinct_lines(review.keypoints) or (answer,),
    )


def _quoted(answer: str, passage: Passage) -> tuple[Span, ...]:
    """The sentences, items and rows of a passage that an answer is made of, verbatim; () where it is made of none."""
    shift = len(passage.head)
    places = []
    for unit in read_text(passage.head + passage.span.text).units:
        said = unit.text.strip(" ;,.|")
        cells = [cell.strip() for cell in unit.text.strip("| ").split("|")] if unit.kind == "row" else [said]
        if said and unit.start >= shift and all(cell in answer for cell in cells):
            places.append((unit.start - shift, unit.end - shift))
    return tuple(_within(passage.span, *place) for place in places)


def _within(span: Span, start: int, end: int) -> Span:
    """A stretch of a span. start, end: in its text."""
    return Span(document_id=span.document_id, start=span.start + start, end=span.start + end, text=span.text[start:end])
