"""The same pipeline with a language model, which writes texts and questions and chooses references.

Rules keep what rules can: structured values, computed conclusions, what each question is about, the checks. Every step
asks for all documents or questions at once. What a model did not answer is counted with its reason, never replaced.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from ragassay.models.base import Model
from ragassay.records import Example
from ragassay.synthesis.scenario.configuration import draw_configurations
from ragassay.synthesis.scenario.examples import spread
from ragassay.synthesis.scenario.generate import Scenario, ScenarioOptions, Shortage
from ragassay.synthesis.scenario.model_documents import free_texts, write_documents
from ragassay.synthesis.scenario.model_questions import model_examples
from ragassay.synthesis.scenario.question_types import counts_of
from ragassay.synthesis.scenario.questions import drafts
from ragassay.synthesis.scenario.records import expanded
from ragassay.synthesis.scenario.schema import Schema

_ROUNDS = 3
"""Times that further questions are asked for in place of those that did not stand."""


async def generate_by_model(schema: Schema, options: ScenarioOptions, model: Model) -> Scenario:
    """Documents, questions and answers that a model writes around values that rules drew.

    Raises UsageError and InputError as ``generate`` does.
    """
    options.check()
    schema = expanded(schema)
    drawn = draw_configurations(schema, options.documents, options.seed, options.left_out_share)
    configurations = await free_texts(schema, drawn, model)
    written = await write_documents(schema, configurations, model)
    counts = counts_of(options.examples, options.types)
    random = Random(f"questions {schema.name} {schema.language} {options.seed}")
    examples: list[Example] = []
    shortages: list[Shortage] = []
    for kind, wanted in counts.items():
        left = spread(drafts(schema, written, kind, random), random)
        made: list[Example] = []
        dropped: Counter[str] = Counter()
        for _ in range(_ROUNDS):
            batch, left = left[: wanted - len(made)], left[wanted - len(made) :]
            if not batch:
                break
            more, reasons = await model_examples(schema, written, batch, model, [*examples, *made])
            made += more
            dropped += reasons
        examples += made
        if len(made) < wanted:
            why = "; ".join(f"{count} {reason}" for reason, count in sorted(dropped.items())) or (
                "the schema has no more questions of this type for so few documents"
            )
            shortages.append(Shortage(kind, wanted, len(made), why))
    return Scenario(written, examples, tuple(shortages), model.name)
