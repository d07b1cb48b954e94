"""``ragassay evaluate``: a system on an evaluation set, or recorded answers, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.answer.options import EvaluateOptions
    from ragassay.pipeline.answer.predict import Predicted
    from ragassay.pipeline.score.result import Evaluation

command = Command(
    Job(
        options="ragassay.pipeline.answer.options:EvaluateOptions",
        run="ragassay.pipeline.score.evaluate:evaluate",
        show="ragassay.cli.evaluate:show",
        check="ragassay.cli.evaluate:complain",
        counts_calls=True,
        shares_work=True,
    ),
    """Ask a system the questions of a set and score its answers, or score recorded answers.

    Prints means with 95 % intervals and the number of examples behind each, by label and question type. Without
    --metrics, the usual ones that the data have inputs for are computed; missing inputs are reported before any call.
    The same command with the same --out continues where it stopped. A BEIR folder brings its own corpus and graded
    relevance; its documents are ranked whole.

    Examples:

    ragassay evaluate runs/first --system rag:retriever=bm25,top_k=5

    ragassay evaluate set.jsonl --system http://localhost:8000/ask --metrics recall@5,token_f1 --out runs/mine

    ragassay evaluate rows.jsonl --metrics faithfulness --judge openai:gpt-4o-mini --out runs/judged

    ragassay evaluate runs/mine --metrics faithfulness,answer_relevance
    """,
)


def show(done: Evaluation, as_json: bool) -> None:
    from ragassay.report.predictions import blocks_of_predictions, predictions_object
    from ragassay.report.scores import blocks_of_scores, score_object
    from ragassay.report.terminal import show

    figures = done.predicted.figures if done.predicted is not None else None
    path = str(done.folder / "predictions.jsonl") if done.folder is not None else ""
    if as_json:
        found: dict[str, Any] = score_object(done.summary, done.cost, done.folder)
        print_json(found | ({"predicted": predictions_object(figures, path)} if figures else {}))
        return
    blocks = [*blocks_of_predictions(figures, path)] if figures is not None else []
    if done.summary.metrics:
        blocks += blocks_of_scores(done.summary, done.cost, done.folder)
    show(blocks)


def complain(done: Evaluation, options: EvaluateOptions) -> None:
    """Raise for what a script should hear of although there are scores."""
    from ragassay.errors import CONTINUE, BudgetError, check_coverage

    if done.predicted is not None:
        _complain_of_answers(done.predicted, options)
    if done.summary.stopped_by:
        reached = done.summary.stopped_by
        if done.predicted is not None:  # the number is what answers left of it
            reached = f"{reached.split()[0]} reached by answers and metrics together"
        raise BudgetError(f"{reached}: the scores so far are above; {CONTINUE}")
    check_coverage(
        done.summary.judge_coverage,
        options.models.coverage,
        ("the judge answered", "of the calls"),
        "see the reasons above",
    )


def _complain_of_answers(done: Predicted, options: EvaluateOptions) -> None:
    from ragassay.errors import check_coverage

    check_coverage(
        done.coverage,
        options.models.coverage,
        ("the system answered", "of the questions"),
        "predictions.jsonl gives the reason for each; --retry-failed asks them again",
    )
