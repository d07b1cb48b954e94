"""Examples and worst questions as the report shows them: excerpts around the references, cut to size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragassay.records import Critique, Example, Span
from ragassay.report.safe_text import Excerpt, Piece, excerpt, excerpt_around
from ragassay.report.summary import WorstQuestion
from ragassay.report.wording import label_order

MOST_SHOWN = 200
OPEN_PER_LABEL, LISTED_PER_LABEL = 2, 6
"""How many examples of a label are open at first, and how many stand in the page before `more`."""
CONTEXT_CHARS_IN_ALL = 160_000
"""Keeps a page of MOST_SHOWN examples below about 600 kB."""
FIELD_CHARS, KEYPOINTS, KEYPOINT_CHARS, REASON_CHARS, SOURCE_CHARS = 500, 6, 240, 160, 160
GOOD_RATING = 4
"""From this rating of 5 upwards the report leaves the written reason out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView:
    """reasons: critiques whose reason is worth reading: low ones and missing ones.

    elsewhere: (source, text) of references that cannot be marked in the context.
    """

    id: str
    question: str
    answer: str
    verified: str
    requested: str
    keypoints: tuple[str, ...]
    keypoints_left_out: int
    context: Excerpt
    elsewhere: tuple[tuple[str, str], ...]
    source: str
    synthesizer: str
    pattern: str
    statement: str
    unanswerable_in: str
    critiques: tuple[Critique, ...]
    reasons: tuple[Critique, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleGroup:
    """The examples of one label. shown: an even selection of them where there are too many for a page."""

    label: str
    total: int
    shown: tuple[ExampleView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstView:
    """retrieved: source and text of the first chunks, with what they hold of the references marked."""

    label: str
    question: str
    answer: str
    source: str
    references: tuple[str, ...]
    first_rank: int | None
    answer_rank: int | None
    retrieved: tuple[tuple[str, Excerpt], ...]


def label_of(example: Example) -> str:
    """The label that an example counts under: the verified one, or the requested one where no labeller ran."""
    return example.label


def group_examples(examples: Sequence[Example], sources: Mapping[str, str]) -> list[ExampleGroup]:
    """By label, each in the order given; at most MOST_SHOWN in all, every label in proportion."""
    by_label: dict[str, list[Example]] = {}
    for example in examples:
        by_label.setdefault(label_of(example), []).append(example)
    shown = {label: _evenly(items, _quota(len(items), len(examples))) for label, items in by_label.items()}
    context_chars = max(300, min(2400, CONTEXT_CHARS_IN_ALL // max(sum(map(len, shown.values())), 1)))
    return [
        ExampleGroup(
            label=label,
            total=len(by_label[label]),
            shown=tuple(_view(example, sources, context_chars) for example in shown[label]),
        )
        for label in label_order(by_label)
    ]


def _quota(items: int, total: int) -> int:
    return items if total <= MOST_SHOWN else max(1, items * MOST_SHOWN // total)


def _evenly(items: list[Example], wanted: int) -> list[Example]:
    return [items[index * len(items) // wanted] for index in range(wanted)]


def _view(example: Example, sources: Mapping[str, str], context_chars: int) -> ExampleView:
    inside = [span for span in example.references if _lies_in(span, example.context)]
    marks = [(span.start - example.context.start, span.end - example.context.start) for span in inside]
    outside = [span for span in example.references if span not in inside]
    return ExampleView(
        id=example.id,
        question=excerpt(example.question, FIELD_CHARS),
        answer=excerpt(example.answer, FIELD_CHARS),
        verified=example.verified_label or "",
        requested=example.requested_label or "",
        keypoints=tuple(excerpt(text, KEYPOINT_CHARS) for text in example.keypoints[:KEYPOINTS]),
        keypoints_left_out=max(0, len(example.keypoints) - KEYPOINTS),
        context=excerpt_around(example.context.text, marks, context_chars),
        elsewhere=tuple(
            (_source(span.document_id, sources), excerpt(span.text, FIELD_CHARS)) for span in outside[:KEYPOINTS]
        ),
        source=_source(example.context.document_id, sources),
        synthesizer=example.provenance.synthesizer,
        pattern=excerpt(example.provenance.pattern, KEYPOINT_CHARS),
        statement=excerpt(example.provenance.statement, KEYPOINT_CHARS),
        unanswerable_in=example.provenance.unanswerable_in or "",
        critiques=example.critiques,
        reasons=tuple(
            Critique(name=item.name, value=item.value, reason=excerpt(item.reason, REASON_CHARS))
            for item in example.critiques
            if item.value is None or item.value < GOOD_RATING
        ),
    )


def _lies_in(span: Span, context: Span) -> bool:
    """Whether a reference can be marked in the context: offsets and text must agree."""
    offset = span.start - context.start
    return (
        span.document_id == context.document_id
        and offset >= 0
        and context.text[offset : offset + len(span.text)] == span.text
        and len(span.text) > 0
    )


def _source(document_id: str, sources: Mapping[str, str]) -> str:
    return excerpt(sources.get(document_id) or f"document {document_id}", SOURCE_CHARS)


def worst_views(worst: Sequence[WorstQuestion]) -> list[WorstView]:
    """The worst questions in the order given."""
    return [
        WorstView(
            label=item.label,
            question=excerpt(item.question, FIELD_CHARS),
            answer=excerpt(item.answer, FIELD_CHARS),
            source=excerpt(item.source, SOURCE_CHARS),
            references=tuple(excerpt(text, FIELD_CHARS) for text in item.references[:KEYPOINTS]),
            first_rank=item.first_rank,
            answer_rank=item.answer_rank,
            retrieved=tuple(
                (excerpt(source, SOURCE_CHARS), _marked(text, item.references)) for source, text in item.retrieved
            ),
        )
        for item in worst
    ]


def _marked(text: str, references: Sequence[str]) -> Excerpt:
    places = [(text.find(reference), reference) for reference in references if reference]
    marks = [(start, start + len(reference)) for start, reference in places if start >= 0]
    if not marks:
        cut = excerpt(text, FIELD_CHARS)
        return Excerpt((Piece(cut, False, 0),), 0)
    return excerpt_around(text, marks, FIELD_CHARS)
