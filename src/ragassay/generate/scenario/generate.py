"""The whole pipeline of a scenario: configurations, documents, questions, examples.

Without a language model rules do all of it. With one, rules keep structured values, computed conclusions, what each
question is about, and the checks; what the model did not answer is counted with its reason, never replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated

from ragassay.errors import UsageError
from ragassay.generate.scenario.configuration import Configuration, draw_configurations
from ragassay.generate.scenario.examples import Dropped, make_examples, spread
from ragassay.generate.scenario.model_documents import free_texts, write_documents
from ragassay.generate.scenario.model_questions import model_examples
from ragassay.generate.scenario.questions import TWO_DOCUMENTS, Drafted, counts_of, drafts, parse_types
from ragassay.generate.scenario.records import expanded
from ragassay.generate.scenario.schema import Schema
from ragassay.generate.scenario.writer import Written, write_document
from ragassay.models import EMBEDDED
from ragassay.models.base import Model
from ragassay.options import Count, Option, Seed, one_text, settings, typed_as
from ragassay.records import QUESTION_TYPES, Document, Example, QuestionType

_NO_MORE = "the schema has no more questions of this type for so few documents"
_ROUNDS = 3
"""Times that further questions are asked for in place of those that did not stand."""


@settings
class ScenarioOptions:
    """How much is made. left_out_share: see ``draw_configurations``."""

    documents: Annotated[Count, Option("Number of documents to make.")] = 40
    n: Annotated[Count | None, Option("Examples to make; default: five for each document.")] = None
    seed: Annotated[Seed, Option("Random seed; the same seed and schema give the same files.")] = 0
    types: Annotated[
        tuple[QuestionType, ...],
        typed_as(lambda given: parse_types(one_text(given)) if isinstance(one_text(given), str) else given),
        Option("Question types, separated by commas; default: all.", metavar="TYPES"),
    ] = QUESTION_TYPES
    left_out_share: float = 0.5

    @property
    def examples(self) -> int:
        """How many examples are asked for."""
        return 5 * self.documents if self.n is None else self.n

    def check(self) -> None:
        """Raises UsageError that names the option at fault."""
        paired = [kind for kind in self.types if kind in TWO_DOCUMENTS]
        if self.documents < 2 and paired:
            left = ",".join(kind for kind in self.types if kind not in TWO_DOCUMENTS)
            hint = f" or give --types {left}" if left else ""
            raise UsageError(f"--documents 1: {', '.join(paired)} ask about two documents; make at least two{hint}")


@dataclass(frozen=True, slots=True)
class Shortage:
    """Examples of a type that could not be made, and why."""

    question_type: QuestionType
    wanted: int
    made: int
    reason: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """What was made, in the order of the seed. dropped: how many became no example, by type and kind of fault."""

    written: Sequence[Written]
    examples: Sequence[Example]
    shortages: Sequence[Shortage]
    model: str
    dropped: Mapping[tuple[QuestionType, str], int]

    @property
    def documents(self) -> list[Document]:
        """The documents alone."""
        return [each.document for each in self.written]


def generate(schema: Schema, options: ScenarioOptions) -> Scenario:
    """Documents and examples; the same for the same schema and options.

    Raises UsageError for options that cannot be met, InputError where the schema names too few subjects.
    """
    schema, configurations, counts = _planned(schema, options)
    chance = f"document {schema.name} {schema.language} {options.seed}"
    written = [
        write_document(schema, configuration, Random(f"{chance} {number}"), number)
        for number, configuration in enumerate(configurations, 1)
    ]
    examples, dropped = make_examples(schema, written, counts, _chance(schema, options), EMBEDDED)
    return _scenario(written, examples, counts, dropped, EMBEDDED, {})


def _scenario(
    written: Sequence[Written],
    examples: Sequence[Example],
    counts: Mapping[QuestionType, int],
    dropped: Sequence[Dropped],
    model: str,
    left: Mapping[QuestionType, Sequence[Drafted]],
) -> Scenario:
    """What was made, with what was dropped by kind of fault, each with its first case. left: questions not asked."""
    made = Counter(example.question_type for example in examples)
    cases = Counter((kind, fault.partition(": ")[0]) for kind, fault in dropped)
    first = {(kind, fault.partition(": ")[0]): fault for kind, fault in reversed(dropped)}
    reasons = {(kind, first[kind, fault]): count for (kind, fault), count in sorted(cases.items())}
    shortages = []
    for kind, wanted in counts.items():
        if made[kind] < wanted:
            why = [] if left.get(kind) else [_NO_MORE]
            why += [f"{count} {fault}" for (each, fault), count in reasons.items() if each == kind]
            shortages.append(Shortage(kind, wanted, made[kind], "; ".join(why)))
    return Scenario(written, examples, tuple(shortages), model, reasons)


async def generate_by_model(schema: Schema, options: ScenarioOptions, model: Model) -> Scenario:
    """Documents, questions and answers that a model writes around values that rules drew.

    Raises UsageError and InputError as ``generate`` does.
    """
    schema, drawn, counts = _planned(schema, options)
    written = await write_documents(schema, await free_texts(schema, drawn, model), model)
    random = _chance(schema, options)
    left = {kind: spread(drafts(schema, written, kind, random), random) for kind in counts}
    examples: list[Example] = []
    dropped: list[Dropped] = []
    for _ in range(_ROUNDS):
        made = Counter(example.question_type for example in examples)
        batch: list[Drafted] = []
        for kind, wanted in counts.items():
            lacking = wanted - made[kind]
            batch += left[kind][:lacking]
            left[kind] = left[kind][lacking:]
        if not batch:
            break
        more, faults = await model_examples(schema, written, batch, model, examples)
        examples += more
        dropped += faults
    order: list[str] = list(counts)
    examples.sort(key=lambda example: order.index(example.question_type or ""))
    return _scenario(written, examples, counts, dropped, model.name, left)


def _planned(schema: Schema, options: ScenarioOptions) -> tuple[Schema, list[Configuration], dict[QuestionType, int]]:
    """The flat schema, a configuration for each document, and how many examples of each type are wanted."""
    options.check()
    schema = expanded(schema)
    drawn = draw_configurations(schema, options.documents, options.seed, options.left_out_share)
    return schema, drawn, counts_of(options.examples, options.types)


def _chance(schema: Schema, options: ScenarioOptions) -> Random:
    return Random(f"questions {schema.name} {schema.language} {options.seed}")
