"""Options and output that are the same for all commands: workers, JSON, the estimate of a dry run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ragassay.models.estimating import CallEstimate
    from ragassay.pipeline.asking.dry_run import DryRun
    from ragassay.pipeline.folders.progress import Progress

Processes = Annotated[
    int | None, typer.Option(help="Worker processes; default: one for each core, at most 8.", hidden=True)
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object instead of text.", rich_help_panel="Output")
]

ReplaceRun = Annotated[
    bool, typer.Option("--overwrite", help="Replace another run in the folder.", rich_help_panel="Output")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Exit with code 5 if examples are missing.", rich_help_panel="Output")
]


def print_json(found: Any, *, ascii_only: bool = False) -> None:
    """One object. ascii_only: it quotes texts or paths that may hold what no stream takes or what steers a terminal."""
    typer.echo(json.dumps(found, ensure_ascii=ascii_only, indent=1))


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


def print_estimate_of(estimated: Callable[[Progress], list[CallEstimate]], as_json: bool) -> None:
    """What the calls of a command will take, as a table or an object."""
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.report.costs import blocks_of_estimate, estimate_object
    from ragassay.report.terminal import show

    with progress_bars() as progress:
        rows = estimated(progress)
    if as_json:
        found = estimate_object(rows, 0, 0)
        print_json({key: found[key] for key in ("rows", "all")})
    else:
        show(blocks_of_estimate(rows, 0, 0))


def print_dry_run(found: DryRun, as_json: bool) -> None:
    """Print calls, tokens and cost of each task, as an object or as tables."""
    from ragassay.report.costs import blocks_of_estimate, estimate_object
    from ragassay.report.terminal import show

    if as_json:
        print_json(estimate_object(found.rows, found.examples, found.asked))
    else:
        show(blocks_of_estimate(found.rows, found.examples, found.asked))
