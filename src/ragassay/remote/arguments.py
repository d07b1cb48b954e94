"""URLs among the arguments of a command or function: what they name is fetched, and local paths take their place."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ragassay.errors import UsageError

P = ParamSpec("P")
R = TypeVar("R")

_WRITTEN = ("out", "output", "export", "export_set", "junit", "markdown", "write")
_DOCUMENTS = ("documents", "seeds")
"""Arguments that name documents where they take several paths: their reader fetches these one by one."""


def fetch_paths(arguments: dict[str, Any]) -> None:
    """Put local paths in the place of URLs among arguments, of which only paths are looked at.

    Raises UsageError for a URL that cannot be used or is to be written to, InputError for one that cannot be read.
    """
    for name, value in arguments.items():
        if not any(map(_is_url, _parts(value))):
            continue
        from ragassay.remote.places import place_of, url_of  # imported late: most arguments are local
        from ragassay.remote.storage import fetch

        if name in _WRITTEN:
            url = next(url_of(place_of(part)) for part in _parts(value) if _is_url(part))
            raise UsageError(f"--{name.replace('_', '-')}: {url} cannot be written to; name a local path and copy it")
        one_by_one = name in _DOCUMENTS and isinstance(value, list | tuple)
        local = [(place_of if one_by_one else fetch)(part) if _is_url(part) else part for part in _parts(value)]
        arguments[name] = type(value)(local) if isinstance(value, list | tuple) else local[0]


def with_remote_paths(*names: str, documents: str | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function whose arguments of these names may be URLs. documents: the one whose documents are fetched singly."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            paths = {name: _path(bound.arguments[name]) for name in names if name in bound.arguments}
            if documents in bound.arguments and isinstance(_path(bound.arguments[documents]), Path):
                paths[documents] = [_path(bound.arguments[documents])]
            elif isinstance(bound.arguments.get(documents or ""), list | tuple):
                paths[documents or ""] = [_path(each) for each in bound.arguments[documents or ""]]
            fetch_paths(paths)
            bound.arguments.update(paths)
            return function(*bound.args, **bound.kwargs)

        return called

    return decorated


def _path(value: Any) -> Any:
    """As a path where it is a URL, and as it is else."""
    from ragassay.remote.places import is_remote

    return Path(value) if isinstance(value, str | Path) and is_remote(value) else value


def _parts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _is_url(value: Any) -> bool:
    from ragassay.remote.places import is_url

    return isinstance(value, Path) and is_url(value)
