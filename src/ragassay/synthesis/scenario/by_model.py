"""The same pipeline with a language model: it finds the elements, writes texts and questions, chooses references.

Rules keep what rules can: structured values, computed conclusions, what each question is about, the checks. Every step
asks for all documents or questions at once. What a model did not answer is counted with its reason, never replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from ragassay.errors import InputError
from ragassay.models.base import Model
from ragassay.records import Document, Example
from ragassay.synthesis.scenario.configuration import draw_configurations
from ragassay.synthesis.scenario.examples import spread
from ragassay.synthesis.scenario.generate import Scenario, ScenarioOptions, Shortage
from ragassay.synthesis.scenario.infer import Inferred, Seen, check_seeds, language_of, schema_of
from ragassay.synthesis.scenario.model_documents import free_texts, write_documents
from ragassay.synthesis.scenario.model_questions import model_examples
from ragassay.synthesis.scenario.question_types import counts_of
from ragassay.synthesis.scenario.questions import drafts
from ragassay.synthesis.scenario.records import expanded
from ragassay.synthesis.scenario.schema import Schema
from ragassay.tasks.scenarios import SCHEMA_ELEMENTS, SeedDocument

_ROUNDS = 3
"""Times that further questions are asked for in place of those that did not stand."""


async def infer_by_model(model: Model, seeds: Sequence[Document], name: str) -> Inferred:
    """A schema from what a model finds in the seeds; values only tell types, ranges and options.

    Raises InputError where a seed is too short, or no seed gave an element.
    """
    check_seeds(seeds)
    asked = [SeedDocument(title=seed.title, text=seed.text, language=seed.language) for seed in seeds]
    replies = await model.ask_all(SCHEMA_ELEMENTS, asked)
    found: dict[str, Seen] = {}
    for place, reply in enumerate(replies):
        for element in reply.value.items if reply.value else ():
            found.setdefault(element.name.lower(), Seen(element.name)).values.setdefault(place, element.value)
    silent = Counter(reply.reason or "" for reply in replies if reply.value is None)
    if not found:
        raise InputError(f"{model.name} found no element in {len(seeds)} seed documents: {next(iter(silent), 'none')}")
    gave = f"gave {len(found)} fields, read by {model.name}; {sum(silent.values())} could not be read."
    return schema_of(list(found.values()), seeds, name, language_of(seeds), gave)


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
