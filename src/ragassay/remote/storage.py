"""Reads and writes storage by fsspec; what goes wrong is said in one sentence that shows nothing secret.

Credentials come from the environment alone, as each storage's own package reads them. What a storage answers is never
shown: it may quote a signed URL or a key.
"""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.errors import InputError, RagassayError, RunFolderError, UsageError
from ragassay.remote import project
from ragassay.remote.places import SCHEMES

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


def read(url: str, most_bytes: int) -> bytes | None:
    """What is in an object; None where there is none. Raises as ``download``."""
    if not any(each.name == "" for each in listed(url)):
        return None
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        download(url, Path(folder, "object"), most_bytes)
        return Path(folder, "object").read_bytes()


def upload(path: Path, url: str) -> None:
    """Writes a file to an object, which is there whole or not at all. Raises RunFolderError."""
    with _said(url, RunFolderError):
        store, name = _opened(url)
        if url.startswith("memory://"):  # the others have no folders
            store.makedirs(store._parent(name), exist_ok=True)
        store.put_file(str(path), name)


def check_rights(url: str) -> None:
    """Raises RunFolderError where nothing can be written beside a URL, before work is done that could not be kept."""
    probe = f"{url}.ragassay-probe"
    with _said(url, RunFolderError):
        store, name = _opened(probe)
        store.pipe_file(name, b"")
    with suppress(RunFolderError):  # it may be allowed to add, and not to remove
        remove([probe])


def remove(urls: Sequence[str]) -> None:
    """Removes objects. Raises RunFolderError."""
    for url in urls:
        with _said(url, RunFolderError):
            store, name = _opened(url)
            store.rm_file(name)


def _opened(url: str) -> tuple[Any, str]:
    """The storage and the path in it."""
    scheme, path = url.split("://", 1)
    if scheme == project.SCHEME:
        return _projects(os.getpid()), path
    import fsspec  # imported late: an extra

    return fsspec.filesystem(scheme, use_listings_cache=False), path if scheme != "memory" else f"/{path}"


@lru_cache(maxsize=1)
def _kept_projects(_process: int) -> list[project.ProjectFiles]:
    return []


def _projects(process: int) -> project.ProjectFiles:
    """One connection a process, made again where the server closed it."""
    kept = _kept_projects(process)
    if not kept or not project.is_open(kept[0].connection):
        kept[:] = [project.ProjectFiles()]
    return kept[0]


def claimed(url: str) -> project.Claim | None:
    """What keeps other machines from writing to a URL, where its storage can do that; else None.

    Raises RunFolderError where somebody writes there now.
    """
    scheme, path = url.split("://", 1)
    if scheme != project.SCHEME:
        return None
    if "/" not in path:
        raise UsageError(f"--out: {url} is a whole project; add a name, such as {url}/runs/first")
    with _said(url, RunFolderError):
        claim = project.Claim.of(path)
    if claim is None:
        raise RunFolderError(f"another command works on {url}; wait for it to end")
    return claim


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
def _said(url: str, kind: type[RagassayError] = InputError) -> Iterator[None]:
    """Whatever goes wrong with a URL as one sentence."""
    verb = "written" if kind is RunFolderError else "read"
    try:
        yield
    except RagassayError:
        raise
    except ImportError:
        scheme = url.split("://", 1)[0]
        extra = {"s3": "cloud", "memory": "cloud", project.SCHEME: "pgvector"}.get(scheme)
        needed = f"'ragassay[{extra}]'" if extra else f"fsspec {SCHEMES[scheme]}"
        raise UsageError(f"{scheme}:// needs {SCHEMES[scheme]}; install it with: pip install {needed}") from None
    except FileNotFoundError:
        raise kind(f"{url} cannot be {verb}: there is no such bucket or object; check the path") from None
    except PermissionError:
        raise kind(f"{url} cannot be {verb}: no rights to it; check the credentials in the environment") from None
    except project.RefusedError:
        why = "the server refused the connection; check PGUSER, PGPASSWORD, PGDATABASE, and its limit of connections"
        raise kind(f"{url} cannot be {verb}: {why}") from None
    except Exception as error:  # noqa: BLE001 - each storage fails in ways of its own
        if isinstance(error, OSError) and error.errno in _FULL:
            raise no_room(url, error) from None
        name = type(error).__name__
        why = f"the storage failed ({name})"
        if any(part in name for part in _NO_CREDENTIALS):
            why = "no credentials; set them in the environment"
        elif any(part in name for part in _NOT_REACHED):
            why = "the storage cannot be reached; check the network and the endpoint in the environment"
        raise kind(f"{url} cannot be {verb}: {why}") from None


def no_room(what: str, error: OSError) -> RunFolderError:
    """For a copy that this machine cannot hold: a reason to stop, as another machine would read it."""
    return RunFolderError(
        f"no room for a copy of {what} on machine {socket.gethostname()} ({error.strerror or error}); free some space "
        "there, or set TMPDIR to another folder"
    )
