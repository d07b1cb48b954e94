"""The pipeline without a language model: what it makes agrees with itself, whatever the seed."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragassay.generate.scenario.configuration import draw_configurations, percentage, text_of
from ragassay.generate.scenario.examples import missing
from ragassay.generate.scenario.folder import inspect_scenario, record_of
from ragassay.generate.scenario.generate import ScenarioOptions, generate
from ragassay.generate.scenario.questions import counts_of
from ragassay.generate.scenario.records import expanded
from ragassay.generate.scenario.schema import Element
from ragassay.generate.scenario.schema_file import load_schema, parse_schema, shipped_schemas
from ragassay.generate.scenario.writer import says
from ragassay.records import QUESTION_TYPES, to_json
from ragassay.text import sentence_spans

TWO_WORDINGS = """
name = "ships"
language = "en"
title = "{ship}"
key = ["ship"]
[fields.ship]
type = "name"
parts = [["Grey", "Blue"], ["Heron", "Gull"]]
separator = " "
[fields.port]
type = "option"
options = ["Lund"]
ask = ["What is the port of {ship}?"]
fact = "The port of {ship} is {port}."
[[sections]]
name = "all"
headings = ["All"]
[[sections.say]]
sentences = [WORDINGS]
"""


def test_values_are_written_as_the_language_has_it() -> None:
    money = Element(type="number", pattern="${} million", decimals=1)
    assert text_of(money, Decimal("1240.5"), "en") == "$1,240.5 million"
    assert text_of(money, Decimal("1240.5"), "zh") == "$1240.5 million"
    assert text_of(Element(type="date"), date(2024, 2, 9), "en") == "9 February 2024"
    assert text_of(Element(type="date"), date(2024, 2, 9), "zh") == "2024年2月9日"
    assert text_of(Element(type="list"), ("a", "b", "c"), "en") == "a, b and c"
    change = Element(type="change", patterns=("up {}%", "down {}%"))
    assert text_of(change, Decimal("-3.1"), "en") == "down 3.1%"
    # 100 x 41.2 / 60.3 = 68.325...
    assert percentage(Decimal("41.2"), Decimal("60.3"), 1) == Decimal("68.3")


def test_configurations_keep_their_rules() -> None:
    schema, _ = load_schema("finance")
    drawn = draw_configurations(expanded(schema), 30, 3)
    assert len({each.texts["company"] for each in drawn}) == 30
    for each in drawn:
        values = each.values
        assert values["assets"] - values["liabilities"] == values["equity"]  # type: ignore[operator]
        assert values["debt_ratio"] == percentage(values["liabilities"], values["assets"], 1)  # type: ignore[arg-type]
        assert values["founded"] < values["listed"]  # type: ignore[operator]
        assert 35 <= (values["bond_date"] - values["takeover"]).days <= 150  # type: ignore[operator]
        assert values["takeover"].year == values["year"]  # type: ignore[union-attr]


def test_what_is_lost_for_good_becomes_a_question_without_answer() -> None:
    wordings = '"{ship} lies in {port}."'
    schema = parse_schema(
        TWO_WORDINGS.replace("WORDINGS", wordings).replace(
            'type = "option"', 'type = "option"\nmay_be_left_out = true'
        ),
        "s",
    )
    schema = schema.model_copy(update={"sections": (schema.sections[0],)})
    made = generate(schema, ScenarioOptions(documents=4, n=4, types=("unanswerable",), left_out_share=1))
    assert Counter(each.question for each in made.examples) == Counter(
        f"What is the port of {each.configuration.texts['ship']}?" for each in made.written
    )
    assert all(not each.answer and not each.references and not each.keypoints for each in made.examples)
    assert not any("Lund" in each.text for each in made.documents)


@pytest.mark.parametrize(("name", "language"), shipped_schemas())
def test_shipped_schemas_give_what_is_asked_for_and_all_of_it_holds(name: str, language: str) -> None:
    schema, _ = load_schema(name, language)
    made = generate(schema, ScenarioOptions(documents=12, n=90, seed=5))
    assert Counter(each.question_type for each in made.examples) == counts_of(90, QUESTION_TYPES)
    found = inspect_scenario(made.documents, made.examples, [*map(record_of, made.written)])
    assert found.faults == []
    assert found.values == found.values_found
    assert not any("{" in each.text for each in made.documents)
    assert all(each.language == language for each in [*made.documents, *made.examples])
    starts = {each.id: set(sentence_spans(each.text)) for each in made.documents}
    assert all((span.start, span.end) in starts[span.document_id] for e in made.examples for span in e.references)


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_it_holds_for_every_seed_and_twice_is_the_same(seed: int, documents: int) -> None:
    schema, _ = load_schema("finance", "zh")
    options = ScenarioOptions(documents=documents, seed=seed)
    made, again = generate(schema, options), generate(schema, options)
    assert [to_json(each) for each in made.examples] == [to_json(each) for each in again.examples]
    assert inspect_scenario(made.documents, made.examples, [*map(record_of, made.written)]).faults == []


def test_support_is_what_is_said_or_follows_by_arithmetic() -> None:
    references = ["Revenue was $80.0 million.", "A sum of $12.5 million came from abroad on 3 May 2020."]
    assert missing("It earned $67.5 million at home.", references, "", []) == []  # 80.0 - 12.5
    assert missing("That is 15.6% of it.", references, "", []) == []  # 100 x 12.5 / 80 = 15.625
    assert missing("It earned $66.5 million at home.", references, "", []) == ["66500000"]
    assert missing("Grey Heron earned $80.0 million.", references, "", []) == ["Grey Heron"]
    assert missing("Grey Heron earned $80.0 million.", references, "Grey Heron: Report", []) == []
    assert missing("Grey Heron's reach grew.", references, "The Grey Heron of old", []) == []
    assert missing("Grey Heron Ferries grew.", ["The Grey Heron Ferry grew."], "", []) == []
    assert missing("Grey Heron Ferries grew.", ["The Grey Heron Fern grew."], "", []) == ["Grey Heron Ferries"]
    assert missing("董事长是魏怀瑾。", ["董事长是徐炳坤。"], "", ["魏怀瑾", "徐炳坤"]) == ["魏怀瑾"]
    assert missing("The case is open.", ["The door was shut."], "", ["open"]) == []  # a word has several senses


@pytest.mark.parametrize(
    ("keypoint", "reference"),
    [
        ("It paid 8 in total.", "It paid 5 and 3."),
        ("It grew by 25 %.", "It went from 120 to 150."),  # 100 x (150 - 120) / 120
        ("It paid $1.2 million.", "It paid $1,200,000."),
        ("It paid 1,200,000 yuan.", "罚款120万元。"),
        ("It has 12 members.", "It has twelve members."),
        ("它成立于2021年3月13日。", "它成立于二〇二一年三月十三日。"),
        ("2 weeks lie between.", "It went from 3 March 2021 to 17 March 2021."),
        ("Both Alder Corp and Birch Ltd paid.", "Alder Corp paid, and so did Birch Ltd."),
        ("While Judge Anna Smith sat, Alder Corp's Revenue rose.", "Anna Smith saw the revenue of Alder Corp."),
        ("In March Anna Smith was heard.", "Anna Smith was heard."),
    ],
)
def test_support_is_read_however_it_is_put(keypoint: str, reference: str) -> None:
    assert missing(keypoint, [reference], "", []) == []
    assert missing(keypoint, ["Nothing is known."], "", []) != []


def test_values_are_said_whatever_spaces_their_signs_have() -> None:
    assert says("It grew by 2.5 % to $ 6 million.", "2.5%")
    assert says("It grew by 2.5 % to $ 6 million.", "$6 million")
    assert not says("It grew by 12.5 %.", "2.5%")
