"""``ragassay experiment``: would a human-made benchmark have ranked the systems the same way?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.cli.command import Command, Job
from ragassay.cli.output import print_json

if TYPE_CHECKING:
    from ragassay.pipeline.experiment.options import ExperimentOptions
    from ragassay.pipeline.folders.progress import Progress
    from ragassay.report.experiment import ExperimentSummary

command = Command(
    Job(
        options="ragassay.pipeline.experiment.options:ExperimentOptions",
        run="ragassay.cli.experiment:experiment",
        show="ragassay.cli.experiment:show",
        check="ragassay.cli.experiment:complain",
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
)


def experiment(options: ExperimentOptions, progress: Progress) -> tuple[ExperimentSummary, Path]:
    """Ask the systems, score them, and compare the orders."""
    from ragassay.pipeline.experiment.experiment import experiment as run

    return run(options, progress), options.out


def complain(done: tuple[ExperimentSummary, Path], options: ExperimentOptions) -> None:
    """Raise for what a script should hear of although there are results."""
    from ragassay.pipeline.experiment.experiment import check_coverage

    check_coverage(done[0], options)


def show(result: tuple[ExperimentSummary, Path], as_json: bool) -> None:
    done, out = result
    from ragassay.report.experiment import blocks_of_experiment
    from ragassay.report.terminal import show as print_blocks

    if as_json:
        asked = {side: sum(system.asked[side] for system in done.systems) for side in ("synthetic", "human")}
        print_json({**done.as_object(), "asked_now": asked, "report": str(out / "report.html")})
    else:
        print_blocks(blocks_of_experiment(done, str(out)))
