"""Writers as ``--model`` names them: ``small:ADAPTER``, or ``small`` for the one of this package."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ragassay.errors import ModelError
from ragassay.models.small import weights
from ragassay.models.small.writer import ADAPTER

SHIPPED = "small"
PREFIX = f"{SHIPPED}:"


def is_writer(name: str) -> bool:
    """Whether a model's name stands for the small language model with a writer's adapter."""
    return name == SHIPPED or name.startswith(PREFIX)


def adapter_of(name: str) -> Path:
    """The adapter's file."""
    return ADAPTER if name == SHIPPED else Path(name.removeprefix(PREFIX)).expanduser()


def digest_of(adapter: Path) -> str:
    """sha256 of the file, in hexadecimal. Raises ModelError where it cannot be read."""
    try:
        with adapter.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{PREFIX}{adapter}: the adapter cannot be read ({error.strerror or error})") from None


def check_writer(name: str) -> None:
    """Raises ModelError, one sentence, unless the adapter is a writer's for the built-in base."""
    path = adapter_of(name)
    if name == PREFIX:
        raise ModelError(f"{PREFIX} needs an adapter; append the file that `ragassay train writer` wrote")
    if path.is_dir():
        raise ModelError(
            f"{name}: {path} is a folder, as `ragassay train --base` writes it; only adapters of the built-in base "
            f"({weights.BASE_NAME}) are run here, so serve yours (vLLM, for one) and name it as http://HOST:PORT/v1#MODEL"
        )
    _check(path, digest_of(path))


@cache
def _check(path: Path, digest: str) -> None:
    from ragassay.models.small.adapters import read_adapter
    from ragassay.models.small.gguf import Gguf

    read_adapter(path, Gguf(weights.find_weights()).architecture, weights.WEIGHTS_SHA256, "writer")
