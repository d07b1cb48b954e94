"""One prediction's ranking seen three ways: by chunks, by documents, by the sentences of the references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ragassay.corpus.alignment import holds_words
from ragassay.metrics.retrieval.ranking import without_repeats
from ragassay.records import RankedChunk, Span


@dataclass(frozen=True)
class View:
    """What the ranking metrics take. ranked: ids of what was retrieved, best first.

    ground: for each thing to be found the ids that are right for it. Of what was not retrieved nothing is known, so a
    thing that no retrieved one holds counts as one right id that was missed.
    """

    ranked: Sequence[str]
    ground: Sequence[set[str]]

    @cached_property
    def right_ranks(self) -> list[int]:
        """Places from 1 at which something right stands."""
        right = set[str]().union(*self.ground)
        return [rank for rank, name in enumerate(self.ranked, start=1) if name in right]

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The evidence of a score on this view."""
        right = ", ".join(map(str, self.right_ranks))
        return (f"right at ranks {right}" if right else "nothing right was retrieved",)


def by_chunk(chunks: Sequence[RankedChunk], texts: Sequence[str], spans: Sequence[Span]) -> View:
    """Each chunk is an id, each ground span a thing to be found.

    A chunk is right for a span of its document if it covers at least half of it or lies at least half inside it; where
    some retrieved chunk holds a span whole, only such chunks are right for it. Where the place of one of them is not
    known (no document, or no offsets), the chunk is right if its text has the words of the span in their order.
    A chunk that is there again counts at its first place; after that it is a miss.
    texts: of the first chunks, as far as known.
    """
    names = [str(place) for place in range(len(chunks))]
    again = _repeats(chunks, texts)
    ground = []
    for number, span in enumerate(spans):
        shares = [_share(chunk, texts[place] if place < len(texts) else "", span) for place, chunk in enumerate(chunks)]
        needed = 1.0 if 1.0 in shares else 0.5
        right = {name for name, share in zip(names, shares, strict=True) if share >= needed and name not in again}
        ground.append(right or {_missed(number)})
    return View(names, ground)


def _repeats(chunks: Sequence[RankedChunk], texts: Sequence[str]) -> set[str]:
    """Names of chunks that stand further up already: with the same place, or where it is not known the same text."""
    seen: set[tuple[str, int, int] | str] = set()
    again = set()
    for number, chunk in enumerate(chunks):
        text = texts[number] if number < len(texts) else chunk.chunk_id
        known = bool(chunk.document_id) and chunk.end > chunk.start
        what = (chunk.document_id, chunk.start, chunk.end) if known else text
        if what in seen:
            again.add(str(number))
        seen.add(what)
    return again


def by_document(chunks: Sequence[RankedChunk], spans: Sequence[Span]) -> View:
    """Each document stands where its first chunk does; each different document of the ground spans is to be found."""
    wanted = dict.fromkeys(span.document_id for span in spans)
    return View(without_repeats(chunk.document_id for chunk in chunks), [{document} for document in wanted])


def by_sentence(texts: Sequence[str], sentences: Sequence[str]) -> View:
    """Each chunk is an id, each different sentence of a reference a thing to be found: in chunks that contain it."""
    names = [str(place) for place in range(len(texts))]
    ground = []
    for number, sentence in enumerate(dict.fromkeys(sentences)):
        right = {name for name, text in zip(names, texts, strict=True) if sentence in text}
        ground.append(right or {_missed(number)})
    return View(names, ground)


def _missed(number: int) -> str:
    return f"missed {number}"


def _share(chunk: RankedChunk, text: str, span: Span) -> float:
    """Greater of the shares that the common stretch has of the span and, below 1, of the chunk; 1 is the span whole."""
    if not chunk.document_id or chunk.end <= chunk.start or span.end <= span.start:
        return float(bool(span.text) and (span.text in text or holds_words(text, span.text)))
    if chunk.document_id != span.document_id:
        return 0.0
    shared = min(chunk.end, span.end) - max(chunk.start, span.start)
    if shared <= 0:
        return 0.0
    of_span = shared / (span.end - span.start)
    return of_span if of_span == 1 else min(0.99, max(of_span, shared / (chunk.end - chunk.start)))
