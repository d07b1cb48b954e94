"""Two questions in one on the same thing: "When was it built and what is it made of?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.drafting import Written, written
from ragassay.models.embedded.prose.framing import decapitalised
from ragassay.models.embedded.prose.passages import (
    LEAST_FACT,
    Line,
    ReadPassage,
    Section,
    fact_acceptability,
    finished,
)
from ragassay.models.embedded.prose.summaries.sketch import Sketch
from ragassay.models.embedded.prose.wording import is_joined

if TYPE_CHECKING:
    from spacy.tokens import Token

_THING = re.compile(r"\bit\b")
LONGEST_HALF = 13
"""Words of either question."""
NEAR = 2
"""Sentences between the two, at most."""
PER_SECTION = 3
FIT = frozenset(
    {
        "time",
        "place",
        "why",
        "how",
        "how_many",
        "object",
        "whom",
        "use",
        "agent",
        "meaning",
        "what_is",
        "how_to",
        "what_do",
    }
)
"""Forms that stand well beside another question."""
CASES = frozenset({"what_do", "what_if"})
"""Forms that two cases are asked for with, of whatever subject."""


def compounds(read: ReadPassage) -> Iterator[Sketch]:
    for section in read.sections:
        drafts = [
            (at, line, draft)
            for at, line in enumerate(section.lines)
            for draft in written(section.setting, line.sentence, line.doc, line.resolved, dict(line.literals))
            if draft.form in FIT | CASES and fact_acceptability(draft, line, section.setting) >= LEAST_FACT
            if not draft.unresolved and not draft.outward and not draft.risky
            if " unless " not in draft.question
            if len(draft.question.split()) <= LONGEST_HALF + 4 * (draft.form in CASES)
        ]
        dated = {draft.clause.verb.idx + (at << 16) for at, _, draft in drafts if draft.form == "time"}
        drafts = [d for d in drafts if d[2].form != "place" or d[2].clause.verb.idx + (d[0] << 16) not in dated]
        sketches = sorted(_pairs(drafts, section), key=lambda sketch: len(sketch.question))
        used: set[tuple[int, int]] = set()
        for sketch in sketches:
            if not used & set(sketch.spans) and len(used) < 2 * PER_SECTION:
                used |= set(sketch.spans)
                yield sketch


def _pairs(drafts: Sequence[tuple[int, Line, Written]], section: Section) -> Iterator[Sketch]:
    for number, (at, line, first) in enumerate(drafts):
        for other_at, other_line, second in drafts[number + 1 :]:
            if other_at - at > NEAR or other_at == at:
                continue
            question = _joined(first, line, second, other_line)
            if not question or (
                _THING.search(question) and section.setting.name is not None and section.setting.name.person
            ):
                continue
            yield Sketch(
                question,
                [line.whole(set()), other_line.whole(set())],
                (*line.spans, *other_line.spans),
                "compound_cases" if first.form in CASES and second.form in CASES else "compound",
                section.setting,
                True,
                features={
                    "fact": min(
                        fact_acceptability(first, line, section.setting),
                        fact_acceptability(second, other_line, section.setting),
                    ),
                    f"first_{first.form}": 1.0,
                    f"second_{second.form}": 1.0,
                    "gap": float(other_at - at),
                },
            )


def _joined(first: Written, line: Line, second: Written, other: Line) -> str:
    """The two questions in one; empty if they are not on one thing, or one gives the other's answer away."""
    if _content(first.answer_tokens, line) & _content(second.question_tokens, other):
        return ""
    if _content(second.answer_tokens, other) & _content(first.question_tokens, line):
        return ""
    if first.form in CASES and second.form in CASES:
        text = other.wording.write(second.asked.question, asker=True, forms=second.asked.forms)
        return finished(f"{first.question.rstrip('?')}, and {decapitalised(text)}")
    if first.form == second.form or first.form in CASES or second.form in CASES:
        return ""
    text = _second_half(first, line, second, other)
    comma = "," if "," in first.question or len(first.question.split()) > 8 else ""
    return finished(f"{first.question.rstrip('?')}{comma} and {decapitalised(text)}") if text else ""


def _second_half(first: Written, line: Line, second: Written, other: Line) -> str:
    head, other_head = first.clause.head, second.clause.head
    mine = first.clause.second_person and second.clause.second_person
    if mine and "object" in (first.form, second.form):
        return ""
    if mine:
        return other.wording.write(second.asked.question, asker=True, forms=second.asked.forms)
    if head is None or other_head is None or head.lower_ in ("we", "i", "there", "you"):
        return ""
    name = line.words(first.clause.subject, asker=True)
    other_name = other.words(second.clause.subject, asker=True)
    if name.lower() != other_name.lower() or name.lower() not in first.question.lower():
        return ""
    text = other.wording.write(_with_pronoun(second, other_head), asker=True, named={name}, forms=second.asked.forms)
    return "" if name.lower() in text.lower() else text


def _with_pronoun(draft: Written, head: Token) -> list[Token | str]:
    """The words of the question; a subject that repeats the name of a thing becomes "it" or "they"."""
    if head.pos_ == "PRON":
        return list(draft.asked.question)
    if head.ent_type_ == "PERSON" or (head.pos_ == "PROPN" and draft.clause.subject[0].lower_ != "the"):
        return list(draft.asked.question)
    subject = {token.i for token in draft.clause.subject}
    pronoun = "they" if head.tag_ in ("NNS", "NNPS") or is_joined(head) else "it"
    pieces: list[Token | str] = []
    placed = False
    for piece in draft.asked.question:
        if not isinstance(piece, str) and piece.i in subject:
            if not placed:
                pieces.append(pronoun)
                placed = True
            continue
        pieces.append(piece)
    return pieces


def _content(tokens: Sequence[Token], line: Line) -> set[str]:
    known = {"be", "have", "do"}
    return {
        t.lemma_.lower()
        for t in tokens
        if t.pos_ in ("NOUN", "PROPN", "VERB", "NUM") and t.lemma_ not in known and t.i not in line.resolved.references
    }
