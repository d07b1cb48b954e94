"""Single items as data for the table that people sort, filter and open: in the report, and in ``ragassay view``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ragassay.records import Example, Prediction, RankedChunk, Score, Span
from ragassay.report.safe_text import Excerpt, excerpt, excerpt_around, visible
from ragassay.report.wording import label_order, metric_order

SHOWN_CHUNKS = 5
FIELD_CHARS, KEYPOINTS, REFERENCES, EVIDENCE, LINE_CHARS = 600, 8, 6, 8, 240
LEAST_CHUNK_CHARS, MOST_CHUNK_CHARS = 140, 500
CHARS_IN_ALL = 900_000
"""Of the chunks of all items together: keeps a page of 1 000 items below 3 MB."""
COLUMNS = ("recall@5", "mrr@10", "reference_recall@5", "faithfulness", "answer_relevance", "completeness")
"""The metrics that have a column from the beginning; a box on the page brings the others."""

TextOf = Callable[[RankedChunk], str]
"""The text of a retrieved chunk; empty where nobody has it."""


@dataclass(frozen=True)
class Items:
    """Everything that is known of each example of a run.

    sources: document id to where it came from.
    """

    examples: Sequence[Example]
    predictions: Sequence[Prediction] = ()
    scores: Sequence[Score] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    text_of: TextOf = lambda chunk: chunk.text or ""

    @cached_property
    def systems(self) -> list[str]:
        """In the order of the predictions, then of the scores."""
        return list(
            dict.fromkeys([*(each.system for each in self.predictions), *(each.system for each in self.scores)])
        )

    @cached_property
    def metrics(self) -> list[str]:
        """Those that have a value somewhere, in the usual order."""
        return sorted({score.metric for score in self.scores if score.value is not None}, key=metric_order)

    @cached_property
    def predicted(self) -> dict[tuple[str, str], Prediction]:
        """By example and system."""
        return {(each.example_id, each.system): each for each in self.predictions}

    @cached_property
    def scored(self) -> dict[tuple[str, str], dict[str, Score]]:
        """By example and system: metric to score."""
        found: dict[tuple[str, str], dict[str, Score]] = {}
        for score in self.scores:
            found.setdefault((score.example_id, score.system), {})[score.metric] = score
        return found


def table_data(items: Items) -> dict[str, Any]:
    """What the rows of the table hold: names once, and for each example its texts and a value per system and metric."""
    return {
        "systems": [visible(name) for name in items.systems],
        "metrics": [visible(name) for name in items.metrics],
        "columns": [visible(name) for name in _columns(items.metrics)],
        "labels": label_order({example.label for example in items.examples}),
        "types": sorted({visible(example.question_type) for example in items.examples if example.question_type}),
        "rows": [_row(items, example) for example in items.examples],
    }


def _columns(metrics: Sequence[str]) -> Sequence[str]:
    return [name for name in metrics if name in COLUMNS] or metrics[: len(COLUMNS)]


def details(items: Items, chunk_chars: int = MOST_CHUNK_CHARS) -> list[dict[str, Any]]:
    """What opens below each row. chunk_chars: of each retrieved chunk that are shown, around what was looked for."""
    return [detail(items, example, chunk_chars) for example in items.examples]


def embedded(items: Items) -> str:
    """Rows and details as JSON that may stand in a script element: no text in it can end the element."""
    n_chunks = sum(min(len(each.chunks), SHOWN_CHUNKS) for each in items.predictions)
    chunk_chars = max(LEAST_CHUNK_CHARS, min(MOST_CHUNK_CHARS, CHARS_IN_ALL // max(n_chunks, 1)))
    data = {**table_data(items), "details": details(items, chunk_chars)}
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _row(items: Items, example: Example) -> dict[str, Any]:
    return {
        "id": visible(example.id),
        "question": _short(example.question),
        "label": example.label,
        "type": visible(example.question_type or ""),
        "values": [
            [_rounded(items.scored.get((example.id, system), {}).get(metric)) for metric in items.metrics]
            for system in items.systems
        ],
    }


def detail(items: Items, example: Example, chunk_chars: int = MOST_CHUNK_CHARS) -> dict[str, Any]:
    """All that is shown of one example; texts without what could hide or reorder, still to be shown as text."""
    return {
        "answer": _short(example.answer),
        "requested": example.requested_label or "",
        "verified": example.verified_label or "",
        "unanswerable_in": example.provenance.unanswerable_in or "",
        "references": [
            [_source(items, span.document_id), _line(span.text, FIELD_CHARS)]
            for span in example.references[:REFERENCES]
        ],
        "keypoints": [_line(text) for text in example.keypoints[:KEYPOINTS]],
        "critiques": [[_line(each.name), each.value, _line(each.reason)] for each in example.critiques],
        "answers": [
            _answered(items, example, prediction, chunk_chars)
            for system in items.systems
            if (prediction := items.predicted.get((example.id, system)) or _without_answer(example, system, items))
        ],
    }


def _answered(items: Items, example: Example, prediction: Prediction, chunk_chars: int) -> dict[str, Any]:
    scores = items.scored.get((example.id, prediction.system), {}).values()
    return {
        "system": visible(prediction.system),
        "answer": _short(prediction.answer or ""),
        "abstained": prediction.abstained,
        "error": _line(prediction.error or ""),
        "chunks": [
            [
                _source(items, chunk.document_id),
                *_pieces(example.ground_spans, chunk, items.text_of(chunk), chunk_chars),
            ]
            for chunk in prediction.chunks[:SHOWN_CHUNKS]
        ],
        "verdicts": [
            [
                visible(score.metric),
                _rounded(score),
                _line(score.reason or ""),
                [_line(each) for each in score.evidence[:EVIDENCE]],
            ]
            for score in sorted(scores, key=lambda score: metric_order(score.metric))
            if score.evidence or score.value is None
        ],
    }


def _without_answer(example: Example, system: str, items: Items) -> Prediction | None:
    """Scores whose prediction is not in the folder are shown all the same."""
    if (example.id, system) not in items.scored:
        return None
    return Prediction(example_id=example.id, system=system, chunks=())


def _pieces(wanted: Iterable[Span], chunk: RankedChunk, text: str, chars: int) -> list[list[Any]]:
    """The chunk's text in pieces of [text, whether it was looked for]; the first one tells what is left out before."""
    found: Excerpt = excerpt_around(text, list(_marks(wanted, chunk, text)), chars)
    pieces: list[list[Any]] = []
    for piece in found.pieces:
        if piece.left_out:
            pieces.append([" […] ", False])
        pieces.append([visible(piece.text), piece.marked])
    if found.left_out:
        pieces.append([" […]", False])
    return pieces


def _marks(wanted: Iterable[Span], chunk: RankedChunk, text: str) -> Iterable[tuple[int, int]]:
    """Where a chunk holds what was looked for: by offsets in the same document, else by the words."""
    for span in wanted:
        if span.document_id and span.document_id == chunk.document_id and chunk.end - chunk.start == len(text):
            yield span.start - chunk.start, span.end - chunk.start
        elif span.text and (place := text.find(span.text)) >= 0:
            yield place, place + len(span.text)


def _source(items: Items, document_id: str) -> str:
    return _line(items.sources.get(document_id) or (f"document {document_id}" if document_id else ""), LINE_CHARS)


def _short(text: str) -> str:
    return visible(excerpt(text, FIELD_CHARS))


def _line(text: str, chars: int = LINE_CHARS) -> str:
    return visible(excerpt(text, chars))


def _rounded(score: Score | None) -> float | None:
    return None if score is None or score.value is None else round(score.value, 4)
