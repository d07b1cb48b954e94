"""What a pair is judged on, for sets that say it and for sets that do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragassay.datasets.foreign import example_of
from ragassay.datasets.texts import Texts
from ragassay.pipeline.label.pair_contexts import PairContext, pair_context
from ragassay.records import NO_CONTEXT, Span

MILL = "The mill stands by the river.\nIt was built in 1820.\nIts keeper is Moss."
FORGE = "The forge stands on the hill.\nIt was built in 1790."


def span(document_id: str, text: str, quote: str) -> Span:
    start = text.index(quote)
    return Span(document_id=document_id, start=start, end=start + len(quote), text=quote)


BUILT = span("mill", MILL, "It was built in 1820.")
OLDER = span("forge", FORGE, "It was built in 1790.")
WHOLE = span("mill", MILL, MILL)


@pytest.fixture
def texts() -> Iterator[Texts]:
    with Texts() as found:
        found.add("mill", MILL)
        found.add("forge", FORGE)
        yield found


def context_of(texts: Texts, most_chars: int = 10_000, **fields: object) -> PairContext:
    return pair_context(example_of(origin="test", question="When?", answer="1820", **fields), texts, most_chars)  # type: ignore[arg-type]


def test_a_context_that_holds_the_references_is_judged(texts: Texts) -> None:
    part = span("mill", MILL, "The mill stands by the river.\nIt was built in 1820.")
    assert context_of(texts, context=part, references=[BUILT]) == (part.text, "context", "")
    assert context_of(texts, context=part) == (part.text, "context", "")  # an unanswerable pair has no reference


def test_a_sentence_that_is_the_reference_is_no_context_where_the_document_is_known(texts: Texts) -> None:
    assert context_of(texts, references=[BUILT]) == (MILL, "documents", "")


def test_a_whole_document_that_is_the_reference_is_judged_alike(texts: Texts) -> None:
    assert context_of(texts, references=[WHOLE]).text == MILL


def test_references_in_two_documents_make_both_the_context(texts: Texts) -> None:
    found = context_of(texts, context=WHOLE, references=[BUILT, OLDER])
    assert found == (f"{MILL}\n\n{FORGE}", "documents", "")


def test_without_documents_the_references_are_the_context(texts: Texts) -> None:
    lost = Span(document_id="gone", start=3, end=9, text="It was.")
    assert context_of(texts, references=[lost, BUILT]) == ("It was.\n\nIt was built in 1820.", "references", "")


def test_a_reference_within_another_is_said_once(texts: Texts) -> None:
    short, long = (
        Span(document_id="", start=0, end=0, text="1820"),
        Span(document_id="", start=0, end=0, text="In 1820."),
    )
    assert context_of(texts, references=[short, long, short]).text == "In 1820."


def test_where_a_document_is_too_long_what_stands_around_the_reference_is_judged(texts: Texts) -> None:
    text = "\n".join(f"Line {number} of the log." for number in range(400))
    texts.add("log", text)
    found = context_of(texts, 300, references=[span("log", text, "Line 200 of the log.")])
    assert found.origin == "surroundings"
    assert found.text is not None
    assert 100 < len(found.text) <= 300
    lines = found.text.split("\n")
    assert "Line 200 of the log." in lines
    assert all(line in text.split("\n") for line in lines)  # no line is cut


def test_surroundings_of_several_references_share_the_room(texts: Texts) -> None:
    text = "\n".join(f"Line {number} of the log." for number in range(400))
    texts.add("log", text)
    quotes = [span("log", text, f"Line {number} of the log.") for number in (350, 20, 22)]
    found = context_of(texts, 600, references=quotes)
    assert found.origin == "surroundings"
    assert found.text is not None
    assert len(found.text) <= 600
    assert all(quote.text in found.text for quote in quotes)
    assert found.text.count("Line 21 of the log.") == 1  # two that overlap are one stretch


def test_a_context_that_is_too_long_is_a_fault(texts: Texts) -> None:
    found = context_of(texts, 20, context=WHOLE)
    assert found == (None, None, "the context is longer than 20 characters")


def test_an_example_of_which_nothing_is_known_is_a_fault(texts: Texts) -> None:
    blank = Span(document_id="", start=0, end=0, text=" ")
    for example in ({"context": NO_CONTEXT}, {"references": [blank]}):
        found = context_of(texts, **example)
        assert found.text is None
        assert found.fault.startswith("no context: the example has no context, no references and no document")
