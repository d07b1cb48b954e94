"""Candidate pairs before they are judged, what makes them, and where in the document their quotes stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from ragassay.records import Critique, Difficulty, Document, Example, Label, Provenance, Scope, Span, content_id

DRAFTS, STATEMENTS = "drafts", "statements"
RULES = "rules"
"""What provenance, settings and reports call sets that were made without a language model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A pair on its way to becoming an example.

    ordinal: of its document in the order of the visit. label: the one that was asked for, None where none was.
    pattern: the rule that wrote it; empty for a language model. unanswerable_in: see ``Provenance``.
    """

    ordinal: int
    label: Label | None
    question: str
    answer: str
    context: Span
    references: tuple[Span, ...]
    language: str
    pattern: str = ""
    statement: str = ""
    keypoints: tuple[str, ...] = ()
    unanswerable_in: Scope | None = None
    verified: Label | None = None
    critiques: tuple[Critique, ...] = ()
    synthesizer: str = STATEMENTS
    question_type: str | None = None
    difficulty: Difficulty | None = None

    @property
    def quality(self) -> float:
        """Mean rating of its critiques, in [1, 5]; 0 where there is none."""
        values = [critique.value for critique in self.critiques if critique.value is not None]
        return sum(values) / len(values) if values else 0.0

    def as_example(self, model: str) -> Example:
        provenance = Provenance(
            synthesizer=self.synthesizer,
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
            question_type=self.question_type,
            critiques=self.critiques,
            difficulty=self.difficulty,
        )


class Strategy(Protocol):
    """A way of making candidate pairs.

    name: what provenance and reports call it. dropped: reason to what was lost before it was a candidate.
    """

    @property
    def name(self) -> str: ...

    @property
    def dropped(self) -> Counter[str]: ...

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """Candidates from (ordinal, document) pairs, in their order, none that was given before.

        wanted: the labels that are still short, empty where any will do. A strategy that can be asked for a label
        gives candidates of these alone; one that cannot leaves ``Candidate.label`` None, and the judge's label counts.
        all_allowed: enough for all that a document may give; otherwise enough for one example of each label.
        """
        ...


def located(document: Document, start: int, end: int, quotes: Sequence[str]) -> tuple[Span, ...] | None:
    """The quotes as spans of the document between two offsets, in order, joined where they touch; None if one lacks.

    A quote may differ from the document in white space only. One that stands in several places is found where the
    quotes follow each other in the order in which they are given, or else where it stands first.
    """
    places = [occurrences(document.text, start, end, quote) for quote in quotes]
    if not all(places):
        return None
    chosen = _in_order(places) or [found[0] for found in places]
    merged: list[tuple[int, int]] = []
    for first, last in sorted(set(chosen)):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(document.span(first, last) for first, last in merged)


_MOST_OCCURRENCES = 50


def occurrences(text: str, start: int, end: int, quote: str) -> list[tuple[int, int]]:
    """Where a quote stands, in order; as it is written where it stands so, else with other white space."""
    if not quote.strip():
        return []
    found: list[tuple[int, int]] = []
    at = text.find(quote, start, end)
    while at >= 0 and len(found) < _MOST_OCCURRENCES:
        found.append((at, at + len(quote)))
        at = text.find(quote, at + len(quote), end)
    if found:
        return found
    loose = re.compile(r"\s+".join(re.escape(word) for word in quote.split()))
    return [match.span() for match in islice(loose.finditer(text, start, end), _MOST_OCCURRENCES)]


def _in_order(places: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]] | None:
    """One place for each quote, each behind the one before, as close together as can be; None where they do not follow.

    'max_wal_size', 'The default is 1 GB.': the sentence behind the name and not the like one before it.
    """
    best: list[tuple[int, int]] | None = None
    for first in places[0] if places else ():
        chain = [first]
        for options in places[1:]:
            following = next((place for place in options if place[0] >= chain[-1][1] or place == chain[-1]), None)
            if following is None:
                break
            chain.append(following)
        if len(chain) == len(places) and (best is None or chain[-1][1] - chain[0][0] < best[-1][1] - best[0][0]):
            best = chain
    return best
