"""Examples that a person keeps, mends or drops: what may be changed of each, and the example that comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from ragassay.errors import RecordError, UsageError
from ragassay.records import LABELS, Example, Label, Scope, Span, content_id, from_json
from ragassay.text import sentence_spans

Decision = Literal["kept", "mended", "dropped"]
MOST_QUESTION_CHARS = 600
MOST_ANSWER_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What a person made of an example. The other fields count where it was mended; None: that stays as it is.

    sentences: numbers of those sentences of the passage that the answer rests on; none: the references stay.
    """

    decision: Decision
    label: Label | None = None
    question: str | None = None
    answer: str | None = None
    sentences: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of the passage. sentence: the number of the sentence that it belongs to; None between two."""

    text: str
    sentence: int | None
    is_reference: bool


def pieces(example: Example) -> list[Piece]:
    """The passage in pieces that join to its text; none where its offsets do not hold, so that nothing can be picked.

    Pieces end where a sentence or a reference begins or ends.
    """
    text = example.context.text
    sentences = _sentences(example)
    inside = [(each.start - example.context.start, each.end - example.context.start) for each in _inside(example)]
    if not sentences:
        return []
    cuts = sorted({0, len(text), *(offset for span in (*sentences, *inside) for offset in span)})
    found = []
    for start, end in pairwise(cuts):
        number = next((number for number, (first, last) in enumerate(sentences) if first <= start < last), None)
        is_reference = any(first <= start < last for first, last in inside)
        found.append(Piece(text=text[start:end], sentence=number, is_reference=is_reference))
    return found


def references_elsewhere(example: Example) -> list[Span]:
    """References that are not in the passage; they stay as they are."""
    inside = _inside(example)
    return [each for each in example.references if each not in inside]


def mended(example: Example, value: str) -> Mended:
    """Read what a page or a file says of an example. Raises UsageError that says what cannot be."""
    try:
        found = from_json(Mended, value)
    except RecordError as error:
        raise UsageError(f"mend: {error}") from None
    if found.decision != "mended":
        return Mended(decision=found.decision)
    found = replace(
        found,
        question=None if found.question is None else " ".join(found.question.split()),
        answer=None if found.answer is None else found.answer.strip(),
        sentences=tuple(sorted(set(found.sentences))),
    )
    fault = _fault(example, found)
    if fault:
        raise UsageError(fault)
    return found


def _fault(example: Example, found: Mended) -> str:
    """Return why the example cannot become this; empty where it can."""
    for name, text, most in (
        ("question", found.question or "", MOST_QUESTION_CHARS),
        ("answer", found.answer or "", MOST_ANSWER_CHARS),
    ):
        if len(text) > most:
            return f"the {name} has {len(text)} characters; it may have {most}"
    count = len(_sentences(example))
    if any(not 0 <= number < count for number in found.sentences):
        return f"the passage has {count} sentences, numbered from 0; one that was picked is not among them"
    after = _changed(example, found)
    if not after.question:
        return "the question is empty; write one, or drop the example"
    if after.label == "unanswerable":
        return "an unanswerable question has no answer; empty it, or choose another label" if after.answer else ""
    if not after.answer and after.label in LABELS:
        return "the answer is empty; write one, or choose the label unanswerable"
    if after.answer and not after.references and count:
        return "nothing says where the answer stands; pick a sentence of the passage"
    return ""


def example_of(example: Example, found: Mended) -> Example | None:
    """Return the example that is left; None where it was dropped.

    Keypoints of an answer that changed, and ratings and statement of a pair that did, are gone: they were of another.
    """
    if found.decision == "dropped":
        return None
    after = _changed(example, found) if found.decision == "mended" else example
    is_mended = after != example or example.provenance.mending == "mended"  # now, or in an earlier round
    return replace(after, provenance=replace(after.provenance, mending="mended" if is_mended else "kept"))


def _changed(example: Example, found: Mended) -> Example:
    """Return the example with what was changed; equal to it where nothing was."""
    references = _references(example, found)
    after = replace(
        example,
        question=example.question if found.question is None else found.question,
        answer=example.answer if found.answer is None else found.answer,
        references=references,
    )
    if found.label not in (None, example.label):
        after = replace(after, requested_label=found.label, verified_label=found.label, question_type=None)
        scope: Scope | None = "context" if found.label == "unanswerable" else None  # the person has seen no more
        after = replace(after, provenance=replace(after.provenance, unanswerable_in=scope))
    if after == example:
        return example
    place = example.context
    new_id = content_id("q", after.question, place.document_id, str(place.start), str(place.end))
    return replace(
        after,
        id=example.id if after.question == example.question else new_id,
        keypoints=example.keypoints if after.answer == example.answer else (),
        other_answers=example.other_answers if after.answer == example.answer else (),
        critiques=(),
        difficulty=example.difficulty if after.question == example.question else None,
        provenance=replace(after.provenance, statement=""),
    )


def _references(example: Example, found: Mended) -> tuple[Span, ...]:
    if (found.label or example.label) == "unanswerable":
        return ()
    if not found.sentences:
        return example.references
    spans = _sentences(example)
    runs: list[tuple[int, int]] = []
    for before, number in zip((-2, *found.sentences), found.sentences, strict=False):
        start, end = spans[number]
        if number == before + 1:  # neighbours are one reference, with the white space between them
            start, _ = runs.pop()
        runs.append((start, end))
    base = example.context
    picked = [
        Span(document_id=base.document_id, start=base.start + start, end=base.start + end, text=base.text[start:end])
        for start, end in runs
    ]
    return (*picked, *references_elsewhere(example))


def _sentences(example: Example) -> Sequence[tuple[int, int]]:
    """Places of the sentences in the passage; none where its offsets are not those of its text."""
    context = example.context
    if not context.document_id or context.end - context.start != len(context.text):
        return ()
    return sentence_spans(context.text)


def _inside(example: Example) -> list[Span]:
    context = example.context
    return [
        each
        for each in example.references
        if each.document_id == context.document_id
        and context.start <= each.start < each.end <= context.end
        and context.text[each.start - context.start : each.end - context.start] == each.text
    ]
