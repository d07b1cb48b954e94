"""``ragassay evaluate``, ``sweep`` and ``experiment``: systems on evaluation sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ragassay.cli.command import Command, Job, print_blocks
from ragassay.errors import CONTINUE, BudgetError, check_coverage

if TYPE_CHECKING:
    from ragassay.jobs.answer.options import EvaluateOptions
    from ragassay.jobs.experiment.options import ExperimentOptions
    from ragassay.jobs.folders.progress import Progress
    from ragassay.jobs.score.result import Evaluation
    from ragassay.jobs.sweep.options import SweepOptions
    from ragassay.report.blocks import Block
    from ragassay.report.experiment import ExperimentSummary
    from ragassay.sweep.results import Planned, Swept


def check_evaluation(done: Evaluation, options: EvaluateOptions) -> None:
    least = options.models.coverage
    if done.predicted is not None:
        check_coverage(
            done.predicted.coverage,
            least,
            ("the system answered", "of the questions"),
            "give --out to keep the reasons and ask them again with --retry-failed"
            if options.out == Path()
            else "predictions.jsonl gives the reason for each; --retry-failed asks them again",
        )
    if reached := done.summary.stopped_by:
        if done.predicted is not None:  # the number is what answers left of it
            reached = f"{reached.split()[0]} reached by answers and metrics together"
        raise BudgetError(f"{reached}: the scores so far are above; {CONTINUE}")
    check_coverage(done.summary.judge_coverage, least, ("the judge answered", "of the calls"), "see the reasons above")


def sweep(options: SweepOptions, progress: Progress) -> Swept:
    """Print the plan, then do the whole sweep."""
    from ragassay.jobs.sweep.sweep import sweep as sweep_all

    return sweep_all(options, progress, lambda planned: print_blocks(SweepPlan(planned).blocks(), stderr=True))


class SweepPlan(NamedTuple):
    """What a sweep would do, and what that would cost."""

    planned: Planned

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.sweep import blocks_of_plan

        return blocks_of_plan(self.planned)

    def as_object(self) -> dict[str, Any]:
        planned = self.planned
        found: dict[str, Any] = {"settings": [setting.name for setting in planned.settings]}
        return {**found, "plan": [asdict(row) for row in planned.rows], "cost_usd": planned.cost_usd}


def plan_sweep(options: SweepOptions, progress: Progress) -> SweepPlan:
    from ragassay.jobs.sweep.sweep import plan_sweep

    return SweepPlan(plan_sweep(options, progress))


def swept_object(done: Swept) -> dict[str, Any]:
    from ragassay.report.sweep import sweep_object

    return {**sweep_object(done), "rows": done.rows, "folder": str(done.folder)}


def check_sweep(done: Swept, options: SweepOptions) -> None:
    if done.budget_reached:
        raise BudgetError(f"{done.budget_reached}: {CONTINUE}")
    short = [each for each in done.unanswered if each.coverage < options.models.coverage]
    if not short:
        return
    others = f"; {len(short) - 1} more settings are below it" if len(short) > 1 else ""
    again = "; the same command repeats calls without a reply" if any(each.unheard for each in short) else ""
    check_coverage(
        short[0].coverage,
        options.models.coverage,
        ("servers answered all calls for", f"of the questions with {short[0].setting.name}"),
        f"see the reasons above and in {done.folder / 'summary.json'}{others}{again}",
    )


def experiment(options: ExperimentOptions, progress: Progress) -> tuple[ExperimentSummary, Path]:
    from ragassay.jobs.experiment.experiment import experiment

    return experiment(options, progress), options.out


def experiment_blocks(done: tuple[ExperimentSummary, Path]) -> Iterable[Block]:
    from ragassay.report.experiment import blocks_of_experiment

    return blocks_of_experiment(done[0], str(done[1]))


def experiment_object(done: tuple[ExperimentSummary, Path]) -> dict[str, Any]:
    found, out = done
    asked = {side: sum(system.asked[side] for system in found.systems) for side in ("synthetic", "human")}
    return {**found.as_object(), "asked_now": asked, "report": str(out / "report.html")}


def check_experiment(done: tuple[ExperimentSummary, Path], options: ExperimentOptions) -> None:
    from ragassay.jobs.experiment.experiment import check_coverage

    check_coverage(done[0], options)


COMMANDS = {
    "evaluate": Command(
        Job(
            options="ragassay.jobs.answer.options:EvaluateOptions",
            run="ragassay.jobs.score.evaluate:evaluate",
            blocks=lambda done: done.blocks(is_brief=True),
            check=check_evaluation,
            counts_calls=True,
            shares_work=True,
        ),
        """Ask a system the questions of a set and score its answers, or score recorded answers.

    Prints means with 95 % intervals and the number of examples behind each; `report --text` adds labels and question
    types. Without --metrics, the usual ones that the data have inputs for are computed; missing inputs are reported
    before any call. The same command with the same --out continues where it stopped. A BEIR folder brings its own
    corpus and graded relevance; its documents are ranked whole.

    Examples:

    ragassay evaluate runs/first --system rag:retriever=bm25,top_k=5

    ragassay evaluate set.jsonl --system http://localhost:8000/ask --metrics recall@5,token_f1 --out runs/mine

    ragassay evaluate rows.jsonl --metrics faithfulness --judge openai:gpt-4o-mini --out runs/judged

    ragassay evaluate runs/mine --metrics faithfulness,answer_relevance
    """,
    ),
    "sweep": Command(
        Job(
            options="ragassay.jobs.sweep.options:SweepOptions",
            run=sweep,
            found=swept_object,
            blocks="ragassay.report.brief:brief_of_sweep",
            check=check_sweep,
            dry=plan_sweep,
            shares_work=True,
            file="YAML, TOML or JSON file: data set, grid, metrics.",
        ),
        """Try every setting of the built-in system in a grid.

    A grid lists values for chunks, prefix, encoder, fusion, text weight, reranker and generator. Work that settings
    share is done once: chunks, vectors, rankings, answers to the same question from the same chunks. The plan and its
    cost are printed first; --dry-run ends there. The same command continues a stopped sweep. A CONFIG:

    \b
    dataset: runs/first
    out: runs/sweep
    grid:
      chunk_size: [256, 512, 1024]
      prefix: ["", title]
      fusion: [raw_linear, rrf]
      text_weight: [0, 0.05, 0.1, 0.2, 0.5, 1]
      reranker: [none, late_interaction]

    Examples:

    ragassay sweep sweep.yaml --dry-run

    ragassay sweep sweep.yaml --out runs/sweep --json
    """,
    ),
    "experiment": Command(
        Job(
            options="ragassay.jobs.experiment.options:ExperimentOptions",
            run=experiment,
            found=experiment_object,
            blocks=experiment_blocks,
            check=check_experiment,
            counts_calls=True,
            file="YAML, TOML or JSON file with the same settings; options override it.",
        ),
        """Compare how a synthetic and a human benchmark rank systems.

    Prints for each metric whether both give the same order (Kendall's tau-b with its interval), which pairs swap, and
    which differences exceed their noise. Published experience: synthetic benchmarks rank retriever settings reliably,
    but not generators.

    Examples:

    ragassay experiment retrievers --system rag:retriever=bm25 --system rag:retriever=dense --system rag:top_k=2
    --synthetic runs/first --human people.jsonl --out runs/experiment-a

    ragassay experiment generators --system rag --model openai:gpt-4o-mini --model ollama:llama3.1
    --judge openai:gpt-4o --synthetic runs/first --human people.jsonl --out runs/experiment-b

    ragassay experiment retrievers experiment.yaml --json
    """,
    ),
}
