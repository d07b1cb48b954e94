"""Words of headings, keys and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.reading.grammar import (
    ing,
    lemma,
    lower_first,
    noun_phrase,
    singular,
    third_person,
    tokens_of,
)


def test_tokens_know_where_they_stand() -> None:
    sentence = "Dr. Moss's U.S. firm paid $1,200.50 for wal_level-2, e.g. in St. Elm on the 3rd."
    tokens = tokens_of(sentence)
    assert all(sentence[token.start : token.end] == token.text for token in tokens)
    assert {"Dr.", "Moss", "'s", "U.S.", "1,200.50", "St.", "3rd"} <= {token.text for token in tokens}


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=80))
def test_any_text_has_tokens_in_order(text: str) -> None:
    position = 0
    for token in tokens_of(text):
        assert position <= token.start < token.end <= len(text)
        assert text[token.start : token.end] == token.text
        position = token.end
    # all that is left out is white space
    covered = "".join(token.text for token in tokens_of(text))
    assert sorted("".join(covered.split())) == sorted("".join(text.split()))


def test_forms_of_verbs_and_nouns() -> None:
    assert [lemma(verb) for verb in ("was", "built", "goes", "Died", "wrote")] == ["be", "build", "go", "die", "write"]
    assert [third_person(verb) for verb in ("carry", "pass", "play", "have")] == ["carries", "passes", "plays", "has"]
    assert [ing(verb) for verb in ("write", "run", "tie", "see")] == ["writing", "running", "tying", "seeing"]
    assert [singular(noun) for noun in ("cities", "mice", "boxes")] == ["city", "mouse", "box"]
    assert [singular(noun) for noun in ("series", "fungus", "actress")] == ["series", "fungus", "actress"]


@pytest.mark.parametrize(
    ("key", "last"),
    [("staff cabins", "NNS"), ("max speed", "NN"), ("number of guests", "NNS"), ("built by", "IN"), ("opened", "VBN")],
)
def test_keys_are_tagged_as_what_a_sentence_is_about(key: str, last: str) -> None:
    tokens = noun_phrase(key)
    assert tokens[-1].tag == last
    assert " ".join(token.text for token in tokens) == key
    assert all(key[token.start : token.end] == token.text for token in tokens)


@pytest.mark.parametrize(
    ("phrase", "inside"),
    [
        ("The mill", "the mill"),
        ("Every ship", "every ship"),
        ("Ada Moss", "Ada Moss"),
        ("MV Bluefin", "MV Bluefin"),
        ("", ""),
    ],
)
def test_the_first_letter_inside_a_sentence(phrase: str, inside: str) -> None:
    assert lower_first(phrase) == inside
