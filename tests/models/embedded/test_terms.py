from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.models.embedded.quantities import agreement, dates, quantities, same_value
from ragassay.models.embedded.terms import covered_share, names, term_of, terms, tokens, weight


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("founded", "established"),
        ("underwent", "undergo"),
        ("1,200", "1200"),
        ("twelve", "12"),
        ("bought", "acquisition"),
        ("cities", "city"),
        ("3rd", "3"),
        ("2.50", "2.5"),
        ("Meyer's", "Meyer"),
    ],
)
def test_words_that_say_the_same_are_one_term(one: str, other: str) -> None:
    assert term_of(one) == term_of(other) != ""


@pytest.mark.parametrize(
    ("one", "other"), [("found", "founded"), ("rise", "fall"), ("March", "May"), ("revenue", "profit")]
)
def test_words_that_say_something_else_stay_apart(one: str, other: str) -> None:
    assert term_of(one) != term_of(other)


def test_function_words_are_no_terms() -> None:
    assert terms("What was it that they had of the others?") == []


def test_chinese_is_cut_into_character_pairs() -> None:
    assert tokens("公司成立于2001年") == ["公司", "司成", "成立", "立于", "2001", "年"]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    assert weight(term_of("ombudsman")) > weight(term_of("company")) > 0


def test_a_capital_at_the_start_of_a_sentence_makes_no_name() -> None:
    # "The" and "Work" open sentences; "Nils" does too, but general English has no such word.
    assert names("The yard closed. Work ended. Nils Oberg left for Kiruna.") == {"nil", "oberg", "kiruna"}


def test_covered_share_by_hand() -> None:
    wanted = [term_of("harbour"), term_of("ombudsman")]
    share = covered_share(wanted, [term_of("harbour")])
    assert share == pytest.approx(weight(wanted[0]) / (weight(wanted[0]) + weight(wanted[1])))
    assert covered_share([], []) == 1.0


@given(st.text(max_size=80))
def test_terms_never_fail_and_weigh_between_0_and_1(text: str) -> None:
    assert all(0 < weight(term) <= 1 for term in terms(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 12 March 2021", (2021, 3, 12)),
        ("on March 3rd, 1999", (1999, 3, 3)),
        ("in June 2020", (2020, 6, None)),
        ("2021-03-04", (2021, 3, 4)),
        ("于2001年5月成立", (2001, 5, None)),
        ("in the 1990s", (1990, None, None)),
        ("in May", (None, 5, None)),
    ],
)
def test_dates_as_precisely_as_written(text: str, expected: tuple[int | None, ...]) -> None:
    (date,) = dates(text)
    assert (date.year, date.month, date.day) == expected


@pytest.mark.parametrize("text", ["it may rain", "they march on", "2000 employees", "31 and 99"])
def test_words_and_amounts_that_are_no_dates(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("$1.2 billion", "money", 1.2e9, "$"),
        ("€ 40", "number", 40, ""),
        ("5.3 %", "percent", 5.3, ""),
        ("twenty ships", "number", 20, "ship"),
        ("10亿元", "money", 1e9, "¥"),
        ("1,100 million dollars", "money", 1.1e9, "$"),
    ],
)
def test_amounts_with_their_units(text: str, kind: str, value: float, unit: str) -> None:
    (quantity,) = quantities(text)
    assert (quantity.kind, quantity.unit) == (kind, unit)
    assert quantity.value == pytest.approx(value)


def test_a_rounded_value_agrees_with_the_exact_one() -> None:
    (rounded,), (exact,), (other,) = quantities("$5.3 million"), quantities("$5,301,442"), quantities("$5,401,442")
    assert same_value(rounded, exact)
    assert not same_value(rounded, other)


def test_agreement_tells_found_from_clashing_from_missing() -> None:
    stated = quantities("In 2019 it carried 400 passengers at 12 %.")
    given = quantities("In 2021 it carried 400 passengers.")
    compared = agreement(stated, given)
    assert [one.value for one in compared.found] == [400]
    assert [one.value for one in compared.clashing] == [2019]
    assert [one.value for one in compared.missing] == [12]
