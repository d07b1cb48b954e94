"""The contexts that synthesizers ask about: passages of a document, or the whole of it, ready for a model."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragassay.documents.passages import PassageSpan, passages, sorted_out
from ragassay.generate.candidates import Candidate, located
from ragassay.generate.collection import Collection
from ragassay.generate.options import SetPlan
from ragassay.records import Document, Label, Span
from ragassay.tasks.statements import Passage

_OPENING_CHARS = 600
NOTHING_TO_ASK = "no passage of the document to ask about"
NOT_VERBATIM = "reference not verbatim in its context"


@dataclass(frozen=True, slots=True)
class Context:
    """A stretch of a document that is asked about. ordinal: of the document in the order of the visit."""

    document: Document
    ordinal: int
    span: Span
    passage: Passage

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all others."""
        return self.document.id, self.span.start, self.span.end

    def located(self, quotes: Sequence[str]) -> tuple[Span, ...] | None:
        """The quotes as spans of the document; None where one is not in the context verbatim."""
        return located(self.document, self.span.start, self.span.end, quotes)

    def candidate(
        self,
        question: str,
        answer: str,
        quotes: Sequence[str],
        *,
        synthesizer: str,
        label: Label | None = None,
        statement: str = "",
    ) -> Candidate | None:
        """A pair about this context; None where a quote is not in it verbatim."""
        references = self.located(quotes)
        if not references:
            return None
        return Candidate(
            ordinal=self.ordinal,
            label=label,
            question=question,
            answer=answer,
            statement=statement,
            context=self.span,
            references=references,
            language=self.document.language,
            synthesizer=synthesizer,
        )


class Contexts:
    """Cuts documents into contexts. dropped: reason to documents that gave none."""

    def __init__(self, collection: Collection, options: SetPlan) -> None:
        self._collection = collection
        self._options = options
        self.dropped: Counter[str] = Counter()

    def of(self, document: Document, ordinal: int, *, all_allowed: bool) -> list[Context]:
        """The contexts of a document, in their order: all of them, or a few on a first visit.

        Trivial text gives none, and a whole document that is longer than ``max_context_chars`` is left out; both are
        counted.
        """
        if self._options.whole_documents:
            places = self._whole(document)
        else:
            places, left_out = sorted_out(document, self._options.context_chars)
            self.dropped.update(f"passage left out as trivial: {why}" for why in left_out if why != "too short")
            if not places:
                self.dropped[NOTHING_TO_ASK] += 1
        if not all_allowed:
            places = self.few(places, document)
        return [
            Context(document, ordinal, document.span(place.start, place.end), self.passage(document, *place))
            for place in places
        ]

    def _whole(self, document: Document) -> list[PassageSpan]:
        text = document.text
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        if end - start > self._options.max_context_chars:
            self.dropped[self._options.too_long] += 1
            return []
        if not passages(document, self._options.max_context_chars):
            self.dropped[NOTHING_TO_ASK] += 1
            return []
        return [PassageSpan(start, end, ())]

    def few(self, places: Sequence[PassageSpan], document: Document) -> list[PassageSpan]:
        """One of a document's passages, by chance, where it has any: all that a first visit reads."""
        chance = random.Random(f"{self._options.seed} {document.id} 1")
        return chance.sample(places, min(1, len(places)))

    def passage(self, document: Document, start: int, end: int, section: Sequence[str]) -> Passage:
        """A stretch of a document with what its document and the collection tell of it."""
        return Passage(
            title=self._collection.own_title(document.title),
            section=tuple(section),
            text=document.text[start:end],
            language=document.language,
            opening=document.text[:_OPENING_CHARS],
        )
