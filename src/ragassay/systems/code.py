"""What answers, as a fingerprint: equal as long as its code is the same, so that a change of the code is seen.

A fingerprint is of what a function does (its syntax tree without comments and docstrings, the values that it keeps) and
of the functions and classes of the user's own that it calls. Libraries are left out: their versions are in run.json.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import re
import shlex
import sysconfig
import textwrap
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

MOST_PARTS = 400
"""Functions, classes and values that are looked at: what a system reaches beyond that is left out."""
MOST_VALUE_CHARS = 10_000
MOST_FILE_BYTES = 20_000_000
_PLAIN = (str, bytes, int, float, complex, bool, type(None), Path)
_FILLED = (list, dict, set, bytearray)
_LIBRARIES = tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib")})
_OF_THE_MOMENT = re.compile(r"[0-9a-fA-F-]{32,}")
"""An id that is drawn anew each time."""
_LARGEST = 1e6
"""A larger number with a fraction is a time."""


def code_of(target: Any) -> str | None:
    """The fingerprint of a function, a method or an object that answers; None where none of its code can be seen."""
    parts: dict[int, str] = {}
    kept: list[Any] = []  # an id is that of one object only as long as the object lives
    open_ones: list[Any] = [target]
    while open_ones and len(parts) < MOST_PARTS:
        each = open_ones.pop(0)
        if id(each) in parts:
            continue
        kept.append(each)
        parts[id(each)], reached = _part(each)
        open_ones += reached
    found = [part for part in parts.values() if part]
    return hashlib.sha256("\0".join(found).encode("utf-8", "replace")).hexdigest()[:16] if found else None


def code_of_command(command: str, folder: Path) -> str | None:
    """The fingerprint of the files that a command names; None where it names none."""
    digest = hashlib.sha256()
    seen = False
    for word in shlex.split(command):
        path = folder / Path(word).expanduser()
        try:
            if path.is_file() and path.stat().st_size <= MOST_FILE_BYTES and not _is_library(path):
                digest.update(path.read_bytes())
                seen = True
        except (OSError, ValueError):
            continue
    return digest.hexdigest()[:16] if seen else None


def _part(each: Any) -> tuple[str, list[Any]]:
    """What is said of one thing, and what it reaches."""
    if isinstance(each, MethodType):
        return "", [each.__func__, each.__self__]
    if isinstance(each, FunctionType):
        return _function(each)
    if inspect.isclass(each):
        return _class(each)
    if isinstance(each, _PLAIN):
        return f"{type(each).__name__} {str(each)[:MOST_VALUE_CHARS]}", []
    if isinstance(each, tuple):
        return "tuple", list(each)
    if isinstance(each, frozenset):
        return f"frozenset {sorted(map(repr, each))}"[:MOST_VALUE_CHARS], []
    if isinstance(each, _FILLED):
        return "", []  # what fills while it runs says nothing of the code
    if isinstance(each, ModuleType) or _is_of_library(type(each)):
        return "", []
    return "", [type(each), *_attributes(each)]


def _function(function: FunctionType) -> tuple[str, list[Any]]:
    if _is_of_library(function):
        return "", []
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # not filled yet
            continue
    reached = [*cells, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    told = [f"{function.__qualname__} {_text(function)}"]
    for name in _names(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, _FILLED):
            told.append(_assigned(function, name))
        elif name in function.__globals__:
            reached.append(value)
    wrapped = getattr(function, "__wrapped__", None)
    return "\n".join(told), reached if wrapped is None else [*reached, wrapped]


def _assigned(function: FunctionType, name: str) -> str:
    """What a name of a module begins with, as its source has it: a cache is empty there, a table of settings is not."""
    try:
        tree = ast.parse("".join(linecache.getlines(inspect.getfile(function))))
    except (TypeError, SyntaxError, ValueError):
        return ""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(each, ast.Name) and each.id == name for each in targets):
            return ast.dump(node)
    return ""


def _class(found: type) -> tuple[str, list[Any]]:
    if _is_of_library(found):
        return "", []
    own = [value for value in vars(found).values() if isinstance(value, FunctionType)]
    return f"{found.__qualname__} {_text(found)}", [*found.__bases__, *own]


def _attributes(each: Any) -> list[Any]:
    try:
        held = vars(each)
    except TypeError:
        return []
    return [held[name] for name in sorted(held, key=str) if not _is_of_the_moment(held[name])]


def _is_of_the_moment(value: Any) -> bool:
    """Whether an attribute would be another next time, although nothing has changed: a time, an id."""
    if isinstance(value, str):
        return _OF_THE_MOMENT.fullmatch(value) is not None
    return isinstance(value, float) and abs(value) > _LARGEST


def _names(code: CodeType) -> list[str]:
    """Global names that a function uses, those of functions inside it too."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _names(constant)
    return sorted(set(names))


def _text(found: FunctionType | type) -> str:
    """The syntax tree without docstrings; where there is no source, the names and constants of the code."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(found)))
    except (OSError, TypeError, SyntaxError, ValueError, IndexError):
        code = getattr(found, "__code__", None)
        return f"{code.co_names} {code.co_consts} {code.co_code.hex()}" if isinstance(code, CodeType) else ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        is_documented = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if is_documented and isinstance(body, list) and len(body) > 1 and _is_docstring(body[0]):
            del body[0]
    return ast.dump(tree)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_of_library(found: Any) -> bool:
    try:
        return _is_library(Path(inspect.getfile(found)))
    except (TypeError, OSError):  # built in, or made while running
        return getattr(found, "__module__", None) in ("builtins", None) or not isinstance(found, FunctionType | type)


def _is_library(path: Path) -> bool:
    resolved = path.resolve()
    return any(folder in resolved.parents for folder in _LIBRARIES)
