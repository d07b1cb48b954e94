"""Sentences taken apart and put back in the order of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.reading.grammar import (
    clause_of,
    inflect,
    inverted,
    lemma,
    lower_first,
    singular,
    tokens_of,
    with_article,
)


@pytest.mark.parametrize(
    ("sentence", "front", "subject", "auxiliaries", "main", "rest"),
    [
        ("The mill was built in 1850.", "", "The mill", ["was"], "built", "in 1850"),
        ("In 1850, the mill was sold to Ada Moss.", "In 1850", "the mill", ["was"], "sold", "to Ada Moss"),
        ("On July 29, 2022, the mill closed.", "On July 29, 2022", "the mill", [], "closed", ""),
        ("The mill makes flour.", "", "The mill", [], "makes", "flour"),
        ("The mill (a ruin) has been restored.", "", "The mill (a ruin)", ["has", "been"], "restored", ""),
        ("The mill is a museum.", "", "The mill", [], "is", "a museum"),
        ("The mill will be sold in May.", "", "The mill", ["will", "be"], "sold", "in May"),
        ("The mill had been quickly rebuilt by 1900.", "", "The mill", ["had", "been"], "rebuilt", "by 1900"),
    ],
)
def test_a_plain_sentence_is_taken_apart(
    sentence: str, front: str, subject: str, auxiliaries: list[str], main: str, rest: str
) -> None:
    clause = clause_of(sentence)
    assert clause is not None
    assert (clause.front, clause.subject, clause.main.text, clause.rest) == (front, subject, main, rest)
    assert [token.text for token in clause.auxiliaries] == auxiliaries
    assert sentence[clause.rest_start :].startswith(rest)
    assert clause.is_copula == (main == "is")
    assert clause.is_passive == (auxiliaries in (["was"], ["has", "been"], ["will", "be"], ["had", "been"]))


def test_a_bare_year_in_front() -> None:
    clause = clause_of("In 1850 the mill burned down.")
    assert clause is not None
    assert (clause.front, clause.subject, clause.rest) == ("In 1850", "the mill", "down")


@pytest.mark.parametrize(
    "sentence",
    [
        "The mill was not built in 1850.",
        "If the mill closes, nobody knows.",
        "When it closed, the mill was old.",
        "The mill, which is old, was sold.",
        "Built in 1850, the mill was sold.",
        "There is a mill.",
        "Was the mill built in 1850?",
        "The mill was built in 1850",
        "The mill was built in 1850!",
        "The mill (a ruin was sold.",
        "And the mill was sold.",
        "Mill.",
        "",
        "   ",
        "....",
    ],
)
def test_what_is_not_plain_is_left_alone(sentence: str) -> None:
    assert clause_of(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The mill was built in 1850.", "was the mill built in 1850"),
        ("The mill makes flour.", "does the mill make flour"),
        ("The mill burned down.", "did the mill burn down"),
        ("The mill is a museum.", "is the mill a museum"),
        ("The mill has been restored.", "has the mill been restored"),
        ("Ada Moss wrote three books.", "did Ada Moss write three books"),
    ],
)
def test_the_order_of_a_question(sentence: str, question: str) -> None:
    clause = clause_of(sentence)
    assert clause is not None
    assert inverted(clause, lower_first(clause.subject), clause.rest) == question


def test_tokens_know_where_they_stand() -> None:
    sentence = "Dr. Moss's U.S. firm paid $1,200.50 for wal_level-2, e.g. in St. Elm on the 3rd."
    tokens = tokens_of(sentence)
    assert all(sentence[token.start : token.end] == token.text for token in tokens)
    assert {"Dr.", "Moss", "'s", "U.S.", "1,200.50", "wal_level-2", "St.", "3rd"} <= {token.text for token in tokens}


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


@given(st.text("abAB \u00e9.,'()1-\"“”\n", max_size=60))
def test_any_text_has_a_clause_or_none(text: str) -> None:
    clause = clause_of(f"{text}.")
    if clause is not None:
        assert clause.subject in clause.sentence
        assert clause.rest in clause.sentence
        assert inverted(clause, clause.subject, clause.rest)


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
