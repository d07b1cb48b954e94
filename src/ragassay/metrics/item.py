"""What the metrics of one example look at, worked out once for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ragassay.language import detect_language
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.retrieval.references import is_matched
from ragassay.metrics.retrieval.views import View, by_chunk, by_document, by_sentence
from ragassay.records import RankedChunk, Span
from ragassay.text import sentences

NONE_MATCHED = "no chunk contains a sentence of the references"
NO_SENTENCE = "the references have no sentence"


@dataclass(frozen=True)
class Item:
    """One example with its prediction. All properties are of it alone, and computed when first asked for."""

    answered: Answered

    @property
    def answer(self) -> str:
        return self.answered.answer

    @property
    def reference_answer(self) -> str:
        return self.answered.example.answer

    @property
    def reference_answers(self) -> tuple[str, ...]:
        """All that are right, the first one first."""
        return self.reference_answer, *self.answered.example.other_answers

    @property
    def texts(self) -> tuple[str, ...]:
        """Of the retrieved chunks, best first."""
        return self.answered.chunk_texts

    @cached_property
    def quoted_texts(self) -> tuple[str, ...]:
        """What reference sentences are looked for in, chunk by chunk: its text, or what its document has at its place.

        The latter where it has more of them: a loader's markup, or a table's bars that it dropped, tear sentences apart
        that stand there. Chunks without a place keep their text.
        """
        chunks = self.answered.prediction.chunks
        return tuple(
            self._quoted(text, chunks[rank]) if rank < len(chunks) else text for rank, text in enumerate(self.texts)
        )

    def _quoted(self, text: str, chunk: RankedChunk) -> str:
        lost = [each for each in self.reference_sentences if each not in text]
        if not lost or chunk.text is None or not chunk.document_id or chunk.end <= chunk.start:
            return text
        there = (self.answered.text_of(chunk.document_id) or "")[chunk.start : chunk.end]
        return there if sum(each not in there for each in self.reference_sentences) < len(lost) else text

    @cached_property
    def language(self) -> str:
        """Which words are counted by; found in the references where the example does not say it."""
        known = self.answered.example.language
        return known if known != "und" else detect_language(" ".join(self.reference_sentences))

    @cached_property
    def ground_spans(self) -> tuple[Span, ...]:
        return self.answered.example.ground_spans

    @cached_property
    def references(self) -> list[list[str]]:
        """Return the sentences of each reference that has any."""
        split = (sentences(span.text) for span in self.answered.example.references)
        return [found for found in split if found]

    @cached_property
    def reference_sentences(self) -> list[str]:
        return list(dict.fromkeys(chain.from_iterable(self.references)))

    def told_matches(self, k: int, *, as_returned: bool = False) -> tuple[str, ...]:
        """The reference sentences that one of the first k chunks contains, or that there is none: what scores tell.

        as_returned: in the texts that the system gave, and nowhere else.
        """
        if (k, as_returned) not in self._matched:
            chunks = (self.texts if as_returned else self.quoted_texts)[:k]
            found = tuple(each for each in self.reference_sentences if is_matched([each], chunks))
            self._matched[k, as_returned] = found or (NONE_MATCHED if self.reference_sentences else NO_SENTENCE,)
        return self._matched[k, as_returned]

    @cached_property
    def _matched(self) -> dict[tuple[int, bool], tuple[str, ...]]:
        return {}

    @cached_property
    def chunk_view(self) -> View:
        if self.answered.example.is_graded:
            return self.document_view
        return by_chunk(self.answered.prediction.chunks, self.texts, self.ground_spans)

    @cached_property
    def document_view(self) -> View:
        chunks = self.answered.prediction.chunks
        if self.answered.example.is_itself_a_document:  # BEIR leaves it out
            chunks = tuple(chunk for chunk in chunks if chunk.document_id != self.answered.example.id)
        return by_document(chunks, self.ground_spans)

    @cached_property
    def sentence_view(self) -> View:
        return by_sentence(self.quoted_texts, self.reference_sentences)
