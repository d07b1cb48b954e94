"""What the metrics of one example look at, worked out once for all of them, and how to say that it is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, TypeAlias

from ragassay.language import detect_language
from ragassay.metrics.judged.answered import Answered, failure
from ragassay.metrics.retrieval.references import View, by_chunk, by_document, by_sentence, is_matched
from ragassay.records import Example, RankedChunk, Span
from ragassay.text import sentences

NONE_MATCHED = "no chunk contains a sentence of the references"
NO_SENTENCE = "the references have no sentence"
NO_GROUND_SPAN = "the example names no ground span that a retriever could find"


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


Input = Literal[
    "prediction",
    "answer",
    "reference answer",
    "keypoints",
    "ground spans",
    "references",
    "chunks",
    "chunk documents",
    "chunk texts",
    "knowledge block",
    "other prediction",
    "expected tool calls",
    "tool calls",
    "expected standalone question",
    "standalone question",
]


def _is_text(text: str | None) -> bool:
    return bool(text and text.strip())


_OF_EXAMPLES: Mapping[Input, tuple[Callable[[Example], object], str]] = {
    "reference answer": (lambda example: _is_text(example.answer), "the example has no reference answer"),
    "keypoints": (lambda example: example.keypoints, "the example has no keypoints"),
    "ground spans": (
        lambda example: example.ground_spans,
        NO_GROUND_SPAN,
    ),
    "references": (
        lambda example: any(_is_text(span.text) for span in example.references),
        "the example has no references",
    ),
    "expected tool calls": (
        lambda example: example.tool_calls is not None,
        "the example has no expected tool calls",
    ),
    "expected standalone question": (
        lambda example: _is_text(example.standalone_question),
        "the example has no standalone question",
    ),
}
"""Whether an example has it, and what is said where it has not."""
OF_EXAMPLES = tuple(_OF_EXAMPLES)
"""Inputs that a set has or lacks; the others come from the systems, or are told when they are scored."""


def inputs_of(example: Example) -> set[Input]:
    """Return what of ``OF_EXAMPLES`` an example brings."""
    return {name for name, (is_there, _) in _OF_EXAMPLES.items() if is_there(example)}


def missing(item: Item, wanted: Input, depth: int = 0) -> str | None:
    """Return why an input cannot be had, in words; None where it is there.

    Abstaining is an answer. A prediction that names no chunk has retrieved nothing, which is
    there to be scored; one that failed has retrieved what it names, if it names any.
    depth: chunks that count, from the first; 0 for all.
    """
    if wanted in _OF_EXAMPLES:
        is_there, reason = _OF_EXAMPLES[wanted]
        return None if is_there(item.answered.example) else reason
    return _OF_SYSTEMS[wanted](item, depth)


def first_missing(item: Item, wanted: tuple[Input, ...], depth: int = 0) -> str | None:
    """Return the first of the reasons of ``missing``, in the order of ``wanted``."""
    return next((reason for each in wanted if (reason := missing(item, each, depth))), None)


def _failed(item: Item, _: int) -> str | None:
    return failure(item.answered.prediction)


def _answer(item: Item, _: int) -> str | None:
    missing = item.answered.missing
    return None if item.answered.prediction.abstained and not failure(item.answered.prediction) else missing


def _chunks(item: Item, _: int) -> str | None:
    return None if item.answered.prediction.chunks else failure(item.answered.prediction)


def _chunk_documents(item: Item, depth: int) -> str | None:
    if reason := _chunks(item, depth):
        return reason
    if not any(span.document_id for span in item.ground_spans):
        return "the ground spans name no document"
    unnamed = (rank for rank, chunk in enumerate(item.answered.prediction.chunks, start=1) if not chunk.document_id)
    rank = next(unnamed, None)
    return f"the chunk at rank {rank} names no document" if rank else None


def _chunk_texts(item: Item, depth: int) -> str | None:
    """Return what is not known; a chunk may be known to be blank: a retriever of ids alone says which document."""
    if reason := _chunks(item, depth):
        return reason
    texts, chunks = item.texts, item.answered.prediction.chunks
    counted = len(chunks) or len(texts)
    counted = min(depth, counted) if depth else counted
    known = [
        _is_text(text)
        or any(chunk.text is not None and not (chunk.document_id and not chunk.text) for chunk in chunks[at : at + 1])
        for at, text in enumerate(texts[:counted])
    ]
    if counted and not any(known):
        return "the retrieved chunks have no text"
    unknown = known.index(False) if False in known else len(known)
    return f"the chunk at rank {unknown + 1} has no text" if unknown < counted else None


def _tool_calls(item: Item, depth: int) -> str | None:
    has_calls = item.answered.prediction.tool_calls is not None
    return None if has_calls else _failed(item, depth) or "the prediction has no tool calls"


def _standalone_question(item: Item, depth: int) -> str | None:
    has_question = _is_text(item.answered.prediction.standalone_question)
    return None if has_question else _failed(item, depth) or "the system returned no standalone question"


_Check: TypeAlias = Callable[[Item, int], str | None]
_OF_SYSTEMS: Mapping[Input, _Check] = {
    "prediction": _failed,
    "answer": _answer,
    "chunks": _chunks,
    "chunk documents": _chunk_documents,
    "chunk texts": _chunk_texts,
    "knowledge block": lambda item, _: (
        None if _is_text(item.answered.block) else "the knowledge block of the example is not known"
    ),
    "other prediction": lambda item, _: (
        None if item.answered.rival else "no prediction of another system for this example"
    ),
    "tool calls": _tool_calls,
    "standalone question": _standalone_question,
}
"""Why it is not there, of the first so many chunks."""
