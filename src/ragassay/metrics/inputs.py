"""What metrics need of an example and its prediction, and how to say that it is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from ragassay.metrics.answered import Answered, failure
from ragassay.records import Example

NO_GROUND_SPAN = "the example names no ground span that a retriever could find"


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
    "ground spans": (lambda example: example.ground_spans, NO_GROUND_SPAN),
    "references": (
        lambda example: any(_is_text(span.text) for span in example.references),
        "the example has no references",
    ),
    "expected tool calls": (lambda example: example.tool_calls is not None, "the example has no expected tool calls"),
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


def missing(item: Answered, wanted: Input, depth: int = 0) -> str | None:
    """Return why an input cannot be had, in words; None where it is there.

    Abstaining is an answer. A prediction that names no chunk has retrieved nothing, which is
    there to be scored; one that failed has retrieved what it names, if it names any.
    depth: chunks that count, from the first; 0 for all.
    """
    if wanted in _OF_EXAMPLES:
        is_there, reason = _OF_EXAMPLES[wanted]
        return None if is_there(item.example) else reason
    return _OF_SYSTEMS[wanted](item, depth)


def first_missing(item: Answered, wanted: tuple[Input, ...], depth: int = 0) -> str | None:
    """Return the first of the reasons of ``missing``, in the order of ``wanted``."""
    return next((reason for each in wanted if (reason := missing(item, each, depth))), None)


def _failed(item: Answered, _: int) -> str | None:
    return failure(item.prediction)


def _answer(item: Answered, _: int) -> str | None:
    missing = item.missing
    return None if item.prediction.abstained and not failure(item.prediction) else missing


def _chunks(item: Answered, _: int) -> str | None:
    return None if item.prediction.chunks else failure(item.prediction)


def _chunk_documents(item: Answered, depth: int) -> str | None:
    if reason := _chunks(item, depth):
        return reason
    if not any(span.document_id for span in item.ground_spans):
        return "the ground spans name no document"
    unnamed = (rank for rank, chunk in enumerate(item.prediction.chunks, start=1) if not chunk.document_id)
    rank = next(unnamed, None)
    return f"the chunk at rank {rank} names no document" if rank else None


def _chunk_texts(item: Answered, depth: int) -> str | None:
    """Return what is not known; a chunk may be known to be blank: a retriever of ids alone says which document."""
    if reason := _chunks(item, depth):
        return reason
    texts, chunks = item.chunk_texts, item.prediction.chunks
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


def _tool_calls(item: Answered, depth: int) -> str | None:
    has_calls = item.prediction.tool_calls is not None
    return None if has_calls else _failed(item, depth) or "the prediction has no tool calls"


def _standalone_question(item: Answered, depth: int) -> str | None:
    has_question = _is_text(item.prediction.standalone_question)
    return None if has_question else _failed(item, depth) or "the system returned no standalone question"


_Check: TypeAlias = Callable[[Answered, int], str | None]
_OF_SYSTEMS: Mapping[Input, _Check] = {
    "prediction": _failed,
    "answer": _answer,
    "chunks": _chunks,
    "chunk documents": _chunk_documents,
    "chunk texts": _chunk_texts,
    "knowledge block": lambda item, _: (
        None if _is_text(item.block) else "the knowledge block of the example is not known"
    ),
    "other prediction": lambda item, _: None if item.rival else "no prediction of another system for this example",
    "tool calls": _tool_calls,
    "standalone question": _standalone_question,
}
"""Why it is not there, of the first so many chunks."""
