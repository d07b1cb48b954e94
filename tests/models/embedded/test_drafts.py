"""The gates that need nothing but the draft."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.structure.drafts import Draft, capitalised, content_words, fault_of, pick


def fault(question: str, answer: str = "Ada Moss", mention: str = "the mill") -> str | None:
    return fault_of(Draft("p", question, answer, "S.", ("q",)), mention)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("Who built the mill?", "Ada Moss", None),
        ("Who built the mill in Elm?", "Ada Moss", None),
        ("What was the mill named after?", "Ada Moss", None),
        ("What is the mill used for?", "Grinding barley", None),
        ("Why the mill?", "Ada Moss", "length of the question"),  # three words
        (f"Who built the mill {'and ' * 21}more?", "Ada", "repeated word"),  # 26 words
        (f"Who built the mill {' '.join('abcdefghijklmnopqrstuvw')}?", "Ada", "length of the question"),  # 27 words
        ("Who built the mill", "Ada Moss", "broken text"),
        ("Who built Xtheme at the mill?", "Ada Moss", "broken text"),
        ("Who built the the mill?", "Ada Moss", "broken text"),
        ("Who built the mill , then?", "Ada Moss", "broken text"),
        ("Who built the mill?", "Xlit0q", "broken text"),
        ("Who built the mill of the?", "Ada Moss", "dangling end"),
        ("Who built the mill?", "the king of", "dangling answer"),
        ("Who built the mill?", "  ", "dangling answer"),
        ("Who built the mill?", "the of", "dangling answer"),
        ("Who built the bridge?", "Ada Moss", "theme not in the question"),
        ("Who built the mill?", "it is", "empty answer"),
        ("Did Ada Moss build the mill?", "Ada Moss", "answer leaks into the question"),
        ("Which red mill did Moss build?", "Red mill, green", "theme not in the question"),
        ("Who built built the mill?", "Ada Moss", "repeated word"),
        pytest.param(
            "Who built and built the mill mill?",
            "Ada Moss",
            "repeated word",
        ),
    ],
)
def test_what_is_wrong_with_a_draft(question: str, answer: str, reason: str | None) -> None:
    assert fault(question, answer) == reason


def test_half_of_the_answer_may_stand_in_the_question() -> None:
    # 'moss' is one of two words of the answer: half is no leak, two of three are
    assert fault("Which Moss built the mill?", "Ada Moss") is None
    assert fault("Which Ada Moss built the mill?", "Ada Moss Senior") == "answer leaks into the question"


def test_the_lengths_that_are_just_right() -> None:
    assert fault("Who owns the mill?") is None  # 4
    middle = " ".join("abcdefghijklmnopqrstuv")  # 22 letters and 4 words: 26
    assert fault(f"Who built the mill {middle}?".replace(" a ", " q ", 1)) in {None, "dangling end"}
    assert len(f"Who built the mill {middle}?".split()) == 26


def test_content_words() -> None:
    assert content_words("The Mill's owner is in the well-known U.S. co-op of 1,200!") == [
        "mill's",
        "owner",
        "well-known",
        "u.s",
        "co-op",
        "1",
        "200",
    ]


def test_a_wording_depends_on_the_key_alone() -> None:
    options = ("a", "b", "c")
    # sum of the bytes of "ab" is 97 + 98 = 195, divisible by 3
    assert pick(options, "ab") == "a"
    assert pick(options, "ac") == "b"
    assert pick(options, "ba") == "a"
    assert pick(("only",), "\u00e9") == "only"


def test_capitals() -> None:
    assert [capitalised(text) for text in ("what", "What", "", "élan")] == ["What", "What", "", "Élan"]
