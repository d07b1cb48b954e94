"""Candidate pairs before they are judged: a statement, its question, and where in the document both rest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ragassay.records import Critique, Document, Example, Label, Provenance, Scope, Span, content_id
from ragassay.tasks.questions import Question
from ragassay.tasks.statements import Statement

SYNTHESIZER = "statements"
_SCOPE: Mapping[str, Scope] = {
    "missing_attribute": "document",
    "missing_key": "document",
    "missing_option": "document",
    "undocumented_default": "context",
    "moved_fact": "context",
}
"""How far the rules that know it have looked for the answer, by pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A pair on its way to becoming an example.

    ordinal: of its document in the order of the visit. unanswerable_in: see ``Provenance``.
    """

    ordinal: int
    label: Label
    question: str
    answer: str
    pattern: str
    statement: str
    keypoints: tuple[str, ...]
    context: Span
    references: tuple[Span, ...]
    language: str
    unanswerable_in: Scope | None = None
    verified: Label | None = None
    critiques: tuple[Critique, ...] = ()

    @property
    def quality(self) -> float:
        """Mean rating of its critiques, in [1, 5]; 0 where there is none."""
        values = [critique.value for critique in self.critiques if critique.value is not None]
        return sum(values) / len(values) if values else 0.0

    def judged(self, verified: Label, critiques: tuple[Critique, ...]) -> Candidate:
        return replace(self, verified=verified, critiques=critiques)

    def as_example(self, model: str) -> Example:
        provenance = Provenance(
            synthesizer=SYNTHESIZER,
            model=model,
            pattern=self.pattern,
            statement=self.statement,
            unanswerable_in=self.unanswerable_in,
        )
        return Example(
            id=content_id("q", self.question, self.context.document_id, str(self.context.start), str(self.context.end)),
            question=self.question,
            answer=self.answer,
            context=self.context,
            references=self.references,
            keypoints=self.keypoints,
            requested_label=self.label,
            verified_label=self.verified,
            provenance=provenance,
            language=self.language,
            critiques=self.critiques,
        )


def located(document: Document, start: int, end: int, quotes: Sequence[str]) -> tuple[Span, ...] | None:
    """The quotes as spans of the document between two offsets, in order, joined where they touch; None if one lacks.

    A quote may differ from the document in white space only.
    """
    spans: list[tuple[int, int]] = []
    text = document.text
    for quote in quotes:
        if not quote.strip():
            return None
        place = text.find(quote, start, end)
        if place >= 0:
            spans.append((place, place + len(quote)))
            continue
        pattern = r"\s+".join(re.escape(word) for word in quote.split())
        match = re.compile(pattern).search(text, start, end)
        if match is None:
            return None
        spans.append(match.span())
    merged: list[tuple[int, int]] = []
    for first, last in sorted(set(spans)):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(document.span(first, last) for first, last in merged)


def from_statement(
    document: Document, ordinal: int, label: Label, context: Span, statement: Statement, question: Question
) -> Candidate | None:
    """The candidate, or None where the statement's quotes are not in the context verbatim."""
    references = located(document, context.start, context.end, statement.quotes)
    if not references:
        return None
    return Candidate(
        ordinal=ordinal,
        label=label,
        question=question.question,
        answer=question.answer,
        pattern=question.pattern,
        statement=statement.text,
        keypoints=(),
        context=context,
        references=references,
        language=document.language,
    )


def from_miss(document: Document, ordinal: int, context: Span, miss: Question, *, is_whole: bool) -> Candidate:
    """An unanswerable candidate: a question beside a context that does not answer it.

    is_whole: the context is all of its document.
    """
    return Candidate(
        ordinal=ordinal,
        label="unanswerable",
        question=miss.question,
        answer="",
        pattern=miss.pattern,
        statement="",
        keypoints=(),
        context=context,
        references=(),
        language=document.language,
        unanswerable_in=_SCOPE.get(miss.pattern, "document" if is_whole else "context"),
    )
