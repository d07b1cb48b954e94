from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed (extra train)")

from ragassay.models.small.wording import asking_prompt
from ragassay.text import distinct
from ragassay.training.items import TextBranch, TextItem
from ragassay.training.verifier_figures import figures_of
from ragassay.training.writer_figures import asks_of, passes

TEXT = "The museum opens at nine. The cafe in the museum opens at ten."
FIRST = "The museum opens at nine."


def test_distinct() -> None:
    # who is it who is he: 6 words, 4 different; who-is is-it who-is is-he: 4 pairs, 3 different
    assert distinct(["Who is it?", "Who is he?"], 1) == pytest.approx(4 / 6)
    assert distinct(["Who is it?", "Who is he?"], 2) == pytest.approx(3 / 4)
    assert distinct([], 1) is None


def test_a_question_points_at_the_sentence_that_shares_most_words_with_it() -> None:
    assert asks_of(TEXT, FIRST, "What opens at nine?")
    assert not asks_of(TEXT, FIRST, "What opens at ten?")
    assert not asks_of(TEXT, FIRST, "What opens?")  # a tie points at neither


@pytest.mark.parametrize(
    ("question", "good"),
    [
        ("When does the museum open?", True),
        ("When does the museum open", False),
        ("When open?", False),
        ("When does the museum in Oslo open?", False),
        ("Does the museum open at 9?", False),
    ],
)
def test_the_gates(question: str, good: bool) -> None:
    branch = TextBranch(kind="ask", prompt=asking_prompt(FIRST, "At nine"), quote=FIRST)
    item = TextItem(id="a", source="", document="", title="", heading="", text=TEXT, branches=(branch,))
    assert passes(item, branch, question) is good


def test_a_verifiers_figures() -> None:
    figures = figures_of(
        [
            ("verbatim", True, 0.9),
            ("verbatim", True, 0.4),
            ("number", False, 0.2),
            ("number", False, 0.6),
            ("role", False, 0.1),
        ]
    )
    # 6 pairs: 0.9 above all three, 0.4 above two: 5 of 6. Half of the supported and two thirds of the others are right.
    assert figures.auroc == pytest.approx(5 / 6)
    assert figures.balanced_accuracy == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert figures.by_type["number (not supported)"] == (0.5, 2)
    assert figures_of([("verbatim", True, 0.9)]).balanced_accuracy is None
