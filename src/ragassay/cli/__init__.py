"""The command line. ``main`` is the console script."""

from __future__ import annotations

import errno
import gc
import os
import select
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import TextIO

GC_THRESHOLD = 200_000
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_READER = 141
"""As shells show the end by SIGPIPE: who read the output, such as ``head``, wants no more of it."""


def _is_empty_path(arguments: Sequence[str]) -> bool:
    """Whether an argument is empty that would be read as the current folder; other options have words of their own."""
    before = zip(arguments[1:], arguments[:-1], strict=True)
    return any(each == "" and (option == "--out" or not option.startswith("-")) for each, option in before)


def main() -> None:
    """Runs the command line and exits with its code."""
    # Millions of small objects come and go that form no cycles: to look for some less often saves 5 % of a long run.
    gc.set_threshold(GC_THRESHOLD)
    warnings.formatwarning = lambda message, *_: f"ragassay: {message}\n"  # without the line of source that warns
    from ragassay.cli.app import app  # imported here so that `import ragassay.cli` stays cheap
    from ragassay.report.streams import clean_streams

    with clean_streams():
        try:
            _run(app)
        except Exception:  # noqa: BLE001 - shown here, since it may quote text that steers a terminal
            traceback.print_exc()
            sys.exit(1)


def _run(app: Callable[[], None]) -> None:
    from ragassay.errors import RagassayError, RunFolderError, UsageError

    try:
        if _is_empty_path(sys.argv):
            raise UsageError('an argument is empty (""); give a value, or leave it out')
        sys.exit(_code_of(app))
    except RagassayError as error:
        sys.stderr.write(f"ragassay: {error}\n")
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _discard(sys.stdout)
        sys.stderr.write(
            f"ragassay: the output cannot be written ({error.strerror}); free some space, or redirect it\n"
        )
        sys.exit(RunFolderError.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write("ragassay: stopped\n")  # before or after the command, which says what is kept
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends: there is no need to look through all of its objects once more


def _code_of(app: Callable[[], None]) -> int:
    """Its exit code, once all of its output is written or nobody reads on."""
    out = sys.stdout  # typer replaces it where a pipe is closed, and ends with code 1
    code = 0
    try:
        app()
    except SystemExit as stop:
        if isinstance(stop.code, str):  # what is said for it
            raise
        code = stop.code or 0
    try:
        out.flush()
    except BrokenPipeError:
        code = 1
    if code == 1 and _has_no_reader(out):
        _discard(out)
        return _NO_READER
    return code


def _has_no_reader(stream: TextIO) -> bool:
    """Whether it is a pipe whose other end is closed."""
    if sys.platform == "win32":
        return False
    poll = select.poll()
    poll.register(stream, 0)
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))


def _discard(stream: TextIO) -> None:
    """What is left of it would fail once more when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
