"""Settings of commands: each is declared once, as a field of a dataclass, and everything else is derived from it.

The command line, the Python functions, ``ragassay.toml``, the checks, run.json and fingerprints read the fields: their
types with pydantic's bounds, their defaults, and an ``Option`` in the annotation for words and flags. A field with a
``Group`` holds the settings of a shared class, which stand among those of the command under their own names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass as validated

from ragassay.errors import UsageError
from ragassay.settings import fault_of

T = TypeVar("T")
CONFIG = ConfigDict(arbitrary_types_allowed=True, extra="forbid")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
def settings(kind: type[T]) -> type[T]:
    """Make a class of settings: frozen, checked by pydantic; faults are UsageErrors of one sentence."""
    made: Any = validated(kind, frozen=True, kw_only=True, config=CONFIG)
    check = made.__init__

    @wraps(check)
    def init(self: Any, **given: Any) -> None:
        try:
            check(self, **given)
        except ValidationError as error:
            raise UsageError(_said(error, made, {})) from None

    made.__init__ = init
    return made  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Option:
    """What people read and type of a setting.

    flags: as they are typed, where that is not the name of the field. panel: its section in the help. is_rare: left out
    of the help; the docs list it. is_argument: it stands without a flag. is_about_work: no result depends on it.
    is_in_file: it is not typed, but stands in a file.
    """

    help: str
    flags: tuple[str, ...] = ()
    metavar: str = ""
    panel: str = "Options"
    is_rare: bool = False
    is_argument: bool = False
    is_about_work: bool = False
    is_in_file: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A field with settings of a shared class. without: names of those that the command has no use for."""

    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a command. groups: names of the fields that lead to it. kind: its type without annotations."""

    name: str
    groups: tuple[str, ...]
    kind: Any
    default: Any
    option: Option

    @property
    def flags(self) -> tuple[str, ...]:
        return self.option.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def key(self) -> str:
        """Its name in ``ragassay.toml`` and in Python."""
        long = next((flag for flag in self.flags if flag.startswith("--")), self.flags[0])
        return self.name if self.option.is_argument else long.removeprefix("--").replace("-", "_")

    @property
    def said(self) -> str:
        if self.option.is_in_file:
            return self.key
        return (self.option.metavar or self.name.upper()) if self.option.is_argument else self.flags[0]

    @property
    def kinds(self) -> tuple[Any, ...]:
        """Its type, or each of a union."""
        return _parts(self.kind)

    @property
    def is_flag(self) -> bool:
        return bool in self.kinds

    @property
    def is_many(self) -> bool:
        origins = [get_origin(part) or part for part in self.kinds]
        return any(isinstance(part, type) and issubclass(part, tuple | list | Mapping) for part in origins)

    @property
    def is_path(self) -> bool:
        return any(part is Path or Path in get_args(part) for part in self.kinds)


_KNOWN: dict[type[Any], tuple[Setting, ...]] = {}


def settings_of(kind: type[Any]) -> tuple[Setting, ...]:
    """The settings of a class and of its groups, in their order."""
    if kind not in _KNOWN:
        _KNOWN[kind] = tuple(_walk(kind, (), frozenset()))
    return _KNOWN[kind]


def _walk(kind: type[Any], groups: tuple[str, ...], without: frozenset[str]) -> Iterator[Setting]:
    hints = get_type_hints(kind, include_extras=True)
    for each in fields(kind):
        if each.name in without:
            continue
        inner, *extras = get_args(hints[each.name]) if get_origin(hints[each.name]) is Annotated else (None,)
        group = next((extra for extra in extras if isinstance(extra, Group)), None)
        option = next((extra for extra in reversed(extras) if isinstance(extra, Option)), None)
        if group is not None:
            yield from _walk(inner, (*groups, each.name), without | group.without)
        elif option is not None:
            default = each.default
            if default is MISSING and each.default_factory is not MISSING:
                default = each.default_factory()
            yield Setting(each.name, groups, inner, _plain_default(default), option)


def _plain_default(default: Any) -> Any:
    """The default of a field that pydantic describes, too."""
    found = getattr(default, "default", default) if type(default).__name__ == "FieldInfo" else default
    return MISSING if type(found).__name__ == "PydanticUndefinedType" else found


def read_settings_of(kind: type[T], given: Mapping[str, Any], places: Mapping[str, str] | None = None) -> T:
    """The settings that values make, which stand under the names of fields, whatever their group.

    places: what messages call a setting, by its name, where it was not typed. Raises UsageError with one sentence for a
    name that is not known and for a value that cannot be meant, and what the checks of the class raise.
    """
    places = places or {}
    known = {name: setting for setting in settings_of(kind) for name in (setting.key, setting.name)}
    plain = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for name, value in sorted(given.items(), key=lambda each: each[0] not in plain):  # whole groups first
        if name in plain and (name not in known or not known[name].groups):
            values[name] = value
        elif name in known:
            inner = values
            for group in known[name].groups:
                inner = inner.setdefault(group, {})
                if not isinstance(inner, dict):
                    raise UsageError(f"{name} and {group} are both given; give {name} in {group}, or leave {group} out")
            inner[known[name].name] = value
        else:
            raise unknown_keyword(name, known)
    made: Any = kind.__new__(kind)
    try:
        kind.__init__.__wrapped__(made, **values)  # type: ignore[attr-defined]
        return made  # type: ignore[no-any-return]
    except ValidationError as error:
        raise UsageError(_said(error, kind, places)) from None
    except UsageError as error:
        option, _, fault = str(error).partition(": ")
        meant = (each.name for each in settings_of(kind) if option in (each.said, *each.flags))
        place = next((places[name] for name in meant if name in places), "")
        raise UsageError(f"{place}: {fault}" if place else str(error)) from None


def unknown_keyword(name: str, known: Iterable[str]) -> UsageError:
    """Return what to raise for an argument of a Python function that there is not."""
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else "docs/settings.md lists all"
    return UsageError(f"unknown keyword {name!r}; {hint}")


def _said(error: ValidationError, kind: type[Any], places: Mapping[str, str]) -> str:
    first = error.errors()[0]
    names = [str(part) for part in first["loc"]]
    setting = next((each for each in settings_of(kind) if each.name in names), None)
    name = setting.name if setting else names[0] if names else kind.__name__
    said = places.get(name) or (setting.said if setting else name)
    if first["type"] in ("missing", "missing_argument", "missing_keyword_only_argument"):
        return f"{said}: missing; give it{' in the file CONFIG' if setting and setting.option.is_in_file else ''}"
    return f"{said}: {fault_of(error, 'value')}"


def _parts(kind: Any) -> tuple[Any, ...]:
    if get_origin(kind) is Annotated:
        return _parts(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return tuple(inner for part in get_args(kind) for inner in _parts(part))
    return (kind,)


def shown_settings(options: Any) -> dict[str, str]:
    """The settings that are not at their defaults, as texts, for run.json and reports."""
    return {
        setting.key.replace("_", " "): shown
        for setting in settings_of(type(options))
        if (shown := shown_value(value_of(options, setting))) and value_of(options, setting) != setting.default
    }


def value_of(options: Any, setting: Setting) -> Any:
    for group in setting.groups:
        options = getattr(options, group)
    return getattr(options, setting.name)


def shown_value(value: Any) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={shown_value(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(shown_value, value))
    return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# Types of values that are typed in one piece.


def _split(value: Any) -> Any:
    """A text at its commas, a list of such texts as well."""
    if isinstance(value, str):
        value = [value]
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        return value
    parts = [part.strip() for each in value if isinstance(each, str) for part in each.split(",")]
    return tuple(dict.fromkeys(filter(None, parts))) if all(isinstance(each, str) for each in value) else tuple(value)


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str | Path) or callable(value) else value


def are_texts(given: Any) -> bool:
    return isinstance(given, str) or (
        isinstance(given, Sequence) and bool(given) and all(isinstance(each, str) for each in given)
    )


def one_text(given: Any) -> Any:
    """Texts that were typed one by one as one text, with commas between them; anything else as it is."""
    is_list = isinstance(given, list | tuple) and bool(given) and all(isinstance(each, str) for each in given)
    return ",".join(given) if is_list else given


def typed_as(read: Callable[[Any], Any]) -> BeforeValidator:
    """Values go through ``read`` unless they are of the type already."""
    return BeforeValidator(read)


Names = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""Names, separated by commas or in a list."""
Many = BeforeValidator(_one_or_many)
"""For tuples: one value is a tuple of it."""
Share = Annotated[float, Field(ge=0, le=1)]


def _no_truth(given: Any) -> Any:
    if isinstance(given, bool):
        raise ValueError(f"must be a number, not {str(given).lower()}")
    return given


Number = BeforeValidator(_no_truth)
"""For numbers: true, which Python takes for 1, is none."""
Count = Annotated[int, Field(ge=1), Number]
Seed = Annotated[int, Field(ge=0), Number]
Paths = Annotated[tuple[Path, ...], Many]
Processes = Annotated[
    Count | None,
    Option("Worker processes; default: one for each core, at most 8.", is_rare=True, is_about_work=True),
]
