"""Which calls are under way in which process, so that two processes on one log do not make the same call."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":  # on Windows two processes may make the same call, of which the first reply stands
    import fcntl

OFFSET_BYTES = 7
"""So many bytes of a key make the place of its lock: fewer than the 63 bits that a file offset has."""


class CallClaims:
    """A claim is a lock on one byte of an empty file, at a place made of the key.

    The operating system gives the locks of a process back when it ends, however it ends: no claim outlives its owner,
    and none needs a time after which it is void. A process never stands in its own way.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)

    def take(self, key: bytes) -> bool:
        """Whether the call is this process's to make now."""
        if sys.platform != "win32":
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
            except (BlockingIOError, PermissionError):  # POSIX allows either for a lock that another process holds
                return False
            except OSError:  # a file system without locks
                return True
        return True

    def give_back(self, key: bytes) -> None:
        """Lets other processes have the call."""
        if sys.platform != "win32":
            with suppress(OSError):
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(key))

    def close(self) -> None:
        """Gives all claims back."""
        os.close(self._file)


def _place(key: bytes) -> int:
    return int.from_bytes(key[:OFFSET_BYTES], "big")
