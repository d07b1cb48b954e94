from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ragassay.training.encoding import MOST_BRANCH_TOKENS, MOST_REFUSED, encode_items
from ragassay.training.items import Branch, TextBranch, TextItem

END = 0


def encode(text: str) -> Sequence[int]:
    """The places of the letters in the alphabet; -1 for the others."""
    return [ord(sign) - 96 if sign.isalpha() else -1 for sign in text.lower()]


def encoded(*branches: TextBranch) -> list[Branch]:
    item = TextItem(id="a", source="", document="", title="", heading="", text="Dry it.", branches=branches)
    return [branch for row in encode_items([item], encode, END) for branch in row.branches]


PLAIN = TextBranch(kind="ask", prompt="a", target="bc")


def test_a_question_ends() -> None:
    (branch,) = encoded(PLAIN)
    assert branch == Branch("ask", [1], [2, 3, END])
    assert branch.tokens == 4  # 1 + 3


def test_what_was_refused_ends_too_and_is_of_three_questions_at_most() -> None:
    assert MOST_REFUSED == 3
    (branch,) = encoded(replace(PLAIN, refused=("d", "ef", "g", "h")))
    assert branch == Branch("ask", [1], [2, 3, END], refused=([4, END], [5, 6, END], [7, END]))
    assert branch.tokens == 11  # 1 + 3 + 2 + 3 + 2


def test_of_a_labelled_branch_nothing_is_written() -> None:
    assert encoded(TextBranch(kind="number", prompt="a", label=1)) == [Branch("number", [1], (), 1)]


def test_a_branch_that_is_too_long_is_left_out() -> None:
    assert MOST_BRANCH_TOKENS == 200
    fits, too_long = (replace(PLAIN, target="b" * size) for size in (198, 199))  # with the prompt and the end
    assert [len(each.target) for each in encoded(fits, too_long, PLAIN)] == [199, 3]


@pytest.mark.parametrize(("size", "kept"), [(97, [98]), (98, [])])
def test_of_a_branch_that_is_too_long_what_was_refused_is_left_out_first(size: int, kept: list[int]) -> None:
    # 1 + 101 + 98 = 200
    (branch,) = encoded(replace(PLAIN, target="b" * 100, refused=("c" * size,)))
    assert len(branch.target) == 101
    assert [len(each) for each in branch.refused] == kept


def test_a_branch_that_is_too_long_by_itself_is_not_saved_by_what_it_sheds() -> None:
    assert encoded(replace(PLAIN, target="b" * 199, refused=("c",))) == []
