"""What stands in, in an estimate, for a model that writes a scenario or a schema around given values.

How long a model's texts are is not known: a section counts as its facts and some more, and every try as the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

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

_ELEMENTS = 25
"""Of a seed: a document of one kind has some 20 to 50."""
_BETWEEN_FACTS = {"zh": "此处另有一句说明。"}
_BETWEEN_FACTS_EN = "Another sentence leads from one fact to the next."
_TELLING = re.compile(r"[A-Z][\w'’-]+|\d[\d,.]*\d|\d|[\u4e00-\u9fff]{4}")


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


def _elements(_: object) -> SchemaElements:
    return SchemaElements(
        items=tuple(SchemaElement(name=f"element {at}", value="a value of a few words") for at in range(_ELEMENTS))
    )


ANSWERS: Mapping[str, Callable[[Any], Any]] = {
    SCHEMA_ELEMENTS.name: _elements,
    SCENARIO_VALUE.name: _value,
    SCENARIO_SECTION.name: _section,
    SCENARIO_QUESTION.name: _question,
    SCENARIO_REFERENCES.name: _references,
    SCENARIO_REVISION.name: _revised,
}
