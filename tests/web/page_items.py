"""Items of a page in which every text field holds a text that a test chooses."""

from __future__ import annotations

from ragassay.records import LABELS, Critique, Example, Prediction, Provenance, RankedChunk, Score, Span
from ragassay.report.items import Items


def example(number: int, text: str) -> Example:
    """Every text field holds the text."""
    return Example(
        id=f"{text}{number}",
        question=f"{text} {number}",
        answer=text,
        context=Span(document_id=text, start=0, end=len(text), text=text),
        references=(Span(document_id=text, start=0, end=len(text), text=text),),
        keypoints=(text,),
        requested_label="fact_single",
        verified_label=LABELS[number % 4],
        provenance=Provenance(synthesizer=text, model=text, pattern=text, statement=text),
        language=text,
        question_type=text,
        critiques=(Critique(name=text, value=2, reason=text),),
    )


def items_of(texts: list[str]) -> Items:
    examples = [example(number, text) for number, text in enumerate(texts)]
    predictions = [
        Prediction(
            example_id=each.id,
            system="hybrid",
            chunks=(RankedChunk(chunk_id="c", document_id="x", start=0, end=5, score=1.0, text=each.answer),),
            answer=each.answer,
            error=each.answer if number % 2 else None,
        )
        for number, each in enumerate(examples)
    ]
    scores = [
        Score(
            example_id=each.id,
            system="hybrid",
            metric="recall@5",
            value=number / len(examples),
            evidence=(each.answer,),
        )
        for number, each in enumerate(examples)
    ]
    return Items(examples, predictions, scores, sources={text: text for text in texts})
