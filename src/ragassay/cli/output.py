"""What commands print and write: one JSON object, and new files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click


def print_json(found: Any) -> None:
    """Print one object in ASCII: a text in it can neither steer a terminal nor fail to be written."""
    click.echo(json.dumps(found, indent=1))


def show(done: Any, as_json: bool) -> None:
    """Print a result that has ``blocks`` for people and ``as_object`` for programs."""
    from ragassay.report import terminal

    if as_json:
        print_json(done.as_object())
    else:
        terminal.show(done.blocks())


def write_new(texts: Mapping[Path, str], option: str) -> None:
    """Writes files of one folder, which is made if missing: all of them, or none where one cannot be written.

    Raises RunFolderError, also for a file that is there already; option: for the message.
    """
    from ragassay.errors import RunFolderError

    parts = {path: path.with_name(f"{path.name}.part") for path in texts}
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            parts[path].write_text(text, encoding="utf-8", newline="\n")
        if there := [path for path in texts if path.exists() or path.is_symlink()]:
            more = f" and {len(there) - 1} more" if len(there) > 1 else ""
            raise RunFolderError(f"{option}: {there[0]}{more} already exists; nothing was written: name another place")
        for path, part in parts.items():
            part.replace(path)
    except FileExistsError as error:
        raise RunFolderError(f"{option}: {error.filename} is a file; name another place") from None
    except OSError as error:
        place = str(error.filename or next(iter(texts))).removesuffix(".part")
        raise RunFolderError(f"{option}: {place} cannot be written ({error.strerror}); name another place") from None
    finally:
        for part in parts.values():
            with suppress(OSError):  # where none could be written none can be taken away
                part.unlink()
