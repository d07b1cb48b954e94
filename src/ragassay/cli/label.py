"""``ragassay label``: how the context of every example answers its question."""

from __future__ import annotations

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
def label(
    judged: JudgedSet,
    as_json: AsJson = False,
    model: JudgeModel = EMBEDDED,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Label every pair of context and question.

    The labels: fact_single, summary, reasoning, unanswerable. Takes any data set that `ragassay convert` reads. An
    example without a context stays without a label and is counted, as does one for which the model gives none even at
    the second call. The reason for each label is in verdicts.jsonl in a folder beside --out, with the log of calls: the
    same command continues where it stopped. Examples:

    ragassay label runs/first --out labelled.jsonl

    ragassay label dev-v2.0.json --out squad_labelled.csv --model openai:gpt-4o-mini --dry-run

    ragassay label beir/ --out labelled.jsonl --model http://localhost:8000/v1#llama-3.1-8b
    """
    from ragassay.pipeline.label.judging import estimate_labels, label_dataset  # imported late: --help stays fast

    options = judging_options(judged, model_options(calls, spending, model=model))
    judge(options, label_dataset, estimate_labels, dry_run=spending.dry_run, as_json=as_json)
