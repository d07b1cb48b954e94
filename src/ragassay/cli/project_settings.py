"""Options from the project's settings: a table of ``ragassay.toml`` for each command that reads one.

A key is an option without its dashes, ``chunk_sizes`` for ``--chunk-sizes``, or the name of an argument. What is typed
goes over the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

CONFIG = Annotated[
    Path | None,
    typer.Option(
        help="File with settings of this command; default: ragassay.toml of this folder, if any.",
        metavar="FILE",
        expose_value=False,
    ),
]
_KINDS = {"integer": "a whole number", "number": "a number"}
"""What the parser of options calls a kind of value, and what we do."""
_NOT_SETTINGS = ("config", "help", "help_all")


def say_read(path: Path, table: str, keys: Iterable[str]) -> None:
    """Says on standard error which settings came from a file; nothing where none did."""
    if named := ", ".join(keys):
        typer.echo(f"ragassay: {path}: [{table}] sets {named}", err=True)


def was_left_out(value: object) -> bool:
    """Whether this is what the parser has for an option that nobody gave."""
    return value is None or value in ((), [])


def with_project_settings(command: Any, ctx: Any, args: list[str]) -> list[str]:
    """The arguments with those that the file has and nobody typed; options become defaults of the context.

    Raises UsageError or InputError, which name the file and the key, for what cannot be meant.
    """
    typed, _, _ = command.make_parser(ctx).parse_args(args=list(args))
    if any(typed.get(name) for name in ("help", "help_all")):
        return args
    path, table = _table(ctx.info_name, typed.get("config"))
    used, defaults, further = [], {}, list[str]()
    for key, parameter, given in _values(command, ctx, path, table):
        if not was_left_out(typed.get(parameter.name)):
            continue
        used.append(key)
        if parameter.param_type_name == "argument":
            further += [given] if isinstance(given, str) else given
        else:
            defaults[parameter.name] = given
    ctx.default_map = defaults
    say_read(path, ctx.info_name, used)
    return [*args, "--", *further] if further else args


def check_table(command: Any, name: str) -> None:
    """Raises what ``with_project_settings`` would for the file of this folder."""
    for _ in _values(command, typer.Context(command, info_name=name), *_table(name, None)):
        pass


def _values(command: Any, ctx: Any, path: Path, table: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Key, parameter and what it is given, of each key. Raises UsageError for one that cannot be meant."""
    parameters = {key_of(each): each for each in command.get_params(ctx) if each.name not in _NOT_SETTINGS}
    for key, value in table.items():
        if key not in parameters:
            from ragassay.errors import UsageError

            raise UsageError(f"{path}: {ctx.info_name}.{key}: unknown key; choose one of {', '.join(parameters)}")
        yield key, parameters[key], _value(parameters[key], value, f"{path}: {ctx.info_name}.{key}", path.parent, ctx)


def _table(command: str, config: str | None) -> tuple[Path, Mapping[str, Any]]:
    from ragassay.errors import InputError, UsageError  # imported late: --help stays fast
    from ragassay.pipeline.asking.rubric_file import PROJECT_FILE
    from ragassay.settings import read_settings

    path = Path(config or PROJECT_FILE)
    if config is None and not path.is_file():
        return path, {}
    tables = read_settings(path)
    if config is not None and command not in tables:
        raise InputError(f"{path} has no table [{command}]; add one, or leave --config out")
    table = tables.get(command, {})
    if not isinstance(table, dict):
        raise UsageError(f"{path}: {command} must be a table, as in [{command}]")
    return path, table


def key_of(parameter: Any) -> str:
    """``chunk_sizes`` of ``--chunk-sizes``."""
    long = next((each for each in parameter.opts if each.startswith("--")), parameter.name)
    return str(long).removeprefix("--").replace("-", "_")


def _value(parameter: Any, value: Any, where: str, folder: Path, ctx: Any) -> Any:
    """The value in the form in which it would be typed. Raises UsageError for one that the option does not take."""
    from ragassay.errors import UsageError

    if getattr(parameter, "is_flag", False):
        if not isinstance(value, bool):
            raise UsageError(f"{where}: must be true or false, not {value!r:.60}")
        return value
    is_table = isinstance(value, dict)
    parts = list(value.values()) if is_table else value if isinstance(value, list) else [value]
    are_plain = (isinstance(each, str | int | float) and (is_table or not isinstance(each, bool)) for each in parts)
    if not parts or not all(are_plain):
        raise UsageError(f"{where}: must be text or numbers, not {value!r:.60}")
    texts = [f"{name}={each}" for name, each in value.items()] if is_table else [str(each) for each in parts]
    takes_many = parameter.nargs == -1 or getattr(parameter, "multiple", False)
    try:
        made = parameter.process_value(ctx, texts if takes_many else ",".join(texts))
    except typer.BadParameter as error:
        kind = next((words for name, words in _KINDS.items() if name in error.message), None)
        said = f"must be {kind}, not {value!r:.60}" if kind else error.message.rstrip(".")
        raise UsageError(f"{where}: {said}") from None
    from ragassay.remote import is_url

    paths = [each for each in (made if takes_many else [made]) if isinstance(each, Path)]
    if paths and "" in texts:
        raise UsageError(f"{where}: a path is empty; name a file or folder, such as '.'")
    if isinstance(made, Path):
        if is_table or len(parts) > 1:
            raise UsageError(f"{where}: must be one path, not {value!r:.60}")
        return str(made if is_url(made) else folder / made)
    if not takes_many:
        return ",".join(texts)
    return [str(folder / each) if isinstance(each, Path) and not is_url(each) else each for each in made]
