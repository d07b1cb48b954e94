"""Opens files of folders that somebody else may have filled: what only looks like a file stops nobody.

Writes files whole.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

from ragassay.errors import InputError

MOST_LINE_BYTES = 256_000_000
"""Of a record: a document of the usual limit, each cell of it a block, has less."""
NO_FILE = "it is a pipe, a socket or a device"


class NoPlainFileError(InputError, OSError):
    """Something in the place of a file. An OSError too: where a file may be missing, so may this."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be read: {self.strerror}"


def write_whole(path: Path, text: str) -> None:
    """Write a text in place of what was there, whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except BaseException:
        with suppress(OSError):  # where none could be written none can be taken away
            part.unlink()
        raise


def open_plain(path: str | os.PathLike[str]) -> BufferedReader:
    """Open a file to read it. Raises OSError for what cannot be opened, NoPlainFileError for what is no file.

    To open a pipe that nobody writes to, as ``open`` does, would take for ever.
    """
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(mode):
        raise NoPlainFileError(errno.EINVAL, NO_FILE, os.fspath(path))
    # Without waiting: a pipe may have come in its place meanwhile.
    return open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")


def lines_of(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the lines from here on, with their ends. Raises InputError for one without end before memory is full."""
    number = 0
    while line := file.readline(MOST_LINE_BYTES):
        number += 1
        if len(line) >= MOST_LINE_BYTES:
            raise InputError(f"{name}: line {number} is longer than {MOST_LINE_BYTES // 1_000_000} MB; it is no record")
        yield line


def read_plain(path: Path) -> bytes:
    """Return what is in a file. Raises OSError as ``open_plain``."""
    with open_plain(path) as file:
        return file.read()


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; an empty one where there is none that can be read."""
    try:
        found = json.loads(read_plain(path).decode())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def write_object(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON object for people and programs, whole or not at all."""
    write_whole(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
