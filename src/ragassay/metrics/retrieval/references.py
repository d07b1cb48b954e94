"""Which chunks are right: by offsets, seen by chunks, documents and sentences; what RAGEval asks of references."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from ragassay.documents.alignment import holds_words, lies_in
from ragassay.errors import RecordError
from ragassay.records import Example, Place, RankedChunk, Span
from ragassay.retrieval.chunk_table import ChunkTable, document_keys, spread

Int64Array = npt.NDArray[np.int64]
RightChunks = list[list[set[int]]]
"""Of each question, for each ground span the ordinals of the chunks that are right for it."""


def right_chunks(examples: Sequence[Example], document_ids: Sequence[str], table: ChunkTable) -> RightChunks:
    """The right chunks of every ground span of every example (``Example.ground_spans``).

    A chunk is right for a span if it covers at least half of it or lies at least half inside it. That depends on no
    other chunk, so it can be told of recorded chunks too, of which the rest is not known (``by_chunk``).
    document_ids: in the order in which ``table`` counts documents.
    Raises RecordError where a span names a document that is not there.
    """
    ordinals = {document_id: ordinal for ordinal, document_id in enumerate(document_ids)}
    spans: list[set[int]] = []
    right: RightChunks = []
    places: list[tuple[int, int, int, int]] = []
    for example in examples:
        right.append([])
        for span in example.ground_spans:
            known = [each for each in span.places if each.document_id in ordinals]
            is_gap = not span.document_id or (not span.text and span.end <= span.start)  # no chunk is right for it
            if not known and not is_gap:
                raise RecordError(
                    f"example {example.id} refers to document {span.document_id}, which is not in the "
                    "corpus; add the document or drop the example"
                )
            places += [(len(spans), ordinals[each.document_id], each.start, each.end) for each in known]
            spans.append(set())
            right[-1].append(spans[-1])
    of_span, documents, starts, ends = np.array(places, np.int64).reshape(-1, 4).T
    found, chunks = _right_pairs(table, documents, starts, ends)
    for span, chunk in zip(of_span[found].tolist(), chunks.tolist(), strict=True):
        spans[span].add(chunk)
    return right


def _right_pairs(
    table: ChunkTable, documents: Int64Array, starts: Int64Array, ends: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """(span, chunk) of every pair that is right, sorted by span, then chunk."""
    spans, chunks = _touching(table, documents, starts, ends)
    chunk_starts, chunk_ends = table.starts[chunks], table.ends[chunks]
    shared = np.minimum(chunk_ends, ends[spans]) - np.maximum(chunk_starts, starts[spans])
    right = (shared > 0) & (2 * shared >= np.minimum((ends - starts)[spans], chunk_ends - chunk_starts))
    return spans[right], chunks[right]


def _touching(
    table: ChunkTable, documents: Int64Array, starts: Int64Array, ends: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """(span, chunk) of every pair that shares a character, sorted by span, then chunk."""
    # Ends may fall where a short chunk follows a long one that it lies in: the furthest end so far never does.
    furthest = np.maximum.accumulate(document_keys(table.documents, table.ends))
    low = np.searchsorted(furthest, document_keys(documents, starts), side="right")
    high = np.searchsorted(document_keys(table.documents, table.starts), document_keys(documents, ends), side="left")
    counts = np.maximum(high - low, 0)
    spans, chunks = np.repeat(np.arange(len(documents)), counts), spread(low, counts)
    touches = (table.documents[chunks] == documents[spans]) & (table.ends[chunks] > starts[spans])
    return spans[touches], chunks[touches]


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
    ``right_chunks`` has it for all chunks of a collection. Where the place of one of them is not known (no
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


_METADATA = re.compile(r"\([^)]*\)|（[^）]*）")
_BY_CHARACTER = {"zh", "ja"}


def reference_recall(retrieved: Sequence[str], references: Sequence[Sequence[str]]) -> float | None:
    """Share of the references of which every sentence is contained in at least one retrieved chunk, in [0, 1].

    Recall = (1/n) * sum over i of 1[every sentence of G_i is a substring of a chunk]; the sentences of one reference
    may lie in different chunks.
    retrieved: texts of the chunks. references: the sentences of each, without white space around them.
    None when there is no reference; the released scorer gives 0 there, so its mean over n questions of which m have
    references is ours times m / n.
    Source: RAGEval (ACL 2025), retrieval metrics, with the sentences of its released scorer.
    """
    if not references:
        return None
    return sum(is_matched(sentences, retrieved) for sentences in references) / len(references)


def all_references_recall(retrieved: Sequence[str], references: Sequence[Sequence[str]]) -> float | None:
    """1 if every sentence of every reference is contained in some retrieved chunk, else 0.

    Give it the first k chunks for all-references recall@k: the figure that RAGEval published as "Precision" (k = 5).
    None when there is no reference; the released scorer gives 1 there.
    Source: the released RAGEval scorer, in the version behind the published figures.
    """
    if not references:
        return None
    return float(all(is_matched(sentences, retrieved) for sentences in references))


def sentence_precision(retrieved: Sequence[str], references: Sequence[Sequence[str]]) -> float | None:
    """Share of the retrieved chunks that contain at least one whole sentence of a reference, in [0, 1].

    retrieved: texts of the first k chunks. references: the sentences of each, without white space around them.
    A chunk that is there again counts once. None when there is no reference. 0 when nothing was retrieved.
    Ours: RAGEval's released code asks that all sentences of a chunk occur in the references, which no chunk with a
    metadata prefix can do.
    """
    if not references:
        return None
    sentences = [sentence for reference in references for sentence in reference]
    hits = sum(any(sentence in chunk for sentence in sentences) for chunk in dict.fromkeys(retrieved))
    return hits / len(retrieved) if retrieved else 0.0


def is_matched(sentences: Sequence[str], retrieved: Sequence[str]) -> bool:
    """Whether every sentence of a reference is contained in some chunk. Raises ValueError for one without sentences."""
    if not sentences:
        raise ValueError("a reference holds no sentence, so that anything would match it; drop empty references")
    return all(any(sentence in chunk for chunk in retrieved) for sentence in sentences)


def effective_information_rate(
    retrieved: Sequence[str], references: Sequence[Sequence[str]], language: str = "en"
) -> float | None:
    """Words of the wholly matched references / words of all retrieved chunks, in [0, 1].

    EIR = sum over matched G_i of |G_i| / sum over chunks of |chunk|; a reference is matched when each of its sentences
    is contained in some chunk.
    retrieved: texts of the chunks, without prefixes (``without_metadata``). references: the sentences of each.
    language: ``zh`` and ``ja`` count characters, others words between white space.
    None when there is no reference. 0 when nothing was retrieved.
    Source: RAGEval (ACL 2025), retrieval metrics. Departing from it, a sentence that stands in several references
    counts once, and the rate is cut at 1 where sentences overlap: no more than all of the retrieved text is reference.
    """
    if not references:
        return None
    matched = chain.from_iterable(sentences for sentences in references if is_matched(sentences, retrieved))
    words = sum(_count(chunk, language) for chunk in retrieved)
    return min(1.0, sum(_count(sentence, language) for sentence in dict.fromkeys(matched)) / words) if words else 0.0


def released_effective_information_rate(
    retrieved: Sequence[str], references: Sequence[Sequence[str]], language: str = "en"
) -> float:
    """Words of all matched sentences / words of all retrieved chunks, from 0; 0 without references.

    Chunks are joined by spaces, looked through and counted as one text: in Chinese (``zh``), where each character is a
    word, white space counts. A sentence that two references share counts twice, so the rate may exceed 1.
    It is what the published figures were computed with. Source: the released RAGEval scorer.
    """
    count = len if language == "zh" else _white_space_words
    text = " ".join(retrieved)
    matched = sum(count(sentence) for sentences in references for sentence in sentences if sentence in text)
    return matched / count(text) if matched else 0.0


def without_metadata(chunk: str) -> str:
    """Return the chunk without a leading block in parentheses, as RAGEval puts it in front of its chunks."""
    found = _METADATA.match(chunk)
    return chunk[found.end() :] if found else chunk


def _count(text: str, language: str) -> int:
    return sum(map(len, text.split())) if language in _BY_CHARACTER else _white_space_words(text)


def _white_space_words(text: str) -> int:
    return len(text.split())
