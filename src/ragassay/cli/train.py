"""``ragassay train``: adapters for the small language model, or for a model of your own."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

train = typer.Typer(help="Train a small model on pairs or claims.", no_args_is_help=True, rich_markup_mode=None)


@train.command()
def writer(
    pairs: Annotated[
        list[Path], typer.Argument(help="JSONL files with pairs or drafts.", metavar="PAIRS...", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="Adapter to write.", metavar="ADAPTER", show_default=False)],
    rank: Annotated[int, typer.Option(help="Rank of the adapter.")] = 16,
    alpha: Annotated[float, typer.Option(help="Scale of the adapter: alpha / rank.")] = 32.0,
    layers: Annotated[
        str | None, typer.Option(help="Layers to adapt: 'all', or the first as in '15-'; the upper half by default.")
    ] = None,
    epochs: Annotated[int, typer.Option(help="Times that everything is read.")] = 3,
    lr: Annotated[float, typer.Option(help="Highest learning rate.")] = 6e-4,
    warm_up: Annotated[int, typer.Option(help="Steps until the highest learning rate.")] = 20,
    tokens_per_batch: Annotated[int, typer.Option(help="Tokens of a batch, padding included.")] = 2048,
    threads: Annotated[int | None, typer.Option(help="Threads; all by default.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of order, names and first weights.")] = 0,
    leave_out: Annotated[str, typer.Option(help="Sources not to read at all, with commas.", metavar="A,B")] = "",
    hold_out_sources: Annotated[str, typer.Option(help="Sources to measure on.", metavar="A,B")] = "",
    hold_out_share: Annotated[float, typer.Option(help="Share of documents to measure on.")] = 0.1,
    early_stop: Annotated[bool, typer.Option("--early-stop", help="Stop when the held-out loss rises.")] = False,
    checkpoint_minutes: Annotated[float, typer.Option(help="Minutes between two checkpoints.")] = 5.0,
    minutes: Annotated[float | None, typer.Option(help="Most minutes of computing.")] = None,
) -> None:
    """Train an adapter that writes questions."""
    from ragassay.training.options import TrainOptions, parse_layers
    from ragassay.training.writer import train_writer

    options = TrainOptions(
        rank=rank,
        alpha=alpha,
        first_layer=None if layers is None else parse_layers(layers, 30),
        epochs=epochs,
        lr=lr,
        warm_up=warm_up,
        tokens_per_batch=tokens_per_batch,
        threads=threads,
        seed=seed,
        leave_out=_names(leave_out),
        hold_out_sources=_names(hold_out_sources),
        hold_out_share=hold_out_share,
        early_stop=early_stop,
        checkpoint_minutes=checkpoint_minutes,
        minutes=minutes,
    )
    trained = train_writer(pairs, out, options, command=_command(), show=lambda progress: None)
    typer.echo(f"{trained.steps} steps, {trained.tokens:,} tokens in {trained.seconds / 60:.0f} minutes: {out}")
    for kind, loss in trained.held_out.items():
        typer.echo(f"held-out loss, {kind}: {loss:.3f}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _command() -> str:
    """The command as it was given, files by their names alone: where they lay says nothing elsewhere."""
    return shlex.join(["ragassay", *(Path(each).name if "/" in each else each for each in sys.argv[1:])])
