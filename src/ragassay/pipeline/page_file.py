"""Puts a page where it was asked for."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ragassay.errors import RunFolderError


def write_page(target: Path, page: str) -> Path:
    """Writes the page, whole or not at all, and says where. Raises RunFolderError where that cannot be."""
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
