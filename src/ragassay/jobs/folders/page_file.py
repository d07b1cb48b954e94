"""Puts a file where it was asked for, in place of nothing but another of Ragassay: a page, or what a gate found."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from pathlib import Path

from ragassay.errors import RunFolderError
from ragassay.plain_files import open_plain, write_whole

_HEAD_BYTES = 4_000


@dataclass(frozen=True, slots=True)
class Ours:
    """A kind of file that Ragassay writes. mark: what the head of each has; words: what a file is not without it."""

    mark: re.Pattern[str]
    words: str

    def found(self, path: Path) -> re.Match[str] | None:
        """The mark of a file; None for one of another kind, or that cannot be read."""
        try:
            with open_plain(path) as file:
                return self.mark.search(file.read(_HEAD_BYTES).decode("utf-8", "replace"))
        except OSError:
            return None


PAGE = Ours(
    re.compile(r'<meta name="generator" content="ragassay [^"<>]*">\s*<title>([^<]*)</title>'), "a page of Ragassay"
)


def write_page(target: Path, page: str, *, option: str = "--out", ours: Ours = PAGE) -> Path:
    """Write the page, whole or not at all, and return where. Raises RunFolderError where that cannot be."""
    check_place(target, option=option, ours=ours)
    try:
        write_whole(target, page)
    except OSError as error:
        raise _no_place(option, target, error) from None
    return target


def check_place(target: Path, *, option: str = "--out", ours: Ours = PAGE) -> None:
    """Raise RunFolderError for what is there, unless it is an empty file or one of ours, and where no folder is.

    A link or device is refused: the page is put in place under its name, not written into it.
    """
    try:
        found = target.lstat()
    except FileNotFoundError as error:
        if not target.parent.is_dir():
            raise _no_place(option, target, error) from None
        return
    except OSError as error:
        raise _no_place(option, target, error) from None
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "a link or a device"
        raise RunFolderError(f"{option}: {target} is {what}; name a regular file")
    if found.st_size and ours.found(target) is None:
        raise RunFolderError(
            f"{option}: {target} already exists and is not {ours.words}; name another file, or remove this one"
        )


def _no_place(option: str, target: Path, error: OSError) -> RunFolderError:
    return RunFolderError(f"{option}: {target} cannot be written ({error.strerror})")
