"""A drafted pair as its review leaves it: accepted, mended or refused."""

from __future__ import annotations

from dataclasses import replace

from ragassay.generate.candidates import Candidate
from ragassay.generate.contexts import NOT_VERBATIM
from ragassay.generate.units import Unit
from ragassay.language import detect_language
from ragassay.records import Label
from ragassay.tasks.base import distinct_lines, one_line
from ragassay.tasks.drafting import Review
from ragassay.tasks.languages import language_name
from ragassay.text import words

_FEWEST_TOLD = 80
"""Characters of a pair from which on its language is told from its text."""
_NO_NAME = frozenset("he she his her they their him them".split())


def reviewed(unit: Unit, candidate: Candidate, review: Review) -> Candidate | str:
    """The pair as the judge leaves it, under the label that the judge gives; or why it is refused."""
    if review.verdict == "refuse":
        return _reason(review)
    mended = candidate
    question, answer = one_line(review.question), one_line(review.answer)
    if review.verdict == "repair":
        keypoints = distinct_lines(review.keypoints)
        if not (question or answer or keypoints):
            return f"to be repaired, and no repair came: {_reason(review)}"
        mended = replace(candidate, question=question or candidate.question)
        if answer:
            is_same = answer == candidate.answer
            mended = replace(mended, answer=answer, keypoints=keypoints or (candidate.keypoints if is_same else ()))
        elif candidate.answer and keypoints:
            mended = replace(mended, keypoints=keypoints)
    if fault := _contradiction(candidate, mended, review):
        return fault
    if mended.answer:
        place = unit.located(review.own_quotes) if mended is not candidate else None
        if place is not None:
            home, spans = place
            mended = replace(mended, ordinal=home.ordinal, context=home.span, references=spans)
        elif mended.answer != candidate.answer and review.own_quotes:
            return "the repaired answer rests on passages that the text does not have"
        mended = replace(mended, unanswerable_in=None)
        if not mended.references:
            return NOT_VERBATIM
        if not mended.keypoints:
            return "no keypoints"
    if mended is not candidate and (fault := language_fault(mended)):
        return fault
    first = next(iter(words(mended.answer)), "").lower()
    if first in _NO_NAME:
        return f"the answer begins with {first!r}, without a name"
    label: Label = "reasoning" if unit.is_joint and mended.answer else review.label
    return replace(mended, verified=label, question_type="multi_hop" if unit.is_joint else None)


def language_fault(candidate: Candidate) -> str | None:
    """Say that a pair is in another language than its own should be, where there is enough text to tell."""
    text = f"{candidate.question} {candidate.answer}"
    if len(text) < _FEWEST_TOLD or candidate.language == "und":
        return None
    told = detect_language(text)
    if told in ("und", candidate.language):
        return None
    return f"in {language_name(told) or told}, not {language_name(candidate.language) or candidate.language}"


def _reason(review: Review) -> str:
    said = review.reason.strip() or review.comparison
    return f"{said} ({', '.join(review.flaws)})" if review.flaws else said


def _contradiction(candidate: Candidate, mended: Candidate, review: Review) -> str | None:
    """What in a review speaks against its own verdict: such a pair is not delivered."""
    if mended.answer and review.label == "unanswerable":
        return "the judge finds no answer in the text"
    if not mended.answer and review.label != "unanswerable":
        return "the judge finds an answer, although none was given"
    if not mended.answer and review.own_answer.strip() and review.comparison != "both_open":
        return "the judge finds an answer to a question said to be open"
    is_repair = mended is not candidate
    stays_wrong = review.comparison in ("wrong", "unsupported", "lacks", "both_open")
    if candidate.answer and stays_wrong and not (is_repair and review.answer.strip()):
        return f"{review.verdict}ed although its answer is {review.comparison}"
    flaws = set(review.flaws) & {"not_alone", "ambiguous", "two_questions", "one_text_enough"}
    if flaws and not (is_repair and review.question.strip()):
        return f"{review.verdict}ed although its question is {', '.join(review.flaws)}"
    return None
