"""Arrays that grow with the corpus: in files without a name, mapped, so that memory holds what is worked on."""

from __future__ import annotations

import math
import mmap
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


class Column:
    """Rows as they come, an array at the end. folder: where they lie, in a file that goes with it; None for memory."""

    def __init__(self, dtype: npt.DTypeLike, folder: Path | None, *, width: int | None = None) -> None:
        """width: of a row; None for single numbers."""
        self._dtype = np.dtype(dtype)
        self._row: tuple[int, ...] = () if width is None else (width,)
        self._parts: list[npt.NDArray[Any]] = []
        self._file = tempfile.TemporaryFile(dir=folder) if folder else None  # noqa: SIM115 - closed by ``result``
        self._length = 0

    def append(self, rows: npt.NDArray[Any]) -> None:
        self._length += len(rows)
        if self._file is None:
            self._parts.append(np.asarray(rows, self._dtype))
        else:
            self._file.write(np.ascontiguousarray(rows, self._dtype).data)

    def result(self) -> npt.NDArray[Any]:
        """All rows, (n,) or (n, width), not to be written to. The column takes no more."""
        if self._file is None:
            return np.concatenate([np.empty((0, *self._row), self._dtype), *self._parts])
        with self._file as file:
            if not self._length:
                return np.empty((0, *self._row), self._dtype)  # an empty file cannot be mapped
            file.flush()
            return np.memmap(file, self._dtype, "r", shape=(self._length, *self._row))


def zeros(shape: tuple[int, ...], dtype: npt.DTypeLike, folder: Path | None) -> npt.NDArray[Any]:
    """As ``numpy.zeros``. folder: where they lie, in a file that goes with the array; None for memory.

    Raises OSError where the disk has no room: the system ends a process that writes to a mapped page without one.
    """
    if folder is None or 0 in shape:
        return np.zeros(shape, dtype)
    with tempfile.TemporaryFile(dir=folder) as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, math.prod(shape) * np.dtype(dtype).itemsize)
        return np.memmap(file, dtype, "w+", shape=shape)


def let_go(array: npt.NDArray[Any]) -> None:
    """Takes the pages of a mapped array out of this process: they stay with the system as long as it has room."""
    mapped = getattr(array, "_mmap", None)
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
        mapped.madvise(mmap.MADV_DONTNEED)
