"""``ragassay report``: a page about any run, or what a terminal shows of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ragassay.cli.command import Command, Job
from ragassay.errors import InputError, UsageError

if TYPE_CHECKING:
    from ragassay.jobs.report.set_report import ReportOptions
    from ragassay.report.blocks import Block

_OTHER_FILES = {
    "sweep.json": "a sweep; see its summary.json and report.html",
    "experiment.json": "an experiment; see its summary.json and report.html",
    "synthesis.json": "a set; `ragassay convert` describes it, and `ragassay report` without --text writes a page",
    "verdicts.jsonl": "a set with labels; `ragassay report` without --text writes a page",
}
"""What folders of commands hold whose results ``--text`` does not print, by a file in them."""


class Shown(NamedTuple):
    """What is printed of a run. found: for programs. page: what was written."""

    shown: list[Block]
    found: dict[str, Any]
    page: Path | None = None

    def as_object(self) -> dict[str, Any]:
        return self.found

    def blocks(self) -> list[Block]:
        from ragassay.report.blocks import Text

        return [*self.shown, Text(f"Report: {self.page}")] if self.page is not None else self.shown


def report(options: ReportOptions) -> Shown:
    """Write the page, or read what is to be printed."""
    from ragassay.jobs.report.set_report import report_run

    options.check()
    if options.calls:
        return _calls(options)
    if options.text:
        return _text(options.runs[0])
    if len(options.runs) > 1:
        return _sets(options)
    page = report_run(options.runs[0], options.out, options.beside)
    return Shown([], {"report": str(page)}, page)


def _sets(options: ReportOptions) -> Shown:
    from ragassay.jobs.report.comparing import compare_sets
    from ragassay.report.comparison import blocks_of_sets, sets_object

    found = compare_sets(options.runs, options.out)
    page = {"report": str(options.out)} if options.out else {}
    return Shown([*blocks_of_sets(found)], {**sets_object(found), **page}, options.out)


def _text(run: Path) -> Shown:
    from ragassay.jobs.folders.read_run import read_items
    from ragassay.report.run import blocks_of_run, run_object
    from ragassay.report.scores import blocks_of_scores, score_object
    from ragassay.report.summary import METRICS_FILE, read_metrics, read_summary

    if not run.is_dir():
        raise InputError(f"{run} is not a folder; name one that `ragassay run --out` wrote")
    if (run / METRICS_FILE).exists():
        scored = read_metrics(run)
        predictions = read_items(run).predictions
        return Shown([*blocks_of_scores(scored, None, run, predictions=predictions)], score_object(scored, folder=run))
    if (predicted := _predictions(run)) is not None:
        return predicted
    other = next((said for name, said in _OTHER_FILES.items() if (run / name).exists()), None)
    if other is not None:
        raise InputError(f"{run} holds {other}")
    summary, page = read_summary(run), run / "report.html"
    return Shown([*blocks_of_run(summary, report=page)], run_object(summary, page))


def _predictions(run: Path) -> Shown | None:
    """What `ragassay evaluate` has put into a folder so far; None for another folder."""
    from ragassay.jobs.answer.folder import held_predictions
    from ragassay.report.predictions import blocks_of_predictions, doubts_of, prediction_figures, predictions_object

    held = held_predictions(run)
    if held is None:
        return None
    system = held.predictions[0].system if held.predictions else "no prediction yet"
    doubts = doubts_of(held.examples, held.predictions) if held.has_documents else ()
    figures = prediction_figures(system, len(held.examples), held.predictions, asked_now=0, notes=doubts)
    path = run / "predictions.jsonl"
    shown = str(path) if path.exists() else ""
    return Shown([*blocks_of_predictions(figures, shown)], predictions_object(figures, shown))


def _calls(options: ReportOptions) -> Shown:
    from ragassay.models.llm.call_records import open_records
    from ragassay.models.llm.prices import Prices
    from ragassay.report.costs import blocks_of_call, blocks_of_calls, blocks_of_listed, calls_object

    run, task = options.runs[0], options.task
    question = None if options.example is None else _question(run, options.example)
    prices = Prices.load(options.prices)
    with open_records(run) as records:
        if task is not None and task not in records.tasks():
            known = ", ".join(records.tasks()) or "none"
            raise UsageError(f"--task: no calls of task {task!r} in the log; choose one of {known}")
        if options.call is not None:
            call = records.call(options.call)
            return Shown([*blocks_of_call(call)], call)
        if question is not None or options.failed:
            listed = list(records.problems(task) if question is None else records.about(question, task))
            what = "without a usable answer" if question is None else f"about {options.example}"
            return Shown([*blocks_of_listed(listed, what)], {"calls": [each._asdict() for each in listed]})
        tasks, overall, served = records.by_task(prices, task), records.overall(prices, task), records.served_by(task)
    counts = {"tasks": [calls_object(each) for each in tasks], "all": calls_object(overall)}
    found = {**counts, "served_by": [each._asdict() for each in served]}
    return Shown([*blocks_of_calls(tasks, overall, served)], found)


def _question(run: Path, example_id: str) -> str:
    from ragassay.jobs.folders.read_run import read_items

    found = [each.question for each in read_items(run).examples if each.id == example_id]
    if not found:
        raise UsageError(f"--example: {run} has no example {example_id!r}; its examples.jsonl has the ids")
    return found[0]


_REPORT = Command(
    Job(
        options="ragassay.jobs.report.set_report:ReportOptions",
        run=report,
        has_progress=False,
    ),
    """Write an HTML page about a run, print its summary or its calls, or compare several sets.

    The page shows the set, ratings, scores by label, single items and cost, for folders of synthesize, label and
    evaluate. `ragassay run` writes its own page, which is only replaced if --out names it; the page of a sweep is
    copied to --out. --against shows two runs side by side, --baseline histograms of truthfulness and relevance next to
    those of other runs.

    With several folders, which need not share questions, it compares what their sets are made of, in the terminal and,
    with --out, on a page: labels, question words, ratings, reasons for rejected candidates, cost.

    --text and --calls read files alone; --calls also while the run is in progress.

    Examples:

    ragassay report runs/scored

    ragassay report runs/first --text

    ragassay report runs/first --calls --failed

    ragassay report runs/new --against runs/old --out compared.html

    ragassay report runs/statements runs/simple squad.json --out sets.html

    ragassay report runs/rag --baseline "no retrieval=runs/none" --baseline "right block=runs/block"
    """,
)
COMMANDS = {"report": _REPORT}
