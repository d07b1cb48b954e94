"""Single items as data for the table that people sort, filter and open: in the report, and in ``ragassay view``."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from ragassay.rag.setting import DECIDING, TOP_K
from ragassay.records import UNLABELLED, Example, Prediction, RankedChunk, Score, Span
from ragassay.report.safe_text import Excerpt, excerpt, excerpt_around, visible
from ragassay.report.wording import label_order, metric_order

SHOWN_CHUNKS = 5
QUESTION_CHARS, SOURCE_CHARS = 300, 160
_LEAST_CHUNK_CHARS, _CHUNK_CHARS_IN_ALL = 100, 1_800_000
"""Of the chunks of all items together: keeps a page of 1 000 items below 3 MB, and items of 10 000 quick to open."""
COLUMNS = (DECIDING, "mrr@10", f"reference_recall@{TOP_K}", "faithfulness", "answer_relevance", "completeness")
"""The metrics that have a column from the beginning; a box on the page brings the others."""

TextOf = Callable[[RankedChunk], str]
"""The text of a retrieved chunk; empty where nobody has it."""


class Sizes(NamedTuple):
    """How much of an item is shown. field, line, chunk: characters of an answer, a line of a list, a chunk.

    entries: of each list. chunks: of each answer.
    """

    field: int
    line: int
    entries: int
    chunks: int
    chunk: int


WHOLE = Sizes(field=4_000, line=1_000, entries=50, chunks=SHOWN_CHUNKS, chunk=4_000)
"""For one item at a time; of many the less is shown the more there are."""
_FOR_MANY = Sizes(field=600, line=240, entries=8, chunks=SHOWN_CHUNKS, chunk=500)
_FOR_MOST = Sizes(field=160, line=80, entries=2, chunks=3, chunk=300)
_FOR_CASES = _FOR_MANY._replace(chunks=3)
_MANY = 2_000
"""Items up to which each is shown at more length."""


@dataclass(frozen=True)
class Items:
    """Everything that is known of each example of a run.

    sources: document id to where it came from. recommended: the system that the table opens on; the first one if empty.
    """

    examples: Sequence[Example]
    predictions: Sequence[Prediction] = ()
    scores: Sequence[Score] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    text_of: TextOf = lambda chunk: chunk.text or ""
    recommended: str = ""

    @cached_property
    def systems(self) -> list[str]:
        """In the order of the predictions, then of the scores."""
        return list(dict.fromkeys([each.system for each in self.predictions] + [each.system for each in self.scores]))

    @cached_property
    def metrics(self) -> list[str]:
        """Those that have a value somewhere, in the usual order."""
        return sorted({score.metric for score in self.scores if score.value is not None}, key=metric_order)

    def source(self, document_id: str) -> str:
        """Return where a document came from, as it is shown; empty where there is none."""
        known = self.sources.get(document_id) or (f"document {document_id}" if document_id else "")
        return visible(excerpt(known, SOURCE_CHARS))

    @cached_property
    def predicted(self) -> dict[tuple[str, str], Prediction]:
        """By example and system; scores whose prediction is not in the folder are shown all the same."""
        bare = {
            (each.example_id, each.system): Prediction(example_id=each.example_id, system=each.system, chunks=())
            for each in self.scores
        }
        return bare | {(each.example_id, each.system): each for each in self.predictions}

    @cached_property
    def scored(self) -> dict[tuple[str, str], dict[str, Score]]:
        """By example and system: metric to score."""
        found: dict[tuple[str, str], dict[str, Score]] = {}
        for score in self.scores:
            found.setdefault((score.example_id, score.system), {})[score.metric] = score
        return found


@dataclass(frozen=True)
class Cases:
    """Examples to read in full, each folded but the first.

    chosen: their ids, with what is said of each. system: whose answers are shown; metric: of which the evidence is.
    """

    items: Items
    chosen: Sequence[tuple[str, str]]
    system: str = ""
    metric: str = ""

    def details(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Yield question, what is said of it, and all that is shown below."""
        by_id = {each.id: each for each in self.items.examples}
        are_labelled = any(each.label != UNLABELLED for each in by_id.values())
        chunks = _Chunks(self.items, _FOR_CASES.chunk)
        for example, note in ((by_id[name], note) for name, note in self.chosen if name in by_id):
            shown = _detail(self.items, example, _FOR_CASES, lambda *of: chunks.texts[chunks.place(*of)])
            shown["answers"] = [each for each in shown["answers"] if each["system"] == visible(self.system)]
            for each in shown["answers"]:
                each["verdicts"] = [verdict for verdict in each["verdicts"] if verdict[0] == visible(self.metric)]
            said = (example.label if are_labelled else "", note)
            yield excerpt(example.question, QUESTION_CHARS), ", ".join(filter(None, said)), shown


def of_each_label(examples: Sequence[Example], most: int = 10) -> list[tuple[str, str]]:
    """Return ids to read, of each label in turn."""
    by_label: dict[str, list[str]] = {}
    for example in examples:
        by_label.setdefault(example.label, []).append(example.id)
    turns = chain.from_iterable(zip_longest(*by_label.values()))
    return [(name, "") for name in turns if name is not None][:most]


def table_data(items: Items) -> dict[str, Any]:
    """Return the rows of the table: names once, and for each example its texts and a value per system and metric."""
    columns = [name for name in items.metrics if name in COLUMNS] or items.metrics[: len(COLUMNS)]
    return {
        "systems": [visible(name) for name in items.systems],
        "system": items.systems.index(items.recommended) if items.recommended in items.systems else 0,
        "metrics": [visible(name) for name in items.metrics],
        "columns": [visible(name) for name in columns],
        "labels": label_order({example.label for example in items.examples}),
        "types": sorted({visible(example.question_type) for example in items.examples if example.question_type}),
        "rows": [
            {
                "id": visible(example.id),
                "question": visible(excerpt(example.question, QUESTION_CHARS)),
                "label": example.label,
                "type": visible(example.question_type or ""),
                "values": [
                    [_rounded(items.scored.get((example.id, system), {}).get(metric)) for metric in items.metrics]
                    for system in items.systems
                ],
            }
            for example in items.examples
        ],
    }


def embedded(items: Items) -> str:
    """Return the rows as JSON that may stand in a script element: no text in it can end the element."""
    return _json(table_data(items)).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def packed(items: Items) -> str:
    """Return the details as JSON, deflated and in base64; a chunk that several answers share is written once."""
    sizes = _FOR_MANY if len(items.examples) <= _MANY else _FOR_MOST
    shared = {each.chunk_id for made in items.predictions for each in made.chunks[: sizes.chunks]}
    chunks = _Chunks(items, max(_LEAST_CHUNK_CHARS, min(sizes.chunk, _CHUNK_CHARS_IN_ALL // max(len(shared), 1))))
    described = [_detail(items, example, sizes, chunks.place) for example in items.examples]
    written = _json({"chunks": chunks.texts, "details": described}).encode()
    return base64.b64encode(zlib.compress(written)).decode()


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def detail(items: Items, example: Example) -> dict[str, Any]:
    """Return all that is shown of one example; texts without what could hide or reorder, still to be shown as text."""
    chunks = _Chunks(items, WHOLE.chunk)
    return _detail(items, example, WHOLE, lambda example, chunk: chunks.texts[chunks.place(example, chunk)])


class _Chunks:
    """Texts of retrieved chunks, each once: where it came from, then pieces of [text, whether it was looked for]."""

    def __init__(self, items: Items, chars: int) -> None:
        self._items, self._chars = items, chars
        self._places: dict[object, int] = {}
        self.texts: list[list[Any]] = []

    def place(self, example: Example, chunk: RankedChunk) -> int:
        """The place in ``texts`` of a chunk with what this example looks for marked."""
        text = self._items.text_of(chunk)
        marks = tuple(_marks(example.ground_spans, chunk, text))
        key = (chunk.document_id, text, marks)
        if key not in self._places:
            self._places[key] = len(self.texts)
            source = self._items.source(chunk.document_id)
            self.texts.append([source, *_pieces(excerpt_around(text, list(marks), self._chars))])
        return self._places[key]


def _detail(
    items: Items, example: Example, sizes: Sizes, shown: Callable[[Example, RankedChunk], object]
) -> dict[str, Any]:
    """shown: a chunk as it stands in the detail, its text or its place among all texts."""

    def line(text: str | None) -> str:
        return visible(excerpt(text or "", sizes.line))

    def answered(prediction: Prediction) -> dict[str, Any]:
        scores = items.scored.get((example.id, prediction.system), {}).values()
        return {
            "system": visible(prediction.system),
            "answer": visible(excerpt(prediction.answer or "", sizes.field)),
            "abstained": prediction.abstained,
            "standalone": line(prediction.standalone_question),
            "error": line(prediction.error),
            "chunks": [shown(example, chunk) for chunk in prediction.chunks[: sizes.chunks]],
            "verdicts": [
                [
                    visible(score.metric),
                    _rounded(score),
                    line(score.reason),
                    [line(each) for each in score.evidence[: sizes.entries]],
                ]
                for score in sorted(scores, key=lambda score: metric_order(score.metric))
                if score.evidence or score.value is None
            ],
        }

    context = example.context
    inside = [span for span in example.references if _lies_in(span, context)]
    outside = [span for span in example.references if span not in inside]
    marks = [(span.start - context.start, span.end - context.start) for span in inside]
    return {
        "answer": visible(excerpt(example.answer, sizes.field)),
        "context": _pieces(excerpt_around(context.text, marks, sizes.chunk)),
        "source": items.source(context.document_id),
        "turns": [line(f"{turn.role}: {turn.content}") for turn in example.history[-sizes.entries :]],
        "alone": line(example.standalone_question),
        "requested": example.requested_label or "",
        "verified": example.verified_label or "",
        "unanswerable_in": example.provenance.unanswerable_in or "",
        "references": [
            [items.source(span.document_id), visible(excerpt(span.text, sizes.field))]
            for span in outside[: sizes.entries]
        ],
        "keypoints": [line(text) for text in example.keypoints[: sizes.entries]],
        "critiques": [[line(each.name), each.value, line(each.reason)] for each in example.critiques],
        "answers": [
            answered(items.predicted[example.id, system])
            for system in items.systems
            if (example.id, system) in items.predicted
        ],
    }


def _lies_in(span: Span, context: Span) -> bool:
    """Whether a reference can be marked in the context: offsets and text must agree."""
    offset = span.start - context.start
    here = span.document_id == context.document_id and offset >= 0 and bool(span.text)
    return here and context.text[offset : offset + len(span.text)] == span.text


def _pieces(found: Excerpt) -> list[list[Any]]:
    """[text, whether it was looked for], with a sign where something is left out."""
    pieces: list[list[Any]] = []
    for piece in found.pieces:
        if piece.left_out:
            pieces.append([" […] ", False])
        pieces.append([visible(piece.text), piece.marked])
    return [*pieces, [" […]", False]] if found.left_out else pieces


def _marks(wanted: Iterable[Span], chunk: RankedChunk, text: str) -> Iterable[tuple[int, int]]:
    """Where a chunk holds what was looked for: by offsets in the same document, else by the words."""
    for span in wanted:
        if span.document_id and span.document_id == chunk.document_id and chunk.end - chunk.start == len(text):
            yield span.start - chunk.start, span.end - chunk.start
        elif span.text and (place := text.find(span.text)) >= 0:
            yield place, place + len(span.text)


def _rounded(score: Score | None) -> float | None:
    return None if score is None or score.value is None else round(score.value, 4)
