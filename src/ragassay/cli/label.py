"""``ragassay label``: labels, ratings and what a model knows of a set, and the examples that are good enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragassay.cli.command import Command, Job

if TYPE_CHECKING:
    from ragassay.pipeline.label.label import Labelled
    from ragassay.pipeline.label.options import LabelOptions

command = Command(
    Job(
        options="ragassay.pipeline.label.options:LabelOptions",
        run="ragassay.pipeline.label.label:label",
        check="ragassay.cli.label:complain",
        counts_calls=True,
        shares_work=True,
    ),
    """Label and rate the examples of any set, and keep those that are good enough.

    labels: how the context answers the question: fact_single, summary, reasoning or unanswerable. critiques: ratings
    from 1 to 5 with reasons: question_groundedness, answer_groundedness, feasibility, stand_alone, question_usefulness,
    context_usefulness, context_clarity, tautology. knowledge: what a language model (--answers, or --model) knows
    without the documents: the ratings known_without_context, known_in_every_try, answered_with_block, new_to_model.

    With conditions, only examples that meet all of them are written; a missing rating meets no threshold. Verdicts,
    dropped examples with reasons and the log of calls are in a folder beside --out: the same command continues where it
    stopped.

    Examples:

    ragassay label runs/first --out labelled.jsonl

    ragassay label squad.json --what labels,critiques --model openai:gpt-4o-mini --out rated.jsonl --dry-run

    ragassay label rated.jsonl --min stand_alone=4,tautology=4 --verified-only --out good.jsonl

    ragassay label sets/forty --what knowledge --cutoff 2023-10 --model openai:gpt-4o-mini --only-new --out sets/new
    """,
)


def complain(done: Labelled, options: LabelOptions) -> None:
    """Raise for what a script should hear of although there are results."""
    from ragassay.errors import BudgetError, check_coverage

    summary = done.summary
    if summary.stopped_by:
        again = "with --overwrite" if options.out.suffix else f"after removing {options.out}"
        raise BudgetError(
            f"{summary.stopped_by}: {summary.judged} of {summary.examples} examples are done; run the "
            f"same command {again} to continue; its limits start from zero"
        )
    check_coverage(
        summary.coverage,
        options.models.coverage,
        ("", "of the examples are done"),
        f"{done.folder / 'verdicts.jsonl'} gives the reason for each",
    )
