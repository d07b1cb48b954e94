"""All drafts of a page: fit to be asked, with evidence inside the text, whatever the document is like."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.generate.collection import CollectionSurvey
from ragassay.keyless.drafting import drafts_of, is_fit
from ragassay.keyless.naming import page_of
from ragassay.keyless.page import Draft, Page
from ragassay.records import Block, BlockKind, Document

WORDS = st.sampled_from(
    "the Elm ferry Length Price (m) 40 £3 2020-05-01 How do I renew a pass? Yes. Open it. : | Crew — “x” \n A: Q: 12:30"
    " Built by 。 票 \u200b".split(" ")
)
TEXTS = st.lists(WORDS, max_size=30).map(" ".join)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Blocks of any kind, apart and in order, over text that means nothing."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    blocks = tuple(
        Block(
            kind=draw(st.sampled_from(get_args(BlockKind))),
            start=start,
            end=end,
            level=draw(st.integers(0, 3)),
            group=draw(st.integers(-1, 1)),
            row=draw(st.integers(-1, 3)),
            column=draw(st.integers(-1, 2)),
        )
        for start, end in pairwise(cuts)
        if start < end
    )
    return Document(id="d", title=draw(TEXTS), source="d", text=text, language="en", blocks=blocks)


@given(documents())
def test_odd_documents(document: Document) -> None:
    survey = CollectionSurvey()
    survey.add(document)
    for draft in drafts_of(page_of(document, survey.result())):
        assert draft.question
        assert all(0 <= start < end <= len(document.text) for start, end in draft.spans)


def test_other_languages_give_nothing(pages_of: Callable[[dict[str, str]], list[Page]]) -> None:
    german = (
        "# FAQ\n\n## Wie lange gilt eine Karte?\n\nDie Karte gilt drei Jahre, und sie wird danach neu ausgestellt.\n"
    )
    (page,) = pages_of({"a.md": german * 3})
    assert (page.document.language, list(drafts_of(page))) == ("de", [])


@pytest.mark.parametrize(
    ("question", "answer", "fit"),
    [
        ("What is the length of MV Elm?", "98 m", True),
        ("What is the home port of MV Elm?", "Home port of MV Elm", False),
        ("What is the length of the the Elm?", "98 m", False),
        ("What does the this manual say about lengths?", "98 m", False),
        ("What is the length of “Elm?", "98 m", False),
        ("According to “Lengths of the”, what is the length?", "98 m", False),
        ("According to “which ships need”, what is the length?", "98 m", False),
        ("According to “Lengths of ships”, what is the length?", "98 m", True),
        ("What is the length of Elm?", " ", False),
    ],
)
def test_fit(question: str, answer: str, fit: bool) -> None:
    assert (
        is_fit(Draft(label="fact_single", form="key_value", question=question, answer=answer, spans=((0, 1),))) is fit
    )


SECTION = (
    "\n\nEach crew has seven people at work. Two of them cook for all who sail, and two others stand at the wheel.\n"
)


@pytest.mark.parametrize(
    ("title", "heading", "question"),
    [
        ("Travel policy", "Crew meals", "What does the travel policy say about crew meals?"),
        ("Travel policy", "This crew", ""),
    ],
)
def test_a_section(pages_of: Callable[[dict[str, str]], list[Page]], title: str, heading: str, question: str) -> None:
    about = "In Elmo you sail. All work in Elmo is paid, and in Elmo every day ends at noon. Nobody in Elmo works on."
    pages = pages_of({"a.md": f"# {title}\n\n{about}\n\n## {heading}{SECTION}", "b.md": f"# Pay\n\n{about}\n"})
    asked = [draft.question for draft in drafts_of(pages[0]) if draft.form == "section"]
    assert asked == ([question] if question else [])
