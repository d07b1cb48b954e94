"""Where texts of other people stand in our documents: chunks that a system returned, references that a row holds.

Retrieval metrics compare places, and others name documents in their own way: the text tells, whatever a splitter made
of it. One that stands at several places counts at each of them.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import PurePath
from types import MappingProxyType

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.texts import Texts, unplaced
from ragassay.documents.alignment import Alignment
from ragassay.documents.alignment import Place as Aligned
from ragassay.records import Document, Example, Place, Prediction, RankedChunk, Span
from ragassay.text import FEWEST_TELLING, LINK_TARGET, places_of, words

MOST_INDEXED_CHARS = 40_000_000
"""Of larger corpora only documents that a system names are looked through: the index takes 40 bytes a word."""
INDEXES_KEPT = 64

_BEFORE = string.whitespace + ".,;:!?…)]}»”|"
"""Signs that end what stands before a place."""
_BEHIND = string.whitespace + "([{«“#*+-–>|"
"""Signs that begin what stands behind it."""


class Placer:
    """Knows the documents. Memory holds their names, and an index of their words where they are not too long for it."""

    def __init__(
        self,
        documents: Iterable[Document] = (),
        own: Mapping[str, RankedChunk] = MappingProxyType({}),
        *,
        only_named: bool = False,
    ) -> None:
        """own: chunks of known places by their ids. only_named: look in documents that a chunk names."""
        self._own = own
        self._only_named = only_named
        self._texts = Texts()
        self._ids: list[str] = []
        self._numbers: dict[str, int] = {}
        self._ids_of: dict[str, set[str]] = {}
        self._chars = 0
        for document in documents:
            self.add(document)
        self._places = lru_cache(maxsize=50_000)(self._placed)
        self._single = lru_cache(maxsize=INDEXES_KEPT)(lambda each: Alignment([self._texts.get(each) or ""]))
        self._all: Alignment | None = None

    def add(self, document: Document) -> None:
        """Before anything is placed. Of two with the same id the first counts."""
        if not self._texts.add(document.id, document.text):
            return
        self._numbers[document.id] = len(self._ids)
        self._ids.append(document.id)
        for name in {document.source, PurePath(document.source).name, document.title} - {""}:
            self._ids_of.setdefault(name, set()).add(document.id)
        self._chars += len(document.text)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._texts

    def standing(self, span: Span) -> list[Place]:
        """Return the places of a span at which its text stands; those of no length too, of documents as a whole."""
        found = []
        for place in span.places:
            text = self._texts.get(place.document_id)
            is_whole = place.end <= place.start
            if text is not None and (is_whole or text[place.start : place.end].split() == span.text.split()):
                found.append(place)
        return found

    def moved(self, span: Span) -> list[Place]:
        """Return the place of a text within its own document, which was edited, the nearest to where it stood."""
        found = places_of(span.text, self._texts.get(span.document_id) or "", span.start)
        return [Place(span.document_id, *place) for place in found[:1]]

    def placed(self, prediction: Prediction, ground: Sequence[Span] = ()) -> Prediction:
        """Return the prediction with its chunks in their places; one that no document holds stays as it is.

        Of several places of a text one that is right for the ground spans counts, else the first.
        """
        chunks = tuple(self.placed_chunk(chunk, ground) for chunk in prediction.chunks)
        return prediction if chunks == prediction.chunks else replace(prediction, chunks=chunks)

    def close(self) -> None:
        """Remove what lies on disk."""
        self._texts.close()

    def placed_chunk(self, chunk: RankedChunk, ground: Sequence[Span] = ()) -> RankedChunk:
        """As ``placed``, of one chunk."""
        own = self._own.get(chunk.chunk_id) or self._own.get(chunk.text or "")
        if own is not None and chunk.text in (None, "", own.text, own.chunk_id):
            return replace(own, score=chunk.score)
        if chunk.document_id in self._texts and chunk.end > chunk.start and not chunk.text:
            return chunk
        places = self._places(chunk.document_id or chunk.chunk_id, chunk.text or "", chunk.start, chunk.end)
        if not places:
            return chunk
        right = (place for place in places if any(place.overlaps(each) for span in ground for each in span.places))
        place = next(right, places[0])
        return replace(chunk, document_id=place.document_id, start=place.start, end=place.end)

    def everywhere(self, texts: Sequence[str]) -> list[list[Place]]:
        """Return the places of each text: of all of its words, else of those that its best place has."""
        best: list[tuple[float, str, list[Place]]] = [(0.0, "", []) for _ in texts]
        for ids, alignment in self._batches():
            for row, text in enumerate(texts):
                found = alignment.everywhere(text)
                if not found and (place := alignment.find(text)) is not None:
                    found = [place, *self._copies(alignment, ids, place, None)]
                if not found or found[0].share < best[row][0]:
                    continue
                held = " ".join(self._held(ids, found[0]).split())
                places = [self._trimmed(ids, place, text) for place in found]
                if found[0].share > best[row][0]:
                    best[row] = (found[0].share, held, places)
                elif held == best[row][1]:
                    best[row][2].extend(places)
        return [places for _, _, places in best]

    def _placed(self, name: str, text: str, start: int, end: int) -> tuple[Place, ...]:
        named = self.named(name)
        for document_id in named:
            if end > start and (self._texts.get(document_id) or "")[start:end].strip() == text.strip():
                return (Place(document_id, start, end),)
        if text.strip() and (found := self._found(named, text)):
            return found
        if name in self._texts and start < end <= len(self._texts.get(name) or ""):
            return (Place(name, start, end),)  # its own words for what stands there
        if len(named) == 1 and not text:  # a system that names documents alone: all of it
            return (Place(named[0], 0, len(self._texts.get(named[0]) or "")),)
        return (Place(named[0], 0, 0),) if len(named) == 1 else ()

    def _found(self, named: list[str], text: str) -> tuple[Place, ...]:
        if self._chars > MOST_INDEXED_CHARS:
            looked: Iterable[tuple[list[str], Alignment, list[int] | None]] = (
                ([each], self._single(each), None) for each in named
            )
        else:
            if self._all is None:
                self._all = Alignment(self._texts.get(each) or "" for each in self._ids)
            looked = [(self._ids, self._all, [self._numbers[each] for each in named])] if named else []
            looked += [] if self._only_named else [(self._ids, self._all, None)]
        for ids, alignment, inside in looked:
            place = alignment.find(text, inside)
            if place is not None:
                copies = self._copies(alignment, ids, place, inside)
                return tuple(self._trimmed(ids, each, text) for each in (place, *copies))
        return ()

    def _batches(self) -> Iterator[tuple[list[str], Alignment]]:
        ids: list[str] = []
        chars = 0
        for document_id in [*self._ids, None]:
            size = len(self._texts.get(document_id) or "") if document_id is not None else MOST_INDEXED_CHARS
            if ids and chars + size > MOST_INDEXED_CHARS:
                yield ids, Alignment(self._texts.get(each) or "" for each in ids)
                ids, chars = [], 0
            if document_id is not None:
                ids.append(document_id)
                chars += size

    def _held(self, ids: Sequence[str], place: Aligned) -> str:
        return (self._texts.get(ids[place.document]) or "")[place.start : place.end]

    def _copies(self, alignment: Alignment, ids: list[str], place: Aligned, inside: list[int] | None) -> list[Aligned]:
        copies = alignment.everywhere(self._held(ids, place), inside, surely=True)
        return [each._replace(share=place.share) for each in copies if each[:3] != place[:3]]

    def _trimmed(self, ids: Sequence[str], place: Aligned, text: str) -> Place:
        """Return the place of the very text where it stands there, else of its words and the signs around."""
        document_id, held = ids[place.document], self._held(ids, place)
        at = held.find(text.strip())
        if at >= 0:
            return Place(document_id, place.start + at, place.start + at + len(text.strip()))
        own = held.lstrip(_BEFORE)
        start = place.start + len(held) - len(own)
        return Place(document_id, start, start + len(own.rstrip(_BEHIND)))

    def named(self, name: str) -> list[str]:
        """Return the documents that a name may stand for, by id, source, file name or title."""
        if name in self._texts:
            return [name]
        for form in (name, PurePath(name.replace("\\", "/")).name):
            if form and form in self._ids_of:
                return sorted(self._ids_of[form])
        return []

    def span(self, places: Sequence[Place]) -> Span:
        """Return a reference in its places: with the document's own words."""
        place = places[0]
        held = (self._texts.get(place.document_id) or "")[place.start : place.end]
        return Span(
            document_id=place.document_id, start=place.start, end=place.end, text=held, elsewhere=tuple(places[1:])
        )


LOST = "references whose text stands in no document, so that no search finds them"
PARTLY = "quotes only partly in the documents, which count as found; check their answers"


def with_places(records: Iterable[Record], notes: Notes, *, are_references: bool, where: str) -> Iterator[Record]:
    """Yield the records with reference texts in their places; examples wait for all documents.

    A text of unknown place is looked for, and one whose document was edited, so that it stands there no more: a set
    made of other versions of the documents never counts places that hold other words by now.

    are_references: the documents are nothing but what references of rows were made into, where a text stands in others
    word for word. A set of which no reference can be placed is a fault. where: what is said of the set in its message.
    """
    waiting: list[Example] = []
    with closing(Placer()) as placer:
        for record in records:
            if isinstance(record, Document):
                placer.add(record)
            if isinstance(record, Example):
                waiting.append(record)
            else:
                yield record
        yield from _in_place(waiting, placer, notes, are_references, where)


def _in_place(
    examples: Sequence[Example], placer: Placer, notes: Notes, are_references: bool, where: str
) -> Iterator[Example]:
    spans = dict.fromkeys(span for example in examples for span in (*example.references, example.context))
    known_places: dict[Span, list[Place]] = {}
    if not are_references:
        known_places = {span: places for span in spans if (places := placer.standing(span) or placer.moved(span))}
    is_open = {span for span in spans if span.text.strip() and span not in known_places}
    # few words of a document that was edited stand in any other one
    looked_for = {
        span
        for span in is_open
        if are_references or span.document_id not in placer or len(words(span.text)) >= FEWEST_TELLING
    }
    texts = list(dict.fromkeys(span.text for span in spans if span in looked_for)) if len(placer) else []
    found = {text: places for text, places in zip(texts, placer.everywhere(texts), strict=True) if places}

    def placed(span: Span) -> Span:
        if places := known_places.get(span):
            first, *others = places
            text = span.text if first == span.places[0] else placer.span(places).text
            return Span(**asdict(first), text=text, grade=span.grade, elsewhere=tuple(others))
        if span not in is_open:
            return span
        if span not in looked_for or span.text not in found:
            return span if are_references or not len(placer) else unplaced("", span.text)
        if not are_references:
            return placer.span(found[span.text])
        own = Place(span.document_id, span.start, span.end)
        return replace(span, elsewhere=tuple(place for place in found[span.text] if place != own))

    references = [span for example in examples for span in example.references]
    if is_open and len(placer) and not are_references:
        lost = [not (span in looked_for and span.text in found) for span in references if span in is_open]
        notes.add(LOST, sum(lost))
        asked = {span.text for span in references}
        held = {text: Counter(words(placer.span(places).text)) for text, places in found.items() if text in asked}
        notes.add(PARTLY, sum(not Counter(words(LINK_TARGET.sub("", text))) <= of for text, of in held.items()))
        if lost and all(lost) and len(lost) == len(references):
            said = f"none of its {len(lost):,} reference texts stands in the documents"
            notes.fault(f"{where}: {said}; name those that they are from with --documents")
    for example in examples:
        own = tuple(dict.fromkeys(map(placed, example.references)))
        yield replace(example, references=own, context=placed(example.context))


def is_collection(examples: Iterable[Example], documents: Iterable[Document]) -> bool:
    """Return whether documents are to be searched: they have a title, or are no reference from end to end."""
    references = {(span.document_id, span.text) for example in examples for span in example.references}
    return any(document.title or (document.id, document.text) not in references for document in documents)
