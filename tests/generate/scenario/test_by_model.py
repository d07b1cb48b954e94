"""The pipeline with a model: each step is asked for all at once, and what a model gets wrong does not come through."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from ragassay.errors import InputError
from ragassay.generate.scenario.folder import inspect_scenario, record_of
from ragassay.generate.scenario.generate import ScenarioOptions, generate, generate_by_model
from ragassay.generate.scenario.infer import infer_by_model
from ragassay.generate.scenario.schema_file import load_schema, parse_schema, schema_text
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Document
from ragassay.tasks.scenarios import (
    QuestionsToWrite,
    SchemaElement,
    SchemaElements,
    SectionText,
    SectionToWrite,
    SeedDocuments,
    WrittenQuestion,
    WrittenQuestions,
    WrittenValues,
)


def section(inputs: SectionToWrite) -> SectionText:
    """States the facts, but forgets the last at the first try."""
    facts = inputs.facts if inputs.lost or len(inputs.facts) < 2 else inputs.facts[:-1]
    return SectionText(text=" ".join(f"We note that the {fact}." for fact in facts))


def questions(inputs: QuestionsToWrite, lost: int = 0, extra: str = "") -> WrittenQuestions:
    """Asks for the facts, cites all sentences; lost: how many facts the first answer to each leaves out."""
    made = []
    for number, each in enumerate(inputs.questions, 1):
        kept = each.facts if each.fault else each.facts[lost:]
        made.append(
            WrittenQuestion(
                number=number,
                question=f"What holds for {' and '.join(each.subjects)}, {each.facts[0][:60]}?",
                sentences=tuple(range(1, len(inputs.sentences) + 1)),
                answer=" ".join(kept) or "It is so.",
                keypoints=(*each.facts, *filter(None, [extra])),
            )
        )
    return WrittenQuestions(items=tuple(made))


SCRIPT: dict[str, Any] = {
    "scenario_values": lambda inputs: WrittenValues(items=("a calm winter without storms",) * len(inputs.elements)),
    "scenario_section": section,
    "scenario_questions": questions,
}
LONG = "The harbour lies in the north and people walk there."
OPTIONS = ScenarioOptions(documents=3, n=14)


def test_a_model_does_each_step_and_rules_check_it() -> None:
    schema, _ = load_schema("finance")
    model = ScriptedModel(SCRIPT)
    made = asyncio.run(generate_by_model(schema, OPTIONS, model))
    assert Counter(each.question_type for each in made.examples).total() == 14
    assert made.model == "scripted"
    assert all(each.rewritten == len(schema.sections) - 1 for each in made.written)  # one section has one fact
    assert inspect_scenario(made.documents, made.examples, [*map(record_of, made.written)]).faults == []
    assert all("a calm winter without storms" in each.text for each in made.documents)
    assert len(model.asked("scenario_values")) == 3  # one for each document
    assert len(model.asked("scenario_questions")) <= 6  # one for each document, and each two


def test_an_answer_that_lacks_something_is_written_anew_and_told_why() -> None:
    schema, _ = load_schema("finance")
    model = ScriptedModel(SCRIPT | {"scenario_questions": lambda inputs: questions(inputs, lost=1)})
    made = asyncio.run(generate_by_model(schema, OPTIONS, model))
    assert len(made.examples) == 14
    faults = [each.fault for call in model.asked("scenario_questions") for each in call.questions if each.fault]
    assert faults
    assert all(fault.startswith("the answer lacks values: '") for fault in faults)


def test_what_a_model_invents_is_dropped_and_said() -> None:
    schema, _ = load_schema("finance")
    script = SCRIPT | {"scenario_questions": lambda inputs: questions(inputs, extra="It had 987654 visitors.")}
    made = asyncio.run(generate_by_model(schema, OPTIONS, ScriptedModel(script)))
    assert {each.question_type for each in made.examples} == {"unanswerable"}
    assert all("987654" in each.reason for each in made.shortages)
    assert sum(made.dropped.values()) > 13
    assert len(made.dropped) == 6  # a row for each type


def test_a_model_that_does_not_answer_leaves_reasons() -> None:
    schema, _ = load_schema("finance")
    silent = ScriptedModel(SCRIPT | {"scenario_questions": Reply(None, "the server is gone")})
    made = asyncio.run(generate_by_model(schema, ScenarioOptions(documents=2, n=6, types=("factual",)), silent))
    assert not made.examples
    assert ["18 no question was written: the server is gone" in each.reason for each in made.shortages] == [True]
    asked = silent.asked("scenario_questions")
    assert len(asked) == len({call.model_dump_json() for call in asked})
    assert not any(each.fault for call in asked for each in call.questions)


SEEDS = {
    "en": [
        """Defendant: {who}
Court: {town} District Court
Case No: ({year}) Crim. {number}
Born: {day} May 1980
Arrested: {day} June {year}
Residence: {number} Granary Lane, {town}
Fine: $5,{day}00
Occupation: baker
Statement: {who} was seen at the mill. The defendant left the mill before the fire began.""".format(
            who=who, town=town, year=2018 + at, number=310 + at, day=4 + at
        )
        for at, (who, town) in enumerate(
            (("Ida Marling", "Corvale"), ("Jon Tebbit", "Ostrey"), ("Pia Wexel", "Dunmar"))
        )
    ],
    "zh": [
        f"""被告人：{who}
审判机关：{town}市人民法院
案号：({2018 + at})刑初31{at}号
逮捕日期：2019年6月{4 + at}日
罚金：5{at}00元
职业：面包师
陈述：{who}当天在磨坊。被告在起火之前已经离开磨坊。"""
        for at, (who, town) in enumerate((("李某", "科瓦"), ("王某", "奥斯"), ("赵某", "敦马")))
    ],
}


def _lines(asked: SeedDocuments) -> SchemaElements:
    """Stand in for a model that copies what stands behind each key; one wording names something of a seed."""
    lines = [dict(re.split("[:：]", line, maxsplit=1) for line in seed.text.splitlines()) for seed in asked.seeds]
    return SchemaElements(
        items=tuple(
            SchemaElement(
                name=name,
                values=tuple(each[name].strip() for each in lines),
                alternatives=("thatcher", "of Corvale") if name == "Occupation" else (),
                sentences=(f"{name} is {{value}}.", "As in Corvale, {value}.", "Nothing."),
                questions=("What was it for {subject}?", "Was it {value} for {subject}?"),
                fact="For {subject} it was {value}.",
            )
            for name in lines[0]
        )
    )


@pytest.mark.parametrize("language", SEEDS)
def test_seeds_become_a_schema_that_names_nothing_of_theirs(language: str) -> None:
    seeds = [
        Document(id=str(at), title="", source=str(at), text=text, language=language)
        for at, text in enumerate(SEEDS[language])
    ]
    model = ScriptedModel({"scenario_schema": _lines})
    inferred = asyncio.run(infer_by_model(model, seeds, "cases"))
    schema = parse_schema(schema_text(inferred.schema), "inferred")
    types = [element.type for element in schema.fields.values()]
    expected = {
        "en": "person organisation name date date place number option text",
        "zh": "person organisation name date number option option",
    }
    assert " ".join(types) == expected[language]
    made = generate(schema, ScenarioOptions(documents=4, n=20))
    assert inspect_scenario(made.documents, made.examples, [*map(record_of, made.written)]).faults == []
    text = "\n".join(f"{document.title} {document.text}" for document in made.documents)
    names = re.findall(
        r"Ida|Marling|Tebbit|Wexel|Corvale|Ostrey|Dunmar|Granary|31[012]|科瓦|奥斯|敦马|李某|王某|赵某", text
    )
    assert names == []
    assert "before the fire" in text or "起火之前" in text
    if language == "en":  # 4 May 1980 to 4 June 2018 are 13 910 days, the second seed has 14 275, the third 14 641
        assert schema.fields["arrested"].days == (13910, 14641)
        assert schema.fields["occupation"].options == ("baker", "thatcher")
        assert schema.fields["occupation"].ask == ("What was it for {defendant}?",)
        said = [each.sentences for each in schema.sections[0].say]
        assert ("Occupation is {occupation}.",) in said
        assert (schema.fields["fine"].min, schema.fields["fine"].max) == (5400, 5600)


def test_a_number_that_is_the_sum_of_two_others_in_all_seeds_is_computed() -> None:
    rows = ((30, 12), (44, 7), (25, 90))
    seeds = [
        Document(
            id=str(at),
            title="",
            source=str(at),
            text=f"Site: Mill {'ABC'[at]}\nHome sales: ${home} million\nSales abroad: ${abroad} million\n"
            f"All sales: ${home + abroad} million\nStaff: {40 + at}",
            language="en",
        )
        for at, (home, abroad) in enumerate(rows)
    ]
    inferred = asyncio.run(infer_by_model(ScriptedModel({"scenario_schema": _lines}), seeds, "mills"))
    sales = parse_schema(schema_text(inferred.schema), "inferred").fields["all_sales"]
    assert (sales.type, sales.of) == ("sum", ("home_sales", "sales_abroad"))
    two = asyncio.run(infer_by_model(ScriptedModel({"scenario_schema": _lines}), seeds[:2], "mills"))
    assert two.schema.fields["all_sales"].type == "number"


def test_wordings_with_numbers_or_the_unit_of_a_value_are_not_taken() -> None:
    asked = {"questions": ("What of {subject}?",), "alternatives": ()}
    rows = {
        "Company": (("Alder Corp", "Birch Ltd"), ("This is {value}.",)),
        "Growth": (("5.1%", "4.8%"), ("It grew by {value}%.", "It grew {value} percent.", "Growth was {value}.")),
        "Fine": (("$5 million", "$7 million"), ("A fine of ${value} was due.", "The fine was {value}.")),
        "Term": (("18 months", "24 months"), ("It had 18 months, {value}.", "A {value}-month term.", "For {value}.")),
    }
    elements = SchemaElements(
        items=tuple(
            SchemaElement(name=name, values=values, sentences=said, fact="{subject}: {value}.", **asked)
            for name, (values, said) in rows.items()
        )
    )
    seeds = [Document(id=str(at), title="", source=str(at), text=LONG, language="en") for at in range(2)]
    made = asyncio.run(infer_by_model(ScriptedModel({"scenario_schema": elements}), seeds, "mine"))
    said = [each.sentences for each in made.schema.sections[0].say[1:]]
    assert said == [("Growth was {growth}.",), ("The fine was {fine}.",), ("For {term}.",)]


def test_seeds_that_give_nothing_are_said() -> None:
    seed = Document(id="1", title="", source="notes.txt", text="too short", language="en")
    with pytest.raises(InputError, match=r"notes\.txt"):
        asyncio.run(infer_by_model(ScriptedModel({}), [seed], "mine"))
    long = replace(seed, text=LONG)
    silent = ScriptedModel({"scenario_schema": Reply(None, "the server is gone")})
    with pytest.raises(InputError, match="the server is gone"):
        asyncio.run(infer_by_model(silent, [long], "mine"))
