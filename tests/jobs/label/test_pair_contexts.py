"""What a pair is judged on, for sets that say it and for sets that do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ragassay.datasets.foreign import example_of
from ragassay.datasets.texts import Texts
from ragassay.jobs.label.verdicts import PairContext, pair_context
from ragassay.records import NO_CONTEXT, Span

MILL = "The mill stands by the river.\nIt was built in 1820.\nIts keeper is Moss."
FORGE = "The forge stands on the hill.\nIt was built in 1790."
LOG = "\n".join(f"Line {number} of the log." for number in range(400))


def span(document_id: str, text: str, quote: str) -> Span:
    start = text.index(quote)
    return Span(document_id=document_id, start=start, end=start + len(quote), text=quote)


def bare(text: str, document_id: str = "") -> Span:
    return Span(document_id=document_id, start=3 if document_id else 0, end=9 if document_id else 0, text=text)


BUILT = span("mill", MILL, "It was built in 1820.")
OLDER = span("forge", FORGE, "It was built in 1790.")
WHOLE = span("mill", MILL, MILL)
PART = span("mill", MILL, "The mill stands by the river.\nIt was built in 1820.")
LINE = span("log", LOG, "Line 200 of the log.")
NOTHING = "no context: the example has no context, no references and no document"


@pytest.fixture
def texts() -> Iterator[Texts]:
    with Texts() as found:
        for name, text in (("mill", MILL), ("forge", FORGE), ("log", LOG)):
            found.add(name, text)
        yield found


def context_of(texts: Texts, most_chars: int = 10_000, **fields: Any) -> PairContext:
    return pair_context(example_of(origin="test", question="When?", answer="1820", **fields), texts, most_chars)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"context": PART, "references": [BUILT]}, (PART.text, "context", ""), id="holds the references"),
        pytest.param({"context": PART}, (PART.text, "context", ""), id="an unanswerable pair has no reference"),
        pytest.param({"references": [BUILT]}, (MILL, "documents", ""), id="a sentence is no context"),
        pytest.param(
            {"context": WHOLE, "references": [BUILT, OLDER]},
            (f"{MILL}\n\n{FORGE}", "documents", ""),
            id="references in two documents",
        ),
        pytest.param(
            {"references": [bare("It was.", "gone"), BUILT]},
            ("It was.\n\nIt was built in 1820.", "references", ""),
            id="a document is not known",
        ),
        pytest.param(
            {"references": [bare("1820"), bare("In 1820."), bare("1820")]},
            ("In 1820.", "references", ""),
            id="a reference within another is said once",
        ),
        pytest.param({"references": [LINE], "most_chars": 300}, (LINE.text, "references", ""), id="a long document"),
        pytest.param({"context": NO_CONTEXT}, (None, None, NOTHING), id="nothing is known"),
        pytest.param({"references": [bare(" ")]}, (None, None, NOTHING), id="only a blank"),
        pytest.param(
            {"context": WHOLE, "most_chars": 20},
            (None, None, "the context is longer than 20 characters"),
            id="too long",
        ),
    ],
)
def test_the_first_that_is_there_is_judged(
    texts: Texts, fields: dict[str, Any], expected: tuple[str | None, str | None, str]
) -> None:
    assert context_of(texts, **fields) == expected
    assert context_of(texts, references=[WHOLE]).text == MILL  # judged alike whether it is a context or a document
