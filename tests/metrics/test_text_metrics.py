from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.metrics.answer.comparison import (
    Overlap,
    answer_tokens,
    embedding_similarity,
    exact_match,
    lcs_length,
    rouge_1,
    rouge_2,
    rouge_l,
    rouge_tokens,
    squad_exact_match,
    squad_f1,
    squad_tokens,
    string_presence,
    token_f1,
)


def test_three_ways_to_cut_a_text() -> None:
    text = "The non-profit isn't “new”:  An\thour, −3.50 % 《今天》"
    assert " ".join(answer_tokens(text)) == "non profit isnt new hour -3.5 % 今 天"
    # by the functions of SQuAD's evaluate-v2.0.py: quotes, dashes and CJK signs that are not ASCII stay as they are
    assert " ".join(squad_tokens(text)) == "nonprofit isnt “new” hour −350 《今天》"
    assert " ".join(rouge_tokens(text)) == "the non profit isn t new an hour 3 50 今 天"
    assert rouge_tokens("हिन्दी stop_it") == ("हिन्दी", "stop", "it")  # vowel signs belong to the word


@pytest.mark.parametrize(
    ("answer", "reference", "is_same", "squads"),
    [
        ("cafe\u0301", "café", 1, 0),  # NFD and NFC
        ("５０％", "50 %", 1, 0),
        ("✗", "✓", 0, 0),
        ("✓\ufe0f", "✓", 1, 0),  # shown as a picture, or not
        ("3.5", "35", 0, 1),
        ("-5 °C", "5 °C", 0, 1),
        ("\u22125°C", "-5 °C", 1, 0),
        ("-$5", "$5", 0, 1),
        ("5-7", "5 7", 1, 0),  # a dash between numbers is no sign
        ("5\u22127", "5-7", 1, 0),
        ("<= 5", "> 5", 0, 1),
        ("<= 5", "\u2264 5", 1, 0),
        ("12.0", "12", 1, 0),
        ("2.50 m", "2.5 m", 1, 0),
        ("1.000 m", "1 m", 0, 0),  # thousand in German
        ("1,000.", "1000", 1, 1),
        ("1, 2, 3", "1,2,3", 1, 0),
        ("10.0.0.1", "1.00.01", 0, 1),
        ("5 %", "5", 0, 1),
        ("C#", "C", 0, 1),
        ("A", "The", 0, 1),  # an article is one before a word
        ("?", "!", 0, 1),
        ("an Isn’t", "isn't", 1, 0),
        ("U.S.", "US", 1, 1),
        ("The Eiffel Tower.", "eiffel tower", 1, 1),
        ("co\u00adop", "coop", 1, 0),  # a soft hyphen
        ("今天。", "今天", 1, 0),
    ],
)
def test_what_is_the_same(answer: str, reference: str, is_same: int, squads: int) -> None:
    assert (exact_match(answer, reference), squad_exact_match(answer, reference)) == (is_same, squads)
    assert string_presence(answer, reference) >= is_same == (token_f1(answer, reference).f1 == 1)


@pytest.mark.parametrize(
    ("answer", "reference", "value"),
    [
        ("It burns for nine hours.", "Nine hours", 1),
        ("It burns for hours, nine of them.", "nine hours", 0),
        ("It costs 15 crowns.", "5 crowns", 0),
        ("", "nine", 0),
        ("它今天开门。", "今天", 1),
    ],
)
def test_string_presence(answer: str, reference: str, value: float) -> None:
    assert string_presence(answer, reference) == value


def test_token_f1_by_hand() -> None:
    # "cat cat sat" and "cat sat down here": cat once and sat once in common; P = 2/3, R = 2/4, F = 4/7
    overlap = token_f1("The cat, a cat sat", "cat sat down here")
    assert overlap == Overlap(shared=2, said=3, wanted=4)
    assert overlap.f1 == pytest.approx(4 / 7)
    # of 4 and 3 signs 2 are shared
    assert token_f1("今天下雨", "明天雨").f1 == pytest.approx(2 * 2 / 7)
    assert [squad_f1("the", other).f1 for other in ("a", "word")] == [1, 0]
    assert squad_f1("今天下雨", "明天雨").f1 == 0  # no space, one token


def test_rouge_by_hand() -> None:
    # Lin 2004, section 3.1: both answers share "the gunman" with the reference, "police killed" only the first has
    reference = "police killed the gunman"
    assert rouge_1("police kill the gunman", reference) == Overlap(3, 4, 4)
    assert rouge_2("the gunman kill police", reference) == Overlap(1, 3, 3)
    assert rouge_l("police kill the gunman", reference) == Overlap(3, 4, 4)
    assert rouge_l("the gunman kill police", reference) == Overlap(2, 4, 4)
    assert rouge_l("今天下雨", "今晚下大雨") == Overlap(3, 4, 5)
    assert rouge_2("one", "one") is None
    assert rouge_1("", "word") == Overlap(0, 0, 1)
    assert [rouge("✗", "✓") for rouge in (rouge_1, rouge_2, rouge_l)] == [None] * 3  # no word in the reference


class _Axes:
    """An encoder of three made-up texts."""

    name, dimension = "axes", 2

    def __init__(self) -> None:
        self.vectors = {"east": (1, 0), "north": (0, 1), "north-east": (0.5**0.5, 0.5**0.5), "west": (-1, 0)}
        self.asked: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked.append([*texts])
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)


def test_embedding_similarity_is_the_cosine_and_encodes_every_text_once() -> None:
    encoder = _Axes()
    pairs = [("east", "north-east"), ("east", "north"), ("east", "east"), ("east", "west")]
    assert embedding_similarity(encoder, pairs) == [0.707107, 0, 1, 0]
    assert encoder.asked == [["east", "north-east", "north", "west"]]
    assert embedding_similarity(encoder, []) == []


tokens = st.lists(st.sampled_from("abc"), max_size=12)


@given(tokens, tokens)
def test_lcs_is_that_of_the_table(first: list[str], second: list[str]) -> None:
    row = [0] * (len(second) + 1)
    for token in first:
        above = row
        row = [0]
        for place, other in enumerate(second):
            row.append(above[place] + 1 if token == other else max(above[place + 1], row[-1]))
    assert lcs_length(first, second) == row[-1]


@given(st.text("ab 今。.", max_size=15), st.text("ab 今。.", max_size=15))
def test_laws(answer: str, reference: str) -> None:
    overlaps = [overlap(answer, reference) for overlap in (token_f1, rouge_1, rouge_l)]
    values = [overlap.f1 if overlap else 0 for overlap in overlaps]
    values.append(exact_match(answer, reference))
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    assert values[2] <= values[1]  # a common subsequence is a bag of common words
