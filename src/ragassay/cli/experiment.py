"""``ragassay experiment``: would a human-made benchmark have ranked the systems the same way?"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Calls,
    Judge,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, print_estimate_of, print_json

Limit = Annotated[int | None, typer.Option(help="Only use the first N questions.", metavar="N")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Ask failed questions again.")]
SYSTEMS_HELP = "System as `ragassay evaluate --system` takes it."

if TYPE_CHECKING:
    from ragassay.pipeline.experiment.options import ExperimentKind, ExperimentOptions
    from ragassay.report.experiment import ExperimentSummary

_Config = Annotated[
    Path | None,
    typer.Argument(help="YAML, TOML or JSON file with the same settings; options override it.", metavar="CONFIG",
                   show_default=False),
]  # fmt: skip
_Systems = Annotated[
    list[str] | None,
    typer.Option("--system", help=f"Give at least two. {SYSTEMS_HELP}", metavar="SYSTEM"),
]
_Synthetic = Annotated[Path | None, typer.Option(help="Set made by a model or by rules.", metavar="DATASET")]
_Human = Annotated[Path | None, typer.Option(help="Set made by people.", metavar="DATASET")]
_FromSynthetic = Annotated[
    str | None, typer.Option(help="Format of the synthetic set; default: detected.", metavar="FORMAT")
]
_FromHuman = Annotated[str | None, typer.Option(help="Format of the human set; default: detected.", metavar="FORMAT")]
_Out = Annotated[Path | None, typer.Option(help="Folder of the experiment; continues earlier work.", metavar="FOLDER")]
_Metrics = Annotated[
    str, typer.Option(help="Metrics, separated by commas; default: the usual ones that both sets allow.")
]
_Documents = Annotated[
    Path | None,
    typer.Option(
        help="Documents for both sets; default: those of the synthetic set, if the human set has none.",
        metavar="PATH",
    ),
]
_Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="Model that answers for built-in systems; repeatable, each with each system: 'embedded', "
        "openai:MODEL, ollama:MODEL or http://HOST:PORT/v1#MODEL.",
        rich_help_panel="Models",
    ),
]
_Embeddings = Annotated[str | None, typer.Option(help="Model for the vectors of retrieval.", rich_help_panel="Models")]
_Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace another experiment and ask all questions again.")
]
_Seed = Annotated[int | None, typer.Option(help="Random seed of the intervals; default: 0.")]


@expanded
def experiment(
    kind: Annotated[
        Literal["retrievers", "generators"],
        typer.Argument(help="Part in which the systems differ.", show_default=False),
    ],
    config: _Config = None,
    system: _Systems = None,
    synthetic: _Synthetic = None,
    human: _Human = None,
    from_synthetic: _FromSynthetic = None,
    from_human: _FromHuman = None,
    out: _Out = None,
    metrics: _Metrics = "",
    documents: _Documents = None,
    limit: Limit = None,
    seed: _Seed = None,
    retry_failed: RetryFailed = False,
    overwrite: _Overwrite = False,
    as_json: AsJson = False,
    model: _Models = None,
    judge: Judge = None,
    embeddings: _Embeddings = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Compare how a synthetic and a human benchmark rank systems.

    Prints for each metric whether both give the same order (Kendall's tau-b with its interval), which pairs swap, and
    which differences exceed their noise. Published experience: synthetic benchmarks rank retriever settings reliably,
    but not generators. Examples:

    ragassay experiment retrievers --system rag:retriever=bm25 --system rag:retriever=dense --system rag:top_k=2
    --synthetic runs/first --human people.jsonl --out runs/experiment-a

    ragassay experiment generators --system rag --model openai:gpt-4o-mini --model ollama:llama3.1
    --judge openai:gpt-4o --synthetic runs/first --human people.jsonl --out runs/experiment-b

    ragassay experiment retrievers experiment.yaml --json
    """
    _command(**locals())


def _command(*, kind: ExperimentKind, as_json: bool, spending: Spending, **given: Any) -> None:
    options = _options(kind, spending=spending, **given)
    if spending.dry_run:
        from ragassay.pipeline.asking.dry_run import dry_run
        from ragassay.pipeline.experiment.experiment import experiment as run_all

        print_estimate_of(lambda progress: list(dry_run(run_all, options, progress).rows), as_json)
        return
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.pipeline.experiment.experiment import check_coverage
    from ragassay.pipeline.experiment.experiment import experiment as run

    with progress_bars() as progress, redirect_stdout(sys.stderr):  # a function under test may print
        done = run(options, progress)
    _print(done, options.out, as_json)
    check_coverage(done, options)


def _options(
    kind: ExperimentKind,
    *,
    config: Path | None,
    system: list[str] | None,
    synthetic: Path | None,
    human: Path | None,
    from_synthetic: str | None,
    from_human: str | None,
    out: Path | None,
    metrics: str,
    documents: Path | None,
    model: list[str] | None,
    judge: str | None,
    embeddings: str | None,
    seed: int | None,
    calls: Calls,
    spending: Spending,
    **rest: Any,
) -> ExperimentOptions:
    """What the file says, and the command line over it."""
    from ragassay.errors import UsageError
    from ragassay.metrics.aliases import ours
    from ragassay.pipeline.asking.asked_metrics import asked_metrics
    from ragassay.pipeline.experiment.options import Benchmark, ExperimentOptions, read_experiment_file, systems_of

    said = read_experiment_file(config) if config is not None else {}
    over = {"synthetic": synthetic, "human": human, "from_synthetic": from_synthetic,
            "from_human": from_human, "out": out, "documents": documents, "systems": system,
            "models": model, "judge": judge, "embeddings": embeddings, "seed": seed,
            "metrics": [name.strip() for name in metrics.split(",") if name.strip()]}  # fmt: skip
    folder = config.parent if config is not None and not system else Path()
    said |= {name: value for name, value in over.items() if value not in (None, [])}
    for name in ("synthetic", "human", "out"):
        if name not in said:
            raise UsageError(f"--{name}: missing; name the {'folder' if name == 'out' else f'{name} set'}")
    models = said.get("models", [])
    if kind == "retrievers" and len(models) > 1:
        raise UsageError("--model: retrievers are compared with one generator; give one model, or compare generators")
    first = models[0] if models else EMBEDDED
    vectors = said.get("embeddings", EMBEDDED)
    names = tuple(map(ours, asked_metrics(said.get("metrics", ()))))
    return ExperimentOptions(
        kind=kind,
        systems=systems_of(said.get("systems", []), models if len(models) > 1 else (), folder),
        synthetic=Benchmark(
            dataset=said["synthetic"], documents=said.get("documents"), from_format=said.get("from_synthetic")
        ),
        human=Benchmark(dataset=said["human"], documents=said.get("documents"), from_format=said.get("from_human")),
        out=said["out"],
        metrics=names,
        models=model_options(calls, spending, model=first, judge=said.get("judge"), embeddings=vectors),
        seed=said.get("seed", 0),
        coverage=calls.coverage,
        **rest,
    )


def _print(done: ExperimentSummary, out: Path, as_json: bool) -> None:
    from ragassay.report.experiment import blocks_of_experiment
    from ragassay.report.terminal import show

    if as_json:
        asked = {side: sum(system.asked[side] for system in done.systems) for side in ("synthetic", "human")}
        print_json({**done.as_object(), "asked_now": asked, "report": str(out / "report.html")}, ascii_only=True)
    else:
        show(blocks_of_experiment(done, str(out)))
