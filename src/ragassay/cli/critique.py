"""``ragassay critique``: ratings of every example, 1 to 5, each with a reason."""

from __future__ import annotations

from typing import Annotated

import typer

from ragassay.cli.judging import (
    MOST_CONTEXT_CHARS,
    AsJson,
    Data,
    Documents,
    FromFormat,
    MaxContextChars,
    Out,
    Overwrite,
    Processes,
    ToFormat,
    judge,
)
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


@expanded
def critique(
    data: Data,
    out: Out,
    critiques: Annotated[str, typer.Option(help="Names with commas between, or all.")] = "all",
    from_format: FromFormat = None,
    to_format: ToFormat = None,
    documents: Documents = None,
    max_context_chars: MaxContextChars = MOST_CONTEXT_CHARS,
    processes: Processes = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
    model: JudgeModel = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Rate every example from 1 to 5 by eight critiques, each with a reason; `ragassay filter` then applies thresholds.

    The critiques: question_groundedness, answer_groundedness, feasibility, stand_alone, question_usefulness,
    context_usefulness, context_clarity, tautology. What needs an answer is not asked of an example without one, and
    questions about the answer are not asked of unanswerable pairs. Examples:

    ragassay critique runs/first --out rated.jsonl

    ragassay critique ragas_rows.jsonl --out rated.jsonl --critiques stand_alone,tautology

    ragassay critique labelled.jsonl --out rated.jsonl --model openai:gpt-4o-mini --max-cost 1
    """
    from ragassay.pipeline.judging_options import JudgingOptions, parse_critiques  # imported late: --help stays fast
    from ragassay.pipeline.judging_stage import critique_dataset, estimate_critiques

    options = JudgingOptions(
        data=data,
        out=out,
        critiques=parse_critiques(critiques),
        from_format=from_format,
        to_format=to_format,
        documents=documents,
        models=model_options(calls, spending, model=model),
        max_context_chars=max_context_chars,
        overwrite=overwrite,
        processes=processes,
    )
    judge(options, critique_dataset, estimate_critiques, dry_run=spending.dry_run, as_json=as_json)
