"""Whether a file is still the one that was read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

_SETTLED_AFTER_S = 2.5
"""Clocks of file systems tick every 2 s (FAT) to every few ms: a second change within a tick is not seen."""


class FileState(NamedTuple):
    """Differs when a file was written, replaced or renamed. ctime_ns: set by the system alone, whatever mtime says."""

    mtime_ns: int
    ctime_ns: int
    size: int
    inode: int


def state_of(status: os.stat_result) -> FileState:
    return FileState(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def is_settled(states: Iterable[FileState | None], at: float) -> bool:
    """Whether any change since would show: no file was changed within a tick of the clock before.

    What was read of files that are not settled must not be kept. at: seconds since 1970, before the states were taken.
    """
    return all(
        each is None or min(abs(at - each.ctime_ns / 1e9), abs(at - each.mtime_ns / 1e9)) >= _SETTLED_AFTER_S
        for each in states
    )
