"""URLs of object storage among the arguments of a command or function: what they name is fetched by fsspec.

Every URL has one place in the cache folder, and every such place a URL. Credentials come from the environment alone.
What a storage answers is never shown: it may quote a signed URL or a key.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ragassay.errors import InputError, RagassayError, UsageError, choices

P = ParamSpec("P")
R = TypeVar("R")

SCHEMES = {"s3": "s3fs", "gs": "gcsfs", "az": "adlfs", "hf": "huggingface_hub", "memory": "fsspec"}
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{1,2}([^/].*|)", re.DOTALL)
_IN_MESSAGES = re.compile(r"(\w[\w+.-]+:/{1,2})[^\s/@]*:[^\s/@]*@|\?\S*")
_OPTION = re.compile(r"`[^`]*`|(?<!\w)--([a-z][a-z-]*)(:?)")
_WRITTEN = ("out", "output", "export", "export_set", "junit", "markdown", "write")
_VERSIONS = ("ETag", "etag", "generation", "oid", "sha", "LastModified", "last_modified", "mtime", "created", "size")
"""What storages call that by which two states of an object differ."""


def is_url(path: str | Path) -> bool:
    """Return whether a path is a URL, also one that ``Path`` took a slash from; a local file of that name is none."""
    return _URL.fullmatch(str(path)) is not None and not Path(path).exists()


def place_of(url: str | Path) -> Path:
    """Return the local place of a URL. Raises UsageError, without what is secret in it, for one that cannot be read."""
    match = _URL.fullmatch(str(url))
    whole = f"{match[1]}://{match[2]}" if match else str(url)
    shown = masked(whole)
    if match is None or match[1] not in SCHEMES:
        raise UsageError(f"unknown scheme in {shown}; choose one of {choices(f'{name}://' for name in SCHEMES)}")
    if shown != whole:
        raise UsageError(f"{shown}: credentials do not belong in a path; set them in the environment")
    parts = match[2].rstrip("/").split("/")
    if not all(map(_is_name, parts)):
        raise UsageError(f"{shown}: not a path; write scheme://bucket/folder, without empty parts and dots")
    return _root() / match[1] / Path(*parts)


def url_of(path: Path) -> str | None:
    """Return the URL of a place in the cache folder; None for any other path."""
    if not path.is_relative_to(_root()):
        return None
    scheme, *parts = path.relative_to(_root()).parts or ("",)
    return f"{scheme}://{'/'.join(parts)}" if scheme in SCHEMES and parts else None


def masked(text: str) -> str:
    """Return a URL, or a text with some, without names, passwords and signatures."""
    return _IN_MESSAGES.sub(lambda match: f"{match[1]}***@" if match[1] else "?***", text)


def fetch(url: str | Path) -> Path:
    """Return the local place of a URL with what is there now; it is read again only where it has changed.

    Raises InputError where nothing is there or it cannot be read, UsageError where a package is missing.
    """
    place = place_of(url)
    whole = url_of(place) or ""
    scheme, path = whole.split("://", 1)
    try:
        import fsspec  # imported late: an extra

        store = fsspec.filesystem(scheme, use_listings_cache=False)
        found = {name: info for name, info in store.find(path, detail=True).items() if not name.endswith("/")}
        if not found:
            raise FileNotFoundError
        top = str(store._strip_protocol(path)).rstrip("/")
        versions = {name: {key: str(info[key]) for key in _VERSIONS if key in info} for name, info in found.items()}
        kept = json.dumps(versions, sort_keys=True)
        state = place.with_name(f".{place.name}.remote.json")
        if place.exists() and state.is_file() and state.read_text(encoding="utf-8") == kept:
            return place
        state.unlink(missing_ok=True)  # until all is here again
        if place.is_dir():
            shutil.rmtree(place)
        for name in found:
            inner = name[len(top) :].lstrip("/")
            if inner and not all(map(_is_name, inner.split("/"))):
                raise InputError(f"{whole} holds {inner[:80]!r}, which is not a file name; rename it there")
            target = place / inner if inner else place
            target.parent.mkdir(parents=True, exist_ok=True)
            store.get_file(name, str(target))
        state.write_text(kept, encoding="utf-8")
    except RagassayError:
        raise
    except ImportError:
        needed = "'ragassay[cloud]'" if scheme in {"s3", "memory"} else f"fsspec {SCHEMES[scheme]}"
        raise UsageError(f"{scheme}:// needs {SCHEMES[scheme]}; install it with: pip install {needed}") from None
    except FileNotFoundError:
        raise InputError(f"{whole} does not exist; check the path") from None
    except PermissionError:
        raise InputError(f"{whole} cannot be read: no rights to it; check the credentials in the environment") from None
    except Exception as error:  # noqa: BLE001 - each storage fails in ways of its own
        name = type(error).__name__
        hint = "; set the credentials in the environment" if "Credentials" in name or "Token" in name else ""
        raise InputError(f"{whole} cannot be read: the storage failed ({name}){hint}") from None
    return place


def fetch_paths(arguments: dict[str, Any]) -> None:
    """Put local paths in the place of URLs among arguments. Raises UsageError or InputError where it cannot."""
    for name, value in arguments.items():
        parts = list(value) if isinstance(value, list | tuple) else [value]
        urls = [part for part in parts if isinstance(part, Path) and is_url(part)]
        if not urls:
            continue
        if name in _WRITTEN:
            shown = url_of(place_of(urls[0]))
            raise UsageError(f"--{name.replace('_', '-')}: {shown} cannot be written to; name a local path and copy it")
        local = [fetch(part) if part in urls else part for part in parts]
        arguments[name] = type(value)(local) if isinstance(value, list | tuple) else local[0]


def with_remote_paths(*names: str, documents: str | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function whose arguments of these names, and documents, may be URLs; its errors name keywords."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            paths: dict[str, Any] = {}
            for name in {*names, *([documents] if documents else [])} & bound.arguments.keys():
                value = bound.arguments[name]
                paths[name] = [*map(_path, value)] if isinstance(value, list | tuple) else _path(value)
            more = bound.arguments.get("settings", {})
            named = {name: _path(more[name]) for name in names if name in more}
            fetch_paths(named)
            more.update(named)
            fetch_paths(paths)
            bound.arguments.update(paths)
            try:
                return function(*bound.args, **bound.kwargs)
            except RagassayError as error:
                error.args = tuple(_in_keywords(str(each)) for each in error.args)
                raise

        return called

    return decorated


def _in_keywords(message: str) -> str:
    """Return a message with keywords for options, ``top_k=`` for ``--top-k``; commands to be typed stay as they are."""

    def keyword(found: re.Match[str]) -> str:
        name = found[1] and ("from_format" if found[1] == "from" else found[1].replace("-", "_"))
        return f"{name}{found[2] or '='}" if name else found[0]

    return _OPTION.sub(keyword, message)


def _path(value: Any) -> Any:
    """Return a URL of storage that can be read as a path, and anything else as it is."""
    match = _URL.fullmatch(str(value)) if isinstance(value, str | Path) else None
    return Path(value) if match is not None and match[1] in SCHEMES else value


def _is_name(part: str) -> bool:
    return part not in {"", ".", ".."} and "\0" not in part and "\\" not in part


def _root() -> Path:
    from ragassay.models.cache import cache_folder  # imported late: it loads SQLite

    return Path(cache_folder().absolute(), "remote")
