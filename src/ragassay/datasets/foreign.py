"""Examples and predictions out of formats of other people, who ask for no label and keep no provenance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ragassay.datasets.format import Notes
from ragassay.datasets.replies.places import Places
from ragassay.datasets.replies.reading import read_answer
from ragassay.language import detect_language
from ragassay.records import (
    LABELS,
    NO_CONTEXT,
    UNLABELLED,
    Document,
    Example,
    Label,
    Prediction,
    Provenance,
    RankedChunk,
    Scope,
    Span,
    Turn,
    content_id,
)

RECORDED = "recorded"
"""The system of predictions that came with a data set."""


def example_of(
    *,
    origin: str,
    question: str,
    answer: str = "",
    other_answers: Sequence[str] = (),
    references: Sequence[Span] = (),
    context: Span | None = None,
    example_id: str | None = None,
    keypoints: Sequence[str] = (),
    language: str | None = None,
    question_type: str | None = None,
    synthesizer: str = "",
    label: Label | None = None,
    unanswerable_in: Scope | None = None,
    history: Sequence[Turn] = (),
    standalone_question: str | None = None,
) -> Example:
    """An example of a set that was made elsewhere.

    origin: name of the format. context: the first reference where it is not given. example_id: of question, answer
    and references where the format has none. label: the one that was asked for, where the set says it.
    history: the turns before the question. standalone_question: the same in words that need none.
    unanswerable_in: given where the set itself says that nothing answers; then the label is known.
    language: where the set does not say it, that of question, answer and references.
    """
    return Example(
        id=example_id
        or content_id("q", question, answer, *(span.text for span in references), *(turn.content for turn in history)),
        question=question,
        answer=answer,
        other_answers=tuple(dict.fromkeys(each for each in other_answers if each.strip() and each != answer)),
        context=context or (references[0] if references else NO_CONTEXT),
        references=tuple(references),
        keypoints=tuple(keypoints),
        requested_label="unanswerable" if unanswerable_in else label,
        verified_label=None,
        provenance=Provenance(synthesizer=synthesizer or origin, model="", unanswerable_in=unanswerable_in),
        language=language or detect_language("\n".join([question, answer, *(span.text for span in references)])),
        question_type=question_type,
        history=tuple(history),
        standalone_question=standalone_question,
    )


def label_in(value: object, notes: Notes) -> Label | None:
    """The label that a set gives an example; None where it is none of ours, which is noted if it is one at all."""
    known = next((each for each in LABELS if each == value), None)
    if known is None and value not in (None, "", UNLABELLED):
        notes.add("not read: labels that ragassay does not have")
    return known


def document_of_text(text: str, title: str, path: Path, where: str) -> Document:
    """The document that a text alone makes, with the id that our own reader gives the same text."""
    return Document(
        id=content_id("doc", text),
        title=title,
        source=f"{path.name}#{where.rpartition(' ')[2]}",
        text=text,
        language=detect_language(text),
    )


def prediction_of(example_id: str, answer: str | None, retrieved: Sequence[str]) -> Prediction:
    """An answer with the texts that were retrieved for it, best first; the scores are 1 / rank, as none are known."""
    return Prediction(
        example_id=example_id,
        system=RECORDED,
        chunks=tuple(
            RankedChunk(
                chunk_id=content_id("chunk", text), document_id="", start=0, end=len(text), score=1 / rank, text=text
            )
            for rank, text in enumerate(retrieved, start=1)
        ),
        answer=answer,
        abstained=answer is not None and read_answer(answer, Places()).abstained,
    )
