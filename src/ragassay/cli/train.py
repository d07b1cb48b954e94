"""``ragassay train``: a writer on a base of your own, a verifier on the built-in one."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.commands import Commands
from ragassay.cli.model_arguments import expanded
from ragassay.errors import UsageError
from ragassay.training.options import Job, TrainOptions

if TYPE_CHECKING:
    from ragassay.training.loop import Fitted

train = Commands("Train a small model to write pairs or verify claims.")

BUILT_IN = "smollm2"
_DEFAULT = TrainOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """The options of both trainings, as the command line gives them."""

    rank: Annotated[int, typer.Option(help="Rank of the adapter.")] = _DEFAULT.rank
    alpha: Annotated[float, typer.Option(help="Scale of the adapter; alpha / rank is what counts.")] = _DEFAULT.alpha
    epochs: Annotated[int, typer.Option(help="Passes over the data.")] = _DEFAULT.epochs
    batch: Annotated[int, typer.Option(help="Rows of one step.")] = _DEFAULT.batch
    lr: Annotated[float, typer.Option(help="Highest learning rate; it falls to 0.")] = _DEFAULT.lr
    warm_up: Annotated[int, typer.Option(help="Steps until the highest learning rate.")] = _DEFAULT.warm_up
    seed: Annotated[int, typer.Option(help="Random seed of the split, the order and the first weights.")] = (
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

    def options(self) -> TrainOptions:
        """As a training takes them."""
        values: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("leave_out", "hold_out_sources"):
            values[name] = tuple(part.strip() for part in values[name].split(",") if part.strip())
        return TrainOptions(**values)


DEFAULT_TRAINING = Training()


@train.command()
@expanded
def writer(
    pairs: Annotated[
        list[Path],
        typer.Argument(
            help="Data sets in any format of ragassay convert, or JSONL files of passages with pairs.",
            metavar="PAIRS",
            show_default=False,
        ),
    ],
    base: Annotated[
        str,
        typer.Option(help="Folder or name of a model that transformers can load.", metavar="MODEL", show_default=False),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="FOLDER", show_default=False)],
    training: Training = DEFAULT_TRAINING,
) -> None:
    """Train the generator of Know Your RAG: it is given a context and a label, and writes question and answer.

    Writes FOLDER (an adapter in peft's form), FOLDER.card.md and FOLDER.log.jsonl. The same command continues a
    stopped training. Example:

    ragassay train writer runs/first --base google/flan-t5-base --out my_writer
    """
    _import_extra()
    from ragassay.cli.training_bar import training_bar
    from ragassay.training.writer import train_writer

    job = Job(task="writer", base=base, out=out, options=training.options(), command=_command())
    with training_bar() as show:
        fitted = train_writer(pairs, job, show)
    _print(fitted, out)


@train.command()
@expanded
def verifier(
    claims: Annotated[
        list[Path],
        typer.Argument(help="JSONL files: passages with claims or pairs.", metavar="CLAIMS", show_default=False),
    ],
    out: Annotated[Path, typer.Option(help="File to write.", metavar="ADAPTER", show_default=False)],
    init: Annotated[
        Path | None, typer.Option(help="Adapter to start from.", metavar="ADAPTER", show_default=False)
    ] = None,
    training: Training = DEFAULT_TRAINING,
) -> None:
    """Train an adapter of the built-in model that verifies claims.

    It decides whether a text supports a claim, contradicts it, or does not state it; and whether it answers a
    question. Writes ADAPTER, ADAPTER.card.md and ADAPTER.log.jsonl. The same command continues a stopped training.
    Example:

    ragassay train verifier claims.jsonl --out verifier.safetensors
    """
    _import_extra()
    from ragassay.cli.training_bar import training_bar
    from ragassay.training.verifier import train_verifier

    job = Job(task="verifier", base=BUILT_IN, out=out, options=training.options(), command=_command(), init=init)
    with training_bar() as show:
        fitted = train_verifier(claims, job, show)
    _print(fitted, out)


def _import_extra() -> None:
    import importlib.util

    if any(importlib.util.find_spec(name) is None for name in ("torch", "transformers", "peft")):
        raise UsageError(
            "training needs torch, transformers and peft; install them with: "
            "pip install -c requirements/torch.txt 'ragassay[train]'"
        )


def _print(fitted: Fitted, out: Path) -> None:
    stopped = ", stopped early" if fitted.stopped_early else ""
    typer.echo(f"{out}: {fitted.steps:,} steps, {fitted.epochs:g} epochs in {fitted.seconds / 60:.1f} minutes{stopped}")
    for name, value in fitted.figures.items():
        typer.echo(f"{name}: {value}")


def _command() -> str:
    """The command as it was given, files by their names alone: where they lay says nothing elsewhere."""
    return shlex.join(["ragassay", *(Path(each).name if "/" in each else each for each in sys.argv[1:])])
