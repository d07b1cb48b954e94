"""The commands and the options that all of them share."""

from __future__ import annotations

from typing import Annotated

import typer

from ragassay.cli.agree import agree
from ragassay.cli.annotate import annotate
from ragassay.cli.calls import calls
from ragassay.cli.check import check
from ragassay.cli.compare import compare
from ragassay.cli.convert import convert
from ragassay.cli.critique import critique
from ragassay.cli.evaluate import evaluate
from ragassay.cli.experiment import experiment
from ragassay.cli.export import export
from ragassay.cli.filter import filter_
from ragassay.cli.inspect import inspect
from ragassay.cli.judge import judge
from ragassay.cli.label import label
from ragassay.cli.metrics import metrics
from ragassay.cli.predict import predict
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

app = typer.Typer(
    name="ragassay",
    help="Evaluation sets from documents, the best retrieval for each kind of question, and how far to believe both.",
    epilog=(
        "Exit codes: 0 done; 1 a fault of ragassay; 2 an option; 3 what is read; 4 what is written; "
        "5 too few examples; 6 the model or system; 7 a limit of calls, tokens or cost; 8 too little coverage; "
        "130 stopped by hand."
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(run)
app.command()(synthesize)
app.command()(inspect)
app.command()(prompts)
app.command()(calls)
app.command()(convert)
app.command()(export)
app.command()(check)
app.command()(label)
app.command()(critique)
app.command("filter")(filter_)
app.command()(metrics)
app.command()(predict)
app.command()(evaluate)
app.command()(score)
app.command()(compare)
app.command()(sweep)
app.command()(experiment)
app.command()(report)
app.command()(view)
app.command()(annotate)
app.command()(agree)
app.add_typer(schema, name="schema")
app.add_typer(scenario, name="scenario")
app.add_typer(judge, name="judge")
app.add_typer(train, name="train")


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
