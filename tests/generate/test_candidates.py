"""Quotes become spans that hold to the character, or the candidate is refused."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ragassay.generate.candidates import Candidate, located
from ragassay.generate.contexts import Context
from ragassay.records import Document
from ragassay.tasks.statements import Passage

#       0         10        20        30        40
TEXT = "The lamp  burns\nall night. The lamp is red. [a] (b)* $5."


def plain(text: str) -> Document:
    return Document(id="doc-1", title="Lamp", source="a.md", text=text, language="en")


def places(text: str, *quotes: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]] | None:
    spans = located(plain(text), start, len(text) if end is None else end, quotes)
    if spans is None:
        return None
    assert all(span.text == text[span.start : span.end] for span in spans)
    assert {span.document_id for span in spans} <= {"doc-1"}
    return [(span.start, span.end) for span in spans]


def test_white_space_may_differ_and_nothing_else() -> None:
    assert places(TEXT, "The lamp burns all night.") == [(0, 26)]
    assert places(TEXT, " The\tlamp  burns\n\nall night. ") == [(0, 26)]
    assert places(TEXT, "the lamp burns all night.") is None
    assert places(TEXT, "Thelamp burns") is None


def test_quotes_come_in_order_once_and_merged_where_they_touch() -> None:
    assert places(TEXT, "is red.", "The lamp  burns") == [(0, 15), (36, 43)]
    assert places(TEXT, "is red.", "is red.") == [(36, 43)]
    assert places(TEXT, "The lamp is", "red.") == [(27, 43)]  # one space lies between them
    assert places(TEXT, "The lamp is", "lamp is red.") == [(27, 43)]
    assert places(TEXT, "lamp is", "The lamp is red.") == [(27, 43)]


def test_a_repeated_sentence_is_found_behind_the_name_it_is_said_of() -> None:
    text = "size\nIt is 1.\nroom:\nsince 3.\nIt is 1.\ntime:\nsince 4.\nIt is 1."
    # right before "room" stands what is said of the size
    assert places(text, "room", "It is 1.") == [(14, 18), (29, 37)]
    # each name has a sentence of its own, though they are the same words
    assert places(text, "room", "It is 1.", "time", "It is 1.") == [(14, 18), (29, 42), (53, 61)]
    assert places(text, "It is 1.", "room:") == [(5, 19)]


@given(st.text(min_size=1, max_size=60), st.data())
def test_every_stretch_of_a_text_is_located(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    found = places(text, quote)
    assert [text[first:last] for first, last in found or ()] == ([quote] if quote.strip() else [])


def test_from_context_to_example() -> None:
    doc = plain(TEXT)

    def made(start: int) -> Candidate | None:
        passage = Passage(title="Lamp", text=TEXT[start:])
        return Context(doc, 3, doc.span(start, len(TEXT)), passage).candidate(
            "What colour is the lamp?", "Red", ("is  red.",), synthesizer="simple", label="fact_single", statement="S."
        )

    first, other = made(27), made(26)
    assert first
    assert other
    assert made(40) is None
    example = replace(first, verified="fact_single").as_example("scripted")
    assert example.references == (doc.span(36, 43),)
    assert (example.question, example.answer, example.language) == ("What colour is the lamp?", "Red", "en")
    assert (example.requested_label, example.verified_label) == ("fact_single", "fact_single")
    assert (example.provenance.synthesizer, example.provenance.statement) == ("simple", "S.")
    assert example.id == first.as_example("another model").id
    assert example.id != other.as_example("scripted").id  # another context, another pair
