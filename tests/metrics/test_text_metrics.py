from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.metrics.answer.bleu import bleu
from ragassay.metrics.answer.chrf import chrf
from ragassay.metrics.answer.embedding_similarity import embedding_similarity
from ragassay.metrics.answer.exact_match import exact_match
from ragassay.metrics.answer.lcs import lcs_length
from ragassay.metrics.answer.overlap import Overlap
from ragassay.metrics.answer.rouge import rouge_1, rouge_2, rouge_l
from ragassay.metrics.answer.token_f1 import token_f1
from ragassay.metrics.answer.tokens import rouge_tokens, squad_tokens, stand_in


def test_normalisation_of_squad() -> None:
    assert list(squad_tokens("The non-profit, founded in  An\thour!")) == ["nonprofit", "founded", "in", "hour"]
    assert list(squad_tokens("《红楼梦》the 2卷。")) == ["红", "楼", "梦", "2", "卷"]
    assert list(rouge_tokens("Don't stop_it: 3.5 km, 今天")) == ["don", "t", "stop", "it", "3", "5", "km", "今", "天"]


@given(*[st.lists(st.sampled_from(["a", "b", "ab"]), max_size=size) for size in (3, 8)])
def test_tokens_that_stand_side_by_side(wanted: list[str], tokens: list[str]) -> None:
    places = range(len(tokens) - len(wanted) + 1)
    assert stand_in(wanted, tokens) == any(tokens[place : place + len(wanted)] == wanted for place in places)


def test_exact_match() -> None:
    assert exact_match("The Eiffel Tower.", "eiffel tower") == 1
    assert exact_match("tower Eiffel", "Eiffel tower") == 0
    assert exact_match("今天。", "今天") == 1


def test_token_f1_by_hand() -> None:
    # "cat cat sat" and "cat sat down here": cat once and sat once in common; P = 2/3, R = 2/4, F = 4/7
    overlap = token_f1("The cat, a cat sat", "cat sat down here")
    assert overlap == Overlap(shared=2, said=3, wanted=4)
    assert (overlap.precision, overlap.recall, overlap.f1) == pytest.approx((2 / 3, 2 / 4, 4 / 7))
    # of 4 and 3 signs 2 are shared
    assert token_f1("今天下雨", "明天雨").f1 == pytest.approx(2 * 2 / 7)
    assert token_f1("the", "a").f1 == 1
    assert token_f1("the", "word").f1 == 0


def test_rouge_by_hand() -> None:
    # Lin 2004, section 3.1: both answers share "the gunman" with the reference, "police killed" only the first has
    reference = "police killed the gunman"
    assert rouge_1("police kill the gunman", reference) == Overlap(3, 4, 4)
    assert rouge_2("the gunman kill police", reference) == Overlap(1, 3, 3)
    assert rouge_l("police kill the gunman", reference).f1 == pytest.approx(3 / 4)
    assert rouge_l("the gunman kill police", reference).f1 == pytest.approx(2 / 4)
    assert rouge_l("今天下雨", "今晚下大雨") == Overlap(3, 4, 5)
    assert rouge_2("one", "one") is None
    assert rouge_1("", "word").f1 == 0


def test_bleu_by_hand() -> None:
    # 5 of 6 words, 3 of 5 pairs, 1 of 4 triples, no four of 3: its count is smoothed to 1/2
    value = bleu("the cat sat on a mat", "the cat sat on the mat")
    assert value == pytest.approx((5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** (1 / 4))
    value = bleu("the cat sat by the mat", "the cat sat on the mat")
    assert value == pytest.approx((5 / 6 * 3 / 5 * 1 / 4 * (1 / 2) / 3) ** (1 / 4))
    # two tokens: two orders; as the reference has 3, exp(1 - 3/2)
    assert bleu("cat sat", "cat sat down") == pytest.approx(exp(-0.5))
    # smoothing doubles: orders 2 and 3 have no match, 1/2 and 1/4
    assert bleu("a x b", "a y b") == pytest.approx((2 / 3 * (1 / 2) / 2 * (1 / 4) / 1) ** (1 / 3))
    assert bleu("dog", "cat") == 0
    # Chinese: 3 of 4 signs, 1 of 3 pairs, then smoothed: 1/2 of 2, 1/4 of 1
    assert bleu("今天下雨", "今天大雨") == pytest.approx((3 / 4 * 1 / 3 * (1 / 2) / 2 * (1 / 4) / 1) ** (1 / 4))


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        # from sacreBLEU 2.x, sentence_score with effective_order=True, tokenize 13a and zh; chrF2
        ("Sales rose 3.5%, to $1,200-1,300.", "Sales rose by 3.5% to $1,200.", (0.212006267590, 0.615246294957)),
        ("&quot;Yes&quot;, she said - twice", '"Yes" she said twice.', (0.270541134527, 0.431706533055)),
        ("公司在2019年的收入为3.5亿元。", "2019年，公司收入达到3.5亿元。", (0.289178493323, 0.423739046901)),
        ("He said “no”, 今天", "He said “no”，明天", (0.541082269054, 0.719182206682)),
    ],
)
def test_bleu_and_chrf_are_those_of_sacrebleu(answer: str, reference: str, expected: tuple[float, float]) -> None:
    assert (bleu(answer, reference), chrf(answer, reference)) == pytest.approx(expected, abs=1e-9)


def test_chrf_by_hand() -> None:
    # orders 1 to 3, as the reference has 3 characters: precisions 2/4, 1/3, 0/2, recalls 2/3, 1/2, 0/1
    p, r = (2 / 4 + 1 / 3) / 3, (2 / 3 + 1 / 2) / 3
    assert chrf("ab xy", "abc") == pytest.approx(5 * p * r / (4 * p + r))
    assert chrf("a b", "ab") == 1
    assert chrf("", "ab") == 0


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
    values = [overlap(answer, reference).f1 for overlap in (token_f1, rouge_1, rouge_l)]
    values += [bleu(answer, reference), chrf(answer, reference), exact_match(answer, reference)]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    assert values[2] <= values[1]  # a common subsequence is a bag of common words
    if reference.strip():
        assert bleu(reference, reference) == pytest.approx(1)
        assert chrf(reference, reference) == pytest.approx(1)


def _chrf_by_counting(answer: str, reference: str) -> float:
    said, wanted = "".join(answer.split()), "".join(reference.split())
    orders = min(6, len(said), len(wanted))
    precision = recall = 0.0
    for order in range(1, orders + 1):
        in_said, in_wanted = (
            Counter(text[start : start + order] for start in range(len(text) - order + 1)) for text in (said, wanted)
        )
        matched = (in_said & in_wanted).total()
        precision += matched / in_said.total() / orders
        recall += matched / in_wanted.total() / orders
    return 5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0


@given(st.text("ab \u03ff\u0400\u4e00\U0001f600", max_size=30), st.text("ab \u03ff\u0400\u4e00", max_size=30))
def test_chrf_counts_stretches_in_every_alphabet(answer: str, reference: str) -> None:
    # characters from U+0400 on do not fit into the narrow numbers
    assert chrf(answer, reference) == pytest.approx(_chrf_by_counting(answer, reference))
