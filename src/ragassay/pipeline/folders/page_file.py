"""Puts a page where it was asked for, in place of nothing but another page of Ragassay."""

from __future__ import annotations

import html
import re
import stat
from contextlib import suppress
from pathlib import Path

from ragassay.errors import RunFolderError
from ragassay.plain_files import open_plain

_HEAD_BYTES = 4_000
_OURS = re.compile(r'<meta name="generator" content="ragassay [^"<>]*">\s*<title>([^<]*)</title>')


def write_page(target: Path, page: str) -> Path:
    """Writes the page, whole or not at all, and says where. Raises RunFolderError where that cannot be."""
    check_place(target)
    part = target.with_name(f"{target.name}.part")
    try:
        part.write_text(page, encoding="utf-8")
        part.replace(target)
    except OSError as error:
        raise RunFolderError(f"--out: {target} cannot be written ({error.strerror})") from None
    finally:
        with suppress(OSError):  # where none could be written none can be taken away
            part.unlink()
    return target


def check_place(target: Path) -> None:
    """Raises RunFolderError for what is there, unless it is an empty file or a page that Ragassay wrote.

    A link or device is refused: the page is put in place under its name, not written into it.
    """
    try:
        found = target.lstat()
    except (OSError, ValueError):
        return  # nothing there, or a place that cannot be: who writes to it says why
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise RunFolderError(f"--out: {target} is a link or a device; name a regular file")
    if stat.S_ISREG(found.st_mode) and found.st_size and title_of_page(target) is None:
        raise RunFolderError(
            f"--out: {target} already exists and is not a page of Ragassay; name another file, or remove this one"
        )


def title_of_page(path: Path) -> str | None:
    """The title of a page that Ragassay wrote, told by its head; None for any other file."""
    try:
        with open_plain(path) as file:
            ours = _OURS.search(file.read(_HEAD_BYTES).decode("utf-8", "replace"))
    except OSError:
        return None
    return html.unescape(ours[1]) if ours else None
