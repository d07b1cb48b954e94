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
        known[wanted, depth] = _CHECKS[wanted](item, depth)
    return known[wanted, depth]


def first_missing(item: Item, wanted: tuple[Input, ...], depth: int = 0) -> str | None:
    """The first of the reasons of ``missing``, in the order of ``wanted``."""
    for each in wanted:
        if reason := missing(item, each, depth):
            return reason
    return None


def _failed(item: Item, _: int = 0) -> str | None:
    return failure(item.answered.prediction)


def _answer(item: Item, _: int = 0) -> str | None:
    if (reason := _failed(item)) or item.answered.prediction.abstained:
        return reason
    return None if item.answer.strip() else "the answer is empty"


def _reference_answer(item: Item, _: int = 0) -> str | None:
    return None if item.reference_answer.strip() else "the example has no reference answer"


def _keypoints(item: Item, _: int = 0) -> str | None:
    return None if item.answered.example.keypoints else "the example has no keypoints"


def _ground_spans(item: Item, _: int = 0) -> str | None:
    return None if item.ground_spans else NO_GROUND_SPAN


def _references(item: Item, _: int = 0) -> str | None:
    if not item.answered.example.references:
        return "the example has no references"
    return None if item.references else "the references of the example are empty"


def _chunks(item: Item, _: int = 0) -> str | None:
    return None if item.answered.prediction.chunks else _failed(item)


def _chunk_documents(item: Item, _: int = 0) -> str | None:
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


def _knowledge_block(item: Item, _: int = 0) -> str | None:
    return None if item.answered.block.strip() else "the knowledge block of the example is not known"


def _other_prediction(item: Item, _: int = 0) -> str | None:
    return None if item.answered.rival is not None else "no prediction of another system for this example"


def _expected_calls(item: Item, _: int = 0) -> str | None:
    return None if item.answered.example.tool_calls is not None else "the example has no expected tool calls"


def _tool_calls(item: Item, _: int = 0) -> str | None:
    if item.answered.prediction.tool_calls is not None:
        return None
    return _failed(item) or "the prediction has no tool calls"


def _expected_standalone(item: Item, _: int = 0) -> str | None:
    is_there = (item.answered.example.standalone_question or "").strip()
    return None if is_there else "the example has no standalone question"


def _standalone(item: Item, _: int = 0) -> str | None:
    if (item.answered.prediction.standalone_question or "").strip():
        return None
    return _failed(item) or "the system returned no standalone question"


_CHECKS: Mapping[Input, Callable[[Item, int], str | None]] = {
    "prediction": _failed,
    "answer": _answer,
    "reference answer": _reference_answer,
    "keypoints": _keypoints,
    "ground spans": _ground_spans,
    "references": _references,
    "chunks": _chunks,
    "chunk documents": _chunk_documents,
    "chunk texts": _chunk_texts,
    "knowledge block": _knowledge_block,
    "other prediction": _other_prediction,
    "expected tool calls": _expected_calls,
    "tool calls": _tool_calls,
    "expected standalone question": _expected_standalone,
    "standalone question": _standalone,
}
