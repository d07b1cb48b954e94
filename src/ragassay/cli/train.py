"""``ragassay train``: a verifier on the built-in model."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ragassay.cli.command import Command, Commands, Job
from ragassay.errors import UsageError

if TYPE_CHECKING:
    from ragassay.cli.progress_bars import Bars
    from ragassay.training.loop import Fitted, Progress
    from ragassay.training.options import VerifierOptions


class Trained(NamedTuple):
    """out: what was written."""

    out: Path
    fitted: Fitted


command = Commands(
    "Train a small model to verify claims.",
    {
        "train verifier": Command(
            Job(
                options="ragassay.training.options:VerifierOptions",
                run="ragassay.cli.train:verifier",
                show="ragassay.cli.train:show",
            ),
            """Train an adapter of the built-in model that verifies claims.

            It decides whether a text supports a claim, contradicts it, or does not state it; and whether it answers a
            question. Writes ADAPTER, ADAPTER.card.md and ADAPTER.log.jsonl. The same command continues a stopped
            training.

            Example:

            ragassay train verifier claims.jsonl --out verifier.safetensors
            """,
        ),
    },
)


def verifier(options: VerifierOptions, bars: Bars) -> Trained:
    """Train as the options say. Raises UsageError where the extra is missing."""
    if any(find_spec(name) is None for name in ("torch", "transformers", "peft")):
        raise UsageError(
            "training needs torch, transformers and peft; install them with: "
            "pip install -c requirements/torch.txt 'ragassay[train]'"
        )
    from ragassay.training.verifier import train_verifier

    # Files by their names alone: where they lay says nothing elsewhere.
    command = shlex.join(["ragassay", *(Path(word).name if "/" in word else word for word in sys.argv[1:])])
    return Trained(options.out, train_verifier(options, command, _shown_on(bars)))


def _shown_on(bars: Bars) -> Callable[[Progress], None]:
    """Return what shows a step: percent, epoch and loss."""
    bars.start("training", 100)

    def show_step(progress: Progress) -> None:
        bars.reach(100 * progress.done)
        loss = "" if progress.loss is None else f", loss {progress.loss:.3f}"
        bars.waiting(f"epoch {progress.epoch + 1}{loss}")

    return show_step


def show(done: Trained, as_json: bool) -> None:
    """Print how long it took, and the figures on what was held out."""
    fitted = done.fitted
    minutes = fitted.seconds / 60
    if as_json:
        from ragassay.cli.output import print_json

        figures = {"out": str(done.out), "steps": fitted.steps, "epochs": fitted.epochs, "seconds": fitted.seconds}
        print_json({**figures, "figures": dict(fitted.figures)})
        return
    click.echo(f"{done.out}: {fitted.steps:,} steps, {fitted.epochs:g} epochs in {minutes:.1f} minutes")
    for name, value in fitted.figures.items():
        click.echo(f"{name}: {value}")
