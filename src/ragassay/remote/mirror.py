"""What a command reads from remote storage, fetched before it; what it writes, uploaded when it ends.

A folder of results lies on the storage as objects named by their content, and a manifest that names them, which is
written last: whoever reads finds the last upload whole, whenever this one is killed. The work itself, with its SQLite
files, is done in the place of the URL in the cache folder, where a killed command's work stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from ragassay.errors import InputError, RagassayError, RunFolderError, choices
from ragassay.plain_files import open_plain, read_plain
from ragassay.remote import storage
from ragassay.remote.places import MANIFEST_FILE, place_of, url_of, with_urls
from ragassay.remote.project import Claim

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: two commands on one URL are not told apart
    fcntl = None

OBJECTS = ".ragassay/"
"""Begins the names of the objects that manifests name."""
_MOST_MANIFEST_BYTES = 50_000_000
_MANIFEST = f"/{MANIFEST_FILE}"
_OF_ONE_PROCESS = (".lock", ".part/")
"""What says in a folder that a process is at work in it."""

State = dict[str, Any]


class WorkHereError(RunFolderError):
    """Work that is here and not there. The message names the folder here, which is not to become a URL."""


class Mirror:
    """The places of all URLs of one command."""

    def __init__(self) -> None:
        self._written: list[Path] = []
        self._locks: list[int] = []
        self._claims: dict[Path, Claim] = {}
        self.uploaded: list[str] = []

    def documents(self, url: str | Path) -> Path:
        """The place of documents, which their reader fetches one by one."""
        return place_of(url)

    def read(self, url: str | Path) -> Path:
        """Fetches a file or folder. Raises InputError where there is none."""
        place = place_of(url)
        if not self._lock(place):
            return place  # another command works there: what it has so far is here
        if not self._fetched_results(place) and not _fetched_files(place):
            raise InputError(f"{url_of(place)} does not exist; check the path")
        return place

    def write(self, url: str | Path) -> Path:
        """Fetches what is at a URL that a command writes to, if anything. Raises RunFolderError for other files."""
        place = place_of(url)
        if not self._lock(place):
            raise RunFolderError(f"another command works on {url_of(place)}; wait for it to end")
        self._claim(place)
        storage.check_rights(_url(place))
        if not self._fetched_results(place):
            found = storage.listed(_url(place))
            if any(entry.name and not entry.name.startswith(OBJECTS) for entry in found):
                raise RunFolderError(f"--out: {url_of(place)} holds other files; name an empty or new folder")
            if any(not entry.name for entry in found):
                _fetched_files(place)
            elif _load(place).get("manifest") or _load(place).get("entries"):
                _forget(place)  # it was removed there, so it is here too, unless it holds work
            self._written.append(place)
        return place

    def upload(self) -> None:
        """Uploads what is new. Raises RunFolderError where that cannot be."""
        try:
            for place in self._written:
                if place.is_dir() and _has_news(place):
                    try:
                        self._claim(place)  # what was only read may have become more, such as a page
                    except RunFolderError as error:
                        raise WorkHereError(f"{error}; what was made here is in {place}") from None
                    _upload_results(place)
                    self.uploaded.append(_url(place))
                elif place.is_file() and _files(place) != _load(place).get("files"):
                    storage.upload(place, _url(place))
                    self.uploaded.append(_url(place))
                    _save(
                        place, {"files": _files(place), "entries": [list(each) for each in storage.listed(_url(place))]}
                    )
        finally:
            for lock in self._locks:
                os.close(lock)
            self._locks.clear()
            for claim in self._claims.values():
                claim.close()
            self._claims.clear()

    def _claim(self, place: Path) -> None:
        """Keeps other machines from writing to a URL. Raises RunFolderError where one does."""
        if place not in self._claims or not self._claims[place].is_held():
            claim = storage.claimed(_url(place))
            if claim is not None:
                self._claims[place] = claim

    def _lock(self, place: Path) -> bool:
        """Whether no other command works in the place."""
        place.parent.mkdir(parents=True, exist_ok=True)
        if fcntl is None:
            return True
        lock = os.open(place.with_name(f".{place.name}.remote.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return False
        self._locks.append(lock)
        return True

    def _fetched_results(self, place: Path) -> bool:
        """Whether there is a folder of results, which then is here as it is there, or with newer work of this place."""
        content = storage.read(f"{_url(place)}/{MANIFEST_FILE}", _MOST_MANIFEST_BYTES)
        if content is None:
            return False
        state, name = _load(place), hashlib.sha256(content).hexdigest()
        if state.get("manifest") != name:
            if place.exists() and _files(place) != state.get("files"):
                raise WorkHereError(
                    f"{_url(place)} was written to elsewhere, and {place} holds work that was not uploaded; move that "
                    "folder away, or name another URL"
                )
            _download_results(place, _parsed(content, place))
            _save(place, {"manifest": name, "files": _files(place), "objects": _parsed(content, place)})
        self._written.append(place)
        return True


@contextmanager
def mirrored() -> Iterator[Mirror]:
    """For one command: what it wrote is uploaded however it ends, and its errors name URLs."""
    mirror = Mirror()
    try:
        yield mirror
    except RagassayError as error:
        said = str(error) if isinstance(error, WorkHereError) else with_urls(str(error))
        try:
            mirror.upload()
        except RagassayError as second:
            said = f"{said}; and {second}"
        if said != str(error):
            error.args = (said,)
        raise
    except BaseException:
        mirror.upload()
        raise
    mirror.upload()


def _fetched_files(place: Path) -> bool:
    """Whether there is a file or folder, which then is here as it is there."""
    found = storage.listed(_url(place))
    results = [entry.name.removesuffix(_MANIFEST) for entry in found if entry.name.endswith(_MANIFEST)]
    if results:
        raise InputError(f"{_url(place)} holds folders of results; name one of them: {choices(results)}")
    entries = [list(each) for each in found]
    if _load(place).get("entries") == entries and place.exists() and _files(place) == _load(place)["files"]:
        return bool(found)
    if not found and not _load(place):
        return False  # what may be here was never there
    _forget(place)
    for entry in found:
        to = place / _safe(entry.name, place) if entry.name else place
        storage.download(f"{_url(place)}/{entry.name}".rstrip("/"), to)
    if found:
        _save(place, {"entries": entries, "files": _files(place)})
    return bool(found)


def _download_results(place: Path, objects: dict[str, str]) -> None:
    part = place.with_name(f".{place.name}.remote.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for name, sha256 in objects.items():
        to = part / _safe(name, place)
        storage.download(f"{_url(place)}/{_object(name, sha256)}", to)
        if _sha256(to) != sha256:
            raise InputError(f"{_url(place)}: {name} is damaged; upload it again from where it was made")
    shutil.rmtree(place, ignore_errors=True)
    part.replace(place)


def _has_news(place: Path) -> bool:
    """Whether a folder of results has anything to upload."""
    files = _files(place)
    return bool(files) and files != _load(place).get("files")


def _upload_results(place: Path) -> None:
    state, files = _load(place), _files(place)
    held = storage.read(f"{_url(place)}/{MANIFEST_FILE}", _MOST_MANIFEST_BYTES)
    if (hashlib.sha256(held).hexdigest() if held is not None else None) != state.get("manifest"):
        raise WorkHereError(f"{_url(place)} was written to elsewhere meanwhile; what was made here is in {place}")
    before = {_object(*each) for each in state.get("objects", {}).items()}
    objects = {name: _sha256(place / name) for name in files}
    for name, sha256 in objects.items():
        if _object(name, sha256) not in before:
            storage.upload(place / name, f"{_url(place)}/{_object(name, sha256)}")
    manifest = place.with_name(f".{place.name}.remote.manifest")
    manifest.write_text(json.dumps({"files": objects}, indent=1) + "\n", encoding="utf-8")
    storage.upload(manifest, f"{_url(place)}/{MANIFEST_FILE}")  # last: until now the one before held
    _save(place, {"manifest": _sha256(manifest), "files": files, "objects": objects})
    manifest.unlink()
    with suppress(RagassayError):  # they only take room
        old = before - {_object(*each) for each in objects.items()}
        storage.remove([f"{_url(place)}/{name}" for name in sorted(old)])


def _object(name: str, sha256: str) -> str:
    return f"{OBJECTS}{sha256[:16]}/{name}"


def _parsed(content: bytes, place: Path) -> dict[str, str]:
    """File name to the hash of its content."""
    try:
        files = json.loads(content)["files"]
        return {str(name): str(sha256) for name, sha256 in files.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InputError(f"{_url(place)}/{MANIFEST_FILE} is damaged; name another folder") from None


def _safe(name: str, place: Path) -> str:
    """A name from the storage that stays within its folder."""
    if name.startswith("/") or "\\" in name or any(part in {"", ".", ".."} for part in name.split("/")):
        raise InputError(f"{_url(place)} holds {name[:80]!r}, which is not a file name; rename it there")
    return name


def _files(place: Path) -> dict[str, list[int]]:
    """The files here, with size and time of the last change: what differs was changed."""
    if place.is_file():
        return {"": [place.stat().st_size, place.stat().st_mtime_ns]}
    found = {}
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if path.is_file() and not name.startswith(_OF_ONE_PROCESS):
            found[name] = [path.stat().st_size, path.stat().st_mtime_ns]
    return found


def _sha256(path: Path) -> str:
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _state_file(place: Path) -> Path:
    return place.with_name(f".{place.name}.remote.json")


def _load(place: Path) -> State:
    """What was here and there when both were last the same; empty where that was never."""
    try:
        state = json.loads(read_plain(_state_file(place)))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def _save(place: Path, state: State) -> None:
    part = _state_file(place).with_suffix(".part")
    part.write_text(json.dumps(state), encoding="utf-8")
    part.replace(_state_file(place))


def _forget(place: Path) -> None:
    """Removes what was fetched, but nothing that was made here since."""
    if place.exists() and _files(place) != _load(place).get("files"):
        raise WorkHereError(
            f"{_url(place)} was changed elsewhere, and {place} holds work that was not uploaded; move that away"
        )
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    _state_file(place).unlink(missing_ok=True)


def _url(place: Path) -> str:
    url = url_of(place)
    assert url is not None
    return url
