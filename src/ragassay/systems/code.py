"""What answers, as a fingerprint: equal as long as its code is the same, so that a change of the code is seen.

A fingerprint is of the file that something is from and of the user's own files that this one imports, and so on (their
syntax, without comments and layout), and of the values that objects and modules keep. Of a script that is run only that
counts which the names used in it lead to: it calls the evaluation too. Libraries are left out: their versions are in
run.json.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import re
import shlex
import sys
import sysconfig
import textwrap
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import lru_cache, partial
from importlib.machinery import PathFinder
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

MOST_PARTS = 2_000
"""Files, functions, classes and values that are looked at: what a system reaches beyond that is left out."""
MOST_BUILT = 3_000_000
"""Values that are looked at of what one module built when it was imported."""
MOST_ITEMS, MOST_ENDS = 1_000_000, 10_000
"""Of a longer list only its length and its ends are looked at."""
MOST_VALUE_CHARS = 10_000
MOST_FILE_BYTES = 20_000_000
_PLAIN = (str, bytes, int, float, complex, bool, type(None), Path)
_SCRIPTS = frozenset(
    ".py .sh .bash .js .mjs .cjs .ts .rb .pl .php .r .jl .lua .go .java .scala .kts .toml .yaml .yml .ini .cfg".split()
)
_FOLLOWED = (FunctionType, staticmethod, classmethod, property)
_FILLED = (list, dict, set, bytearray)
_LIBRARIES = (
    Path(__file__).resolve().parents[1],
    *{Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")},
)
_OF_THE_MOMENT = re.compile(r"^[0-9a-fA-F-]{8,}$|\d{4}-\d\d-\d\d[T ]\d|(?:^|[/\\])(?:tmp|temp)[/\\]", re.IGNORECASE)
"""An id, a time, or a folder that is made anew each time."""
_LONGEST_ID = 200
"""A longer text is a prompt or a passage, whatever stands in it."""
_LARGEST = 1e4
_LONGEST_SETTING = 8
"""A larger number, or one with more digits, is measured and not set."""
_SCRIPT = "__main__"


class _File(NamedTuple):
    """A file of the user's own. held: what its module holds, where it is loaded. package: of its relative imports.

    places: where what it imports is looked for; None for where this process looks.
    """

    path: str
    held: Mapping[str, Any]
    package: str = ""
    places: tuple[str, ...] | None = None


_BUILT: WeakKeyDictionary[ModuleType, str] = WeakKeyDictionary()
"""What modules of the user's had built when they were imported, before a question was asked."""


def code_of(target: Any) -> str | None:
    """The fingerprint of a function, a method or an object that answers; None where none of its code can be seen."""
    return _digest(part for part in _parts([target]).values() if part)


def note_built(known: Set[str]) -> None:
    """Keeps what was built by the user's own modules that were imported since others were known, by their names."""
    for name in sorted(sys.modules.keys() - known):
        module = sys.modules[name]
        if type(module) is ModuleType and not _is_of_library(module):
            with suppress(Exception):  # an object of the user's may raise anything when it is looked at
                built = _sum_of(_held(vars(module), _tree_of(module.__file__)))
                if built is not None:
                    _BUILT[module] = built


def built_by(target: Any, instance: Any = None) -> str | None:
    """The fingerprint of what the modules of a system built when they were imported: passages, an index, a table.

    instance: what was just made of a class, which may have built the same. None where ``note_built`` was told of none
    of the modules: what they hold may have been filled in since.
    """
    files = _parts([target]).keys()
    built = [_BUILT[each] for each in sorted(_BUILT, key=lambda each: each.__name__) if each.__file__ in files]
    if inspect.isclass(target) and instance is not None:
        with suppress(Exception):  # as in note_built
            built.append(_sum_of(_held(_vars(instance))) or "")
    return _digest(built)


def code_of_command(command: str, folder: Path) -> str | None:
    """The fingerprint of the scripts and settings that a command names, and of what Python scripts import beside them.

    None where it names none. Other files it may write itself: a cache, a database, a log.
    """
    found = []
    for word in shlex.split(command):
        try:
            path = folder / Path(word).expanduser()
            if path.suffix in _SCRIPTS and path.is_file() and path.stat().st_size <= MOST_FILE_BYTES:
                file = _File(str(path), {}, places=(str(path.parent), str(folder)))
                found += [hashlib.sha256(path.read_bytes()).hexdigest()] if path.suffix != ".py" else []
                found += _parts([file]).values() if path.suffix == ".py" else []
        except (OSError, ValueError, RuntimeError):  # no such user behind a tilde, a name with a zero
            continue
    return _digest(found)


def _digest(parts: Iterable[str]) -> str | None:
    found = list(parts)
    return hashlib.sha256("\0".join(found).encode("utf-8", "replace")).hexdigest()[:16] if found else None


def _parts(targets: Sequence[Any]) -> dict[str | int, str]:
    """What is said of each thing that is reached; of a file by its path."""
    parts: dict[str | int, str] = {}
    kept: list[Any] = []  # an id is that of one object only as long as the object lives
    open_ones = list(targets)
    while open_ones and len(parts) < MOST_PARTS:
        each = open_ones.pop(0)
        key = each.path if type(each) is _File else id(each)
        if key in parts:
            continue
        kept.append(each)
        try:
            parts[key], reached = _part(each)
        except Exception:  # noqa: BLE001 - an object of the user's may raise anything when it is looked at
            parts[key], reached = "", []
        open_ones += reached
    return parts


def _part(each: Any) -> tuple[str, Sequence[Any]]:
    """What is said of one thing, and what it reaches."""
    if type(each) is _File:
        return _file(each)
    if isinstance(each, MethodType):
        return "", [each.__func__, each.__self__]
    if isinstance(each, FunctionType):
        return _function(each)
    if inspect.isclass(each):
        return _class(each)
    if isinstance(each, _PLAIN):
        return _plain(each), []
    if isinstance(each, tuple):
        return "tuple", each
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
    if isinstance(each, ModuleType):  # that ``importlib.import_module`` gave, say
        return "", [] if _is_of_library(each) else [_of_module(each)]
    if _is_of_library(type(each)):
        return "", _wrapped(each)
    return "", [type(each), *_held(_vars(each))]


def _plain(value: Any) -> str:
    if isinstance(value, int):
        return f"int {value:x}"[:MOST_VALUE_CHARS]  # digits of a long one are refused
    return f"{type(value).__name__} {str(value)[:MOST_VALUE_CHARS]}"


def _file(file: _File) -> tuple[str, Sequence[Any]]:
    """All of a file, the plain values that its module holds, and what it imports."""
    tree = _tree_of(file.path)
    return _dumped(tree, file.path), [*_imports(tree.body, file), *_held(file.held, tree)]


def _function(function: FunctionType) -> tuple[str, Sequence[Any]]:
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # not filled yet
            continue
    if _is_of_library(function):  # a decorator's: what it calls is the user's
        return "", [*_wrapped(function), *(each for each in cells if isinstance(each, FunctionType | MethodType))]
    own = f"{function.__qualname__} {_text(function)}"  # two lambdas of one file have one name
    held = function.__globals__
    file = _File(function.__code__.co_filename, held, str(held.get("__package__") or ""))
    reached = [*cells, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *_wrapped(function)]
    if held.get("__name__") != _SCRIPT and linecache.getlines(file.path):
        return own, [file, *reached]
    names, tree = _names(function.__code__), _tree_of(file.path)
    led_to = _led_to(tree, {*names, function.__qualname__.partition(".")[0]})
    said = [own, *map(ast.dump, led_to)]
    kept = {name: held[name] for name in names if name in held}
    return "\n".join(said), [*_imports(led_to, file), *reached, *_held(kept, tree)]


def _class(found: type) -> tuple[str, Sequence[Any]]:
    if _is_of_library(found):
        return "", []
    own = [each for each in vars(found).values() if isinstance(each, (*_FOLLOWED, *_PLAIN))]
    module = sys.modules.get(found.__module__)
    is_whole = found.__module__ != _SCRIPT and getattr(module, "__file__", None) is not None
    files = [_of_module(module)] if is_whole and module is not None else []
    return f"{found.__qualname__} {'' if files else _text(found)}", [*files, *found.__bases__, *own]


def _wrapped(each: Any) -> list[Any]:
    """What a decorator was put around."""
    wrapped = inspect.getattr_static(each, "__wrapped__", None)
    wrapped = getattr(each, "__wrapped__", None) if wrapped is not None else None
    return [wrapped] if isinstance(wrapped, FunctionType | MethodType) else []


def _of_module(module: ModuleType) -> _File:
    return _File(str(module.__file__), vars(module), str(getattr(module, "__package__", "") or ""))


def _imports(statements: Iterable[ast.stmt], file: _File) -> Iterator[_File]:
    """The user's own files that are imported, at the top or inside a function, loaded or not."""
    names: set[str] = set()
    for node in (node for each in statements for node in ast.walk(each)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = file.package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    whole = {name.rsplit(".", depth)[0] for name in names for depth in range(name.count(".") + 1)}
    for name in sorted(whole - {""}):
        module = sys.modules.get(name) if file.places is None else None
        if isinstance(module, ModuleType):
            found = _of_module(module) if getattr(module, "__file__", None) else None
        else:
            found = _looked_for(name, file.places)
        if found is not None and found.path.endswith(".py") and not _is_library(Path(found.path)):
            yield found


def _looked_for(name: str, places: tuple[str, ...] | None) -> _File | None:
    """The file of a module that is not loaded; nothing is run to find it."""
    where, spec = places, None
    for depth in range(name.count(".") + 1):
        spec = PathFinder.find_spec(".".join(name.split(".")[: depth + 1]), where)
        if spec is None:
            return None
        where = tuple(spec.submodule_search_locations or ())
    package = name if where else name.rpartition(".")[0]
    return _File(spec.origin, {}, package, places) if spec is not None and spec.origin else None


def _held(held: Mapping[str, Any], tree: ast.Module | None = None) -> list[Any]:
    """The values that say what is set. tree: of the module that holds them, whose functions may set some of them anew:

    a client that is made when it is first needed.
    """
    anew = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names} if tree else set()
    names = sorted((each for each in held if each not in anew and not str(each).startswith("__")), key=str)
    return [held[name] for name in names if not _is_of_the_moment(held[name])]


def _sum_of(values: Iterable[Any]) -> str | None:
    """A digest of all texts and numbers that values hold, each thing once; None where there are too many.

    In any order: what comes out of a set has another one each time.
    """
    seen: dict[int, Any] = {}  # an id is that of one object only as long as the object lives
    open_ones = list(values)
    total = n = 0
    while open_ones:
        each = open_ones.pop()
        n += 1
        if n > MOST_BUILT:
            return None
        kind = type(each)
        if issubclass(kind, (str, bytes, int, float)):
            if not _is_of_the_moment(each):
                whole = each if isinstance(each, (str, bytes)) else _plain(each)
                said = whole.encode("utf-8", "replace") if isinstance(whole, str) else whole
                total += int.from_bytes(hashlib.blake2b(said, digest_size=16).digest())
            continue
        if id(each) in seen or issubclass(kind, (*_PLAIN, ModuleType, type)):
            continue
        seen[id(each)] = each
        if issubclass(kind, FunctionType):
            open_ones += _enclosed(each) if not _is_of_library(each) else []
        elif issubclass(kind, dict):
            open_ones += [part for pair in each.items() for part in pair]
        elif issubclass(kind, (list, tuple, array)):
            open_ones += each if len(each) <= MOST_ITEMS else [len(each), *each[:MOST_ENDS], *each[-MOST_ENDS:]]
        elif issubclass(kind, (set, frozenset)):
            open_ones += each
        elif hasattr(kind, "tobytes") and hasattr(kind, "dtype"):
            open_ones.append(_array_words(each))
        elif not _is_of_library(kind):
            open_ones += _held(_vars(each))
    return f"{n} {total:x}"


def _enclosed(function: FunctionType) -> list[Any]:
    """Return what a function holds besides its code: an index that was made around it."""
    cells = []
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not filled yet
            cells.append(cell.cell_contents)
    return [*cells, *(function.__defaults__ or ())]


def _array_words(found: Any) -> str:
    """Return a word for an array of numpy's kind: its bytes, or mean and spread of floats.

    The last digits of vectors differ from process to process.
    """
    if found.dtype.kind == "f":
        return f"{found.shape} {found.dtype} {found.mean():.4g} {found.std():.4g}"
    content = hashlib.blake2b(found.tobytes(), digest_size=16).hexdigest() if found.dtype.kind != "O" else ""
    return f"{found.shape} {found.dtype} {content}"


def _led_to(tree: ast.Module, names: set[str]) -> list[ast.stmt]:
    """The statements of a script that decide what names hold, and those that decide what these use."""
    found: set[int] = set()
    names = set(names)
    while True:
        more = [n for n, each in enumerate(tree.body) if n not in found and not names.isdisjoint(_set_by(each))]
        if not more:
            return [tree.body[number] for number in sorted(found)]
        found.update(more)
        names |= {node.id for n in more for node in ast.walk(tree.body[n]) if isinstance(node, ast.Name)}


def _set_by(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value, or changes by a call of a method: ``index.add(passages)``."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            found.add(_root(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            found.add(_root(node.value.func) if isinstance(node.value.func, ast.Attribute) else "")
    return found


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _tree_of(path: str | None) -> ast.Module:
    """The syntax tree of a file; an empty one where there is none."""
    linecache.checkcache(path or "")
    return _parsed("".join(linecache.getlines(path or "")))


@lru_cache(maxsize=64)
def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _dumped(tree: ast.Module, path: str) -> str:
    return ast.dump(tree) if tree.body else "".join(linecache.getlines(path))


def _vars(each: Any) -> dict[str, Any]:
    try:
        return dict(vars(each))
    except TypeError:
        return {}


def _is_of_the_moment(value: Any) -> bool:
    """Whether a value may be another next time, although nothing has changed: a time, an id, a process, a folder.

    Settings are short numbers, words and prompts.
    """
    kind = type(value)  # a proxy may raise where isinstance asks for its class
    if issubclass(kind, Path):
        return True
    if issubclass(kind, str):
        return len(value) <= _LONGEST_ID and _OF_THE_MOMENT.search(value) is not None
    if issubclass(kind, float):
        return abs(value) > _LARGEST or len(repr(value)) > _LONGEST_SETTING
    return issubclass(kind, int) and abs(value) > 100 * _LARGEST


def _names(code: CodeType) -> list[str]:
    """Global names that a function uses, those of functions inside it too."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _names(constant)
    return sorted(set(names))


def _text(found: FunctionType | type) -> str:
    """The syntax tree; where there is no source, the names and constants of the code."""
    try:
        return ast.dump(ast.parse(textwrap.dedent(inspect.getsource(found))))
    except (OSError, TypeError, SyntaxError, ValueError, IndexError):
        code = getattr(found, "__code__", None)
        return _of_code(code) if isinstance(code, CodeType) else ""


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


def _is_of_library(found: Any) -> bool:
    try:
        return _is_library(Path(inspect.getfile(found)))
    except (TypeError, OSError):  # built in, or made while running
        return getattr(found, "__module__", None) in ("builtins", None) or not isinstance(found, FunctionType | type)


def _is_library(path: Path) -> bool:
    resolved = path.resolve()
    return any(folder in resolved.parents for folder in _LIBRARIES)
