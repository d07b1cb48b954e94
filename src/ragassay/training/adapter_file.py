"""Writes adapters and checkpoints: safetensors files, the same bytes for the same content, whole or not at all."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ragassay.errors import RunFolderError

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]

_NAMES = {"float16": "F16", "float32": "F32", "int64": "I64"}
_ALIGNMENT = 8


def write_tensors(path: Path, tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Writes a safetensors file beside ``path`` and puts it in its place.

    The library's own writer orders the metadata at random. Raises RunFolderError where the file cannot be written.
    """
    header: dict[str, object] = {"__metadata__": dict(sorted(metadata.items()))}
    at = 0
    for name, values in sorted(tensors.items()):
        header[name] = {
            "dtype": _NAMES[values.dtype.name],
            "shape": list(values.shape),
            "data_offsets": [at, at + values.nbytes],
        }
        at += values.nbytes
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    head += b" " * (-len(head) % _ALIGNMENT)
    partial = path.with_name(path.name + ".new")
    try:
        with partial.open("wb") as file:
            file.write(struct.pack("<Q", len(head)) + head)
            for _, values in sorted(tensors.items()):
                file.write(np.ascontiguousarray(values).tobytes())
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise RunFolderError(f"{path} cannot be written: {error.strerror or error}") from error
