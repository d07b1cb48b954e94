"""What a format says it holds comes back, and everything else is noted when it is written."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragassay.datasets.format import ALL_PARTS, Notes, Record, lost_parts
from ragassay.datasets.registry import FORMATS, read_dataset, recognised, write_dataset
from ragassay.records import (
    LABELS,
    Block,
    Critique,
    Document,
    Example,
    Prediction,
    Provenance,
    RankedChunk,
    Span,
    ToolCall,
    Turn,
    content_id,
)

# Every character that a file may have trouble with, and none that UTF-8 cannot hold.
characters = st.sampled_from("ab é中。\"'\\,;\t\r\n\x00\x1b\u2028\ufeff\U0001f468=+-@") | st.characters(
    exclude_categories=("Cs",)
)
texts = st.text(characters, min_size=1, max_size=30).filter(str.strip)
names = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
tool_calls = st.none() | st.lists(
    st.builds(ToolCall, name=names, arguments=st.sampled_from(["{}", '{"a": [1, "é"], "b": {"c": null}}'])), max_size=2
).map(tuple)
histories = st.lists(st.builds(Turn, role=st.sampled_from(["user", "assistant"]), content=texts), max_size=3).map(tuple)
OUTPUTS = [(each.name, form) for each in FORMATS.values() for form in each.writes]


@st.composite
def data_sets(draw: st.DrawFn) -> list[Record]:
    """Documents, predictions and examples that belong together, with ids and texts that occur once."""
    documents = [
        Document(
            id=content_id("doc", text),
            title=draw(texts),
            source=draw(texts),
            text=text,
            language=draw(st.sampled_from(["en", "zh", "und"])),
            metadata=draw(st.dictionaries(names.filter(lambda name: name != "domain"), texts, max_size=2)),
            blocks=draw(st.just(()) | st.just((Block(kind="paragraph", start=0, end=1),))),
        )
        for text in draw(st.lists(texts, min_size=1, max_size=3, unique_by=lambda text: "".join(text.split())))
    ]
    examples = [draw(examples_of(documents, number)) for number in range(draw(st.integers(1, 4)))]
    predictions = [
        Prediction(
            example_id=example.id,
            system="bm25",
            chunks=(RankedChunk(chunk_id="c", document_id="d", start=0, end=len(text), score=0.5, text=text),),
            answer=draw(texts),
            latency_s=0.25,
            abstained=draw(st.booleans()),
            cost_usd=draw(st.sampled_from([None, 0.002])),
            session=draw(st.none() | names),
            tool_calls=draw(tool_calls),
        )
        for example in examples
        if (text := draw(texts)) and draw(st.booleans())
    ]
    return [*documents, *predictions, *examples]


@st.composite
def examples_of(draw: st.DrawFn, documents: list[Document], number: int) -> Example:
    home = draw(st.sampled_from(documents))
    is_answerable = draw(st.booleans())
    references: tuple[Span, ...] = ()
    if is_answerable:
        start = draw(st.integers(0, len(home.text) - 1))
        end = draw(st.integers(start + 1, len(home.text)))
        span = home.span(start, end) if home.text[start:end].strip() else home.span(0, len(home.text))
        references = (replace(span, grade=draw(st.none() | st.integers(1, 3))),)
    return Example(
        id=f"q-{number}-{draw(names)}",
        question=draw(texts),
        answer=draw(texts) if is_answerable else "",
        context=home.span(0, len(home.text)),
        references=references,
        keypoints=tuple(draw(st.lists(texts, max_size=2))) if is_answerable else (),
        requested_label=draw(st.sampled_from((*LABELS[:3], None))) if is_answerable else "unanswerable",
        verified_label=draw(st.sampled_from((*LABELS, None))),
        provenance=Provenance(
            synthesizer="statements", model=draw(st.sampled_from(["", "embedded"])), statement=draw(names)
        ),
        language=draw(st.sampled_from(["en", "zh", "und"])),
        question_type=draw(st.sampled_from(["factual", "multi_hop"])) if is_answerable else "unanswerable",
        critiques=tuple(draw(st.lists(st.just(Critique(name="clarity", value=3, reason="so")), max_size=1))),
        tool_calls=draw(tool_calls),
        history=draw(histories),
        standalone_question=draw(st.none() | st.just("How long is the bridge?")),
        difficulty=draw(st.sampled_from([None, "hard"])),
    )


_OF_EXAMPLES: dict[str, Callable[[Example], Any]] = {
    "example ids": lambda example: example.id,
    "questions": lambda example: example.question,
    "answers": lambda example: example.answer,
    "references": lambda example: [span.text for span in example.references],
    "places of references": lambda example: [(span.start, span.end) for span in example.references],
    "grades": lambda example: [span.grade for span in example.references],
    "contexts": lambda example: example.context,
    "difficulty": lambda example: example.difficulty,
    "keypoints": lambda example: example.keypoints,
    "labels": lambda example: (example.requested_label, example.verified_label),
    "question types": lambda example: example.question_type,
    "languages of examples": lambda example: example.language,
    "critiques": lambda example: example.critiques,
    "expected tool calls": lambda example: example.tool_calls,
    "earlier turns": lambda example: example.history,
    "expected standalone questions": lambda example: example.standalone_question,
    "provenance": lambda example: example.provenance,
}
_OF_DOCUMENTS: dict[str, Callable[[Document], Any]] = {
    "documents": lambda document: document.text,
    "document ids": lambda document: document.id,
    "titles": lambda document: document.title,
    "sources": lambda document: document.source,
    "languages of documents": lambda document: document.language,
    "metadata": lambda document: dict(document.metadata),
    "structure": lambda document: (document.blocks, document.literals),
}
_OF_PREDICTIONS: dict[str, Callable[[Prediction], Any]] = {
    "predictions": lambda made: (made.answer, [chunk.text for chunk in made.chunks]),
    "places of retrieved chunks": lambda made: made.chunks,
    "systems, tokens, times and errors": lambda made: (made.system, made.latency_s, made.error),
    "tool calls": lambda made: made.tool_calls,
}


def held(records: list[Record], holds: frozenset[str]) -> list[str]:
    """What can be compared after a format held only some parts, in any order."""
    found = []
    for record in records:
        parts: dict[str, Callable[[Any], Any]] = (
            _OF_EXAMPLES
            if isinstance(record, Example)
            else _OF_DOCUMENTS
            if isinstance(record, Document)
            else _OF_PREDICTIONS
        )
        if next(iter(parts)) in holds or parts is _OF_EXAMPLES:
            found.append(repr({name: value(record) for name, value in parts.items() if name in holds}))
    return sorted(found)


def as_held(records: list[Record], format_name: str, form: str) -> list[Record]:
    """What a format makes of records by its own rules, which ``docs/datasets.md`` tells."""
    if format_name == "beir":  # a reference is its whole document
        whole = {each.id: each.span(0, len(each.text)) for each in records if isinstance(each, Document)}
        return [
            replace(
                each,
                references=tuple(replace(whole[span.document_id], grade=span.grade or 1) for span in each.references),
            )
            if isinstance(each, Example)
            else each
            for each in records
        ]
    if format_name == "ragas" and form == ".csv":  # of tool calls only JSON has columns
        kept = [each if isinstance(each, Document) else replace(each, tool_calls=None) for each in records]
        # nor are there cells that say nothing was asked: beside other results an empty one is a result
        asked = {each.example_id for each in kept if isinstance(each, Prediction)}
        sure = [each for each in kept if isinstance(each, Prediction) and (each.answer or each.chunks)]
        others = [each.id for each in kept if isinstance(each, Example) and each.id not in asked] if sure else []
        return [*kept, *(Prediction(example_id=each, system="recorded", chunks=(), answer="") for each in others)]
    if format_name == "jsonl" and form:
        return [each for each in records if isinstance(each, Example)]
    return records


@pytest.mark.parametrize(("format_name", "form"), OUTPUTS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data_sets())
def test_what_is_held_comes_back(format_name: str, form: str, records: list[Record]) -> None:
    chosen = FORMATS[format_name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"set{form}"
        notes, again = Notes(), Notes()
        write_dataset(path, records, format_name=format_name, notes=notes)
        assert recognised(path) is FORMATS[format_name]
        assert [each.name for each in Path(folder).iterdir()] == [path.name]
        back = list(read_dataset(path, notes=again))
    assert held(back, chosen.holds) == held(as_held(records, format_name, form), chosen.holds)
    if chosen.holds == ALL_PARTS and not form:
        assert sorted(map(repr, back)) == sorted(map(repr, records))  # to the last field
    for record in records:
        for part in lost_parts(record, chosen.holds):
            assert notes.counts[f"not held: {part}"] > 0
