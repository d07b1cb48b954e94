"""The commands, each imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

import click

from ragassay.errors import UsageError
from ragassay.version import __version__

HELP = "Evaluation sets from documents, the best retrieval for each kind of question, and how far to believe both."
EXIT_CODES = (
    "Exit codes: 0 done; 1 a fault in Ragassay; 2 an option; 3 input; 4 output; 5 too few examples; "
    "6 a model, system or cluster; 7 a limit of calls, tokens or cost; 8 too little coverage; "
    "9 a failed gate; 130 Ctrl-C; 141 a closed pipe."
)
_SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Make a set": {
        "run": ("sets", "Make a set from documents, compare retrievers, write a report."),
        "synthesize": ("sets", "Make an evaluation set from documents."),
        "questions": ("sets", "Say what people ask of documents, what no page answers, and make a set."),
        "scenario": ("scenario", "Make documents, questions and answers from a schema."),
        "refresh": ("sets", "Keep a set true while its documents change."),
        "label": ("sets", "Label and rate any set, keep what is good enough."),
    },
    "Run a system": {
        "evaluate": ("systems", "Ask a system the questions of a set and score its answers."),
        "sweep": ("systems", "Try every setting of the built-in system in a grid."),
        "experiment": ("systems", "Do a synthetic and a human benchmark rank systems alike?"),
    },
    "Look at results": {
        "compare": ("results", "Compare two scored runs on the same examples."),
        "gate": ("results", "Check a run against bounds, for CI."),
        "report": ("report", "Write a page about a run, print its summary or its calls."),
        "view": ("results", "Browse runs: list, follow, open items, compare two."),
        "convert": ("results", "Write a set or results in another format, or check a set."),
    },
    "Judges and people": {
        "judge": ("people", "Measure a judge against people, and against itself."),
        "annotate": ("people", "Let people judge examples or answers in a browser."),
        "agree": ("people", "Measure the agreement of people with each other and a judge."),
    },
    "Set-up": {
        "init": ("setup", "Write a commented ragassay.toml."),
        "doctor": ("setup", "Check this installation."),
        "list": ("list", "List metrics, prompts and prices."),
        "train": ("setup", "Train a small model to verify claims."),
    },
}
"""Commands by section, each with its module and what the list says of it."""
_MODULES = {name: module for commands in _SECTIONS.values() for name, (module, _) in commands.items()}
COMMANDS = list(_MODULES)
_GONE = {
    "predict": "`ragassay evaluate DATA --system SYSTEM --metrics none --out RUN`",
    "score": "`ragassay evaluate DATA`",
    "critique": "`ragassay label DATA --what critiques --out OUT`",
    "knowledge": "`ragassay label DATA --what knowledge --out OUT`",
    "filter": "`ragassay label DATA --out OUT` with the same conditions",
    "completion": "`_RAGASSAY_COMPLETE=bash_source ragassay`, or zsh_source or fish_source",
    "check": "`ragassay convert DATA`",
    "export": "`ragassay convert RUN OUTPUT --to FORMAT`, with --to scores for tables",
    "inspect": "`ragassay report RUN --text`",
    "calls": "`ragassay report RUN --calls`",
    "metrics": "`ragassay list metrics`",
    "prompts": "`ragassay list prompts`",
    "prices": "`ragassay list prices`",
    "schema": "`ragassay scenario schema`",
}
"""Names of commands that are gone, each with what does their work now."""


class Application(click.Group):
    """All commands, in sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return COMMANDS

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # while a command is imported; click would call it aborted, with code 1
            click.echo("ragassay: stopped", err=True)
            raise SystemExit(130) from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _MODULES:
            command: click.Command = importlib.import_module(f"ragassay.cli.{_MODULES[cmd_name]}").COMMANDS[cmd_name]
            command.name = cmd_name
            return command
        if cmd_name in _GONE:
            raise UsageError(f"ragassay {cmd_name} is gone; use {_GONE[cmd_name]}")
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, COMMANDS))
        for section, names in _SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(widest), said) for name, (_, said) in names.items()])


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
