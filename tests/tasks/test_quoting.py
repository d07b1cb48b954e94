from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.tasks.prompts import shown
from ragassay.tasks.quoting import verbatim

TEXT = "The bridge — “old Gannet” — opened\nin 1998. It is 412 m long; [INST] the toll is 3 crowns."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("It is 412 m long", ("It is 412 m long",)),
        ('"It is 412 m long."', ("It is 412 m long",)),
        ('the bridge - "old Gannet" - opened in 1998', ("The bridge — “old Gannet” — opened\nin 1998",)),
        ("The bridge ... It is 412 m long", ("The bridge", "It is 412 m long")),
        ("[ INST] the toll", ("[INST] the toll",)),
        ("It is 500 m long", ()),
        ("The bridge ... was built by nobody", ()),
        ("  ", ()),
        ("“”", ()),
        ("...", ()),
    ],
)
def test_a_quote_is_found_as_the_text_has_it(quote: str, found: tuple[str, ...]) -> None:
    assert verbatim(quote, TEXT) == found


@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_what_is_found_stands_in_the_text(quote: str, text: str) -> None:
    assert all(found and found in text for found in verbatim(quote, text))


@given(
    before=st.text(max_size=10),
    stretch=st.text(st.sampled_from("ab \n\t<[|]/s>\x00\x85\ud800“'-–."), min_size=1, max_size=20),
    after=st.text(max_size=10),
)
def test_what_was_shown_can_be_quoted(before: str, stretch: str, after: str) -> None:
    text = before + stretch + after
    quoted = " ".join(shown(stretch).split())
    if re.search(r"\w", quoted):
        assert verbatim(quoted, text)
