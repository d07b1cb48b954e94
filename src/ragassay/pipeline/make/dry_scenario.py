"""What a scenario or a schema would ask of a model on a server, counted before the first call.

The pipeline runs with a stand-in that writes around the given values, so that every step has what the next one needs.
How long a model's texts are is not known: a section counts as its facts and some more, and every try as the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragassay.models.base import Model, Reply
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.prices import Prices
from ragassay.pipeline.asking.dry_run import DryRun, counting
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.asking.models import Endpoints
from ragassay.records import Document
from ragassay.synthesis.scenario.generate import ScenarioOptions, generate_by_model
from ragassay.synthesis.scenario.infer import infer_by_model
from ragassay.synthesis.scenario.schema import Schema
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.scenarios import (
    SCENARIO_QUESTION,
    SCENARIO_REFERENCES,
    SCENARIO_REVISION,
    SCENARIO_SECTION,
    SCENARIO_VALUE,
    SCHEMA_ELEMENTS,
    AnswerOnSentences,
    AnswerToRevise,
    QuestionToWrite,
    ReferenceNumbers,
    RevisedAnswer,
    ScenarioQuestion,
    SchemaElement,
    SchemaElements,
    SectionText,
    SectionToWrite,
    ValueToWrite,
    WrittenValue,
)
from ragassay.tasks.verdicts import KEYPOINTS, AnswerStatement, Keypoints

_ELEMENTS = 25
"""Of a seed: a document of one kind has some 20 to 50."""
_BETWEEN_FACTS = {"zh": "此处另有一句说明。"}
_BETWEEN_FACTS_EN = "Another sentence leads from one fact to the next."
_TELLING = re.compile(r"[A-Z][\w'’-]+|\d[\d,.]*\d|\d|[\u4e00-\u9fff]{4}")


def estimate_scenario(schema: Schema, options: ScenarioOptions, models: ModelOptions) -> DryRun:
    """Calls and tokens of ``ragassay scenario generate --model``; sends nothing.

    Raises UsageError and InputError as making the scenario does.
    """
    options.check()
    estimates, model = _counted(models)
    made = finished(generate_by_model(schema, options, model))
    return DryRun(rows=tuple(estimates.rows()), examples=len(made.examples), asked=options.examples)


def estimate_schema(seeds: Sequence[Document], models: ModelOptions) -> list[CallEstimate]:
    """Calls and tokens of ``ragassay scenario schema --model``; sends nothing."""
    estimates, model = _counted(models)
    finished(infer_by_model(model, seeds, "estimate"))
    return estimates.rows()


def _counted(models: ModelOptions) -> tuple[Estimates, EstimatingModel]:
    estimates = Estimates(Prices.load(models.prices))
    with counting(estimates):
        endpoints = Endpoints(models)
    stand_in: Model = _StandIn()
    return estimates, EstimatingModel(stand_in, endpoints.of_role["writer"].name, estimates, overrides=models.prompts)


class _StandIn:
    """Answers the tasks of a scenario as simply as its checks allow."""

    name = "estimate"

    async def ask(self, task: Task[In, Out], inputs: In) -> Reply[Out]:
        """Never without an answer."""
        return Reply(_ANSWERS[task.name](inputs))

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        """One by one."""
        return [await self.ask(task, each) for each in inputs]


def _section(asked: SectionToWrite) -> SectionText:
    stop = "。" if asked.language == "zh" else ". "
    between = _BETWEEN_FACTS.get(asked.language, _BETWEEN_FACTS_EN)
    return SectionText(text=f"{stop}{between} ".join(asked.facts) + stop.rstrip() if asked.facts else between)


def _question(asked: QuestionToWrite) -> ScenarioQuestion:
    space = "" if asked.language == "zh" else " "
    return ScenarioQuestion(question=f"{asked.kind} {space.join(asked.facts)[:120]}?", answer=space.join(asked.facts))


def _references(asked: AnswerOnSentences) -> ReferenceNumbers:
    telling = set(_TELLING.findall(asked.answer))
    found = tuple(at for at, sentence in enumerate(asked.sentences) if telling & set(_TELLING.findall(sentence)))
    return ReferenceNumbers(items=found or (0,))


def _value(asked: ValueToWrite) -> WrittenValue:
    return WrittenValue(value=asked.examples[0] if asked.examples else asked.element)


def _revised(asked: AnswerToRevise) -> RevisedAnswer:
    return RevisedAnswer(answer=asked.answer, changed=False)


def _keypoints(asked: AnswerStatement) -> Keypoints:
    return Keypoints(items=asked.statements or (asked.answer,))


def _elements(_: object) -> SchemaElements:
    return SchemaElements(
        items=tuple(SchemaElement(name=f"element {at}", value="a value of a few words") for at in range(_ELEMENTS))
    )


_ANSWERS: Mapping[str, Callable[[Any], Any]] = {
    SCHEMA_ELEMENTS.name: _elements,
    SCENARIO_VALUE.name: _value,
    SCENARIO_SECTION.name: _section,
    SCENARIO_QUESTION.name: _question,
    SCENARIO_REFERENCES.name: _references,
    SCENARIO_REVISION.name: _revised,
    KEYPOINTS.name: _keypoints,
}
