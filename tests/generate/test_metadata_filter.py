"""Conditions on metadata: what they mean, and what is no condition."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ragassay.errors import InputError
from ragassay.generate.metadata_filter import check_conditions, parse_condition
from ragassay.records import Document


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        ("year>=2023", "2023", True),
        ("year>2023", "2023", False),
        ("year<2023", "999", True),  # as numbers, not as text
        ("date>=2023-10", "2023-10-05", True),
        ("date < 2023-10", "2023-09-30", True),
        ("kind=memo", "memo", True),
        ("kind!=memo", " memo ", False),
        ("kind != memo", "letter", True),
        ("a b=c=d", "c=d", True),
    ],
)
def test_conditions(condition: str, value: str, holds: bool, document: Callable[..., Document]) -> None:
    field = condition[:3] if condition.startswith("a b") else re.split("[<>=! ]", condition)[0]
    assert parse_condition(condition).holds(document("# A\n\nText.", metadata={field: value})) is holds
    assert not parse_condition(condition).holds(document("# A\n\nText."))


def test_a_field_that_no_document_has(document: Callable[..., Document]) -> None:
    documents = [document("# A\n\nText.", metadata={"year": "2020", "author": "x"}), document("# B\n\nText.")]
    check_conditions([parse_condition("year>2000"), parse_condition("author=x")], documents)
    with pytest.raises(InputError, match=r"--where: no document has the field 'date'; they have author, year"):
        check_conditions([parse_condition("date>2000")], documents)
    with pytest.raises(InputError, match="they have no metadata at all"):
        check_conditions([parse_condition("date>2000")], documents[1:])


def test_conditions_that_no_document_meets(document: Callable[..., Document]) -> None:
    documents = [document(f"# {year}\n\nText.", metadata={"year": year}) for year in ("2020", "2024")]
    check_conditions([], iter(()))
    check_conditions([parse_condition("year>2020"), parse_condition("year<2025")], documents)
    with pytest.raises(InputError, match=r"^--where: no document meets 'year<2024' and 'year>2020'$"):
        check_conditions([parse_condition("year<2024"), parse_condition("year>2020")], documents)
