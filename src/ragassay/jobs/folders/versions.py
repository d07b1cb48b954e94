"""What a result was made with: noted in the run folder when it is made, so that reports need not ask the machine."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ragassay.plain_files import read_object
from ragassay.version import __version__

VERSIONS = "versions"
"""The field of ``run.json`` and its like."""
_LIBRARIES = ("numpy", "onnxruntime", "tokenizers", "spacy")
"""Those that results depend on. None of the operating system: the same versions give the same results on any."""


def versions_here() -> dict[str, str]:
    """Name to version of all that a result of this process rests on; the encoder by its weights and precision."""
    from ragassay.models.embeddings import SentenceEncoder

    return {
        "ragassay": __version__,
        "Python": platform.python_version(),
        **_of_libraries(),
        "sentence encoder": SentenceEncoder().name,
    }


@cache
def _of_libraries() -> Mapping[str, str]:
    """Looked up once: it takes several milliseconds, and many short commands in one process ask for it."""
    return {name: version(name) for name in _LIBRARIES}


def recorded_versions(file: Path) -> dict[str, str]:
    """What ``versions_here`` said when a file such as ``run.json`` was written.

    Of files of earlier versions only ragassay's; nothing where there is no such file.
    """
    held = read_object(file)
    found = held.get(VERSIONS)
    if isinstance(found, dict):
        return {str(name): str(value) for name, value in found.items()}
    return {"ragassay": str(held["version"])} if "version" in held else {}
