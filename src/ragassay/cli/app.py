"""The commands and the options that all of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from ragassay.cli.agree import agree
from ragassay.cli.annotate import annotate
from ragassay.cli.calls import calls
from ragassay.cli.check import check
from ragassay.cli.commands import Commands
from ragassay.cli.compare import compare
from ragassay.cli.completion import completion
from ragassay.cli.convert import convert
from ragassay.cli.critique import critique
from ragassay.cli.doctor import doctor
from ragassay.cli.evaluate import evaluate
from ragassay.cli.experiment import experiment
from ragassay.cli.export import export
from ragassay.cli.filter import filter_
from ragassay.cli.gate import gate
from ragassay.cli.init import init
from ragassay.cli.inspect import inspect
from ragassay.cli.judge import judge
from ragassay.cli.knowledge import knowledge
from ragassay.cli.label import label
from ragassay.cli.metrics import metrics
from ragassay.cli.predict import predict
from ragassay.cli.prices import prices
from ragassay.cli.project_settings import check_table
from ragassay.cli.prompts import prompts
from ragassay.cli.report import report
from ragassay.cli.run import run
from ragassay.cli.scenario import scenario
from ragassay.cli.schema import schema
from ragassay.cli.score import score
from ragassay.cli.sweep import sweep
from ragassay.cli.synthesize import synthesize
from ragassay.cli.train import train
from ragassay.cli.view import view
from ragassay.version import __version__

app = Commands(
    "Evaluation sets from documents, the best retrieval for each kind of question, and how far to believe both.",
    name="ragassay",
    epilog=(
        "Exit codes: 0 done; 1 a fault in Ragassay; 2 an option; 3 input; 4 output; 5 too few examples; "
        "6 a model, system or cluster; 7 a limit of calls, tokens or cost; 8 too little coverage; "
        "9 a failed gate; 130 Ctrl-C; 141 a closed pipe."
    ),
)
_SECTIONS: dict[str, dict[str, Callable[..., None] | Commands]] = {
    "Make a set": {
        "run": run,
        "synthesize": synthesize,
        "scenario": scenario,
        "schema": schema,
        "label": label,
        "critique": critique,
        "knowledge": knowledge,
        "filter": filter_,
    },
    "Run a system": {"predict": predict, "evaluate": evaluate, "sweep": sweep},
    "Score and compare": {
        "score": score,
        "metrics": metrics,
        "compare": compare,
        "gate": gate,
        "experiment": experiment,
    },
    "Judges and people": {"judge": judge, "annotate": annotate, "agree": agree},
    "Data and results": {
        "convert": convert,
        "export": export,
        "check": check,
        "inspect": inspect,
        "report": report,
        "view": view,
        "calls": calls,
    },
    "Models": {"prompts": prompts, "prices": prices, "train": train},
    "Set-up": {"init": init, "doctor": doctor, "completion": completion},
}
_READ_SETTINGS = ("run", "evaluate")
_SHARE_WORK = ("run", "synthesize", "label", "critique", "knowledge", "predict", "evaluate", "sweep", "score")
for _section, _commands in _SECTIONS.items():
    for _name, _command in _commands.items():
        if isinstance(_command, Commands):
            app.add_typer(_command, name=_name, rich_help_panel=_section)
        else:
            app.command(
                _name,
                rich_help_panel=_section,
                reads_settings=_name in _READ_SETTINGS,
                shares_work=_name in _SHARE_WORK,
            )(_command)


def check_settings() -> None:
    """Raises UsageError or InputError for options in the project's settings that no command takes."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for name in _READ_SETTINGS:
        check_table(commands[name], name)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"ragassay {__version__}")
        raise typer.Exit


@app.callback()
def shared(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Evaluation sets from documents, the best retrieval for each kind of question, and how far to believe both."""
