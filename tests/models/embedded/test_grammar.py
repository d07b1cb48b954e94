"""Words of keys, cells and titles: their tags, their forms and their article."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.grammar import (
    inflect,
    lemma,
    singular,
    tokens_of,
    with_article,
)


def test_tokens_know_where_they_stand() -> None:
    sentence = "Dr. Moss's U.S. firm paid $1,200.50 for wal_level-2, e.g. in St. Elm on the 3rd."
    tokens = tokens_of(sentence)
    assert all(sentence[token.start : token.end] == token.text for token in tokens)
    assert {"Dr.", "Moss", "'s", "U.S.", "1,200.50", "St.", "3rd"} <= {token.text for token in tokens}


@given(st.text(st.characters(), max_size=80))
def test_any_text_has_tokens_in_order(text: str) -> None:
    position = 0
    for token in tokens_of(text):
        assert position <= token.start < token.end <= len(text)
        assert text[token.start : token.end] == token.text
        position = token.end
    # all that is left out is white space
    covered = "".join(token.text for token in tokens_of(text))
    assert sorted("".join(covered.split())) == sorted("".join(text.split()))


@pytest.mark.parametrize(
    ("phrase", "tag"),
    [("the berths", "NNS"), ("the home port", "NN"), ("the maintained by", "IN"), ("the gross tonnage", "NN")],
)
def test_the_tag_of_the_last_word_of_a_key(phrase: str, tag: str) -> None:
    assert tokens_of(phrase)[-1].tag == tag


def test_forms_of_verbs_and_nouns() -> None:
    assert [lemma(verb) for verb in ("was", "built", "goes", "Died", "wrote")] == ["be", "build", "go", "die", "write"]
    assert [inflect("built", tag) for tag in ("VBD", "VBZ", "VBN", "VBG")] == ["built", "builds", "built", "building"]
    assert [inflect("is", tag) for tag in ("VBZ", "VBD", "VBN", "VB")] == ["is", "was", "been", "be"]
    assert [singular(noun) for noun in ("cities", "mice", "boxes")] == ["city", "mouse", "box"]


@pytest.mark.parametrize(
    ("phrase", "with_it"),
    [
        ("mill", "a mill"),
        ("old mill", "an old mill"),
        ("user", "a user"),
        ("uniform", "a uniform"),
        ("umbrella", "an umbrella"),
        ("the mill", "the mill"),
        ("its mill", "its mill"),
        pytest.param("hour", "an hour"),
        pytest.param("", ""),
    ],
)
def test_articles(phrase: str, with_it: str) -> None:
    assert with_article(phrase) == with_it
