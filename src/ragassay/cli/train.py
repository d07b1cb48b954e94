"""``ragassay train``: adapters for the small language model, or for a model of your own."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.commands import Commands
from ragassay.cli.model_arguments import expanded
from ragassay.training.options import TrainOptions

if TYPE_CHECKING:
    from ragassay.training.job import Done

train = Commands("Train a small model to write questions or verify claims.")

Out = Annotated[
    Path, typer.Option(help="Adapter to write: a file; with --base, a folder.", metavar="ADAPTER", show_default=False)
]
_DEFAULT = TrainOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """The options of both trainings, as the command line gives them."""

    base: Annotated[
        str,
        typer.Option(help="'smollm2', or the folder or name of a model that transformers can load.", metavar="MODEL"),
    ] = _DEFAULT.base
    init: Annotated[Path | None, typer.Option(help="Adapter to start from.", metavar="ADAPTER")] = _DEFAULT.init
    rank: Annotated[int, typer.Option(help="Rank of the adapter.")] = _DEFAULT.rank
    alpha: Annotated[float, typer.Option(help="Scale of the adapter; alpha / rank is what counts.")] = _DEFAULT.alpha
    layers: Annotated[
        str | None,
        typer.Option(
            help="Layers to adapt: 'all', or the first as in '15-'; by default the upper half.", metavar="LAYERS"
        ),
    ] = _DEFAULT.layers
    epochs: Annotated[int, typer.Option(help="Passes over the data.")] = _DEFAULT.epochs
    lr: Annotated[float, typer.Option(help="Highest learning rate; it falls to 0.")] = _DEFAULT.lr
    warm_up: Annotated[int, typer.Option(help="Steps until the highest learning rate.")] = _DEFAULT.warm_up
    tokens_per_batch: Annotated[int, typer.Option(help="Tokens per batch, padding included.")] = (
        _DEFAULT.tokens_per_batch
    )
    threads: Annotated[int | None, typer.Option(help="CPU threads; default: one for each core.")] = _DEFAULT.threads
    seed: Annotated[int, typer.Option(help="Random seed of the order, the first weights and made-up names.")] = (
        _DEFAULT.seed
    )
    leave_out: Annotated[
        str, typer.Option(help="Sources to leave out of both training and evaluation.", metavar="A,B")
    ] = ""
    hold_out_sources: Annotated[str, typer.Option(help="Sources to hold out for evaluation.", metavar="A,B")] = ""
    hold_out_share: Annotated[
        float, typer.Option(help="Share of documents to hold out for evaluation, if no sources are named.")
    ] = _DEFAULT.hold_out_share
    early_stop: Annotated[
        bool, typer.Option("--early-stop", help="Stop when the held-out loss no longer falls, and keep the best.")
    ] = _DEFAULT.early_stop
    checkpoint_minutes: Annotated[float, typer.Option(help="Minutes between checkpoints.")] = (
        _DEFAULT.checkpoint_minutes
    )
    minutes: Annotated[
        float | None, typer.Option(help="Maximum minutes of computing; the learning rate falls to 0 by then.")
    ] = _DEFAULT.minutes

    def options(self) -> TrainOptions:
        """As a training takes them."""
        given: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        lists = {name: _names(given[name]) for name in ("leave_out", "hold_out_sources")}
        return TrainOptions(**(given | lists))


DEFAULT_TRAINING = Training()


@train.command()
@expanded
def writer(
    pairs: Annotated[
        list[Path],
        typer.Argument(
            help="JSONL files: passages with pairs, questions with verdicts; or sets that Ragassay made.",
            metavar="PAIRS",
            show_default=False,
        ),
    ],
    out: Out,
    training: Training = DEFAULT_TRAINING,
) -> None:
    """Train an adapter of a model of your own (--base) that asks the question for a sentence and its answer.

    Writes ADAPTER, ADAPTER.card.md and ADAPTER.log.jsonl. The same command continues a stopped training. Example:

    ragassay train writer runs/first --base google/flan-t5-base --out my_writer
    """
    _import_extra()
    from ragassay.cli.training_bar import training_bar
    from ragassay.training.writer import train_writer

    options = training.options()
    with training_bar() as show:
        done = train_writer(pairs, out, options, command=_command(), show=show)
    _print_done(done, out, options)


@train.command()
@expanded
def verifier(
    out: Out,
    claims: Annotated[
        list[Path] | None,
        typer.Argument(help="JSONL files: passages with claims.", metavar="[CLAIMS]...", show_default=False),
    ] = None,
    rule_made: Annotated[
        list[Path] | None,
        typer.Option(help="Documents, or JSONL with texts, to make claims from by rule; repeatable.", metavar="TEXTS"),
    ] = None,
    training: Training = DEFAULT_TRAINING,
) -> None:
    """Train an adapter that verifies claims.

    It decides whether a text supports a claim, contradicts it, or does not state it. Train in two stages: first on
    claims that rules make from any texts, then, starting from that, on claims by people or a strong model. Examples:

    ragassay train verifier --rule-made documents/ --out first.safetensors

    ragassay train verifier claims.jsonl --init first.safetensors --out verifier.safetensors
    """
    _import_extra()
    from ragassay.cli.training_bar import training_bar
    from ragassay.training.verifier import train_verifier

    options = training.options()
    with training_bar() as show:
        done = train_verifier(claims or [], rule_made or [], out, options, command=_command(), show=show)
    _print_done(done, out, options)


def _import_extra() -> None:
    import importlib.util

    from ragassay.errors import UsageError

    if importlib.util.find_spec("torch") is None:
        raise UsageError(
            "training needs torch; install it with: pip install -c requirements/torch.txt 'ragassay[train]'"
        )


def _print_done(done: Done, out: Path, options: TrainOptions) -> None:
    trained = done.trained
    typer.echo(
        f"{out}: {trained.steps:,} steps, {trained.tokens:,} tokens in {trained.seconds / 60:.1f} minutes"
        + (", stopped early" if trained.stopped_early else "")
    )
    for name, value in done.figures.items():
        typer.echo(f"{name}: {value}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _command() -> str:
    """The command as it was given, files by their names alone: where they lay says nothing elsewhere."""
    return shlex.join(["ragassay", *(Path(each).name if "/" in each else each for each in sys.argv[1:])])
