"""A command of the command line, made of a class of settings, the function that does the job, and words.

What is typed overrides what ``ragassay.toml`` has in the command's table, and in ``[models]`` for the options about
models that commands share; both go to ``options.read_settings_of`` as they are, which checks them.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, redirect_stdout
from dataclasses import MISSING, dataclass
from difflib import get_close_matches
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragassay.errors import InputError, UsageError

if TYPE_CHECKING:
    from ragassay.options import Setting
    from ragassay.report.blocks import Block

STOPPED = "stopped; run the same command again to continue"
PROJECT_FILE = "ragassay.toml"
MODELS_TABLE = "models"
_OTHER_TABLES = (MODELS_TABLE, "metrics")
_FILE = "config_file"
_ARGUMENTS = "Arguments"
_SECTIONS = (_ARGUMENTS, "Options", "System", "Rows", "Documents", "Models", "Calls to servers", "Spending", "Output")
"""The order of sections in the help; others stand before the last three."""
_TYPES = {int: "INTEGER", float: "NUMBER", Path: "PATH"}


@dataclass(frozen=True, slots=True)
class Job:
    """What a command does. Functions and classes may be ``module:name``, imported when they are needed.

    options: the class of its settings. run: takes these and progress. blocks, found: what of the result is printed for
    people, and for programs; its ``blocks`` and ``as_object`` if None. show: prints it in their place; takes the result
    and whether JSON is wanted. check: takes the result and the settings; raises for what a script should hear of
    although there is a result. counts_calls: whether there is ``--dry-run``; ``dry`` is run for it where the job itself
    cannot be. reads_file: whether settings may stand in a file. file: what is said of the argument CONFIG, a file with
    these settings alone.
    """

    options: type[Any] | str
    run: Callable[..., Any] | str
    blocks: Callable[[Any], Iterable[Block]] | str | None = None
    found: Callable[[Any], dict[str, Any]] | str | None = None
    show: Callable[[Any, bool], None] | None = None
    check: Callable[[Any, Any], None] | None = None
    counts_calls: bool = False
    dry: Callable[..., Any] | None = None
    shares_work: bool = False
    has_progress: bool = True
    reads_file: bool = True
    file: str = ""

    def print(self, done: Any, as_json: bool) -> None:
        """Print a result."""
        if self.show is not None:
            self.show(done, as_json)
        elif as_json:
            print_json(done.as_object() if self.found is None else _loaded(self.found)(done))
        else:
            print_blocks(done.blocks() if self.blocks is None else _loaded(self.blocks)(done))


def print_json(found: Any) -> None:
    """Print one object in ASCII: a text in it can neither steer a terminal nor fail to be written."""
    click.echo(json.dumps(found, indent=1))


def print_blocks(blocks: Iterable[Block], *, stderr: bool = False) -> None:
    from ragassay.report.terminal import show

    show(blocks, stderr=stderr)


class Command(click.Command):
    """A command with options that are made when they are needed."""

    def __init__(self, job: Job, help_text: str) -> None:
        super().__init__(name=None, help=help_text, context_settings={"help_option_names": ["-h", "--help"]})
        self.job = job

    @cached_property
    def kind(self) -> type[Any]:
        return _loaded(self.job.options)  # type: ignore[no-any-return]

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        from ragassay.options import settings_of

        return settings_of(self.kind)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = [_parameter(setting) for setting in self.settings if not setting.option.is_in_file]
        if self.job.file:
            own.append(_Argument([_FILE], help_text=self.job.file, required=False, default=None, metavar="[CONFIG]"))
        return [*own, *self._invocation, *super().get_params(ctx)]

    @cached_property
    def _invocation(self) -> list[click.Parameter]:
        """Options about how the command is run and what it prints."""
        found = [
            _Option(["--json"], is_flag=True, help="Print one JSON object instead of text.", panel="Output"),
        ]
        if self.job.reads_file:
            words = "File with settings; default: ragassay.toml, if any."
            found.append(_Option(["--config"], metavar="FILE", help=words, is_rare=True))
        if self.job.counts_calls or self.job.dry:
            words = "Estimate calls, tokens and cost; send nothing."
            found.append(_Option(["--dry-run"], is_flag=True, help=words, panel="Spending"))
        if self.job.shares_work:
            words = "Where the work is done: local, ray (the cluster of RAY_ADDRESS, or this machine) or ray:HOST:PORT."
            found.append(_Option(["--engine"], metavar="ENGINE", help=words, is_rare=True))
        return list(found)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = help_record(parameter, ctx)
            if record is not None:
                sections.setdefault(getattr(parameter, "panel", "Options"), []).append(record)
        for title in sorted(sections, key=lambda title: _SECTIONS.index(title) if title in _SECTIONS else 5.5):
            with formatter.section(title):
                formatter.write_dl(sections[title])
        if any(getattr(each, "hidden", False) for each in self.get_params(ctx)):
            formatter.write("\nRare options are listed in docs/settings.md.\n")

    def invoke(self, ctx: click.Context) -> Any:
        from ragassay import tracing
        from ragassay.remote import fetch_paths

        values = {name: value for name, value in ctx.params.items() if value not in (None, (), False)}
        values |= {name: False for name, value in ctx.params.items() if value is False and _was_typed(ctx, name)}
        as_json, dry = values.pop("json", False), values.pop("dry_run", False)
        engine, config = values.pop("engine", "local"), values.pop("config", None)
        try:
            with tracing.command(self.name or ""), _at_work(engine):
                values, places = self.with_files(values, config)
                values = {name: _as_paths(self._setting(name), value) for name, value in values.items()}
                fetch_paths(values)
                self._do(values, places, as_json=as_json, dry=dry)
        except KeyboardInterrupt as stop:
            click.echo(f"ragassay: {str(stop) or STOPPED}", err=True)
            raise SystemExit(130) from None

    def _do(self, values: dict[str, Any], places: Mapping[str, str], *, as_json: bool, dry: bool) -> None:
        from ragassay.cli.progress_bars import progress_bars
        from ragassay.options import read_settings_of

        options = read_settings_of(self.kind, values, places)
        if places and not self.job.file:
            path = next(iter(places.values())).partition(": ")[0]
            said = ", ".join(place.removeprefix(f"{path}: ") for place in places.values())
            click.echo(f"ragassay: {path} sets {said}", err=True)
        job, run = self.job, _loaded(self.job.run)
        if dry:
            from ragassay.jobs.asking.dry_run import dry_run

            job, run = Job(options=job.options, run=run), job.dry or partial(dry_run, run)
        watched = progress_bars() if job.has_progress else nullcontext()
        with watched as progress, redirect_stdout(sys.stderr):  # code of the user's may print
            done = run(options, progress) if job.has_progress else run(options)
        job.print(done, as_json)
        if job.check is not None:
            job.check(done, options)

    def _setting(self, name: str) -> Setting | None:
        return next((setting for setting in self.settings if setting.name == name), None)

    def with_files(self, typed: Mapping[str, Any], config: str | None) -> tuple[dict[str, Any], dict[str, str]]:
        """Return what was typed, over what files say; and where each value of a file stands, for messages.

        Files are CONFIG, then the command's table of the project's settings, then that of models.
        """
        found, places = {name: value for name, value in typed.items() if name != _FILE}, dict[str, str]()
        if not self.job.reads_file:
            return found, places

        def fill(path: Path, table: str, values: Mapping[str, Any], known: Mapping[str, Setting]) -> None:
            for key, value in values.items():
                if key not in known:
                    names = ", ".join(dict.fromkeys(each.key for each in known.values()))
                    raise UsageError(f"{path}: {table}{key}: unknown key; choose one of {names}")
                setting = known[key]
                if setting.name in by_name and setting.name not in found:
                    places[setting.name] = f"{path}: {table}{key}"
                    found[setting.name] = _in_folder(setting, value, path.parent, places[setting.name])

        by_name = {setting.name: setting for setting in self.settings}
        by_key = {setting.key: setting for setting in self.settings}
        if _FILE in typed:
            from ragassay.settings import read_settings

            path = Path(typed[_FILE])
            fill(path, "", read_settings(path), {**by_key, **by_name})
            found["folder"] = path.parent
        path, own, shared = _tables(self.name or "", config)
        fill(path, f"{_dotted(self.name or '')}.", own, by_key)
        if shared:
            from ragassay.jobs.asking.model_options import ModelOptions
            from ragassay.options import settings_of

            taken = {key: setting for key, setting in by_key.items() if setting.groups[:1] == ("models",)}
            known = {setting.key: setting for setting in settings_of(ModelOptions)} | taken
            values = {key: value for key, value in shared.items() if key in taken or key not in known}
            fill(path, f"{MODELS_TABLE}.", values, known)
        return found, places


class Commands(click.Group):
    """Commands under one name."""

    def __init__(self, help_text: str, commands: Mapping[str, Command]) -> None:
        """commands: by the whole name, such as ``judge check``."""
        super().__init__(help=help_text, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]})
        for name, command in commands.items():
            command.name = name
            self.commands[name.split()[-1]] = command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class _Option(click.Option):
    """panel: the section that it stands in. is_rare: whether the help leaves it out."""

    def __init__(self, flags: list[str], *, panel: str = "Options", is_rare: bool = False, **given: Any) -> None:
        super().__init__(flags, hidden=is_rare, **given)
        self.panel = panel


class _Argument(click.Argument):
    def __init__(self, names: list[str], *, help_text: str, **given: Any) -> None:
        super().__init__(names, **given)
        self.panel, self.help_text = _ARGUMENTS, help_text


def _parameter(setting: Setting) -> click.Parameter:
    option = setting.option
    metavar = option.metavar or next((name for kind, name in _TYPES.items() if kind in setting.kinds), "TEXT")
    if option.is_argument:
        many: dict[str, Any] = {"nargs": -1} if setting.is_many else {}
        name = option.metavar + ("..." if setting.is_many else "")
        is_needed = setting.default in (MISSING, Path(), ()) and "default:" not in option.help
        name = name if is_needed else f"[{name}]"
        return _Argument([setting.name], help_text=option.help, required=False, default=None, metavar=name, **many)
    default = _shown_default(setting)
    shown: dict[str, Any] = {
        "panel": option.panel,
        "is_rare": option.is_rare,
        "help": option.help + default,
        "default": None,
    }
    if setting.is_flag:
        flags = setting.flags
        if len(flags) == 1 and setting.default is not False:
            flags = (f"{flags[0]}/--no-{flags[0].removeprefix('--')}",)
        return _Option([*flags, setting.name], is_flag=True, **shown)
    return _Option([*setting.flags, setting.name], metavar=metavar, multiple=setting.is_many, **shown)


def _shown_default(setting: Setting) -> str:
    from ragassay.options import shown_value

    if (
        setting.default in (MISSING, None, (), "", False, Path())
        or "default:" in setting.option.help.lower()
        or setting.is_flag
    ):
        return ""
    shown = shown_value(setting.default)
    return f"  [default: {shown}]" if shown and len(shown) < 60 else ""


def help_record(parameter: click.Parameter, ctx: click.Context) -> tuple[str, str] | None:
    """What the help says of an argument or option."""
    if isinstance(parameter, _Argument):
        return (parameter.metavar or "").strip("[]"), parameter.help_text
    return parameter.get_help_record(ctx)


def _as_paths(setting: Setting | None, value: Any) -> Any:
    """Texts that are paths as such, so that URLs among them are fetched."""
    if setting is None or not setting.is_path:
        return value
    if isinstance(value, tuple | list):
        return tuple(Path(one) if isinstance(one, str) else one for one in value)
    return Path(value) if isinstance(value, str) else value


def _in_folder(setting: Setting, value: Any, folder: Path, place: str) -> Any:
    """Paths of a file are beside it."""
    from ragassay.remote import is_url

    def placed(one: str) -> str:
        if one == "":
            raise UsageError(f"{place}: a path is empty; name a file or folder, such as '.'")
        return one if is_url(Path(one)) else str(folder / one)

    if not setting.is_path:
        return value
    if isinstance(value, list):
        return [placed(one) if isinstance(one, str) else one for one in value]
    return placed(value) if isinstance(value, str) else value


def _tables(command: str, config: str | None) -> tuple[Path, Mapping[str, Any], Mapping[str, Any]]:
    """The file, the command's table and that of models."""
    path = Path(config or PROJECT_FILE)
    if config is None and not path.is_file():
        return path, {}, {}
    from ragassay.settings import read_settings

    tables = read_settings(path)
    _check_tables(tables, path)
    table = _table(tables, command, path)
    if config is not None and table is None:
        raise InputError(f"{path} has no table [{_dotted(command)}]; add one, or leave --config out")
    return path, table or {}, _table(tables, MODELS_TABLE, path) or {}


def _check_tables(tables: Mapping[str, Any], path: Path) -> None:
    """Raise UsageError for a table that no command reads."""
    from ragassay.cli.app import COMMANDS

    for name in tables:
        if name not in (*COMMANDS, *_OTHER_TABLES):
            near = get_close_matches(name, (*COMMANDS, *_OTHER_TABLES), 1)
            hint = f"did you mean [{near[0]}]?" if near else "no command reads it"
            raise UsageError(f"{path}: unknown table [{name}]; {hint}")


def _table(tables: Mapping[str, Any], command: str, path: Path) -> Mapping[str, Any] | None:
    """The table of a command, that of a command of a group within the group's; None where there is none."""
    table: Any = tables
    for name in command.split():
        table = table.get(name)
        if table is None:
            return None
        if not isinstance(table, dict):
            raise UsageError(f"{path}: {name} must be a table, as in [{_dotted(command)}]")
    return table  # type: ignore[no-any-return]


def _dotted(command: str) -> str:
    return ".".join(command.split())


def _was_typed(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _at_work(engine: str) -> Any:
    if engine == "local":
        return nullcontext()
    from ragassay.scale import engine as at_work

    return at_work(engine)


def _loaded(place: Any) -> Any:
    """Return what ``module:name`` names; anything else as it is."""
    if not isinstance(place, str):
        return place
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)
