"""What all commands share: help in sections, ``--help-all`` for options that are rarely needed, settings, and Ctrl-C.

An option stands in the section that its ``rich_help_panel`` names; ``hidden=True`` keeps it for ``--help-all``.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

from ragassay import tracing
from ragassay.cli.project_settings import CONFIG, key_of, with_project_settings
from ragassay.remote import fetch_paths

STOPPED = "stopped; finished work is kept: run the same command again to continue"
_ENGINE = Annotated[
    str,
    typer.Option(
        help="Where the work is done: local, ray (the cluster of RAY_ADDRESS, or this machine) or ray:HOST:PORT.",
        hidden=True,
    ),
]
_SHOW_ALL = "ragassay.help_all"
_LATE = "ragassay_late_help"


class Commands(typer.Typer):
    """A group of commands with this help."""

    def __init__(self, help_text: str, **given: Any) -> None:
        super().__init__(
            help=help_text,
            cls=_Group,
            no_args_is_help=True,
            rich_markup_mode=None,
            add_completion=False,
            pretty_exceptions_enable=False,
            context_settings={"help_option_names": ["-h", "--help"]},
            **given,
        )

    def command(  # type: ignore[override]
        self, name: str | None = None, *, reads_settings: bool = False, shares_work: bool = False, **given: Any
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """reads_settings: options that are not typed come from the command's table in the project's settings.

        shares_work: the command has ``--engine``.
        """
        register = super().command(name, cls=_CommandWithSettings if reads_settings else _Command, **given)

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            command = _with(function, "config", CONFIG) if reads_settings else function
            register(_with_help_all(_with_engine(command) if shares_work else command))
            return function

        return decorate


def with_late_help(**parts: Callable[[], str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """For a command whose docstring has ``{part}`` where its help says what modules hold that are imported late."""

    def marked(command: Callable[..., None]) -> Callable[..., None]:
        vars(command)[_LATE] = parts
        return command

    return marked


class _Command(TyperCommand):
    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        kept = self.help
        for name, made in getattr(self.callback, _LATE, {}).items():
            self.help = (self.help or "").replace(f"{{{name}}}", made())
        super().format_help_text(ctx, formatter)
        self.help = kept

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = _record(parameter, ctx)
            if record is not None:
                usual = "Arguments" if isinstance(parameter, TyperArgument) else "Options"
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(record)
        _write(sections, formatter)

    def invoke(self, ctx: Any) -> Any:
        try:
            with tracing.command(ctx.command_path.removeprefix(ctx.find_root().command_path).strip()):
                fetch_paths(ctx.params)
                return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            typer.echo(f"ragassay: {str(stop) or STOPPED}", err=True)
            raise typer.Exit(130) from None


class _CommandWithSettings(_Command):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with_settings = with_project_settings(self, ctx, args)
        try:
            return super().parse_args(ctx, with_settings)
        except typer.BadParameter as error:
            if not error.message and error.param is not None:  # it is missing, and may stand in the file as well
                error.message = (
                    f"Give it, or set {key_of(error.param)} in the table [{ctx.info_name}] of ragassay.toml."
                )
            raise


class _Group(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = formatter.width - 6 - max(map(len, self.commands))
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            record = (name, command.get_short_help_str(width))
            sections.setdefault(getattr(command, "rich_help_panel", None) or "Commands", []).append(record)
        _write(sections, formatter)


def _record(parameter: Any, ctx: Any) -> tuple[str, str] | None:
    """The row about a parameter; None for a hidden one, unless all are to be shown."""
    if ctx.meta.get(_SHOW_ALL) and getattr(parameter, "hidden", False):
        parameter = copy.copy(parameter)
        parameter.hidden = False
    record: tuple[str, str] | None = parameter.get_help_record(ctx)
    if record is not None and isinstance(parameter, TyperArgument):  # the usage line says whether it is a list
        return record[0].split(" <")[0], record[1]
    return record


def _write(sections: dict[str, list[tuple[str, str]]], formatter: Any) -> None:
    widest = max(len(name) for rows in sections.values() for name, _ in rows)
    for title, rows in sections.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl([(name.ljust(min(widest, 30)), text) for name, text in rows])


def _show_all(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        ctx.meta[_SHOW_ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


def _with_help_all(function: Callable[..., Any]) -> Callable[..., Any]:
    """The command with ``--help-all``, which is listed where it shows more than ``--help``."""
    own = inspect.signature(function, eval_str=True)
    has_hidden = any(
        getattr(part, "hidden", False)
        for parameter in own.parameters.values()
        for part in getattr(parameter.annotation, "__metadata__", ())
    )
    option = typer.Option(
        "--help-all",
        help="Show all options, rarely needed ones too.",
        callback=_show_all,
        is_eager=True,
        expose_value=False,
        hidden=not has_hidden,
    )
    return _with(function, "help_all", Annotated[bool, option], default=False)


def _with_engine(function: Callable[..., Any]) -> Callable[..., Any]:
    """The command with ``--engine``, which says where it works."""
    with_option = _with(function, "engine", _ENGINE, default="local")

    @functools.wraps(with_option)
    def command(engine: str = "local", **given: Any) -> Any:
        if engine == "local":
            return function(**given)
        from ragassay.scale.engines import engine as at_work  # imported late: few commands have another

        with at_work(engine):
            return function(**given)

    vars(command)["__signature__"] = inspect.signature(with_option)
    return command


def _with(function: Callable[..., Any], name: str, annotation: Any, default: Any = None) -> Callable[..., Any]:
    """The command with one more option, which it is not called with."""
    own = inspect.signature(function, eval_str=True)
    parameter = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

    @functools.wraps(function)
    def command(**given: Any) -> Any:
        given.pop(name, None)
        return function(**given)

    command.__annotations__ = {}
    vars(command)["__signature__"] = own.replace(parameters=[*own.parameters.values(), parameter])
    return command
