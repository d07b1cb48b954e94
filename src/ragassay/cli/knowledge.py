"""``ragassay knowledge``: what a model knows of the questions of a set already."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

import typer

from ragassay.cli.judging import JudgedSet, judge
from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Answers,
    Calls,
    Judge,
    Model,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson


@expanded
def knowledge(
    judged: JudgedSet,
    tries: Annotated[int, typer.Option(help="Answers without context to each question.")] = 3,
    cutoff: Annotated[str, typer.Option(help="Knowledge cutoff of the answering model, such as 2023-10.")] = "",
    where: Annotated[
        list[str] | None,
        typer.Option(
            help="Condition on metadata of the documents, such as date>=2023-10: a column of the table.",
            metavar="CONDITION",
        ),
    ] = None,
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    judge_model: Judge = None,
    answers: Answers = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Measure what a model knows of a set without its documents.

    The answering model (--answers, or --model) answers every question several times with nothing retrieved and once
    with the right block, and says of each block whether it is new to it; the judge rates the answers by the block. The
    table has questions known always, sometimes and never beside both baselines. Each example gets the ratings
    known_without_context (highest of the tries), known_in_every_try (lowest), answered_with_block and new_to_model, by
    which `ragassay filter` chooses. Examples:

    ragassay knowledge sets/forty --out sets/known --model openai:gpt-4o-mini --cutoff 2023-10

    ragassay knowledge squad.json --out known.jsonl --answers vllm:qwen3 --tries 5 --dry-run
    """
    from ragassay.pipeline.label.knowledge import KnowledgeOptions, estimate_knowledge, measure_knowledge
    from ragassay.synthesis.metadata_filter import parse_condition

    options = KnowledgeOptions(
        **{each.name: getattr(judged, each.name) for each in fields(judged)},
        models=model_options(calls, spending, model=model, judge=judge_model, answers=answers),
        tries=tries,
        cutoff=cutoff,
        conditions=tuple(map(parse_condition, where or ())),
    )
    judge(options, measure_knowledge, estimate_knowledge, dry_run=spending.dry_run, as_json=as_json)
