"""What metrics need of an example and its prediction, and how to say that it is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from ragassay.metrics.item import Item
from ragassay.metrics.judged.answered import failure
from ragassay.metrics.retrieval.families import NO_GROUND_SPAN
from ragassay.records import Example, RankedChunk

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
INPUTS: tuple[Input, ...] = get_args(Input)
OF_EXAMPLES: tuple[Input, ...] = (
    "reference answer",
    "keypoints",
    "ground spans",
    "references",
    "expected tool calls",
    "expected standalone question",
)
"""Inputs that a set has or lacks; the others come from the systems, or are told when they are scored."""


def inputs_of(example: Example) -> set[Input]:
    """What of ``OF_EXAMPLES`` an example brings."""
    found: dict[Input, bool] = {
        "reference answer": bool((example.answer or "").strip()),
        "keypoints": bool(example.keypoints),
        "ground spans": bool(example.ground_spans),
        "expected tool calls": example.tool_calls is not None,
        "expected standalone question": bool((example.standalone_question or "").strip()),
        "references": any(span.text.strip() for span in example.references),
    }
    return {name for name, is_there in found.items() if is_there}


def missing(item: Item, wanted: Input, depth: int = 0) -> str | None:
    """Why an input cannot be had, in words; None where it is there.

    Abstaining is an answer. A prediction that names no chunk has retrieved nothing, which is
    there to be scored; one that failed has retrieved what it names, if it names any.
    depth: chunks that count, from the first; 0 for all.
    """
    known = item.missing
    if (wanted, depth) not in known:
        known[wanted, depth] = _checked(item, wanted, depth)
    return known[wanted, depth]


def first_missing(item: Item, wanted: tuple[Input, ...], depth: int = 0) -> str | None:
    """The first of the reasons of ``missing``, in the order of ``wanted``."""
    for each in wanted:
        if reason := missing(item, each, depth):
            return reason
    return None


def _failed(item: Item) -> str | None:
    return failure(item.answered.prediction)


def _answer(item: Item) -> str | None:
    if (reason := _failed(item)) or item.answered.prediction.abstained:
        return reason
    return None if item.answer.strip() else "the answer is empty"


def _references(item: Item) -> str | None:
    if not item.answered.example.references:
        return "the example has no references"
    return None if item.references else "the references of the example are empty"


def _chunks(item: Item) -> str | None:
    return None if item.answered.prediction.chunks else _failed(item)


def _chunk_documents(item: Item) -> str | None:
    if reason := _chunks(item):
        return reason
    if not any(span.document_id for span in item.ground_spans):
        return "the ground spans name no document"
    places = (place for place, chunk in enumerate(item.answered.prediction.chunks, start=1) if not chunk.document_id)
    unnamed = next(places, None)
    return f"the chunk at rank {unnamed} names no document" if unnamed else None


def _is_blank(chunk: RankedChunk) -> bool:
    """Whether a chunk is known to have no text: a retriever that gives ids alone says which document."""
    return chunk.text is not None and not (chunk.document_id and chunk.text == "")


def _chunk_texts(item: Item, depth: int) -> str | None:
    if reason := _chunks(item):
        return reason
    counted = len(item.answered.prediction.chunks) or len(item.texts)
    counted = min(depth, counted) if depth else counted
    texts, chunks = item.texts[:counted], item.answered.prediction.chunks
    has_text = [
        bool(text.strip()) or any(map(_is_blank, chunks[place : place + 1])) for place, text in enumerate(texts)
    ]
    if counted and not any(has_text):
        return "the retrieved chunks have no text"
    unknown = has_text.index(False) if False in has_text else len(has_text)
    return f"the chunk at rank {unknown + 1} has no text" if unknown < counted else None


def _is_said(text: str | None) -> bool:
    return bool((text or "").strip())


_THERE: Mapping[Input, tuple[Callable[[Item], object], str]] = {
    "reference answer": (lambda item: _is_said(item.reference_answer), "the example has no reference answer"),
    "keypoints": (lambda item: item.answered.example.keypoints, "the example has no keypoints"),
    "ground spans": (lambda item: item.ground_spans, NO_GROUND_SPAN),
    "knowledge block": (lambda item: _is_said(item.answered.block), "the knowledge block of the example is not known"),
    "other prediction": (lambda item: item.answered.rival, "no prediction of another system for this example"),
    "expected tool calls": (
        lambda item: item.answered.example.tool_calls is not None,
        "the example has no expected tool calls",
    ),
    "expected standalone question": (
        lambda item: _is_said(item.answered.example.standalone_question),
        "the example has no standalone question",
    ),
}
"""Inputs of examples: whether one has it, and what is said where it has not."""
_OF_SYSTEMS: Mapping[Input, tuple[Callable[[Item], bool], str]] = {
    "tool calls": (lambda item: item.answered.prediction.tool_calls is not None, "the prediction has no tool calls"),
    "standalone question": (
        lambda item: _is_said(item.answered.prediction.standalone_question),
        "the system returned no standalone question",
    ),
}
_CHECKS: Mapping[Input, Callable[[Item], str | None]] = {
    "prediction": _failed,
    "answer": _answer,
    "references": _references,
    "chunks": _chunks,
    "chunk documents": _chunk_documents,
}


def _checked(item: Item, wanted: Input, depth: int) -> str | None:
    if wanted == "chunk texts":
        return _chunk_texts(item, depth)
    if wanted in _THERE:
        is_there, reason = _THERE[wanted]
        return None if is_there(item) else reason
    if wanted in _OF_SYSTEMS:
        is_given, reason = _OF_SYSTEMS[wanted]
        return None if is_given(item) else _failed(item) or reason
    return _CHECKS[wanted](item)
