"""The pipeline with a model: each step is asked for all at once, and what a model gets wrong does not come through."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.synthesis.scenario.by_model import generate_by_model, infer_by_model
from ragassay.synthesis.scenario.folder import ConfigurationRecord
from ragassay.synthesis.scenario.generate import ScenarioOptions
from ragassay.synthesis.scenario.inspection import inspect_scenario
from ragassay.synthesis.scenario.schema_file import load_schema, parse_schema, schema_text
from ragassay.tasks.scenarios import (
    AnswerOnSentences,
    QuestionToWrite,
    ReferenceNumbers,
    RevisedAnswer,
    ScenarioQuestion,
    SchemaElement,
    SchemaElements,
    SectionText,
    SectionToWrite,
    SeedDocument,
    WrittenValue,
)
from ragassay.tasks.verdicts import AnswerStatement, Keypoints


def section(inputs: SectionToWrite) -> SectionText:
    """States the facts, but forgets the last at the first try."""
    facts = inputs.facts if inputs.lost or len(inputs.facts) < 2 else inputs.facts[:-1]
    return SectionText(text=" ".join(f"We note that the {fact}." for fact in facts))


def question(inputs: QuestionToWrite) -> ScenarioQuestion:
    return ScenarioQuestion(
        question=f"What holds for {' and '.join(inputs.subjects)}, {inputs.facts[0][:60]}?",
        answer=" ".join(inputs.facts),
    )


def all_sentences(inputs: AnswerOnSentences) -> ReferenceNumbers:
    return ReferenceNumbers(items=tuple(range(len(inputs.sentences))))


SCRIPT: dict[str, Any] = {
    "scenario_value": WrittenValue(text="a calm winter without storms"),
    "scenario_section": section,
    "scenario_question": question,
    "scenario_references": all_sentences,
    "scenario_revision": RevisedAnswer(answer="", changed=False),
    "keypoints": lambda inputs: Keypoints(items=inputs.statements),
}
OPTIONS = ScenarioOptions(documents=3, n=14)


def test_a_model_does_each_step_and_rules_check_it() -> None:
    schema, _ = load_schema("finance")
    model = ScriptedModel(SCRIPT)
    made = asyncio.run(generate_by_model(schema, OPTIONS, model))
    assert Counter(each.question_type for each in made.examples).total() == 14
    assert made.model == "scripted"
    assert all(each.rewritten == len(schema.sections) - 1 for each in made.written)  # one section has one fact
    records = [
        ConfigurationRecord(
            document_id=each.document.id,
            values=each.configuration.texts,
            left_out=tuple(each.configuration.left_out),
            lost=each.lost,
        )
        for each in made.written
    ]
    assert inspect_scenario(made.documents, made.examples, records, schema).faults == []
    assert all("a calm winter without storms" in each.text for each in made.documents)
    texts = [name for name, element in schema.fields.items() if element.type == "text"]
    assert len(model.asked("scenario_value")) == 3 * len(texts)


def test_what_a_model_invents_is_dropped_and_said() -> None:
    schema, _ = load_schema("finance")

    def invents(inputs: AnswerStatement) -> Keypoints:
        return Keypoints(items=(*inputs.statements, "It had 987654 visitors."))

    made = asyncio.run(generate_by_model(schema, OPTIONS, ScriptedModel(SCRIPT | {"keypoints": invents})))
    assert {each.question_type for each in made.examples} == {"unanswerable"}
    assert all("a keypoint says more than its references" in each.reason for each in made.shortages)


def test_a_model_that_does_not_answer_leaves_reasons() -> None:
    schema, _ = load_schema("finance")
    silent = ScriptedModel(SCRIPT | {"scenario_question": Reply(None, "the server is gone")})
    made = asyncio.run(generate_by_model(schema, ScenarioOptions(documents=2, n=6, types=("factual",)), silent))
    assert not made.examples
    assert [each.reason for each in made.shortages] == ["18 without a question: the server is gone"]


def test_elements_of_seeds_become_a_schema() -> None:
    from ragassay.records import Document

    def elements(seed: SeedDocument) -> SchemaElements:
        name, year = seed.text.split(" was built in ")
        return SchemaElements(
            items=(SchemaElement(name="Ship", value=name), SchemaElement(name="Year built", value=year[:4]))
        )

    seeds = [
        Document(id=name, title=name, source=name, text=f"{name} was built in {year} by somebody.", language="en")
        for name, year in (("Grey Heron", 1998), ("Blue Gull", 2004), ("Old Tern", 2001))
    ]
    inferred = asyncio.run(infer_by_model(ScriptedModel({"scenario_schema": elements}), seeds, "ships"))
    schema = parse_schema(schema_text(inferred.schema), "inferred")
    assert schema.key == ("ship",)
    assert (schema.fields["year_built"].min, schema.fields["year_built"].max) == (1998, 2004)
