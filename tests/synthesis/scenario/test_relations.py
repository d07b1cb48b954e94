"""Orders, sums and shares of the seeds hold in what is made, or the field is left out; what contradicts is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from ragassay.corpus.markdown import read_markdown
from ragassay.records import Document
from ragassay.synthesis.scenario.configuration import Configuration, draw_configurations
from ragassay.synthesis.scenario.folder import ConfigurationRecord
from ragassay.synthesis.scenario.infer import Inferred, infer
from ragassay.synthesis.scenario.inspection import inspect_scenario
from ragassay.synthesis.scenario.records import expanded
from ragassay.synthesis.scenario.schema import Schema
from ragassay.synthesis.scenario.schema_file import parse_schema, schema_text

FILLER = " It was a good year, as many said when they met in the old harbour."


def inferred(texts: Sequence[str]) -> Inferred:
    documents = []
    for place, text in enumerate(texts):
        read = read_markdown(f"{text}\n\n{FILLER}")
        documents.append(
            Document(
                id=f"d{place}", title="", source=f"{place}.md", text=read.text, blocks=tuple(read.blocks), language="en"
            )
        )
    return infer(documents, "mine")


def drawn(schema: Schema, count: int = 40, left_out_share: float = 0.5) -> list[Configuration]:
    assert parse_schema(schema_text(schema), "mine") == schema
    return draw_configurations(expanded(schema), count, 0, left_out_share)


CASE = """# Case file

- Defendant: {name}
- Date of Birth: {born}
- Occupation: {work}
- Date of Filing: {filed}
- Date of Arrest: {arrest}
{judged}"""
CASES = [
    CASE.format(name="A. Moss", born="3 May 1950", work="Retired Clerk", filed="1 March 2022", arrest="9 March 2022",
                judged="- Date of Judgment: 20 March 2022"),
    CASE.format(name="B. Tarn", born="7 June 1992", work="Cook", filed="5 January 2023", arrest="30 May 2023",
                judged=""),
    CASE.format(name="C. Ward", born="9 July 1998", work="Waiter", filed="2 August 2022", arrest="4 August 2022",
                judged=""),
]  # fmt: skip


def test_dates_keep_the_order_of_the_seeds_and_ages_go_with_occupations() -> None:
    schema = inferred(CASES).schema
    for each in (configuration.values for configuration in drawn(schema)):
        # one seed alone says that the judgment comes last, while arrests of others are later than its date
        assert each["date_of_filing"] <= each["date_of_arrest"] <= each["date_of_judgment"]  # type: ignore[operator]
        if each["occupation"] == "Retired Clerk":
            assert each["date_of_birth"].year in (1949, 1950, 1951)  # type: ignore[union-attr]


def report(place: int, liabilities: int, assets: int, ratio: str) -> str:
    return (
        f"Alder Foods {place} is a company. The total liabilities amounted to ${liabilities} million. "
        f"The total assets amounted to ${assets} million. The debt to assets ratio stood at {ratio}%."
    )


SHARES = [report(0, 200, 500, "40"), report(1, 100, 800, "12.5"), report(2, 90, 240, "37.5")]
"""Liabilities in percent of assets."""


def test_a_share_that_holds_is_computed() -> None:
    schema = inferred(SHARES).schema
    element = schema.fields["debt_to_assets_ratio"]
    assert (element.type, element.of) == ("percent", ("total_liabilities", "total_assets"))
    for each in (configuration.values for configuration in drawn(schema)):
        liabilities, assets = each["total_liabilities"], each["total_assets"]
        assert isinstance(liabilities, Decimal)
        assert isinstance(assets, Decimal)
        assert liabilities <= assets  # as in all seeds
        assert abs(100 * liabilities / assets - each["debt_to_assets_ratio"]) <= Decimal("0.05")  # type: ignore[operator]


@pytest.mark.parametrize(
    "texts",
    [
        # 200/500 is 40 %, but 150/300 is stated as 35 %: whose share it is, the seeds do not agree
        [report(0, 200, 500, "40"), report(1, 150, 300, "35")],
        # of none of these shares two amounts are known, but its name is that of the assets, which documents state
        [report(0, 200, 500, "31"), report(1, 150, 300, "35")],
    ],
    ids=["disputed", "named after an amount"],
)
def test_a_share_that_would_contradict_is_left_out(texts: list[str]) -> None:
    found = inferred(texts)
    assert "debt_to_assets_ratio" not in found.schema.fields
    assert "total_assets" in found.schema.fields
    assert any("debt to assets ratio" in note for note in found.notes)


def test_documents_say_half_of_their_fields_at_least() -> None:
    lines = "\n".join(f"- Berth {letter}: {{}} boats" for letter in "ABCDEFGHIJ")
    texts = [f"# Port\n\n- Harbour Master: {name}\n" + lines for name in ("A. Moss", "B. Tarn", "C. Ward")]
    cut = [text.format(*range(3 + place, 13 + place)) for place, text in enumerate(texts)]
    cut = [text.replace(f"- Berth {'ABCDEFGHIJ'[place]}:", "- Note") for place, text in enumerate(cut)]
    schema = inferred(cut).schema
    fields = len(schema.fields) - len(schema.unspoken)
    said = [len(each.values.keys() - each.left_out) for each in drawn(schema, left_out_share=1)]
    assert min(said) * 2 >= fields


@pytest.mark.parametrize(
    ("texts", "values", "fault"),
    [
        (CASES, {"date_of_arrest": "1 May 2022", "date_of_filing": "2 May 2022", "date_of_judgment": "9 May 2022"},
         "is after date_of_arrest"),
        (CASES, {"date_of_birth": "1 May 1993", "occupation": "Retired Clerk"}, "is said of somebody who is 2"),
        (SHARES, {"total_liabilities": "$383 million", "total_assets": "$708 million", "debt_to_assets_ratio": "38%"},
         "is not the percent of total_liabilities and total_assets"),  # 383 / 708 is 54.1 %
        (SHARES, {"total_liabilities": "$90 million", "total_assets": "$80 million",
                  "debt_to_assets_ratio": "112.5%"},
         "is more than total_assets"),
    ],
)  # fmt: skip
def test_the_check_finds_what_contradicts(texts: list[str], values: dict[str, str], fault: str) -> None:
    schema = inferred(texts).schema
    good = drawn(schema, 1)[0].texts
    changed = {**good, **values}
    document = Document(id="d", title="", source="d.md", text="\n".join(changed.values()), language="en")
    faults = [
        inspect_scenario([document], [], [ConfigurationRecord(document_id="d", values=each)], schema).faults
        for each in (changed, {**changed, **{name: good[name] for name in values}})
    ]
    assert len(faults[0]) == 1
    assert fault in faults[0][0]
    assert not [each for each in faults[1] if "does not say" not in each]


def test_the_check_finds_a_document_that_is_too_short() -> None:
    schema = inferred(CASES).schema
    long = Document(id="long", title="", source="a.md", text="word " * 100, language="en")
    documents = [long, replace(long, id="longer"), replace(long, id="short", text="word " * 23)]
    # 115 characters of 500; a quarter is 125
    assert inspect_scenario(documents, [], [], schema).faults == [
        "document short has 115 characters, where half of them have 500"
    ]
