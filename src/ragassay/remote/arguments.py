"""URLs among the arguments of a command or function: local places in their stead, fetched before and uploaded after."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_WRITTEN = ("out", "output", "export", "export_set", "junit", "markdown", "write")
_DOCUMENTS = ("documents", "seeds")
"""Arguments that name documents where they take several paths: their reader fetches these one by one."""


@contextmanager
def remote_paths(
    arguments: dict[str, Any], on_upload: Callable[[Sequence[str]], None] = lambda urls: None
) -> Iterator[None]:
    """For the time of a call with these arguments, in which paths take the place of URLs.

    Only paths are looked at. on_upload: told what was uploaded. Raises UsageError, InputError or RunFolderError for a
    URL that cannot be used.
    """
    given = {name: value for name, value in arguments.items() if any(map(_is_url, _parts(value)))}
    if not given:
        yield
        return
    from ragassay.remote.mirror import mirrored  # imported late: most arguments are local

    with mirrored() as mirror:
        for name, value in given.items():
            one_by_one = name in _DOCUMENTS and isinstance(value, list | tuple)
            local = mirror.write if name in _WRITTEN else mirror.documents if one_by_one else mirror.read
            found = [local(each) if _is_url(each) else each for each in _parts(value)]
            arguments[name] = type(value)(found) if isinstance(value, list | tuple) else found[0]
        yield
    on_upload(mirror.uploaded)


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
            with remote_paths(paths):
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
