"""Reads object storage by fsspec; what goes wrong is said in one sentence that shows nothing secret.

Credentials come from the environment alone, as each storage's own package reads them. What a storage answers is never
shown: it may quote a signed URL or a key.
"""

from __future__ import annotations

import errno
import json
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.errors import InputError, RagassayError, RunFolderError, UsageError
from ragassay.remote.places import SCHEMES, place_of, url_of

_BLOCK = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT)
_VERSIONS = ("ETag", "etag", "generation", "oid", "sha", "LastModified", "last_modified", "mtime", "created")
"""What storages call that by which two states of an object differ."""
_NO_CREDENTIALS = ("NoCredentials", "PartialCredentials", "DefaultCredentials", "TokenRetrieval")
_NOT_REACHED = ("EndpointConnection", "ConnectTimeout", "ClientConnect", "ConnectionError", "ReadTimeout")


class Entry(NamedTuple):
    """An object. name: below the folder that was listed; empty for the object itself. version: by which it changes."""

    name: str
    size: int
    version: str


class TooLargeError(InputError):
    """An object that is larger than was asked for. size: in bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(f"it has {size} bytes")
        self.size = size


def listed(url: str) -> list[Entry]:
    """The object, or all objects below a folder, sorted; none where nothing is there.

    Raises InputError where the storage cannot be read.
    """
    with _said(url):
        store, path = _opened(url)
        try:
            found = store.find(path, detail=True)
        except FileNotFoundError:
            if not store.exists(_bucket(path)):
                raise
            found = {}
        top = str(store._strip_protocol(path)).rstrip("/")
        return sorted(
            Entry(str(name)[len(top) :].lstrip("/"), int(info.get("size") or 0), _version(info))
            for name, info in found.items()
            if info.get("type", "file") == "file" and not str(name).endswith("/")
        )


def download(url: str, to: Path, most_bytes: int | None = None) -> Entry:
    """Reads an object into a file, which is there whole or not at all, and says in which state it was.

    Raises InputError, for one that changed while it was read too, and TooLargeError before more than that is read.
    """
    with _said(url), tempfile.NamedTemporaryFile(dir=_made(to.parent), prefix=".", delete=False) as file:
        part = Path(file.name)
        try:
            store, path = _opened(url)
            before = store.info(path)
            size, read = int(before.get("size") or 0), 0
            _check(size, most_bytes)
            with store.open(path, "rb", block_size=_BLOCK) as source:
                while block := source.read(_BLOCK):
                    read += len(block)
                    _check(read, most_bytes)
                    file.write(block)
            after = store.info(path)
            if read != size or _version(after) != _version(before) or after.get("size") != before.get("size"):
                raise InputError(f"{url} changed while it was read; run the command again when nobody writes to it")
            file.close()
            part.replace(to)
        finally:
            part.unlink(missing_ok=True)
    return Entry("", size, _version(before))


def fetch(url: str | Path) -> Path:
    """Return the local place of a URL with what is there now, read again only where it has changed.

    Raises InputError where nothing is there, and RunFolderError where there is no room for it here.
    """
    place = place_of(url)
    whole = url_of(place) or ""
    entries = listed(whole)
    if not entries:
        raise InputError(f"{whole} does not exist; check the path")
    state = place.with_name(f".{place.name}.remote.json")
    kept = json.dumps(entries)
    if place.exists() and state.is_file() and state.read_text(encoding="utf-8") == kept:
        return place
    state.unlink(missing_ok=True)  # until all is here again
    if place.is_dir():
        shutil.rmtree(place)
    for entry in entries:
        download(f"{whole}/{entry.name}".rstrip("/"), place / _checked(entry.name, whole) if entry.name else place)
    state.write_text(kept, encoding="utf-8")
    return place


def _opened(url: str) -> tuple[Any, str]:
    """The storage and the path in it."""
    import fsspec  # imported late: an extra

    scheme, path = url.split("://", 1)
    return fsspec.filesystem(scheme, use_listings_cache=False), path if scheme != "memory" else f"/{path}"


def _checked(name: str, url: str) -> str:
    """A name from the storage that stays within its folder."""
    if "\\" in name or any(part in {"", ".", ".."} for part in name.split("/")):
        raise InputError(f"{url} holds {name[:80]!r}, which is not a file name; rename it there")
    return name


def _bucket(path: str) -> str:
    return path if path.startswith("/") else path.split("/", maxsplit=1)[0]


def _version(info: dict[str, Any]) -> str:
    return " ".join(str(info[name]) for name in _VERSIONS if info.get(name) is not None)


def _check(size: int, most_bytes: int | None) -> None:
    if most_bytes is not None and size > most_bytes:
        raise TooLargeError(size)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _said(url: str) -> Iterator[None]:
    """Whatever goes wrong with a URL as one sentence."""
    try:
        yield
    except RagassayError:
        raise
    except ImportError:
        scheme = url.split("://", 1)[0]
        needed = "'ragassay[cloud]'" if scheme in {"s3", "memory"} else f"fsspec {SCHEMES[scheme]}"
        raise UsageError(f"{scheme}:// needs {SCHEMES[scheme]}; install it with: pip install {needed}") from None
    except FileNotFoundError:
        raise InputError(f"{url} cannot be read: there is no such bucket or object; check the path") from None
    except PermissionError:
        raise InputError(f"{url} cannot be read: no rights to it; check the credentials in the environment") from None
    except Exception as error:  # noqa: BLE001 - each storage fails in ways of its own
        if isinstance(error, OSError) and error.errno in _FULL:
            raise no_room(url, error) from None
        name = type(error).__name__
        why = f"the storage failed ({name})"
        if any(part in name for part in _NO_CREDENTIALS):
            why = "no credentials; set them in the environment"
        elif any(part in name for part in _NOT_REACHED):
            why = "the storage cannot be reached; check the network and the endpoint in the environment"
        raise InputError(f"{url} cannot be read: {why}") from None


def no_room(what: str, error: OSError) -> RunFolderError:
    """For a copy that this machine cannot hold: a reason to stop, as another machine would read it."""
    return RunFolderError(
        f"no room for a copy of {what} on machine {socket.gethostname()} ({error.strerror or error}); free some space "
        "there, or set TMPDIR to another folder"
    )
