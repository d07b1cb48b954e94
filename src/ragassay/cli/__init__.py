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
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from ragassay.errors import RagassayError

GC_THRESHOLD = 200_000
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_MOST_SHOWN = 200
_OUTPUTS = frozenset({"--out", "--write", "--junit", "--markdown", "--export"})
_FIRST_OUTPUT = {"convert": 3, "init": 2}
"""Commands whose arguments from this one on are where they write."""
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
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed before the command began: nobody is to read it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open as long as the process
    try:
        from ragassay.report.safe_text import clean_streams  # imported here so that `import ragassay.cli` stays cheap

        with clean_streams():
            try:
                _run()
            except Exception:  # noqa: BLE001 - shown here, since it may quote text that steers a terminal
                traceback.print_exc()
                sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("ragassay: stopped\n")  # before or after the command, which says what is kept
        sys.exit(130)


def _run() -> None:
    from ragassay.cli.app import app
    from ragassay.errors import RagassayError, UsageError

    try:
        if _is_empty_path(sys.argv):
            raise UsageError('an argument is empty (""); give a value, or leave it out')
        sys.exit(_code_of(app))
    except RagassayError as error:
        sys.stderr.write(f"ragassay: {error}\n")
        sys.exit(error.exit_code)
    except (OSError, RuntimeError) as error:
        found = _fault_of_a_file(error)
        if found is None:
            raise
        sys.stderr.write(f"ragassay: {found}\n")
        sys.exit(found.exit_code)
    finally:
        gc.freeze()  # the process ends: there is no need to look through all of its objects once more


def _fault_of_a_file(error: OSError | RuntimeError) -> RagassayError | None:
    """What is said of a file that cannot be used, wherever in a command that shows; None for other trouble."""
    from ragassay.errors import InputError, RunFolderError

    if isinstance(error, RuntimeError):  # of pathlib, up to Python 3.12
        return InputError(f"{error}; name another file") if str(error).startswith("Symlink loop") else None
    if error.errno in _FULL:
        if _is_of_printing(error):
            _discard(sys.stdout)
            return RunFolderError(
                f"the output cannot be written ({error.strerror}); free some space, or redirect it elsewhere"
            )
        where = f"{error.filename} cannot be written" if error.filename else "a file could not be written"
        return RunFolderError(f"{where} ({error.strerror}); free some space and run the same command again")
    if error.filename is None or error.strerror is None:
        return None
    name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else str(error.filename)
    shown = name if len(name) <= _MOST_SHOWN else f"{name[:_MOST_SHOWN]}..."
    if _is_output(name):
        return RunFolderError(f"{shown} cannot be used ({error.strerror}); name another place for the output")
    return InputError(f"{shown} cannot be used ({error.strerror}); check its name, and who may read it")


def _is_output(name: str) -> bool:
    """Whether a file is where results go, as an option or the command says, or on the way there."""
    said = zip(sys.argv, [*sys.argv[1:], ""], strict=True)
    outs = {option.partition("=")[2] or value for option, value in said if option.partition("=")[0] in _OUTPUTS}
    outs |= {*sys.argv[_FIRST_OUTPUT.get(" ".join(sys.argv[1:2]), len(sys.argv)) :]}
    absolute = os.path.abspath(name)
    outs = {os.path.abspath(out) for out in outs if out}
    return any(os.path.commonpath([absolute, out]) in (absolute, out) for out in outs)


def _is_of_printing(error: OSError) -> bool:
    """Whether it was raised where text is printed, and not where a file is written: neither names what it wrote to."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__")).partition(".")[0] in {"click", "rich"} or (
        frame.f_code.co_filename.startswith(os.path.dirname(__file__))
    )


def _code_of(app: Callable[..., None]) -> int:
    """Its exit code, once all of its output is written or nobody reads on."""
    out = sys.stdout  # click replaces it where a pipe is closed, and ends with code 1
    code = 0
    try:
        app(prog_name="ragassay")
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
