"""``ragassay critique``: ratings of every example, 1 to 5, each with a reason."""

from __future__ import annotations

from typing import Annotated

import typer

from ragassay.cli.judging import JudgedSet, judge, judging_options
from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    JudgeModel,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson


@expanded
def critique(
    judged: JudgedSet,
    critiques: Annotated[str, typer.Option(help="Critiques, separated by commas, or all.")] = "all",
    as_json: AsJson = False,
    model: JudgeModel = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Rate every example from 1 to 5 by eight critiques.

    Each rating has a reason; `ragassay filter` applies thresholds. The critiques: question_groundedness,
    answer_groundedness, feasibility, stand_alone, question_usefulness, context_usefulness, context_clarity,
    tautology. Critiques of the answer are skipped for examples without one and for unanswerable pairs. Examples:

    ragassay critique runs/first --out rated.jsonl

    ragassay critique ragas_rows.jsonl --out rated.jsonl --critiques stand_alone,tautology

    ragassay critique labelled.jsonl --out rated.jsonl --model openai:gpt-4o-mini --max-cost 1
    """
    from ragassay.pipeline.label.judging import critique_dataset, estimate_critiques
    from ragassay.pipeline.label.options import parse_critiques  # imported late: --help stays fast

    options = judging_options(judged, model_options(calls, spending, model=model), parse_critiques(critiques))
    judge(options, critique_dataset, estimate_critiques, dry_run=spending.dry_run, as_json=as_json)
