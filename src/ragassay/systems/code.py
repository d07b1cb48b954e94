"""What answers, as a fingerprint: equal as long as its code is the same, so that a change of the code is seen.

A fingerprint is of what a function does (its syntax tree without comments and docstrings, the values that it keeps) and
of the functions and classes of the user's own that it calls. Libraries are left out: their versions are in run.json.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import inspect
import linecache
import re
import shlex
import sys
import sysconfig
import textwrap
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

MOST_PARTS = 400
"""Functions, classes and values that are looked at: what a system reaches beyond that is left out."""
MOST_VALUE_CHARS = 10_000
MOST_FILE_BYTES = 20_000_000
_PLAIN = (str, bytes, int, float, complex, bool, type(None), Path)
_SCRIPTS = frozenset(
    ".py .sh .bash .js .mjs .cjs .ts .rb .pl .php .r .jl .lua .go .java .scala .kts .toml .yaml .yml .ini .cfg".split()
)
_FOLLOWED = (FunctionType, staticmethod, classmethod, property)
_FILLED = (list, dict, set, bytearray)
_LIBRARIES = tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib")})
_OF_THE_MOMENT = re.compile(r"^[0-9a-fA-F-]{8,}$|\d{4}-\d\d-\d\d[T ]\d|(?:^|[/\\])(?:tmp|temp)[/\\]", re.IGNORECASE)
"""An id, a time, or a folder that is made anew each time."""
_LARGEST = 1e4
_LONGEST_SETTING = 8
"""A larger number, or one with more digits, is measured and not set."""


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
        try:
            parts[id(each)], reached = _part(each)
        except Exception:  # noqa: BLE001 - an object of the user's may raise anything when it is looked at
            parts[id(each)], reached = "", []
        open_ones += reached
    found = [part for part in parts.values() if part]
    return hashlib.sha256("\0".join(found).encode("utf-8", "replace")).hexdigest()[:16] if found else None


def code_of_command(command: str, folder: Path) -> str | None:
    """The fingerprint of the scripts and settings that a command names; None where it names none.

    Other files it may write itself: a cache, a database, a log.
    """
    digest = hashlib.sha256()
    seen = False
    for word in shlex.split(command):
        try:
            path = folder / Path(word).expanduser()
            if path.suffix in _SCRIPTS and path.is_file() and path.stat().st_size <= MOST_FILE_BYTES:
                digest.update(path.read_bytes())
                seen = True
        except (OSError, ValueError, RuntimeError):  # no such user behind a tilde, a name with a zero
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
    if isinstance(each, int):
        return f"int {each:x}"[:MOST_VALUE_CHARS], []  # digits of a long one are refused
    if isinstance(each, _PLAIN):
        return f"{type(each).__name__} {str(each)[:MOST_VALUE_CHARS]}", []
    if isinstance(each, tuple):
        return "tuple", list(each)
    if isinstance(each, frozenset):
        return f"frozenset {sorted(map(repr, each))}"[:MOST_VALUE_CHARS], []
    if isinstance(each, partial):
        return "partial", [each.func, *each.args, *each.keywords.values()]
    if isinstance(each, (staticmethod, classmethod)):
        return "", [each.__func__]
    if isinstance(each, property):
        return "", [found for found in (each.fget, each.fset) if found is not None]
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
    names, set_here = _names(function.__code__), _set_globals(function)
    for name in names:
        value = function.__globals__.get(name)
        kind = type(value)  # a proxy may raise where isinstance asks for its class
        if issubclass(kind, ModuleType):
            reached += _of_module(value, names)
        elif issubclass(kind, _FILLED) or name in set_here:
            told.append(_assigned(function, name))
        elif name in function.__globals__:
            reached.append(value)
    for module in _imported(function.__code__):
        reached += _of_module(module, names)
    wrapped = getattr(function, "__wrapped__", None)
    return "\n".join(told), reached if wrapped is None else [*reached, wrapped]


def _of_module(module: Any, names: Sequence[str]) -> list[Any]:
    """What a function uses of a module of the user's own, by the names that it says."""
    if module.__name__ in sys.builtin_module_names or _is_of_library(module):
        return []
    held = vars(module)
    return [held[name] for name in names if name in held and not isinstance(held[name], (*_FILLED, ModuleType))]


def _imported(code: CodeType) -> list[ModuleType]:
    """The modules that a function imports itself, as far as they are loaded."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME"}
    return [sys.modules[name] for name in sorted(names) if name in sys.modules]


def _set_globals(function: FunctionType) -> set[str]:
    """The globals that a module's functions set while they run: a client that is made when it is first needed."""
    return {name for node in ast.walk(_tree_of(function)) if isinstance(node, ast.Global) for name in node.names}


def _assigned(function: FunctionType, name: str) -> str:
    """What a name of a module begins with, as its source has it: a cache is empty there, a table of settings is not.

    Of a name that is imported from another module of the user's own, what it begins with there.
    """
    tree = _tree_of(function)
    for node in tree.body:
        taken = node.names if isinstance(node, ast.ImportFrom) else []
        original = next((each.name for each in taken if (each.asname or each.name) == name), None)
        if original is not None and isinstance(node, ast.ImportFrom):
            module = sys.modules.get(node.module or "")
            return "" if module is None or _is_of_library(module) else _statement(_tree_of(module), original)
    return _statement(tree, name)


def _statement(tree: ast.Module, name: str) -> str:
    """The statement that gives a name its value."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(each, ast.Name) and each.id == name for each in targets):
            return ast.dump(node)
    return ""


def _tree_of(found: FunctionType | ModuleType) -> ast.Module:
    """The syntax tree of the file that something is from; an empty one where there is none."""
    try:
        path = inspect.getfile(found)
    except TypeError:
        return _parsed("")
    linecache.checkcache(path)
    return _parsed("".join(linecache.getlines(path)))


@lru_cache(maxsize=64)
def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def _class(found: type) -> tuple[str, list[Any]]:
    if _is_of_library(found):
        return "", []
    own = [each for each in vars(found).values() if isinstance(each, _FOLLOWED)]
    return f"{found.__qualname__} {_text(found)}", [*found.__bases__, *own]


def _attributes(each: Any) -> list[Any]:
    try:
        held = vars(each)
    except TypeError:
        return []
    return [held[name] for name in sorted(held, key=str) if not _is_of_the_moment(held[name])]


def _is_of_the_moment(value: Any) -> bool:
    """Whether an attribute may be another next time, although nothing has changed: a time, an id, a process, a folder.

    Settings are short numbers, words and prompts.
    """
    if isinstance(value, Path):
        return True
    if isinstance(value, str):
        return _OF_THE_MOMENT.search(value) is not None
    if isinstance(value, float):
        return abs(value) > _LARGEST or len(repr(value)) > _LONGEST_SETTING
    return isinstance(value, int) and abs(value) > 100 * _LARGEST


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
        return _of_code(code) if isinstance(code, CodeType) else ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        is_documented = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if is_documented and isinstance(body, list) and len(body) > 1 and _is_docstring(body[0]):
            del body[0]
    return ast.dump(tree)


def _of_code(code: CodeType) -> str:
    """The same of compiled code, where there is no source."""
    inner = [
        _of_code(each)
        if isinstance(each, CodeType)
        else str(sorted(map(repr, each)))
        if isinstance(each, frozenset)
        else repr(each)
        for each in code.co_consts
    ]
    return f"{code.co_names} {inner} {code.co_code.hex()}"


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
