"""``ragassay label``: how the context of every example answers its question."""

from __future__ import annotations

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
def label(
    data: Data,
    out: Out,
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
    """Give every pair of context and question one of four labels: fact_single, summary, reasoning, unanswerable.

    Takes any data set that `ragassay convert` reads. An example without a context, and one of which the model gives no
    label even when asked again, has no label and is counted. The reason for each label is in verdicts.jsonl in a folder
    beside --out, with the log of calls: the same command goes on where it was stopped. Examples:

    ragassay label runs/first --out labelled.jsonl

    ragassay label dev-v2.0.json --out squad_labelled.csv --model openai:gpt-4o-mini --dry-run

    ragassay label beir/ --out labelled.jsonl --model http://localhost:8000/v1#llama-3.1-8b
    """
    from ragassay.pipeline.judging_options import JudgingOptions  # imported late: --help answers in half a second
    from ragassay.pipeline.judging_stage import estimate_labels, label_dataset

    options = JudgingOptions(
        data=data,
        out=out,
        from_format=from_format,
        to_format=to_format,
        documents=documents,
        models=model_options(calls, spending, model=model),
        max_context_chars=max_context_chars,
        overwrite=overwrite,
        processes=processes,
    )
    judge(options, label_dataset, estimate_labels, dry_run=spending.dry_run, as_json=as_json)
