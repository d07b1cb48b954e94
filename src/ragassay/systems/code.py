"""Fingerprint what answers, so that a change of its code is seen.

A fingerprint is of the file that something is from and the user's own files that it imports (their syntax), and of the
plain values that functions and objects keep; of a script that is run only of what a function uses. Libraries are left
out, and what modules build when they are imported: name a version for that.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import sys
import sysconfig
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any

MOST_PARTS = 500
"""Functions, classes and values, and files, that are looked at: what a system reaches beyond that is left out."""
MOST_PARSED_BYTES = 1_000_000
"""A larger file is a table: its syntax tree takes two hundred times its size, and seconds."""
_PLAIN = (str, bytes, int, float, complex, bool, type(None), Path)
_LIBRARIES = (
    Path(__file__).resolve().parents[1],
    *{Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")},
)
_OF_THE_MOMENT = re.compile(
    r"^[0-9a-f-]{8,200}$|^.{0,200}\d{4}-\d\d-\d\d[T ]\d|^.{0,100}(?:^|[/\\])te?mp[/\\]", re.IGNORECASE
)
"""An id, a time, or a folder that is made anew each time."""
_LARGEST = 1e6
"""A larger number, or a fraction of many digits, is measured and not set."""


def code_of(target: Any) -> str | None:
    """Return the fingerprint of a function, a method or an object that answers; None where no code can be seen."""
    said: list[str] = []
    files: dict[Path, str] = {}
    seen: list[Any] = []
    waiting = [target]
    while waiting and len(seen) < MOST_PARTS:
        part = waiting.pop(0)
        if any(part is other for other in seen):
            continue
        seen.append(part)
        with suppress(Exception):  # an object of the user's may raise anything when it is looked at
            waiting += _reached(part, said, files)
    parts = [*said, *(files[path] for path in sorted(files))]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16] if parts else None


def _reached(part: Any, said: list[str], files: dict[Path, str]) -> Sequence[Any]:
    """Add what is said of one thing, or the file that it is from; return what it reaches."""
    if isinstance(part, _PLAIN):
        if not _is_of_the_moment(part):
            said.append(f"{type(part).__name__} {part!r}")
        return []
    if isinstance(part, partial):
        return [part.func, *part.args, *part.keywords.values()]
    if isinstance(part, MethodType):
        return [part.__func__, part.__self__]
    wrapped = inspect.getattr_static(part, "__wrapped__", None) and [part.__wrapped__]  # what a decorator is around
    if isinstance(part, FunctionType):
        held = [*_cells(part), *(part.__defaults__ or ()), *(part.__kwdefaults__ or {}).values(), *(wrapped or [])]
        if _is_of_library(part):  # a decorator's: what it calls is the user's
            return [each for each in held if isinstance(each, FunctionType | MethodType)]
        said.append(f"{part.__qualname__} {_source(part)}")  # two lambdas of one file have one name
        used = [] if _add_file(part, files) else [part.__globals__.get(name) for name in _names(part.__code__)]
        return [*held, *(each for each in used if isinstance(each, (*_PLAIN, FunctionType, type)))]
    if inspect.isclass(part):
        if _is_of_library(part):
            return []
        said.append(part.__qualname__)
        with suppress(TypeError, OSError):  # its module is not known by its name
            if _add_file(part, files):
                return part.__bases__
        said.append(_source(part))
        methods = [getattr(each, "__func__", each) for each in vars(part).values()]
        return [*part.__bases__, *(each for each in methods if isinstance(each, FunctionType))]
    if wrapped:
        return wrapped
    if _is_of_library(type(part)):
        return []
    return [type(part), *(value for _, value in sorted(vars(part).items()) if isinstance(value, _PLAIN))]


def _add_file(part: Any, files: dict[Path, str]) -> bool:
    """Add the file that something is from, with what it imports. False for a script that is run, and without a file."""
    module = sys.modules.get(part.__module__)
    path = inspect.getsourcefile(part)
    if part.__module__ == "__main__" or path is None or not Path(path).is_file():
        return False
    name = getattr(module, "__package__", None) or ""
    above = Path(path).resolve().parents[name.count(".") + 1 if name else 0]
    _read(Path(path), files, [above, *map(Path, sys.path)])
    return True


def _read(path: Path, files: dict[Path, str], places: Sequence[Path]) -> None:
    """Add a file and the user's own that it imports, at the top or inside a function; nothing is run to find them."""
    waiting = [path.resolve()]
    while waiting and len(files) < MOST_PARTS:
        path = waiting.pop(0)
        if path in files:
            continue
        source = path.read_bytes()
        files[path] = hashlib.sha256(source).hexdigest()
        if len(source) > MOST_PARSED_BYTES:
            continue
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            tree = ast.parse(source)
            waiting += _imported(tree, path, places)
            files[path] = ast.dump(tree)


def _imported(tree: ast.Module, path: Path, places: Sequence[Path]) -> Iterator[Path]:
    names: set[tuple[int, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {(0, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = [node.module] if node.module else []
            names |= {(node.level, ".".join([*base, alias.name])) for alias in node.names}
    for level, name in sorted(names):
        parts = name.split(".")
        tops = [path.parents[level - 1]] if level else places
        for end in range(len(parts) + 1):
            stem = [Path(top, *parts[:end]) for top in tops] if end or level else []
            found = (file for place in stem for file in (place.with_suffix(".py"), place / "__init__.py"))
            file = next((file for file in found if file.is_file()), None)
            if file is not None and not _is_library(file):
                yield file.resolve()


def _cells(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not filled yet
            yield cell.cell_contents


def _names(code: CodeType) -> list[str]:
    """Return the global names that a function uses, those of functions inside it too."""
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant)]
    return sorted({*code.co_names, *inner})


def _source(part: FunctionType | type) -> str:
    """Return its syntax tree; where there is no source, the names and constants of its code."""
    try:
        return ast.dump(ast.parse(textwrap.dedent(inspect.getsource(part))))
    except (OSError, TypeError, SyntaxError, ValueError, IndexError, RecursionError):
        code = getattr(part, "__code__", None)
        return f"{_names(code)} {code.co_code.hex()}" if isinstance(code, CodeType) else ""


def _is_of_the_moment(value: Any) -> bool:
    """Return whether a value may be another next time, although nothing has changed. Prompts are longer than ids."""
    if isinstance(value, Path):
        return True
    if isinstance(value, str):
        return _OF_THE_MOMENT.search(value) is not None
    if isinstance(value, float):
        return abs(value) > _LARGEST or len(repr(value)) > 8
    return isinstance(value, int) and abs(value) > _LARGEST


def _is_of_library(part: Any) -> bool:
    try:
        return _is_library(Path(inspect.getfile(part)))
    except (TypeError, OSError):  # built in, or made while running
        return getattr(part, "__module__", None) in ("builtins", None) or not isinstance(part, FunctionType | type)


def _is_library(path: Path) -> bool:
    resolved = path.resolve()
    return any(folder in resolved.parents for folder in _LIBRARIES)
