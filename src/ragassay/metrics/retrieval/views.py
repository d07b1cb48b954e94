"""One prediction's ranking seen three ways: by chunks, by documents, by the sentences of the references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ragassay.corpus.alignment import holds_words, lies_in
from ragassay.records import Place, RankedChunk, Span


@dataclass(frozen=True)
class View:
    """What the ranking metrics take. ranked: ids of what was retrieved, best first.

    ground: for each thing to be found the retrieved ids that are right for it, none where it was not found. Whether one
    is right depends on it alone, never on what else was retrieved. grades: of the ids, where they are graded.
    """

    ranked: Sequence[str]
    ground: Sequence[set[str]]
    grades: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def right_ranks(self) -> list[int]:
        """Places from 1 at which something right stands."""
        right = set[str]().union(*self.ground)
        return [rank for rank, name in enumerate(self.ranked, start=1) if name in right]

    @cached_property
    def told(self) -> tuple[str, ...]:
        """Return the evidence of a score on this view."""
        right = ", ".join(map(str, self.right_ranks))
        return (f"right at ranks {right}" if right else "nothing right was retrieved",)


def by_chunk(chunks: Sequence[RankedChunk], texts: Sequence[str], spans: Sequence[Span]) -> View:
    """Each chunk is an id, each ground span a thing to be found.

    A chunk is right for a span of its document if it covers at least half of it or lies at least half inside it, as
    ``evaluation.relevance`` has it for all chunks of a collection. Where the place of one of them is not known (no
    document, or no offsets), the chunk is right if its text has the words of the span in their order, or stands in it.
    A chunk that is there again (``repeats``) counts at its first place; after that it is a miss.
    texts: of the first chunks, as far as known.
    """
    again = repeats(chunks, texts)
    known = [(str(place), chunk, texts[place] if place < len(texts) else "") for place, chunk in enumerate(chunks)]
    first = [each for place, each in enumerate(known) if place not in again]
    ground = [{name for name, chunk, text in first if _is_right(chunk, text, span)} for span in spans]
    return View([name for name, _, _ in known], ground)


def repeats(chunks: Sequence[RankedChunk], texts: Sequence[str]) -> set[int]:
    """Places from 0 of chunks that stand further up already.

    Equal chunks have the same offsets in the same document; where these are not known, the same text, or without any
    the same id. Of chunks that name none of these nothing is known.
    """
    seen: set[tuple[str, int, int] | str] = set()
    again = set()
    for place, chunk in enumerate(chunks):
        known = bool(chunk.document_id) and chunk.end > chunk.start
        text = (texts[place] if place < len(texts) else "") or chunk.chunk_id
        what = (chunk.document_id, chunk.start, chunk.end) if known else text
        if what and what in seen:
            again.add(place)
        seen.add(what)
    return again


def by_document(chunks: Sequence[RankedChunk], spans: Sequence[Span]) -> View:
    """Each document stands where its first chunk does; each different document of the ground spans is to be found.

    Of a span that stands in several documents, one of them is.
    """
    wanted = dict.fromkeys(frozenset(place.document_id for place in span.places) for span in spans)
    grades = {span.document_id: span.grade for span in spans if span.grade is not None}
    return View([*dict.fromkeys(chunk.document_id for chunk in chunks)], [set(each) for each in wanted], grades)


def by_sentence(texts: Sequence[str], sentences: Sequence[str]) -> View:
    """Each chunk is an id, each different sentence of a reference a thing to be found: in chunks that contain it."""
    names = [str(place) for place in range(len(texts))]
    ground = [
        {name for name, text in zip(names, texts, strict=True) if sentence in text}
        for sentence in dict.fromkeys(sentences)
    ]
    return View(names, ground)


def _is_right(chunk: RankedChunk, text: str, span: Span) -> bool:
    if not chunk.document_id or chunk.end <= chunk.start or span.end <= span.start:
        return holds_words(text, span.text) or lies_in(text, span.text)
    place = Place(chunk.document_id, chunk.start, chunk.end)
    return any(map(place.overlaps, span.places))
