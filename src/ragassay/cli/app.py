"""The commands. What was made of typer stands in ``typed``; the rest is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import click
import typer

from ragassay.cli.calls import calls
from ragassay.cli.check import check
from ragassay.cli.commands import Commands
from ragassay.cli.compare import compare
from ragassay.cli.convert import convert
from ragassay.cli.doctor import doctor
from ragassay.cli.experiment import experiment
from ragassay.cli.export import export
from ragassay.cli.gate import gate
from ragassay.cli.init import init
from ragassay.cli.inspect import inspect
from ragassay.cli.metrics import metrics
from ragassay.cli.prices import prices
from ragassay.cli.prompts import prompts
from ragassay.cli.report import report
from ragassay.cli.scenario import scenario
from ragassay.cli.schema import schema
from ragassay.cli.sweep import sweep
from ragassay.cli.view import view
from ragassay.errors import UsageError
from ragassay.version import __version__

typed = Commands("The commands that typer makes.", name="ragassay")
_SECTIONS: dict[str, dict[str, Callable[..., None] | Commands]] = {
    "Make a set": {
        "scenario": scenario,
        "schema": schema,
    },
    "Run a system": {"sweep": sweep},
    "Score and compare": {
        "metrics": metrics,
        "compare": compare,
        "gate": gate,
        "experiment": experiment,
    },
    "Judges and people": {},
    "Data and results": {
        "convert": convert,
        "export": export,
        "check": check,
        "inspect": inspect,
        "report": report,
        "view": view,
        "calls": calls,
    },
    "Models": {"prompts": prompts, "prices": prices},
    "Set-up": {"init": init, "doctor": doctor},
}
_SHARE_WORK = ("sweep",)
for _section, _commands in _SECTIONS.items():
    for _name, _command in _commands.items():
        if isinstance(_command, Commands):
            typed.add_typer(_command, name=_name, rich_help_panel=_section)
        else:
            typed.command(
                _name,
                rich_help_panel=_section,
                shares_work=_name in _SHARE_WORK,
            )(_command)


HELP = "Evaluation sets from documents, the best retrieval for each kind of question, and how far to believe both."
EXIT_CODES = (
    "Exit codes: 0 done; 1 a fault in Ragassay; 2 an option; 3 input; 4 output; 5 too few examples; "
    "6 a model, system or cluster; 7 a limit of calls, tokens or cost; 8 too little coverage; "
    "9 a failed gate; 130 Ctrl-C; 141 a closed pipe."
)
_MADE = {
    "run": ("Make a set", "Make a set from documents, compare retrievers, write a report."),
    "synthesize": ("Make a set", "Make an evaluation set from documents."),
    "label": ("Make a set", "Label and rate any set, keep what is good enough."),
    "evaluate": ("Run a system", "Ask a system the questions of a set and score its answers."),
    "judge": ("Judges and people", "Measure a judge against people, and against itself."),
    "annotate": ("Judges and people", "Let people judge examples or answers in a browser."),
    "agree": ("Judges and people", "Measure the agreement of people with each other and a judge."),
    "train": ("Models", "Train a small model to write pairs or verify claims."),
}
"""Commands made of settings, each in the module of its name: its section and what the list says of it."""
_GONE = {
    "predict": "`ragassay evaluate DATA --system SYSTEM --metrics none --out RUN`",
    "score": "`ragassay evaluate DATA`",
    "critique": "`ragassay label DATA --what critiques --out OUT`",
    "knowledge": "`ragassay label DATA --what knowledge --out OUT`",
    "filter": "`ragassay label DATA --out OUT` with the same conditions",
    "completion": "`_RAGASSAY_COMPLETE=bash_source ragassay`, or zsh_source or fish_source",
}
"""Names of commands that are gone, each with what does their work now."""


class _Typed(click.Command):
    """A command that typer parses."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = args
        return []

    def invoke(self, ctx: click.Context) -> Any:
        typer.main.get_command(typed).main([self.name or "", *ctx.obj], prog_name="ragassay")


class Application(click.Group):
    """All commands, in sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in self.sections().values() for name in names]

    @staticmethod
    def sections() -> dict[str, dict[str, str]]:
        """Section to command to what the list says of it."""
        known = typer.main.get_command(typed).commands  # type: ignore[attr-defined]
        found = {
            section: {name: known[name].get_short_help_str(60) for name in names}
            for section, names in _SECTIONS.items()
        }
        for name, (section, said) in reversed(_MADE.items()):
            found[section] = {name: said, **found[section]}
        return found

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _MADE:
            command: click.Command = importlib.import_module(f"ragassay.cli.{cmd_name}").command
            command.name = cmd_name
            return command
        if cmd_name in _GONE:
            raise UsageError(f"ragassay {cmd_name} is gone; use {_GONE[cmd_name]}")
        known = any(cmd_name in names for names in _SECTIONS.values())
        return _Typed(cmd_name, add_help_option=False) if known else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = self.sections()
        widest = max(len(name) for names in sections.values() for name in names)
        for section, names in sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(widest), said) for name, said in names.items()])


def _print_version(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"ragassay {__version__}")
        ctx.exit()


app = Application(
    "ragassay",
    help=HELP,
    epilog=EXIT_CODES,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version.",
        )
    ],
)


def check_settings() -> None:
    """Raise UsageError or InputError for options in the project's settings that no command takes."""
    for name in _MADE:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        command.check_file()  # type: ignore[attr-defined]
