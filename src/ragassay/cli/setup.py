"""``ragassay init``, ``doctor`` and ``train``: a project, this installation, a verifier of your own."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from ragassay.cli.command import PROJECT_FILE, Command, Commands, Job, print_json
from ragassay.errors import InputError, ModelError, RunFolderError, UsageError
from ragassay.options import Option, settings

if TYPE_CHECKING:
    from ragassay.cli.progress_bars import Bars
    from ragassay.jobs.doctor import Check
    from ragassay.report.blocks import Block
    from ragassay.training.loop import Fitted, Progress
    from ragassay.training.options import VerifierOptions

TEMPLATE = Path(__file__).with_name("project.toml")


@settings
class InitOptions:
    """Where the file goes."""

    folder: Annotated[Path, Option("Folder of the project; default: this one.", metavar="FOLDER", is_argument=True)] = (
        Path()
    )
    overwrite: Annotated[bool, Option("Replace a file that is there.")] = False


def init(options: InitOptions) -> Path:
    from ragassay.datasets.registry import whole_output

    if not options.folder.is_dir():
        raise InputError(f"{options.folder} is not a folder; name one that exists")
    path = options.folder / PROJECT_FILE
    if path.is_file() and not options.overwrite:
        raise RunFolderError(f"{path} already exists; replace it with --overwrite")
    with whole_output(path, overwrite=options.overwrite) as part:
        part.write_bytes(TEMPLATE.read_bytes())
    return path


def show_init(path: Path, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(path)})
    else:
        click.echo(f"{path}: uncomment what you need, then run `ragassay run`")


@settings
class DoctorOptions:
    """None."""


def doctor(_: DoctorOptions) -> Sequence[Check]:
    from ragassay.jobs.doctor import check_installation

    return check_installation(_check_tables)


def _check_tables() -> None:
    from ragassay.cli.app import COMMANDS, app

    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        for each in command.commands.values() if isinstance(command, Commands) else (command,):
            assert isinstance(each, Command)
            each.with_files({}, None)


def check_doctor(checks: Sequence[Check], _: DoctorOptions) -> None:
    from ragassay.jobs.doctor import faults

    if wrong := faults(checks):
        raise ModelError(f"{len(wrong)} of {len(checks)} checks failed: {', '.join(wrong)}; see what to do above")


class Trained(NamedTuple):
    """out: what was written."""

    out: Path
    fitted: Fitted

    def as_object(self) -> dict[str, Any]:
        fitted = self.fitted
        figures = {"out": str(self.out), "steps": fitted.steps, "epochs": fitted.epochs, "seconds": fitted.seconds}
        return {**figures, "figures": dict(fitted.figures)}

    def blocks(self) -> list[Block]:
        """Return how long it took, and the figures on what was held out."""
        from ragassay.report.blocks import Text

        fitted = self.fitted
        took = f"{fitted.steps:,} steps, {fitted.epochs:g} epochs in {fitted.seconds / 60:.1f} minutes"
        return [Text([f"{self.out}: {took}", *(f"{name}: {value}" for name, value in fitted.figures.items())])]


def train_verifier(options: VerifierOptions, bars: Bars) -> Trained:
    """Train as the options say. Raises UsageError where the extra is missing."""
    if any(importlib.util.find_spec(name) is None for name in ("torch", "transformers", "peft")):
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


_TRAIN = Commands(
    "Train a small model to verify claims.",
    {
        "train verifier": Command(
            Job(
                options="ragassay.training.options:VerifierOptions",
                run=train_verifier,
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
COMMANDS = {
    "init": Command(
        Job(
            options=InitOptions,
            run=init,
            show=show_init,
            has_progress=False,
            reads_file=False,
        ),
        """Write a commented ragassay.toml, which commands read.

    Options on the command line override the file.

    Example: ragassay init
    """,
    ),
    "doctor": Command(
        Job(
            options=DoctorOptions,
            run=doctor,
            found="ragassay.jobs.doctor:checks_object",
            blocks="ragassay.jobs.doctor:blocks_of_checks",
            check=check_doctor,
            has_progress=False,
            reads_file=False,
        ),
        """Check this installation: weights, cache folder, settings, keys.

    Fetches nothing, and prints no key. Exit code 6 if something stops a run.

    Examples:

    ragassay doctor

    ragassay doctor --json
    """,
    ),
    "train": _TRAIN,
}
