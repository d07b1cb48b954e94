"""``ragassay experiment``: would a human-made benchmark have ranked the systems the same way?"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
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
from ragassay.cli.predict import SYSTEMS_HELP, AsJson, Limit, RetryFailed, print_rows

if TYPE_CHECKING:
    from ragassay.pipeline.experiment_options import ExperimentKind, ExperimentOptions
    from ragassay.report.experiment_summary import ExperimentSummary

_Config = Annotated[
    Path | None,
    typer.Argument(help="YAML, TOML or JSON file with the same; options go over it.", metavar="CONFIG",
                   show_default=False),
]  # fmt: skip
_Systems = Annotated[
    list[str] | None,
    typer.Option("--system", help=f"One of the systems; give it two times or more. {SYSTEMS_HELP}", metavar="SYSTEM"),
]
_Synthetic = Annotated[Path | None, typer.Option(help="The set that a model or rules made.", metavar="DATASET")]
_Human = Annotated[Path | None, typer.Option(help="The set that people made.", metavar="DATASET")]
_FromSynthetic = Annotated[
    str | None, typer.Option(help="Format of the synthetic set, where its content does not tell.", metavar="FORMAT")
]
_FromHuman = Annotated[
    str | None, typer.Option(help="Format of the human set, where its content does not tell.", metavar="FORMAT")
]
_Out = Annotated[Path | None, typer.Option(help="Folder of the experiment; goes on where it was.", metavar="FOLDER")]
_Metrics = Annotated[str, typer.Option(help="Names with commas between; the usual ones that both sets allow.")]
_Documents = Annotated[
    Path | None,
    typer.Option(
        help="Documents for both sets; without it, a human set that brings none takes the synthetic set's.",
        metavar="PATH",
    ),
]
_Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="Who answers for built-in systems; given often, each answers for each: 'embedded', openai:MODEL, "
        "ollama:MODEL, http://HOST:PORT/v1#MODEL, litellm:PROVIDER/MODEL.",
        rich_help_panel="Models",
    ),
]
_Embeddings = Annotated[str | None, typer.Option(help="Who makes the vectors for retrieval.", rich_help_panel="Models")]
_Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace another experiment, and ask all again.")]
_Seed = Annotated[int | None, typer.Option(help="Of the intervals; 0 if not given.")]


@expanded
def experiment(
    kind: Annotated[
        Literal["retrievers", "generators"],
        typer.Argument(help="What the systems differ in.", show_default=False),
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
    """Compare systems on a synthetic and a human benchmark: do both rank them the same way?

    For each metric: whether both give the same order (Kendall's tau-b with its interval), which pairs swap, and which
    differences are larger than their noise. Synthetic benchmarks have been found to rank retriever settings reliably,
    and generators not. Examples:

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
        from ragassay.pipeline.experiment import estimate_experiment

        print_rows(_with_bars(lambda progress: estimate_experiment(options, progress), options), as_json)
        return
    from ragassay.pipeline.experiment import check_coverage
    from ragassay.pipeline.experiment import experiment as run

    done = _with_bars(lambda progress: run(options, progress), options)
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
    from ragassay.pipeline.asked_metrics import asked_metrics, with_own_models
    from ragassay.pipeline.experiment_options import (
        Benchmark,
        ExperimentOptions,
        read_experiment_file,
        systems_of,
    )

    said = read_experiment_file(config) if config is not None else {}
    over = {"synthetic": synthetic, "human": human, "from_synthetic": from_synthetic,
            "from_human": from_human, "out": out, "documents": documents, "systems": system,
            "models": model, "judge": judge, "embeddings": embeddings, "seed": seed,
            "metrics": [name.strip() for name in metrics.split(",") if name.strip()]}  # fmt: skip
    folder = config.parent if config is not None and not system else Path()
    said |= {name: value for name, value in over.items() if value not in (None, [])}
    for name in ("synthetic", "human", "out"):
        if name not in said:
            raise UsageError(f"--{name}: it is missing; name the {'folder' if name == 'out' else f'{name} set'}")
    models = said.get("models", [])
    if kind == "retrievers" and len(models) > 1:
        raise UsageError("--model: retriever settings are compared with one generator; name one, or use generators")
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
        models=model_options(calls, spending, model=first, embeddings=vectors),
        judge=with_own_models(
            model_options(calls, spending, model=said.get("judge", first), embeddings=vectors), names
        ),
        seed=said.get("seed", 0),
        coverage=calls.coverage,
        **rest,
    )


def _with_bars(work: Callable[[Any], Any], options: ExperimentOptions) -> Any:
    from ragassay.cli.progress_bars import progress_bars

    try:
        with progress_bars() as progress, redirect_stdout(sys.stderr):  # a function under test may print
            return work(progress)
    except KeyboardInterrupt:
        typer.echo(f"ragassay: stopped; what was answered is kept in {options.out}: run the same again", err=True)
        raise typer.Exit(130) from None


def _print(done: ExperimentSummary, out: Path, as_json: bool) -> None:
    from ragassay.report.experiment_tables import print_experiment
    from ragassay.report.streams import open_console

    if as_json:
        asked = {side: sum(system.asked[side] for system in done.systems) for side in ("synthetic", "human")}
        typer.echo(json.dumps({**done.as_object(), "asked_now": asked, "report": str(out / "report.html")}, indent=1))
    else:
        print_experiment(done, str(out), open_console())
